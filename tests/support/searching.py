"""What tests of the search share: boards of random play, searches of them, and games run as plain Python."""

import dataclasses
import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from tunesmith.engine.board import Board
from tunesmith.engine.compile import jit
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search import alphabeta as alphabeta_module
from tunesmith.engine.search import mcts, time_control
from tunesmith.engine.search.alphabeta import alphabeta
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.search.values import INFINITY
from tunesmith.engine.searcher import MAX_PLY, N_PV, NODES, REACHED, SCORE, Searcher, new_searcher
from tunesmith.games import registry
from tunesmith.games.game import Game, State

SWITCHES = (
    "deepening",
    "table",
    "symmetry",
    "pvs",
    "hints",
    "killers",
    "history",
    "mtdf",
    "pruning",
    "bounds",
)
NUMBERS = {
    "aspiration": (0, 0, 5, 50),
    "sort": (0, 0, 1, 2),
    "internal_deepening": (0, 0, 2, 3),
    "replacement": ("depth", "depth", "always", "lru"),
}


def weights(game: Game, seed: int = 1, size: float = 20.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, size, (game.n_stages, game.n_features)).round(3)


def random_board(game: Game, rng: random.Random, plies: int) -> Board:
    """Return an unfinished board after `plies` random moves, fewer if play ends before.

    Of a simultaneous game, one with no choice pending.
    """
    board = Board(game)
    while len(board.moves) < plies and not board.is_over:
        board.play(rng.choice(board.legal_moves()))
    while board.is_over or (game.simultaneous and board.mover == 1):
        board.pop()
    return board


def combinations(rng: random.Random, n: int, **fixed: Any) -> list[SearchOptions]:
    """Return `n` combinations of the exact switches, all off and all on among them."""
    every = list(itertools.product([False, True], repeat=len(SWITCHES)))
    chosen = [every[0], every[-1], *rng.sample(every[1:-1], n - 2)]
    return [
        SearchOptions.exact(
            **{
                **dict(zip(SWITCHES, values, strict=True)),
                **{name: rng.choice(choices) for name, choices in NUMBERS.items()},
                **fixed,
            }
        )
        for values in chosen
    ]


def keys_of(board: Board) -> np.ndarray:
    history = board.history_keys
    keys = np.zeros(len(history) + MAX_PLY + 1, np.int64)
    keys[: len(history)] = history
    return keys


def think(searcher: Searcher, board: Board) -> int:
    """Search the board; return the move."""
    keys = keys_of(board)
    bound = bind(think_once, board.game)
    return int(bound(*searcher, board.state, keys, len(board.states), board.n_plies))


def search(
    board: Board, table: np.ndarray, options: SearchOptions, limit: Limit, mb: int = 1, scale: float = 1.0
) -> tuple[int, Searcher]:
    """Search the board with fresh memory; return the score and the searcher."""
    searcher = new_searcher(board.game, table, scale, options, limit, mb)
    think(searcher, board)
    return score(searcher), searcher


def score(searcher: Searcher) -> int:
    return int(searcher.memory["counters"][0][SCORE])


def nodes(searcher: Searcher) -> int:
    return int(searcher.memory["counters"][0][NODES])


def reached(searcher: Searcher) -> int:
    return int(searcher.memory["counters"][0][REACHED])


def line(searcher: Searcher) -> list[int]:
    return [int(move) for move in searcher.memory["pv"][0][: searcher.memory["counters"][0][N_PV]]]


def window_search(
    memory: Any,
    transposition: Any,
    root: State,
    keys: Any,
    n_keys: int,
    n_plies: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """Do `alphabeta` for callers outside compiled code (template)."""
    return alphabeta(memory[0], transposition, [root] * MAX_PLY, keys, n_keys, n_plies, depth, alpha, beta)


def value(searcher: Searcher, board: Board, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
    """Return what alpha-beta says of the board in a window."""
    keys = keys_of(board)
    place = board.state, keys, len(board.states), board.n_plies
    return int(bind(window_search, board.game)(*searcher, *place, depth, alpha, beta))


@contextmanager
def all_as_python() -> Iterator[None]:
    """Let every game that is loaded in the block be a new one that is bound as plain Python."""
    compiled, jit.COMPILED = jit.COMPILED, False
    loaded, registry._loaded = registry._loaded, {}
    try:
        yield
    finally:
        jit.COMPILED, registry._loaded = compiled, loaded


@contextmanager
def as_python(game: Game) -> Iterator[Game]:
    """Give a copy of the game for which everything is bound as plain Python: no compilation, whatever the rules."""
    copy = dataclasses.replace(game)
    compiled, jit.COMPILED = jit.COMPILED, False
    try:
        yield copy
    finally:
        jit.COMPILED = compiled


@contextmanager
def ticking(patch: pytest.MonkeyPatch, tick: float) -> Iterator[None]:
    """Give searches in plain Python a clock that goes on by `tick` seconds whenever they look at it."""
    now = itertools.count()

    def clock() -> float:
        return next(now) * tick

    clock.known_by_identity = True  # type: ignore[attr-defined]
    with patch.context() as inner:
        for module in (alphabeta_module, mcts, time_control):
            inner.setattr(module, "clock", clock)
        yield
