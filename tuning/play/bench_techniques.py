"""What does each search technique save? Nodes to a fixed depth, with the techniques added one after the other.

The same positions at the same depth for every technique; those above the line of `exact` find the
value of minimax, those below may not. One process, one core, in one run: compare techniques, not machines."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tunesmith.engine import searcher as fields
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.limits import MAX_DEPTH, Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

N_POSITIONS = 5
MOST_NODES = 30_000_000  # of one technique at one position; what takes more is shown as unfinished

Changes = dict[str, bool | int | str]  # of search options, by name


class Cost(NamedTuple):
    """What searches cost, as in `Technique`."""

    nodes: int
    seconds: float
    first_cuts: float
    finished: bool


class Searched(NamedTuple):
    """What searches of several positions cost in all, and of each: its value, its nodes, its CPU seconds."""

    cost: Cost
    values: list[int]
    nodes: list[int]
    seconds: list[float]


# Each has the options of the one before it too; `instead` takes back some of them.
EXACT: tuple[tuple[str, Changes], ...] = (
    ("minimax", {"pruning": False}),
    ("+ alpha-beta", {"pruning": True}),
    ("+ hints of the game", {"hints": True}),
    ("+ killers, history", {"killers": True, "history": True}),
    ("+ deepening", {"deepening": True}),
    ("+ table", {"table": True}),
    ("+ symmetry", {"symmetry": True}),
    ("+ principal variation", {"pvs": True}),
    ("+ aspiration 50", {"aspiration": 50}),
    ("MTD(f) instead", {"pvs": False, "aspiration": 0, "mtdf": True}),
    ("+ sort from depth 3", {"pvs": True, "mtdf": False, "sort": 3}),
    ("internal deepening 4 instead", {"sort": 0, "internal_deepening": 4}),
)
GUESSING: tuple[tuple[str, Changes], ...] = (
    ("+ deeper entries, path-free", {"internal_deepening": 0, "table_reuse": "deeper", "path_free": True}),
    ("+ reductions after 4", {"reductions": 4}),
    ("+ futility 100", {"futility": 100}),
    ("+ null move 2", {"null_move": 2}),
    ("+ quiescence 8", {"quiescence": 8}),
)


@dataclass(frozen=True)
class Technique:
    """What searches cost with the techniques up to this one.

    Attributes
    ----------
    nodes, seconds
        Over all positions; CPU seconds.
    first_cuts
        Share of the cut-offs that came at the first move.
    same
        Number of positions with the value that the technique before `+ deeper entries` finds.
    finished
        Whether every position was searched to the depth.
    """

    name: str
    exact: bool
    nodes: int
    seconds: float
    first_cuts: float
    same: int
    finished: bool


def measure(
    game: Game, weights: Weights, depth: int | None = None, seconds: float = 2.0
) -> tuple[int, int, list[Technique]]:
    """Return depth, number of positions, and the techniques; without `depth`, one that alpha-beta reaches in `seconds`.

    Raises
    ------
    InputError
        `depth` is out of range.
    """
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise InputError(f"depth: expected 1 to {MAX_DEPTH}, found {depth}")
    boards = list(positions(game))
    depth = depth or _reachable(game, weights, boards, seconds)
    found: list[tuple[str, bool, Cost, list[int]]] = []
    settings: Changes = {}
    for name, changes in (*EXACT, *GUESSING):
        settings |= changes
        is_exact = (name, changes) in EXACT
        searched = search_all(game, weights, boards, settings, depth)
        found.append((name, is_exact, searched.cost, searched.values))
    reference = next(values for _, _, _, values in reversed(found[: len(EXACT)]))
    techniques = [
        Technique(
            name,
            is_exact,
            same=sum(a == b for a, b in zip(values, reference, strict=True)),
            **measured._asdict(),
        )
        for name, is_exact, measured, values in found
    ]
    return depth, len(boards), techniques


def positions(game: Game, rounds: int = 1) -> Iterator[Board]:
    """Yield the start, and in each round positions after 4, 8, 12 and 16 random plies; always the same ones."""
    rng = random.Random(1)
    yield Board(game)
    for plies in list(range(4, 4 * N_POSITIONS, 4)) * rounds:
        board = Board(game)
        while len(board.moves) < plies and not board.is_over:
            board.play(rng.choice(board.legal_moves()))
        if board.is_over or (game.simultaneous and board.mover == 1):
            board.pop()
        yield board


def _reachable(game: Game, weights: Weights, boards: list[Board], seconds: float) -> int:
    depth = 1
    while depth < MAX_DEPTH:
        measured = search_all(game, weights, boards, {}, depth).cost
        if measured.seconds * 4 > seconds or not measured.finished:
            return depth
        depth += 1
    return depth


def search_all(game: Game, weights: Weights, boards: list[Board], settings: Changes, depth: int) -> Searched:
    """Search all boards with bare alpha-beta and these options."""
    options = SearchOptions.plain(**settings)
    searcher = fields.new_searcher(
        game, weights.array(game), weights.scale, options, Limit("depth", depth), 64
    )
    counters = searcher.memory["counters"][0]
    counters[fields.NODE_LIMIT], counters[fields.DEPTH_LIMIT] = MOST_NODES, depth
    searcher.transposition[:] = 0  # memory that was never touched is slow at first
    _think(searcher, boards[0], warm=True)
    n_cuts = n_first = 0
    finished, values, nodes, seconds = True, list[int](), list[int](), list[float]()
    for board in boards:
        forget(searcher.memory[0])
        began = time.process_time()
        _think(searcher, board)
        seconds.append(time.process_time() - began)
        nodes.append(int(counters[fields.NODES]))
        n_cuts += int(counters[fields.CUTS])
        n_first += int(counters[fields.FIRST_CUTS])
        finished &= not counters[fields.STOPPED]
        values.append(int(counters[fields.SCORE]))
    share = n_first / n_cuts if n_cuts else float("nan")
    return Searched(Cost(sum(nodes), sum(seconds), share, finished), values, nodes, seconds)


def _think(searcher: fields.Searcher, board: Board, warm: bool = False) -> None:
    counters = searcher.memory["counters"][0]
    limit = int(counters[fields.NODE_LIMIT])
    counters[fields.NODE_LIMIT] = 1 if warm else limit
    keys = np.zeros(len(board.states) + fields.MAX_PLY + 1, np.int64)
    keys[: len(board.states)] = board.history_keys
    bind(think_once, board.game)(*searcher, board.state, keys, len(board.states), board.n_plies)
    counters[fields.NODE_LIMIT] = limit
