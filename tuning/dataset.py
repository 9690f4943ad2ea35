"""Which positions of which games teach the weights, and with what label?

One row a position, seen from its mover: features, stage shares, label (the game's result, 1, 1/2 or 0, or a
blend with the expected result of the search's score), weight, group. Games that repeat another, were capped
or ended by a fault are left out; so are positions of the opening, noisy ones, decided ones, and all but some
of a game, chosen by a hash of (seed, pair, game, ply): no row depends on which other games there are.

Positions that are the same (up to symmetry and exchange of sides) become one row with their number as weight
and their mean label, before anything is split. All rows of one position have one group, the smallest number
of a pair it occurred in, so that a split by group never has a position on both sides, and games that are
added later, which have larger numbers, move nothing across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.evaluation import EVALUATION_MAX
from engine.match import NO_RESULT
from engine.weights import Weights
from games.errors import InputError, StudyError
from games.game import Game, State
from tuning.records import Games
from tuning.replay import (
    PENDING,
    QUIET,
    SECOND,
    judge_positions,
    mark_positions,
    state_at,
    view_positions,
)
from tuning.texel_rows import Rows, expected_result
from tuning.texel_split import splitmix64

GENERATION_STEP = 1 << 40  # between the groups of one generation and the next
FORCED = EVALUATION_MAX / 100.0  # Elo; what lies above is a win that the search has found

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows to fit on, how they were chosen, and where they come from.

    Attributes
    ----------
    rows
        Sorted by group.
    selection
        What became of games and positions, by reason, in the order of the steps.
    place
        (n, 3): number of the set of games, row in it, ply: the first occurrence of each row's position.
    """

    game: Game
    games: tuple[Games, ...]
    rows: Rows
    selection: dict[str, int]
    place: Ints

    def state(self, row: int) -> State:
        """Return the position of a row."""
        source, at, ply = (int(number) for number in self.place[row])
        games = self.games[source]
        start = int(games.starts[at])
        return state_at(self.game, games.moves[start : start + ply])


@dataclass(frozen=True)
class Choice:
    """Which positions are taken; see `build_rows`."""

    per_game: int
    min_ply: int
    only_quiet: bool
    max_score: float
    blend: float
    seed: int


def build_rows(
    game: Game,
    games: Games | Sequence[Games],
    *,
    per_game: int = 12,
    min_ply: int = 0,
    only_quiet: bool = True,
    max_score: float = 1200.0,
    blend: float = 1.0,
    judge: Weights | None = None,
    seed: int = 1,
) -> Dataset:
    """Return the rows of one or several generations of games, oldest first.

    Parameters
    ----------
    per_game
        Most positions of one game.
    min_ply
        First ply of interest; positions of the opening are never taken.
    max_score
        Positions that a search judged further apart (Elo) are decided and left out; forced wins always.
    blend
        label = blend x result + (1 - blend) x expected result of the search's score; where a move had no score
        (it was random or the only one), the result alone.
    judge
        Weights whose static evaluation says whether a position without a score is decided.

    Raises
    ------
    StudyError
        No position is left; the message says why.
    """
    sources = (games,) if isinstance(games, Games) else tuple(games)
    _check(per_game, max_score, blend)
    choice = Choice(per_game, min_ply, only_quiet, max_score, blend, seed)
    selection: dict[str, int] = {}
    batches = [
        _select(game, source, number, kept, choice, judge, selection)
        for number, (source, kept) in enumerate(zip(sources, _kept_games(sources, selection), strict=True))
    ]
    positions = _Positions.joined(batches)
    if not len(positions.labels):
        raise StudyError(f"no position is left to fit on: {selection}")
    merged = _merge(positions)
    selection["same position"] = len(positions.labels) - len(merged.labels)
    selection["rows"] = len(merged.labels)
    stages = merged.stages if game.n_stages > 1 else None
    rows = Rows(merged.features, stages, merged.labels, merged.weight, merged.group)
    return Dataset(game, sources, rows, selection, merged.place)


