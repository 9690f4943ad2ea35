"""What weights does somebody's own table ask for?

The same fit as after self-play: split by game, prior brought to Elo, ridge by cross-validation, errors
clustered by game, everything doubtful said in words. Weights are written in the unit of the prior if there is
one, in multiples of an anchor if one is named, else in Elo; `unit` is Elo per unit. A column `tempo` of ones
takes up what having the move (or being first) is worth, so that it does not leak into the other weights.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.documents.fit import HeldOutGain, LeftOut, TableFacts, TableSource
from tunesmith.tuning.fit import run
from tunesmith.tuning.fit.constraints import COMMAND, Constraints, Names, make_constraints
from tunesmith.tuning.fit.facts import fit_facts
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.notes import TEMPO
from tunesmith.tuning.fit.out_of_core import Packed
from tunesmith.tuning.fit.parameters import FIXED
from tunesmith.tuning.fit.rows import (
    Bools,
    Floats,
    Rows,
    blocks,
    constant_features,
    count_different,
    some_games,
    taken,
    with_ones,
)
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.hashing import Words, splitmix64

MOST_JUDGED = 2_000_000  # of the held-out rows of a table that does not fit in memory; more judge no better
MOST_SCALED = 2_000_000  # rows of such a table that say what a score is worth
_SALT = 0x6A75646765  # they must not follow the split
MANY_REPEATS = 0.1  # share of rows that repeat another; above, it is said


class TableFit(NamedTuple):
    """Weights and errors (S, F) in the written unit, Elo per unit, and the facts (in Elo)."""

    names: Names
    parts: tuple[Rows, Rows]  # training and held out
    weights: Floats
    errors: Floats
    unit: float
    facts: TableFacts


class _Problem(NamedTuple):
    """A fit about to be made; prior in Elo, unit Elo per written unit."""

    names: Names
    prior: Floats
    unit: float
    constraints: Constraints


def fit_table(
    table: Table,
    options: FitOptions,
    *,
    prior: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    anchor: str | None = None,
    tempo: bool = True,
    compare: bool = True,
) -> TableFit:
    """Fit the weights of a table; bounds are in the unit of the written weights.

    prior: {weight: number} in the author's unit; what is not named is 0. start: where the search begins, for speed.
    anchor: "pawn=100" chooses the unit. tempo: add a column for the worth of the move. compare: with boosted trees,
    which takes seconds.
    """
    held = split(table.rows.group, options.held_out)
    if held.all() or not held.any():
        raise InputError(f"table: {table.rows.n_groups} games are too few to hold some out; give more")
    problem, rows = _pose(table, options, prior or {}, tempo, ~held)
    said, source = _table_notes(table), table_source(table)
    is_perspective_open = None if table.has_mover else table.perspective
    del table  # which may be as large as what is taken of it
    judging = rows.take(held)
    training = rows.take(~held)
    del rows, held
    n_rows, n_games = training.n + judging.n, training.n_groups + judging.n_groups
    if isinstance(judging.features, Packed):
        judging = some_games(judging, MOST_JUDGED, _SALT)
    near = _numbers(problem.names, start, "start") * problem.unit if start else None
    ran = run.run_fit(training, judging, problem.prior, options, problem.constraints, near)
    found, training = ran.fit, ran.rows
    unit = _anchored(problem, found.weights, anchor)
    made = run.rounded(training, found, ran.constraints, options.round * unit)
    elo = found.weights if made is None else made.weights
    facts = fit_facts(problem.names, ran, training, judging, elo, compare)
    said += [
        *_judging_notes(judging.n, n_rows - training.n),
        *facts.notes,
        *_perspective_notes(is_perspective_open, facts.gain_held_out),
        *run.rounding_notes(problem.names, made),
    ]
    whole = TableFacts(
        **(dict(facts) | {"notes": said}),
        rows=n_rows,
        games=n_games,
        unit=unit,
        draw_margin=ran.margin,
        rounding=run.rounding_facts(problem.names, made, options.round),
        table=source,
    )
    written = np.rint(elo / unit / options.round) * options.round if options.round else elo / unit
    written = np.where(found.status == FIXED, problem.prior / unit, written)
    return TableFit(problem.names, (training, judging), written, found.errors / unit, unit, whole)


def _pose(
    table: Table, options: FitOptions, given: Mapping[str, float], tempo: bool, learnt: Bools
) -> tuple[_Problem, Rows]:
    """Return what is asked, and of which rows; units are those of the `learnt` rows' results."""
    rows, features = _with_expected(table, options, learnt), table.features
    run.require_results(rows)
    if tempo and TEMPO not in features and not constant_features(rows).any():
        rows = replace(rows, features=with_ones(rows))
        features = (*features, TEMPO)
    names = Names(table.stages, features, "games")
    constraints = make_constraints(names, options, COMMAND)
    prior, unit = _numbers(names, given, "prior"), 1.0
    if given:
        unit = _unit_of(rows.take(learnt), prior)
    else:
        prior = np.clip(prior, constraints.lower, constraints.upper)
    scaled = replace(constraints, lower=constraints.lower * unit, upper=constraints.upper * unit)
    run.check_prior(names, prior * unit, scaled, COMMAND, unit)
    return _Problem(names, prior * unit, unit, scaled), rows


