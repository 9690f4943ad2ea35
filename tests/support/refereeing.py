"""A referee of our own for both courses' games, and what reads the logs of theirs.

`play` calls players in the order of the rules pages: constructors, then actions, then updates of both players, also
after the last action; for Expendibots `update(colour, action)`, for RoPaSci 360 `update(opponent's, own)`."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tunesmith.engine.board import Board
from tunesmith.games.game import Game
from tunesmith.tuning.export.agent.referee import (
    expendibots_action,
    expendibots_text,
    ropasci_action,
    ropasci_text,
)

COLOURS = {"expendibots": ("white", "black"), "ropasci360": ("upper", "lower")}
TEXTS = {"expendibots": expendibots_text, "ropasci360": ropasci_text}
ACTIONS = {"expendibots": expendibots_action, "ropasci360": ropasci_action}


@dataclass
class Outcome:
    """A finished game, and the CPU seconds that each player used in all its calls."""

    board: Board
    seconds: list[float]


def play(game: Game, first: Callable[[str], Any], second: Callable[[str], Any]) -> Outcome:
    """Play one game; an action that is not legal is an InputError."""
    seconds = [0.0, 0.0]

    def timed(side: int, function: Callable[..., Any], *arguments: Any) -> Any:
        began = time.process_time()
        answer = function(*arguments)
        seconds[side] += time.process_time() - began
        return answer

    colours, to_text, board = COLOURS[game.name], TEXTS[game.name], Board(game)
    players = [timed(side, kind, colours[side]) for side, kind in enumerate((first, second))]
    while not board.is_over:
        if game.simultaneous:
            actions = [timed(side, players[side].action) for side in (0, 1)]
            for action in actions:
                board.push(to_text(action))
            for side in (0, 1):
                timed(side, players[side].update, actions[1 - side], actions[side])
        else:
            mover = board.mover
            action = timed(mover, players[mover].action)
            board.push(to_text(action))
            for side in (0, 1):
                timed(side, players[side].update, colours[mover], action)
    return Outcome(board, seconds)


def random_player(game: Game, rng: Any) -> Callable[[str], Any]:
    """Return a kind of player that plays at random, with a board of its own."""
    colours, to_text, to_action = COLOURS[game.name], TEXTS[game.name], ACTIONS[game.name]

    class Random:
        def __init__(self, colour: str) -> None:
            self.side, self.board = colours.index(colour), Board(game)

        def action(self) -> Any:
            board = self.board
            if game.simultaneous and self.side == 1:
                board.play(board.legal_moves()[0])
                texts = board.legal()
                board.pop()
            else:
                texts = board.legal()
            return to_action(rng.choice(texts))

        def update(self, first: Any, second: Any) -> None:
            if not game.simultaneous:
                self.board.push(to_text(second))
                return
            upper, lower = (second, first) if self.side == 0 else (first, second)
            self.board.push(to_text(upper))
            self.board.push(to_text(lower))

    return Random


# --- the logs of the courses' referees

_PLACE = r"\((-?\d+), ?(-?\d+)\)"
_EXPENDIBOTS = re.compile(
    rf"\[(?:white|black)\] - (?:MOVE (\d+) from {_PLACE} to {_PLACE}|BOOM at {_PLACE})\.?"
)
_ROPASCI = re.compile(
    rf"turn \d+: (upper|lower): (?:THROW symbol ([rps]) to {_PLACE}|(SLIDE|SWING) from {_PLACE} to {_PLACE})"
)
RESULTS = {
    "winner: white": 1,
    "winner: upper": 1,
    "winner: black": -1,
    "winner: lower": -1,
    "no tokens remaining": 0,
    "occurred 4 times": 0,
    "maximum number of turns": 0,
    "no remaining tokens or throws": 0,
    "both players have an invincible token": 0,
    "occurred for 3rd time": 0,
}


def logged_actions(game: Game, log: str) -> list[str]:
    """Return the texts of the actions in a referee's log, in the order in which a board takes them."""
    if game.name == "expendibots":
        return [_expendibots(line.groups()) for line in _EXPENDIBOTS.finditer(log)]
    found = [line.groups() for line in _ROPASCI.finditer(log)]
    pairs = [
        sorted(found[at : at + 2], key=lambda parts: parts[0] == "lower") for at in range(0, len(found), 2)
    ]
    return [_ropasci(parts) for pair in pairs for parts in pair]


def _expendibots(parts: Any) -> str:
    n, xa, ya, xb, yb, x, y = parts
    return f"B{x}{y}" if n is None else f"M{int(n):X}:{xa}{ya}-{xb}{yb}"


def _ropasci(parts: Any) -> str:
    _, symbol, r, q, kind, ra, qa, rb, qb = parts
    return f"T{symbol}:{r},{q}" if symbol else f"{'L' if kind == 'SLIDE' else 'W'}:{ra},{qa}>{rb},{qb}"


def logged_result(log: str) -> int:
    """Return the result in the last line of a referee's log, for the first player."""
    last = log.strip().splitlines()[-1]
    return next(result for words, result in RESULTS.items() if words in last)
