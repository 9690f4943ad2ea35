"""Our games beside open_spiel's: the same position and the same move in both.

open_spiel's `mancala` is Kalah(6,4) whose captures need a seed to capture; its `pentago` looks for fives after
the turn alone, as `classic-after`. Its rules and its Monte Carlo search are C++, its alpha-beta is Python.
Results are the first player's on both sides."""

import importlib
import importlib.util
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.experiments.bench.race import MismatchError
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

_QUADRANTS = (0, 1, 3, 2)  # open_spiel counts them clockwise, we row by row


def pyspiel() -> Any:
    """Return the module, None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def reference(what: str) -> str:
    """Return how a table names open_spiel."""
    return f"open_spiel, {what}" if importlib.util.find_spec("pyspiel") else "open_spiel: not installed"


@dataclass(frozen=True)
class Twin:
    """A game of ours, its name there, the module (None: not installed), and our text of its (player, action)."""

    title: str
    game: Game
    name: str
    module: Any
    text: Callable[[int, int], str]

    def new_state(self) -> Any:
        """Return their start position."""
        return self.module.load_game(self.name).new_initial_state()


def twin(name: str, module: Any) -> Twin:
    """Return `kalah` or `pentago` with its twin."""
    if name == "kalah":
        return Twin("Kalah 6×4", games.load("kalah:ponds=6,seeds=4"), "mancala", module, _pond)
    if name == "pentago":
        game = games.load("pentago:variant=classic-after")
        return Twin("Pentago", game, "pentago", module, _placement)
    raise InputError(f"twin: expected kalah or pentago, found {name!r}")


def _pond(player: int, action: int) -> str:
    """Places are 1 to 6 for the first player's ponds, 8 to 13 for the second's."""
    return str(action - 7 * player)


def _placement(player: int, action: int) -> str:
    """Eight turns a cell, cells row by row; an odd turn is clockwise."""
    cell, turn = divmod(action, 8)
    row, column = divmod(cell, 6)
    return f"{'abcdef'[column]}{row + 1}-{_QUADRANTS[turn // 2]}{'lr'[turn % 2]}"


class Both:
    """One game in progress, on both sides (on ours alone if there is no other)."""

    def __init__(self, pair: Twin) -> None:
        self.pair = pair
        self.board = Board(pair.game)
        self.state: Any = None if pair.module is None else pair.new_state()

    def actions(self) -> dict[str, int]:
        """Return their legal actions by our text."""
        player = self.state.current_player()
        return {self.pair.text(player, action): action for action in self.state.legal_actions()}

    def play(self, text: str) -> None:
        """Play a move."""
        if self.state is not None:
            self.state.apply_action(self.actions()[text])
        self.board.push(text)

    def compare(self) -> None:
        """Refuse to go on where the two sides differ."""
        board, state = self.board, self.state
        self._same("end of the game", board.is_over, state.is_terminal())
        if board.is_over:
            self._same("result", board.result, state.returns()[0])
            return
        self._same("player", board.mover, state.current_player())
        self._same("legal moves", board.legal(), sorted(self.actions()))

    def _same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            place = f"{self.pair.game.spec} after {len(self.board.moves)} plies, {self.board.text}"
            raise MismatchError(f"{place}: {what}: ours {ours}, open_spiel {theirs}")


def compare_rules(pair: Twin, n_games: int, seed: int = 1) -> int:
    """Play random games on both sides; return the number of positions in which all was the same."""
    rng = random.Random(seed)
    n_positions = 0
    for _ in range(n_games):
        both = Both(pair)
        both.compare()
        n_positions += 1
        while not both.board.is_over:
            both.play(rng.choice(both.board.legal()))
            both.compare()
            n_positions += 1
    return n_positions


def random_positions(pair: Twin, plies: tuple[int, ...], seed: int = 1) -> Iterator[Both]:
    """Yield an unfinished position of random play after each of these numbers of plies."""
    rng = random.Random(seed)
    for wanted in plies:
        both = Both(pair)
        while len(both.board.moves) < wanted:
            both.play(rng.choice(both.board.legal()))
            if both.board.is_over:
                both = Both(pair)
        yield both
