"""A player: weights, options and a limit, asked for moves one position at a time.

`Player.analyse` looks at a `Board` and answers with move, score and principal variation; `evaluation_parts`
shows the static evaluation feature by feature. Whole games are played faster by `engine.match`. In a
simultaneous game nothing here sees a hidden choice: the second chooser gets the position with the players
exchanged, as if it chose first."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tunesmith.engine.board import Board
from tunesmith.engine.book import Book, Entry
from tunesmith.engine.book.probe import book_move_once, key_and_image
from tunesmith.engine.compile.arith import drawn_place
from tunesmith.engine.compile.bind import bind, uncompiled
from tunesmith.engine.compile.jit import takes_long
from tunesmith.engine.evaluation import EVALUATION_MAX, WIN, to_score, wanted_features, weighted_sum
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.dispatch import thinking_once
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.searcher import (
    CUTS,
    DEFAULT_HASH_MB,
    FIRST_CUTS,
    MAX_PLY,
    N_BOOK,
    N_PV,
    NODES,
    REACHED,
    SCORE,
    SEED,
    SIMULATIONS,
    new_searcher,
)
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game, State

FEW_NODES = 10_000  # plain Python has searched these in some seconds, compiling takes half a minute


@dataclass(frozen=True)
class Analysis:
    """What a search, an opening book or chance (both: depth and nodes 0) found.

    Score in 1/100 Elo (objective `result`) or points of margin, the mover's view.
    """

    move: str
    score: int
    depth: int
    nodes: int
    line: tuple[str, ...]
    first_move_cuts: float
    simulations: int = 0

    @property
    def forced(self) -> int | None:
        """Plies to a forced win (positive) or loss (negative), or None."""
        if abs(self.score) <= EVALUATION_MAX:
            return None
        distance = WIN - abs(self.score)
        return distance if self.score > 0 else -distance


@dataclass(frozen=True)
class Part:
    """One feature's share in an evaluation: value x weight (mixed over the stages) x scale = Elo."""

    value: float
    weight: float
    elo: float


