"""Who judges a game of two engines: our rules, those of chess, or the engines themselves?

A `Position` is one game in progress. Results are the first player's (White's): 1, 0, -1. `OwnRules` are those of a game
of ours or the user's; `chess_rules` has those of chess. `EnginesAgree` knows none: both engines are asked after every
move whose turn it is, whether the game is over and how it ended, and must give the same answers. A move that both let
pass without carrying it out is no disagreement: what gives it away is that one side moves on and on, the same move."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tunesmith.engine.board import Board
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.external.engine import BOTH, Engine, EngineFault
from tunesmith.tuning.play.ugi_lines import RESULTS

REPEATS = 3  # times that a side plays the same move without the other one's turn: nobody carries it out
MOST_IN_A_ROW = 100  # moves of one side
ENDS = {text: result for result, text in RESULTS.items()}
TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class EngineOpening:
    """Where a game begins: a position (`fen`; empty: the start of the game) and moves from it."""

    fen: str
    moves: tuple[str, ...] = ()


class Position(Protocol):
    """One game in progress, as a judge sees it."""

    @property
    def mover(self) -> int:
        """0 if the first player (White) moves, 1 if the second does."""
        ...

    def end(self) -> tuple[str, int] | None:
        """Return why the game is over and the first player's result, None while it is not."""
        ...

    def push(self, text: str) -> str:
        """Play a move as an engine writes it; return how the other one is told of it.

        Raises
        ------
        EngineFault
            It is not legal.
        """
        ...


class Rules(Protocol):
    """Who judges games."""

    name: str
    is_judge: bool  # what is legal is known without asking the engines

    def begin(self, opening: EngineOpening, engines: Sequence[Engine]) -> Position:
        """Return the position that a game of two engines begins in."""
        ...

    def random_line(self, plies: int, rng: random.Random) -> tuple[EngineOpening, str] | None:
        """Return random plies from the start and what tells the position from others; None: not to be played."""
        ...


# --- a game of ours or the user's


class OwnRules:
    """The rules of a game that Tunesmith knows."""

    is_judge = True

    def __init__(self, game: Game) -> None:
        self.game, self.name = game, game.spec

    def begin(self, opening: EngineOpening, engines: Sequence[Engine] = ()) -> Position:
        """Return the position that a game begins in."""
        return _OwnPosition(self.board(opening))

    def board(self, opening: EngineOpening) -> Board:
        """Return the position after an opening's moves, with its history."""
        board = Board(self.game, opening.fen or None)
        for move in opening.moves:
            board.push(move)
        return board

    def random_line(self, plies: int, rng: random.Random) -> tuple[EngineOpening, str] | None:
        """Return random plies from the start, None where the game ends on the way."""
        board = Board(self.game)
        for _ in range(plies):
            moves = board.legal()
            if not moves:
                return None
            board.push(rng.choice(moves))
        return None if board.is_over else (EngineOpening("", tuple(board.notation)), board.text)


class _OwnPosition:
    def __init__(self, board: Board) -> None:
        self.board = board

    @property
    def mover(self) -> int:
        return self.board.mover

    def end(self) -> tuple[str, int] | None:
        result = self.board.result
        return None if result is None else (self.board.reason or "finished", result)

    def push(self, text: str) -> str:
        try:
            self.board.push(text)
        except InputError:
            raise EngineFault("illegal move", f"{text or '(none)'} in {self.board.text}") from None
        return self.board.notation[-1]


# --- a game that only the engines know


class EnginesAgree:
    """No rules: both engines are asked, and must agree."""

    name, is_judge = "the engines", False

    def begin(self, opening: EngineOpening, engines: Sequence[Engine]) -> Position:
        """Return the position that a game of two engines begins in."""
        return _AgreedPosition(opening, engines)

    def random_line(self, plies: int, rng: random.Random) -> tuple[EngineOpening, str] | None:
        """Return the start: which moves are legal nobody says."""
        return EngineOpening(""), ""


@dataclass(frozen=True)
class Standing:
    """What one engine says of a position."""

    is_first: bool
    result: str  # one of ENDS; "none" while the game goes on
    is_over: bool

    def __str__(self) -> str:
        if self.is_over:
            return f"over, {self.result}"
        wrong = "" if self.result == "none" else f", but {self.result}"
        return f"p{1 if self.is_first else 2} to move{wrong}"


class _AgreedPosition:
    def __init__(self, opening: EngineOpening, engines: Sequence[Engine]) -> None:
        self._fen, self._moves, self._engines = opening.fen, list(opening.moves), engines
        self._known: Standing | None = None
        self._last = BOTH  # who made the last move
        self._row: list[str] = []  # moves of that side since the other one's turn

    @property
    def _standing(self) -> Standing:
        if self._known is None:
            self._known = self._ask()
        return self._known

    @property
    def mover(self) -> int:
        return 0 if self._standing.is_first else 1

    def end(self) -> tuple[str, int] | None:
        result = ENDS[self._standing.result]
        return None if result is None else ("finished", result)

    def push(self, text: str) -> str:
        if not text:
            raise EngineFault("illegal move", "no move in a position where the game goes on")
        self._row = [*(self._row if self._last == self.mover else ()), text]
        self._last = self.mover
        self._moves.append(text)
        self._known = None  # asked once the move is on record: a disagreement is about it
        return text

    def _ask(self) -> Standing:
        found = []
        for at, engine in enumerate(self._engines):
            try:
                found.append(_standing(engine, self._fen, self._moves))
            except EngineFault as fault:
                raise EngineFault(fault.reason, fault.detail, at) from None
            if engine.complaint:
                last = self._moves[-1] if self._moves else "the opening"
                raise EngineFault(
                    "illegal move", f"{last}: {engine.name} says: {engine.complaint}", self._last
                )
        first, second = found
        is_same = first == second or (first.is_over and second.is_over and first.result == second.result)
        if not is_same or first.is_over != (first.result != "none"):
            last = f"after {self._moves[-1]}" if self._moves else "at the start"
            said = ", ".join(
                f"{engine.name} says {one}" for engine, one in zip(self._engines, found, strict=True)
            )
            raise EngineFault("disagreement" if not is_same else "no result", f"{last}: {said}", BOTH)
        if not first.is_over and self._last == (0 if first.is_first else 1):
            self._check_progress()
        return first

    def _check_progress(self) -> None:
        """Raise where the side that has just moved seems to move for ever."""
        mover, row = self._engines[self._last].name, self._row
        if len(row) >= REPEATS and len(set(row[-REPEATS:])) == 1:
            said = f"{mover} plays {row[-1]} {REPEATS} times in a row"
        elif len(row) >= MOST_IN_A_ROW:
            said = f"{mover} makes {len(row)} moves in a row"
        else:
            return
        raise EngineFault(
            "no progress",
            f"{said}, and both engines say that it is its turn again: they let a move pass that they do not carry out",
            BOTH,
        )


def _standing(engine: Engine, fen: str, moves: Sequence[str]) -> Standing:
    engine.set_position(fen, moves)
    is_over = engine.ask("gameover", TRUTH)
    is_first = engine.ask("p1turn", TRUTH)
    return Standing(TRUTH[is_first], engine.ask("result", ENDS), TRUTH[is_over])