def _unit_of(rows: Rows, prior: Floats) -> float:
    """Return Elo per unit of the prior, as the results say."""
    unit = fit_scale(scores(rows, prior), rows.labels, rows.weight)
    if not unit > 0:
        raise InputError(f"prior: predicts the wrong side (K = {unit:.3g}); is the perspective right?")
    return unit


def _numbers(names: Names, given: Mapping[str, float], what: str) -> Floats:
    made = np.zeros(names.shape)
    for name, value in given.items():
        if not np.isfinite(value):
            raise InputError(f"{what}: {name}: expected a finite number, found {value}")
        made.flat[names.find(name, what)] = value
    return made


def _with_expected(table: Table, options: FitOptions, learnt: Bools) -> Rows:
    """Return the rows with what the scores expect, in the scale of the `learnt` results; none where they take no part.

    A blend that is given needs scores; "auto" does without if there are none, or none that say anything.
    """
    rows, is_auto = table.rows, options.blend == "auto"
    if options.draws and not is_auto and options.blend != 1:
        raise InputError(f"draws: expected blend 1, found {options.blend}: scores are no outcomes")
    if not options.uses_scores:
        return rows
    if table.scores is None and not is_auto:
        raise InputError("blend: expected a column 'score', found none")
    known = np.zeros(rows.n, np.bool_) if table.scores is None else np.isfinite(table.scores)
    if not known.any() and not is_auto:
        raise InputError("blend: every score is empty")
    used = known & learnt
    if table.scores is None or not used.any():
        return rows
    if isinstance(rows.features, Packed) and rows.n > MOST_SCALED:
        used &= split(rows.group, MOST_SCALED / rows.n, _SALT)
    try:
        scale = fit_scale(table.scores[used], rows.labels[used], taken(rows.weight, used))
    except InputError:
        if is_auto:
            return rows
        raise
    expected = np.empty(rows.n)
    for at in blocks(rows.n):
        found = expected_result(scale * np.nan_to_num(table.scores[at]))
        expected[at] = np.where(known[at], found, rows.labels[at])
    return replace(rows, expected=expected)


def _anchored(problem: _Problem, fitted: Floats, anchor: str | None) -> float:
    """Return Elo per unit of the written weights."""
    if anchor is None:
        return problem.unit
    name, equals, text = anchor.rpartition("=")
    columns = problem.names.find(name, "anchor") if equals else []
    try:
        wanted = float(text)
    except ValueError:
        wanted = np.nan
    if not np.isfinite(wanted) or wanted == 0 or len(columns) != 1:
        raise InputError(f"anchor: expected one weight and its number, such as pawn=100, found {anchor!r}")
    unit = float(fitted.flat[columns[0]]) / wanted
    if not unit > 0:
        raise InputError(
            f"anchor: {name} came out as {fitted.flat[columns[0]]:.4g} Elo, which cannot be {wanted:g}"
        )
    return unit


