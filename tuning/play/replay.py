"""Positions of played games, at compiled speed: replay the moves, look at the states.

Everything is seen from the mover of the position. Position t of a game is the one before move t, or what a line of
further moves makes of it: `lines` (n, most) are such moves for each chosen position, padded with NO_MOVE. Games
start where `roots` says, see `runs`."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    REPETITION_LIMIT,
    SIMULTANEOUS,
    apply_move,
    features,
    history_key,
    is_quiet,
    mover,
    noisy_moves,
    stages,
)
from tunesmith.engine.evaluation import CENTI, to_score, weighted_sum
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game, State
from tunesmith.tuning.play.openings.opening import shared_key

Roots = Sequence[State] | None  # the start of each game; None = the game's own for all


QUIET, SECOND, PENDING = 1, 2, 4  # bits of a position's mark: is quiet; player 1 moves; a choice is hidden


def mark_positions(
    game: Game, moves: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], roots: Roots = None
) -> npt.NDArray[np.int8]:
    """Return the marks of all positions, aligned with `moves`; game i owns `starts[i]` to `starts[i + 1]`."""
    marks = np.zeros(len(moves), np.int8)
    own_test = game.is_quiet is not None or game.noisy_moves is None
    exchange = None if own_test else (is_quiet, has_no_noise)
    for run in runs(game, starts, roots):
        bind(write_marks, game, exchange=exchange)(run.root, moves, run.starts, marks)
    return marks


def write_marks(root: State, moves: Any, starts: Any, marks: Any) -> None:
    """Fill `marks` with bits of `QUIET`, `SECOND` and `PENDING` (template)."""
    for game in range(len(starts) - 1):
        state = root
        for at in range(starts[game], starts[game + 1]):
            mark = QUIET if is_quiet(state) else 0
            if mover(state) == 1:
                mark |= SECOND
                if SIMULTANEOUS:
                    mark |= PENDING
            marks[at] = mark
            state = apply_move(state, int(moves[at]))


class Views:
    """What was seen in chosen positions: features (n, F), stages (n, S), keys (n,), seconds (n,), in their order.

    Keys are equal for symmetric images, and for the position with sides exchanged; seconds: 1 where player 1 moves.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.features = np.zeros((n, game.n_features))
        self.stages = np.ones((n, game.n_stages))
        self.keys = np.zeros(n, np.int64)
        self.seconds = np.zeros(n, np.int8)


class Places(NamedTuple):
    """Which positions compiled replay looks at: those of `chosen`, aligned with `moves`, after the moves of `lines`.

    keys: room for the history keys of the longest game and what a search adds; none where nobody asks for them.
    """

    root: State
    moves: Any
    starts: Any
    chosen: Any
    lines: Any
    keys: Any


class Seen(NamedTuple):
    """Buffers of what is seen in the chosen positions, a row each, see `Views`."""

    values: Any
    shares: Any
    keys: Any
    seconds: Any


class Judged(NamedTuple):
    """Weights, buffers of one evaluation, and `scores`, a row for each chosen position."""

    weights: Any
    used: Any
    scale: float
    values: Any
    shares: Any
    scores: Any


def view_positions(
    game: Game,
    moves: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
    lines: npt.NDArray[np.int64] | None = None,
    roots: Roots = None,
) -> Views:
    """Return what is seen in the chosen positions; `chosen` is aligned with `moves`."""
    views = Views(game, int(chosen.sum()))
    followed = _lines(lines, chosen)
    for run in runs(game, starts, roots, chosen):
        seen = Seen(*(part[run.rows] for part in (views.features, views.stages, views.keys, views.seconds)))
        bind(visit, game)(run.places(moves, chosen, followed), seen)
    return views