def engine_scores(data: Dataset, weights: Weights) -> Floats:
    """Return the engine's own evaluation of every row's position, in Elo, in the order of the rows."""
    scores = np.zeros(data.rows.n)
    for number, games in enumerate(data.games):
        rows = np.flatnonzero(data.place[:, 0] == number)
        starts = games.starts
        at = starts[data.place[rows, 1]] + data.place[rows, 2]
        chosen = np.zeros(len(games.moves), np.bool_)
        chosen[at] = True
        found = judge_positions(data.game, weights, games.moves, starts, chosen)
        scores[rows] = found[np.searchsorted(np.flatnonzero(chosen), at)]
    return scores


def label(result: Any, is_second: Any) -> Any:
    """Return the result of player 0 (1, 0, -1) as the mover's: 1, 1/2 or 0; the two sides' add up to 1."""
    return (np.where(is_second, -result, result) + 1) / 2


def _check(per_game: int, max_score: float, blend: float) -> None:
    if per_game < 1:
        raise InputError(f"positions per game: expected 1 or more, found {per_game}")
    if not max_score > 0:
        raise InputError(f"max_score: expected a positive number of Elo, found {max_score}")
    if not 0 <= blend <= 1:
        raise InputError(f"blend: expected 0 to 1, found {blend}")


# --- games and positions -----------------------------------------------------------------------------------


def _kept_games(sources: Sequence[Games], selection: dict[str, int]) -> list[Ints]:
    """Return the rows of each source that are games with a result, each sequence of moves once."""
    counts = dict.fromkeys(("games", "fault", "capped", "no moves", "repeated game"), 0)
    seen: set[bytes] = set()
    kept = []
    for games in sources:
        starts, moves = games.starts, games.moves
        has_result = games.result != NO_RESULT
        has_moves = np.diff(starts) > games.n_opening
        counts["games"] += len(games)
        counts["fault"] += int(games.is_fault.sum())
        counts["capped"] += int((~has_result & ~games.is_fault).sum())
        counts["no moves"] += int((has_result & ~has_moves).sum())
        own = []
        for row in np.flatnonzero(has_result & has_moves).tolist():
            line = moves[starts[row] : starts[row + 1]].tobytes()
            if line in seen:
                counts["repeated game"] += 1
            else:
                seen.add(line)
                own.append(row)
        kept.append(np.array(own, np.int64))
    selection.update(counts)
    return kept