def table_source(table: Table) -> TableSource:
    """Return how the table was read."""
    account = table.account
    return TableSource(
        format=table.format,
        perspective=table.perspective,
        seen_from=table.seen_from,
        kept=account.kept,
        empty=account.empty,
        scratch=table.scratch,
        left_out={name: LeftOut(**reason._asdict()) for name, reason in account.reasons.items()},
    )


def _table_notes(table: Table) -> list[str]:
    said = list(table.account.sentences())
    if table.labels:
        names = ", ".join(name or "the first column, which has no name" for name in table.labels)
        said.append(
            f"left out, because it names or numbers the rows: {names} (--feature takes a column all the same)"
        )
    if not table.has_games:
        said.append("no column 'game': every row counts as a game of its own, so errors are too small")
    repeats = table.rows.n - count_different(_hashed(table.rows))
    if repeats > MANY_REPEATS * table.rows.n:
        said.append(f"{repeats:,} of {table.rows.n:,} rows repeat another (same features and result)")
    decisive = table.rows.labels
    for value, word in ((1.0, "wins"), (0.5, "draws"), (0.0, "losses")):
        share = float((decisive == value).mean())
        if share > 0.8:
            said.append(f"{share:.0%} of the rows are {word}: other openings or more noise would teach more")
    return said


def _judging_notes(judging: int, held_out: int) -> list[str]:
    """Say so if only some of the held-out rows judge."""
    if judging == held_out:
        return []
    return [f"judged on {judging:,} of {held_out:,} held-out rows, whole games"]


def _perspective_notes(perspective: str | None, gain: HeldOutGain) -> list[str]:
    """Name the perspective (None: it is known who moves) as a reason for weights that predict no better."""
    if perspective is None or gain.error is None or gain.mean is None or gain.mean > 2 * gain.error:
        return []
    if perspective == "first":
        return [
            "if weights are too near 0, it may be the perspective: results of White (--perspective white) ask for "
            "features seen from White, too; where the features are the mover's, add a column 'mover' that says who "
            "moves (white, black)"
        ]
    return [
        "if weights are too near 0, it may be the perspective: are these the results of the side to move? For those of "
        "White say --perspective white, and where the features are the mover's add a column 'mover' that says who "
        "moves (white, black)"
    ]


def _hashed(rows: Rows) -> Words:
    """Return 64 bits of features, stages and result: equal numbers, equal rows."""
    if isinstance(rows.features, Sparse):
        return _sparse_hashed(rows.features, rows.labels)
    found = np.empty(rows.n, dtype=np.uint64)
    for at in blocks(rows.n):
        hashed: Words = np.zeros(at.stop - at.start, dtype=np.uint64)
        stages = [] if rows.stages is None else [rows.stages[at]]
        for part in (rows.features[at], rows.labels[at, None], *stages):
            for column in part.T:
                hashed = splitmix64(
                    hashed ^ np.ascontiguousarray(column + 0.0, dtype=np.float64).view(np.uint64)
                )  # -0.0 is 0.0
        found[at] = hashed
    return found


def _sparse_hashed(features: Sparse, labels: Floats) -> Words:
    cells = features.matrix
    each = splitmix64(
        splitmix64(cells.indices.astype(np.uint64)) ^ cells.data.astype(np.float64).view(np.uint64)
    )
    upto = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(each, dtype=np.uint64)])
    rows = upto[cells.indptr[1:]] - upto[cells.indptr[:-1]]
    return splitmix64(rows ^ splitmix64((labels + 0.0).view(np.uint64)))