def _lines(lines: npt.NDArray[np.int64] | None, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    return np.zeros((int(chosen.sum()), 0), np.int64) if lines is None else np.ascontiguousarray(lines)


def after_line(state: State, line: Any) -> State:
    """Return the position after the moves of a padded line (template)."""
    for at in range(len(line)):
        if line[at] == NO_MOVE:
            break
        state = apply_move(state, int(line[at]))
    return state


def visit(places: Places, found: Any) -> None:
    """Play games through; at each chosen position let `look` fill its row of `found` (template)."""
    row = 0
    for game in range(len(places.starts) - 1):
        state = places.root
        for at in range(places.starts[game], places.starts[game + 1]):
            ply = at - places.starts[game]
            if REPETITION_LIMIT > 0 and len(places.keys) > 0:
                places.keys[ply] = history_key(state)
            if places.chosen[at]:
                look(after_line(state, places.lines[row]), places.keys, ply, found, row)
                row += 1
            state = apply_move(state, int(places.moves[at]))


def look(seen: State, keys: Any, ply: int, found: Seen, row: int) -> None:
    """See a position; others look in its place for something else (template)."""
    features(seen, found.values[row])
    stages(seen, found.shares[row])
    found.keys[row] = shared_key(seen)
    found.seconds[row] = mover(seen)


def judge_positions(
    game: Game,
    weights: Weights,
    moves: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
    lines: npt.NDArray[np.int64] | None = None,
    roots: Roots = None,
) -> npt.NDArray[np.float64]:
    """Return the static evaluation of the chosen positions in Elo, exactly as the search computes it."""
    values = weights.array(game)
    used = np.flatnonzero(values.any(axis=0)).astype(np.int64)
    scores = np.zeros(int(chosen.sum()))
    buffers = np.zeros(game.n_features), np.zeros(game.n_stages)
    followed = _lines(lines, chosen)
    for run in runs(game, starts, roots, chosen):
        judged = Judged(values, used, weights.scale, *buffers, scores[run.rows])
        bind(visit, game, exchange=(look, judge))(run.places(moves, chosen, followed), judged)
    return scores


def judge(seen: State, keys: Any, ply: int, found: Judged, row: int) -> None:
    """Evaluate a position, in Elo (template)."""
    raw = weighted_sum(seen, found.weights, found.used, len(found.used), found.values, found.shares)
    found.scores[row] = to_score(raw, found.scale) / CENTI


def state_at(game: Game, moves: npt.NDArray[np.int64], root: State | None = None) -> State:
    """Return the state after some moves from `root` (None = the start), in plain Python."""
    state = game.initial() if root is None else root
    for move in moves.tolist():
        state = game.apply_move(state, move)
    return state


class Run(NamedTuple):
    """Games in a row that start from `root`: where their moves begin, and which of the chosen rows are theirs."""

    root: State
    starts: npt.NDArray[np.int64]
    rows: slice

    def places(
        self,
        moves: npt.NDArray[np.int64],
        chosen: npt.NDArray[np.bool_],
        lines: npt.NDArray[np.int64],
        n_keys: int = 0,
    ) -> Places:
        """Return what compiled replay of these games is given; `lines` are those of all chosen rows."""
        keys = np.zeros(n_keys, np.int64)
        return Places(self.root, moves, self.starts, chosen, lines[self.rows], keys)


def runs(
    game: Game, starts: npt.NDArray[np.int64], roots: Roots, chosen: npt.NDArray[np.bool_] | None = None
) -> Iterator[Run]:
    """Split games where the start changes: compiled replay takes one start at a time. Usually it never does.

    Game i owns moves `starts[i]` to `starts[i + 1]`, with which `chosen` is aligned.
    """
    if roots is None:
        yield Run(game.initial(), starts, slice(0, None))
        return
    begins = [at for at in range(len(roots)) if at == 0 or roots[at] != roots[at - 1]]
    first_row = 0
    for first, end in zip(begins, [*begins[1:], len(roots)], strict=True):
        own = starts[first : end + 1]
        n_rows = 0 if chosen is None else int(np.count_nonzero(chosen[own[0] : own[-1]]))
        yield Run(roots[first], own, slice(first_row, first_row + n_rows))
        first_row += n_rows


def has_no_noise(state: State) -> bool:
    """Call a position quiet if it has no noisy move: for games without a test of their own (template)."""
    buffer: Any = np.zeros(MAX_MOVES, np.int64)
    return noisy_moves(state, buffer) == 0