@dataclass(frozen=True, eq=False)
class _Positions:
    """Columns of positions: keys, features, stages, labels, weight, group, place."""

    keys: Ints
    features: Floats
    stages: Floats
    labels: Floats
    weight: Floats
    group: Ints
    place: Ints

    @classmethod
    def joined(cls, parts: Sequence[_Positions]) -> _Positions:
        names = cls.__dataclass_fields__
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def take(self, rows: Ints) -> _Positions:
        return _Positions(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def _select(
    game: Game,
    source: Games,
    number: int,
    kept: Ints,
    choice: Choice,
    judge: Weights | None,
    selection: dict[str, int],
) -> _Positions:
    """Return the positions of one set of games that are taken, before merging."""
    games = source.take(kept)
    moves, starts = games.moves, games.starts
    lengths = np.diff(starts)
    owner = np.repeat(np.arange(len(games)), lengths)
    ply = np.arange(len(moves)) - starts[owner]
    marks = mark_positions(game, moves, starts)
    scores = _scores(games, owner)
    is_open = _filter(game, games, owner, ply, marks, scores, choice, judge, selection)
    chosen = _some_of_each(games, owner, ply, is_open, choice)
    selection["not drawn"] = selection.get("not drawn", 0) + int(is_open.sum() - chosen.sum())
    views = view_positions(game, moves, starts, chosen)
    at = np.flatnonzero(chosen)
    labels = label(games.result[owner[at]], marks[at] & SECOND != 0)
    group = games.pair[owner[at]] + np.int64(number * GENERATION_STEP)
    place = np.stack([np.full(len(at), number), kept[owner[at]], ply[at]], axis=1)
    return _Positions(
        views.keys,
        views.features,
        views.stages,
        _blended(labels, scores[at], choice.blend),
        np.ones(len(at)),
        group,
        place.astype(np.int64),
    )


def _scores(games: Games, owner: Ints) -> Floats:
    """Return the movers' scores in Elo; NaN where there is none, or where it is a margin."""
    scores = games.scores.astype(np.float64)
    options = games.settings.get("options", [{}, {}])
    if any(option.get("objective") == "margin" for option in options):
        scores[:] = np.nan
    return scores


def _filter(
    game: Game,
    games: Games,
    owner: Ints,
    ply: Ints,
    marks: npt.NDArray[np.int8],
    scores: Floats,
    choice: Choice,
    judge: Weights | None,
    selection: dict[str, int],
) -> Bools:
    """Return which positions may be taken, and count why others may not, each by its first reason."""
    left = np.ones(len(ply), np.bool_)
    selection["positions"] = selection.get("positions", 0) + len(ply)

    def leave_out(reason: str, which: Bools) -> None:
        selection[reason] = selection.get(reason, 0) + int((left & which).sum())
        left[which] = False

    leave_out("opening", ply < np.maximum(games.n_opening[owner], choice.min_ply))
    leave_out("choice pending", marks & PENDING != 0)
    leave_out("noisy", (marks & QUIET == 0) & choice.only_quiet)
    bound = min(choice.max_score, FORCED)
    leave_out("decided", np.abs(scores) > bound)
    if judge is not None:
        unknown = left & np.isnan(scores)
        lost = np.zeros(len(left), np.bool_)
        lost[unknown] = np.abs(judge_positions(game, judge, games.moves, games.starts, unknown)) > bound
        leave_out("decided", lost)
    return left


def _some_of_each(games: Games, owner: Ints, ply: Ints, is_open: Bools, choice: Choice) -> Bools:
    """Return the first `per_game` open positions of each game in the order of a hash of their place."""
    at = np.flatnonzero(is_open)
    words = [np.full(len(at), choice.seed), games.pair[owner[at]], games.game[owner[at]], ply[at]]
    hashed = np.zeros(len(at), np.uint64)
    for word in words:
        hashed = splitmix64(hashed ^ word.astype(np.int64).view(np.uint64))
    order = np.lexsort((hashed, owner[at]))
    own = owner[at][order]
    first = np.searchsorted(own, own, side="left")
    chosen = np.zeros(len(is_open), np.bool_)
    chosen[at[order[np.arange(len(own)) - first < choice.per_game]]] = True
    return chosen


def _blended(labels: Floats, scores: Floats, blend: float) -> Floats:
    if blend == 1.0:
        return labels
    expected = expected_result(np.clip(np.nan_to_num(scores), -FORCED, FORCED))
    return np.where(np.isnan(scores), labels, blend * labels + (1 - blend) * expected)


# --- the same position -------------------------------------------------------------------------------------


def _merge(positions: _Positions) -> _Positions:
    """Return one row for each position (and view of it), in the order of groups."""
    group = _smallest(positions.keys, positions.group)
    same = _hashed(positions)
    _, first, inverse = np.unique(same, return_index=True, return_inverse=True)
    weight = np.bincount(inverse, positions.weight).astype(np.float64)
    labels = np.bincount(inverse, positions.weight * positions.labels) / weight
    merged = positions.take(first)
    order = np.lexsort((first, group[first]))
    return _Positions(
        merged.keys[order],
        merged.features[order],
        merged.stages[order],
        labels[order],
        weight[order],
        group[first][order],
        merged.place[order],
    )


def _smallest(keys: Ints, group: Ints) -> Ints:
    """Return for each position the smallest group of all positions with its key."""
    _, inverse = np.unique(keys, return_inverse=True)
    smallest = np.full(int(inverse.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(smallest, inverse, group)
    return np.asarray(smallest[inverse], np.int64)


def _hashed(positions: _Positions) -> npt.NDArray[np.uint64]:
    """Return 64 bits of key, features and stages: equal numbers, equal rows."""
    hashed = splitmix64(positions.keys.view(np.uint64))
    for column in (*positions.features.T, *positions.stages.T):
        bits = np.ascontiguousarray(column + 0.0).view(np.uint64)  # -0.0 is 0.0
        hashed = splitmix64(hashed ^ bits)
    return hashed


__all__ = ["GENERATION_STEP", "Dataset", "build_rows", "engine_scores", "label"]
