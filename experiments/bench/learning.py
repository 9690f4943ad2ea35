"""Speed of the fit beside scikit-learn, and what our sampler loses beside Optuna's.

The fit is `experiments.proofs.fit_speed`'s contest: the same table, made up, to within the same distance of the
best loss. Samplers play CLOP's artificial problems as in `experiments.proofs.samplers`: all get the same games,
in turns, and regret is the win rate that the recommended setting loses."""

import warnings
from dataclasses import replace
from statistics import fmean

import optuna
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tunesmith.experiments.bench import race
from tunesmith.experiments.clop_problems import PROBLEMS
from tunesmith.experiments.proofs.fit_speed import GAP, Contest, contest, ours, scikit_learn, solvers
from tunesmith.experiments.proofs.samplers import entries, regret

PATIENCE = 100.0  # times our seconds, after which scikit-learn tries no tighter tolerance
OURS, THEIRS = ("CLOP", "SPSA"), ("TPE", "CMA-ES")


def fits(effort: race.Effort) -> list[race.Row]:
    """Race the fit against scikit-learn's solvers, on one thread."""
    rows = []
    with threadpool_limits(limits=1):
        for n, columns, nonzeros in effort.tables:
            found = contest(n, columns, nonzeros or None, seed=1)
            kind = f"{nonzeros} non-zeros a row" if nonzeros else "dense"
            what = f"Fit of {n:,} × {columns}, {kind}"
            ours(found)  # the first touches memory for the first time
            rows += [_fit(found, what, solver, effort) for solver in solvers(found)]
    return rows


def _fit(found: Contest, what: str, solver: str, effort: race.Effort) -> race.Row:
    pairs: list[race.Pair] = []
    spent = 0.0
    while len(pairs) < 3 or (spent < effort.seconds and len(pairs) < 3 * effort.rounds):
        mine = ours(found)
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
        "CPU seconds of one thread; ours with standard errors and checks, scikit-learn the weights alone, "
        "with the loosest tolerance that does, on columns of one scale",
        f"both within {GAP:g} nats of the best loss, {found.best:.6f}",
    )
    if any(its == float("inf") for _, its in pairs):
        late = replace(title, by=f"{title.by}: loss not reached", checked="")
        return race.alone(late, [mine for mine, _ in pairs])
    return race.of_pairs(title, pairs, less_is_better=True)


def samplers(effort: race.Effort) -> list[race.Row]:
    """Compare regret and cost of our samplers with Optuna's."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    lost: dict[str, list[float]] = {name: [] for name in (*OURS, *THEIRS)}
    cost: dict[str, list[float]] = {name: [] for name in lost}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        for seed in range(effort.studies):
            for name, values in studies(effort, seed).items():
                lost[name].append(fmean(loss for loss, _ in values))
                cost[name].append(
                    1000 * sum(seconds for _, seconds in values) / (effort.study_games * len(values))
                )
    rows = []
    for what, unit, found in (("regret", "win rate lost", lost), ("time", "ms a game", cost)):
        for mine in OURS:
            for its in THEIRS:
                title = race.Title(
                    f"Samplers, {what}: {mine}",
                    unit,
                    f"Optuna, {its}",
                    f"mean of {effort.problems} artificial problems, {effort.study_games:,} games a study",
                    "the same number of games on the same problems",
                )
                pairs = list(zip(found[mine], found[its], strict=True))
                rows.append(race.of_means(title, pairs))
    return rows


def studies(effort: race.Effort, seed: int) -> dict[str, list[tuple[float, float]]]:
    """Return (regret, seconds) on each problem, by sampler; the samplers take turns."""
    known = entries()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in (*OURS, *THEIRS)}
    for name in found:
        if effort.study_games % known[name].split(effort.study_games):
            raise race.MismatchError(f"{name}: {effort.study_games:,} games are no whole number of trials")
    for hill in PROBLEMS[: effort.problems]:
        for name, values in found.items():
            values.append(regret(known[name], hill, effort.study_games, seed))
    return found
