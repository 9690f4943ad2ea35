"""Speed of the fit beside scikit-learn and SciPy.

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
    lbfgs,
    ours,
    scikit_learn,
    solvers,
    weights_alone,
)
from tunesmith.tuning.fit.rows import Floats, Rows

PATIENCE = 100.0  # times our seconds, after which the other gives up
SCIPY = "SciPy, L-BFGS-B"


def fits(effort: race.Effort) -> list[race.Row]:
    """Race the fit against the solvers of scikit-learn and SciPy, on one thread."""
    rows = []
    with in_threads(1):
        for n, columns, nonzeros in effort.tables:
            found = contest(n, columns, nonzeros or None, seed=1)
            of = f"of {n:,} × {columns}, {f'{nonzeros} non-zeros a row' if nonzeros else 'dense'}"
            ours(found)  # the first touches memory for the first time
            first, second = solvers(found)
            whole, alone = (f"Fit {of}", fitted), (f"Weights alone {of}", weights_alone)
            rows += [_fit(found, *whole, f"scikit-learn, {solver}", effort) for solver in (first, second)]
            rows += [_fit(found, *alone, rival, effort) for rival in (f"scikit-learn, {first}", SCIPY)]
    return rows


def _fit(
    found: Contest, what: str, way: Callable[[Rows], Floats], rival: str, effort: race.Effort
) -> race.Row:
    pairs: list[race.Pair] = []
    spent = 0.0
    while len(pairs) < 3 or (spent < effort.seconds and len(pairs) < 3 * effort.rounds):
        mine = ours(found, way)
        if mine.gap > GAP:
            raise race.MismatchError(
                f"{what}: ours ends {mine.gap:.1e} above the best loss, expected at most {GAP:g}"
            )
        most = PATIENCE * mine.seconds
        its = lbfgs(found, most) if rival == SCIPY else scikit_learn(found, rival.split(", ")[1], most)
        pairs.append((mine.seconds, its.seconds))
        spent += its.seconds
    stops = "at the first loss that does" if rival == SCIPY else "with the loosest tolerance that does"
    title = race.Title(
        what,
        "s",
        rival,
        f"CPU seconds of one thread; ours {'with standard errors and checks' if way is fitted else 'as exactly'}, "
        f"the other the weights alone, {stops}, on columns of one scale",
        f"both within {GAP:g} nats of the best loss, {found.best:.6f}",
    )
    if any(its == float("inf") for _, its in pairs):
        late = replace(title, by=f"{title.by}: loss not reached", checked="")
        return race.alone(late, [mine for mine, _ in pairs])
    return race.of_pairs(title, pairs, less_is_better=True)