class Player:
    """One player with memory of its own.

    Parameters
    ----------
    options
        Overrides the weight file's own search options.
    seed
        What the player draws follows from it and the number of the move (0 to 2**63 - 1).
    """

    def __init__(
        self,
        game: Game,
        weights: Weights,
        limit: Limit,
        options: SearchOptions | None = None,
        hash_mb: int = DEFAULT_HASH_MB,
        seed: int = 0,
    ) -> None:
        self.game, self.weights, self.limit = game, weights, limit
        values, chosen = weights.array(game), options or weights.search_options
        to_go = weights.to_go(game)
        self.searcher = new_searcher(game, values, weights.scale, chosen, limit, hash_mb, to_go)
        self.searcher.memory["counters"][0, SEED] = seed
        # As in a match: what has no weight in any stage need not be computed.
        self._wanted = wanted_features(game, values)
        self._think: Any = None
        self._has_thought = False
        if chosen.kind != "random":
            self._think = bind(thinking_once(self.searcher), game, self._wanted)
        self._book: dict[int, Entry] = {}

    @property
    def takes_long(self) -> bool:
        """Whether its first search has to be compiled, which takes half a minute or so."""
        return not self._has_thought and self._think is not None and takes_long(self._think)

    def spare_compiling(self) -> None:
        """Search as plain Python, with the same answers, where that is done before a search is compiled."""
        if self.takes_long and self.limit.nodes <= FEW_NODES:
            self._think = uncompiled(thinking_once(self.searcher), self.game, self._wanted)
            self._has_thought = True

    def use_book(self, book: Book) -> None:
        """Play from an opening book as long as it knows the position."""
        book.install(self.searcher, self.game)
        self._book = book.by_key(self.game)

    def new_game(self) -> None:
        """Forget what earlier games left in memory."""
        forget(self.searcher.memory[0])

    def analyse(self, board: Board) -> Analysis:
        """Search the board's position, as its mover sees it.

        Raises
        ------
        InputError
            The game is over.
        """
        if board.is_over:
            raise InputError(f"position {board.text!r}: the game is over ({board.reason})")
        if (known := self._from_book(board)) is not None:
            return known
        if self._think is None:
            return self._by_chance(board)
        state, history = seen_by_mover(board)
        keys = np.zeros(len(history) + MAX_PLY + 1, np.int64)
        keys[: len(history)] = history
        memory, transposition = self.searcher
        move = int(self._think(memory, transposition, state, keys, len(history), board.n_plies))
        self._has_thought = True
        return self._analysis(board, move)

    def choose(self, board: Board) -> str:
        """Return the text of the move to play."""
        return self.analyse(board).move

    def _from_book(self, board: Board) -> Analysis | None:
        """Return what the opening book says, if it knows the position."""
        if self.searcher.memory["counters"][0, N_BOOK] <= board.n_plies:
            return None
        move = int(bind(book_move_once, self.game)(self.searcher.memory, board.state))
        if move == NO_MOVE:
            return None
        entry = self._book[int(bind(key_and_image, self.game)(board.state)[0])]
        text = self.game.move_to_text(board.state, move)
        return Analysis(text, round(100 * entry.score), 0, 0, (text,), 0.0)

    def _by_chance(self, board: Board) -> Analysis:
        """Draw any legal move, as in a match."""
        moves = board.legal_moves()
        move = moves[drawn_place(int(self.searcher.memory["counters"][0, SEED]), board.n_plies, len(moves))]
        text = self.game.move_to_text(board.state, move)
        return Analysis(text, 0, 0, 0, (text,), 0.0)

    def _analysis(self, board: Board, move: int) -> Analysis:
        counters = self.searcher.memory["counters"][0]
        line = [int(m) for m in self.searcher.memory["pv"][0][: counters[N_PV]]]
        if is_turned(board):  # what follows the own choice was found on the other side of the board
            move = self.game.swap_move(move) if self.game.swap_move is not None else move
            line = [move]
        return Analysis(
            self.game.move_to_text(board.state, move),
            int(counters[SCORE]),
            int(counters[REACHED]),
            int(counters[NODES]),
            tuple(_line_texts(self.game, board, line)),
            float(counters[FIRST_CUTS] / max(1, counters[CUTS])),
            int(counters[SIMULATIONS]),
        )


def is_turned(board: Board) -> bool:
    """Tell whether the mover sees the position with the players exchanged: the second of two choosers."""
    return board.game.simultaneous and board.mover == 1


def seen_by_mover(board: Board) -> tuple[State, list[int]]:
    """Return what the mover may know: the position without a hidden choice, and the keys of its history."""
    game, state = board.game, board.state
    if not game.simultaneous or game.hide is None:
        return state, board.history_keys
    state = game.hide(state)
    if not is_turned(board) or game.swap_sides is None:
        return state, board.history_keys
    key = game.history_key or (lambda _: 0)
    keys = [key(game.swap_sides(past)) if game.mover(past) == 0 else 0 for past in board.states]
    return game.swap_sides(state), keys


def _line_texts(game: Game, board: Board, line: list[int]) -> list[str]:
    state, texts = board.state, []
    for move in line:
        texts.append(game.move_to_text(state, move))
        state = game.apply_move(state, move)
    return texts


def evaluation_parts(game: Game, weights: Weights, state: Any) -> tuple[int, dict[str, Part]]:
    """Return the static evaluation (1/100 Elo, mover's view) and each feature's part of it.

    In plain Python, which gives the same bits: for one position nothing is compiled.
    """
    weighed = weights.array(game)
    values, shares = np.zeros(game.n_features), np.ones(game.n_stages)
    every = np.arange(game.n_features)
    total = uncompiled(weighted_sum, game)(state, weighed, every, game.n_features, values, shares)
    if game.stages is None:
        shares[:] = 1.0
    mixed = shares @ weighed
    parts = {
        name: Part(float(values[i]), float(mixed[i]), float(weights.scale * mixed[i] * values[i]))
        for i, name in enumerate(game.feature_names)
    }
    return int(to_score(total, weights.scale)), parts
