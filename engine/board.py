"""A game in progress, the way a person or a referee uses it: moves are texts, history is kept.

Everything runs as plain Python: nothing is compiled for a single position."""

from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.games.texts import read_notation

RESULT_WORDS = {1: "first player wins", 0: "draw", -1: "second player wins"}


class Board:
    """One game in progress.

    Parameters
    ----------
    game
        The rules.
    text
        Text form of the position to start from (default: the start position). History begins here: the
        position counts once for repetition if the game counts such positions at all.

    Raises
    ------
    InputError
        The text is not a position of this game.
    """

    def __init__(self, game: Game, text: str | None = None) -> None:
        self.game = game
        state = game.initial() if text is None else read_notation(game.name, game.text_to_state, text)
        self._states = [state]
        self._moves: list[int] = []
        self._keys = [self._key(state)]
        self._ends: list[tuple[int, str] | None] = [self._ending()]

    @property
    def state(self) -> State:
        """The position as the engine's tuple."""
        return self._states[-1]

    @property
    def states(self) -> list[State]:
        """All positions so far as the engine's tuples, the present one last."""
        return list(self._states)

    @property
    def moves(self) -> list[int]:
        """The moves played so far, as the engine's ints."""
        return list(self._moves)

    @property
    def notation(self) -> list[str]:
        """The moves played so far, as texts."""
        return [self.game.move_to_text(*played) for played in zip(self._states, self._moves, strict=False)]

    @property
    def n_plies(self) -> int:
        """Moves played, those before the given position included where the position tells."""
        known = self.game.plies(self.state) if self.game.plies else -1
        return known if known >= 0 else len(self._moves)

    @property
    def mover(self) -> int:
        """Who moves: 0 the first player, 1 the second."""
        return self.game.mover(self.state)

    @property
    def text(self) -> str:
        """The position's text form; a finished game prints as such."""
        if self.is_over and self.game.finished_text is not None:
            return self.game.finished_text(self.state)
        return self.game.state_to_text(self.state)

    def legal_moves(self) -> list[int]:
        """Return the legal moves as ints, in the game's order; none when the game is over."""
        if self.is_over:
            return []
        buffer: Any = np.zeros(self.game.max_moves, np.int64)
        n_moves = self.game.legal_moves(self.state, buffer)
        return [int(move) for move in buffer[:n_moves]]

    def legal(self) -> list[str]:
        """Return the texts of the legal moves, sorted; none when the game is over."""
        return sorted(self.game.move_to_text(self.state, move) for move in self.legal_moves())

    def push(self, text: str) -> None:
        """Play the move `text`; refuse one that is not legal, and any move after the end."""
        if self.is_over:
            raise InputError(f"move {text!r}: the game is over ({self.reason})")
        move = read_notation(self.game.name, self.game.text_to_move, self.state, text)
        if move not in self.legal_moves():
            raise InputError(f"move {text!r}: not legal in {self.text}; legal are {', '.join(self.legal())}")
        self.play(move)

    def play(self, move: int) -> None:
        """Play a legal move given as the engine's int (not checked)."""
        state = self.game.apply_move(self.state, move)
        self._states.append(state)
        self._moves.append(move)
        self._keys.append(self._key(state))
        self._ends.append(self._ending())

    def pop(self) -> None:
        """Take the last move back."""
        if not self._moves:
            raise InputError("there is no move to take back")
        for record in (self._states, self._moves, self._keys, self._ends):
            record.pop()

    @property
    def history_keys(self) -> list[int]:
        """Repetition keys of all positions so far, the present one last (0 = does not count)."""
        return list(self._keys)

    def _key(self, state: State) -> int:
        return self.game.history_key(state) if self.game.history_key is not None else 0

    def _ending(self) -> tuple[int, str] | None:
        """Result for the first player and reason, or None while the game goes on."""
        questions = [self._by_outcome, self._by_repetition, self._by_length]
        if self.game.repetition_first:
            questions = [self._by_repetition, self._by_length, self._by_outcome]
        return next((answer for answer in (ask() for ask in questions) if answer is not None), None)

    def _by_outcome(self) -> tuple[int, str] | None:
        result = self.game.outcome(self.state)
        if result == ONGOING:
            return None
        return result, self.game.end_reason(self.state) if self.game.end_reason else "finished"

    def _by_repetition(self) -> tuple[int, str] | None:
        key = self._keys[-1]
        if not self.game.repetition_limit or key == 0:
            return None
        return (0, "repetition") if self._keys.count(key) >= self.game.repetition_limit else None

    def _by_length(self) -> tuple[int, str] | None:
        limit = self.game.max_plies
        return (0, "max_plies") if limit and self.n_plies >= limit else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._ends[-1] is not None

    @property
    def result(self) -> int | None:
        """1, 0 or -1 for the first player; None while the game goes on."""
        ending = self._ends[-1]
        return None if ending is None else ending[0]

    @property
    def reason(self) -> str | None:
        """Why the game ended; None while it goes on."""
        ending = self._ends[-1]
        return None if ending is None else ending[1]

    def __str__(self) -> str:
        return self.game.draw_text(self.state)

    def __repr__(self) -> str:
        return f"{self.game.spec}, {self._standing()}\n{self}"

    def _standing(self) -> str:
        """Return in words who is to move, or how the game ended."""
        if self.result is not None:
            return f"{RESULT_WORDS[self.result]} ({self.reason})"
        return f"{('first', 'second')[self.mover]} player to move after {self.n_plies} move{'s' * (self.n_plies != 1)}"

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows, as wide as a board needs to be."""
        svg = self.game.draw_svg(self.state)
        opening = svg.partition(">")[0]
        missing = [
            text
            for text in ('xmlns="http://www.w3.org/2000/svg"', 'width="420"')
            if text.partition("=")[0] not in opening
        ]
        return svg.replace("<svg", " ".join(["<svg", *missing]), 1)
