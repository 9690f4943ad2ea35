"""Speed of the fit beside scikit-learn.

It is `experiments.proofs.fit_speed`'s contest: the same table, made up, to within the same distance of the best loss.
What searches lose beside other samplers, and take, is measured by `experiments.proofs.search_regret`."""

from collections.abc import Callable
from dataclasses import replace

from tunesmith.experiments.bench import race
from tunesmith.experiments.proofs.fit_speed import (
    GAP,
    Contest,
    contest,
    fitted,
    in_threads,
    ours,
    scikit_learn,
    solvers,
    weights_alone,
)
from tunesmith.tuning.fit.rows import Floats, Rows

PATIENCE = 100.0  # times our seconds, after which scikit-learn tries no tighter tolerance


def fits(effort: race.Effort) -> list[race.Row]:
    """Race the fit against scikit-learn's solvers, on one thread."""
    rows = []
    with in_threads(1):
        for n, columns, nonzeros in effort.tables:
            found = contest(n, columns, nonzeros or None, seed=1)
            kind = f"{nonzeros} non-zeros a row" if nonzeros else "dense"
            what = f"Fit of {n:,} × {columns}, {kind}"
            ours(found)  # the first touches memory for the first time
            rows += [_fit(found, what, fitted, solver, effort) for solver in solvers(found)]
            what = f"Weights alone of {n:,} × {columns}, {kind}"
            rows.append(_fit(found, what, weights_alone, solvers(found)[0], effort))
    return rows


def _fit(
    found: Contest, what: str, way: Callable[[Rows], Floats], solver: str, effort: race.Effort
) -> race.Row:
    pairs: list[race.Pair] = []
    spent = 0.0
    while len(pairs) < 3 or (spent < effort.seconds and len(pairs) < 3 * effort.rounds):
        mine = ours(found, way)
        if mine.gap > GAP:
            raise race.MismatchError(
                f"{what}: ours ends {mine.gap:.1e} above the best loss, expected at most {GAP:g}"
            )
        its = scikit_learn(found, solver, PATIENCE * mine.seconds)
        pairs.append((mine.seconds, its.seconds))
        spent += its.seconds
    title = race.Title(
        what,
        "s",
        f"scikit-learn, {solver}",
        f"CPU seconds of one thread; ours {'with standard errors and checks' if way is fitted else 'as exactly'}, "
        "scikit-learn the weights alone, with the loosest tolerance that does, on columns of one scale",
        f"both within {GAP:g} nats of the best loss, {found.best:.6f}",
    )
    if any(its == float("inf") for _, its in pairs):
        late = replace(title, by=f"{title.by}: loss not reached", checked="")
        return race.alone(late, [mine for mine, _ in pairs])
    return race.of_pairs(title, pairs, less_is_better=True)
