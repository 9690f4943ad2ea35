"""How fast is the fit of large tables, against other people's solvers on the same matrix in the same run?

CPU seconds of one thread to a loss within 1e-6 nats of the best that anybody finds. Results are drawn from a
planted logistic model; columns have unequal scales, two of them are sums of others. Contenders: scikit-learn's
LogisticRegression (each solver with the loosest tolerance that is good enough, on columns brought to one scale,
which its solvers need), scipy's L-BFGS-B on such columns, and Adam as Texel tuners use it (full gradients,
columns as they are, the best of two step sizes that know the size of the answer). Ours is all of `texel.fit`, as
`tunesmith fit` calls it: weights with their standard errors, and checks of what the data cannot say; and `texel.find`,
weights alone, as the others find them. A lower time of theirs is no failure. Exit code 1 if anybody's loss is lower by
more than 1e-6, as it can be where ours holds a sum of other columns back.
`pass` is what one loss with gradient takes, as a part of what reading the matrix twice takes at this machine's speed.
With more threads our fit is run again, in one and in so many by turns: seconds of the clock, of all processors
and of the thread that calls.

    python -m tunesmith.experiments.proofs.fit_speed --rows 100000 --columns 300 --nonzeros 58 --threads 2
"""

import argparse
import contextlib
import math
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, gradient_of
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.sparse import Sparse, narrowed
from tunesmith.tuning.fit.texel import find, fit

GAP = 1e-6  # nats
ROUNDS = 5  # of fits in one thread and in several
RIDGE = 1e-7  # so that dependent columns have one best place
OPTIONS = FitOptions(ridge=RIDGE, min_rows=1, keep_near_labels=True)  # the others hold no weight back


class Time(NamedTuple):
    """CPU seconds to within GAP of the best loss; infinite if it was not reached in the time allowed."""

    name: str
    seconds: float
    gap: float


class _Reached(Exception):
    pass


def made_up(
    rows: int, columns: int, nonzeros: int | None, seed: int, *, counts: bool = False
) -> tuple[Any, Floats]:
    """Return a matrix (CSR if `nonzeros` a row are given, perhaps of whole numbers, narrow) and results."""
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-1, 1.5, columns)
    if nonzeros is None:
        matrix: Any = rng.normal(size=(rows, columns))
        matrix += rng.normal(size=(rows, 3)) @ rng.normal(size=(3, columns))  # features go together
        matrix *= scale
        matrix[:, -1], matrix[:, -2] = 2 * matrix[:, 0], matrix[:, 1] + matrix[:, 2]
    else:
        own = columns - 2
        edges = np.linspace(0, own, nonzeros + 1).astype(np.int64)
        indices = rng.integers(edges[:-1], edges[1:], (rows, nonzeros))
        values = (1 + 0.5 * rng.normal(size=indices.shape)) * scale[indices]  # features count something
        values = np.maximum(1, np.rint(values)) if counts else values
        starts = np.arange(0, rows * nonzeros + 1, nonzeros)
        matrix = sparse.csr_matrix((values.ravel(), indices.ravel(), starts), shape=(rows, columns))
        sums = sparse.lil_matrix((columns, columns))
        sums.setdiag([1.0] * own + [0.0, 0.0])
        sums[0, columns - 1], sums[1, columns - 2], sums[2, columns - 2] = 2.0, 1.0, 1.0
        matrix = (matrix @ sums.tocsr()).tocsr()
        matrix.sort_indices()
        matrix = matrix.astype(narrowed(matrix.data).dtype)
    weights = rng.normal(size=columns) * 200 / scale / math.sqrt(nonzeros or columns)
    chance = 1 / (1 + np.exp(-LOGITS_PER_ELO * (matrix @ weights)))
    return matrix, (rng.random(rows) < chance).astype(np.float64)


def spent(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call gives, and its CPU seconds."""
    began = time.process_time()
    found = call()
    return found, time.process_time() - began


class Contest(NamedTuple):
    """One table, its columns at one scale, the pull of the ridge, and the best loss known."""

    rows: Rows
    even: Rows
    scale: Floats
    pull: Floats
    best: float

    def loss(self, weights: Floats) -> float:
        """Loss of weights for the columns as they are."""
        return loss_and_gradient(self.rows, self.pull, weights)[0]


def loss_and_gradient(rows: Rows, pull: Floats, place: Floats) -> tuple[float, Floats]:
    """Give mean loss plus ridge and its gradient per Elo."""
    value, gradient = gradient_of(rows, place[None, :])
    return value + float(pull @ place**2) / 2, gradient + pull * place


def fitted(rows: Rows) -> Floats:
    """Return the weights of the fit, one a column."""
    return np.asarray(fit(rows, np.zeros(rows.shape), OPTIONS).weights[0])


def weights_alone(rows: Rows) -> Floats:
    """Return the same weights, and nothing else is computed than what decides them."""
    return np.asarray(find(rows, np.zeros(rows.shape), OPTIONS).weights[0])


def ours(contest: Contest, way: Callable[[Rows], Floats] = fitted) -> Time:
    """Time the fit, or another way to its weights."""
    found, seconds = spent(lambda: way(contest.rows))
    name = "tunesmith" if way is fitted else "tunesmith, weights alone"
    return Time(name, seconds, contest.loss(found) - contest.best)


def matrix_of(rows: Rows) -> Any:
    """Return the matrix that other people's solvers take."""
    return rows.features.matrix if isinstance(rows.features, Sparse) else rows.features


def scikit_learn(contest: Contest, solver: str, most: float) -> Time:
    """Time LogisticRegression with ever tighter tolerances, until the loss is good enough."""
    from sklearn.linear_model import LogisticRegression

    n = len(contest.rows.labels)
    strength = 1 / (n * RIDGE) if RIDGE else math.inf  # columns have mean square 1 in logits
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8):
        model = LogisticRegression(
            C=strength, fit_intercept=False, solver=solver, tol=tolerance, max_iter=1000
        )
        fitted, seconds = spent(partial(model.fit, matrix_of(contest.even), contest.rows.labels))
        gap = contest.loss(fitted.coef_[0] / LOGITS_PER_ELO / contest.scale) - contest.best
        if gap <= GAP:
            return Time(f"scikit-learn {solver}", seconds, gap)
        if seconds > most:
            break
    return Time(f"scikit-learn {solver}", math.inf, gap)


def lbfgs(contest: Contest, most: float) -> Time:
    """Time scipy's L-BFGS-B on columns at one scale, to the first loss that is good enough; it counts in logits."""
    pull = np.full(len(contest.scale), RIDGE * LOGITS_PER_ELO**2)

    def run(judge: Any) -> None:
        def at(place: Floats) -> tuple[float, Floats]:
            value, gradient = judge(contest.even, pull, place / LOGITS_PER_ELO)
            return value, gradient / LOGITS_PER_ELO

        limits = {"maxiter": 100_000, "maxfun": 1_000_000, "ftol": 0.0, "gtol": 0.0}
        start = np.zeros(len(pull))
        minimize(at, start, jac=True, method="L-BFGS-B", options=limits)  # type: ignore[call-overload,unused-ignore]

    return _first_good("scipy L-BFGS-B", contest, most, run)


def adam(contest: Contest, step: float, most: float) -> Time:
    """Time Adam on the columns as they are."""

    def run(judge: Any) -> None:
        place = np.zeros(len(contest.scale))
        mean, square = np.zeros_like(place), np.zeros_like(place)
        for at in range(1, 10**9):
            _, gradient = judge(contest.rows, contest.pull, place)
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            place = place - step * (mean / (1 - 0.9**at)) / (np.sqrt(square / (1 - 0.999**at)) + 1e-12)

    return _first_good(f"Adam, step {step:.3g}", contest, most, run)


def _first_good(name: str, contest: Contest, most: float, run: Callable[[Any], Any]) -> Time:
    began, lowest = time.process_time(), math.inf

    def judge(rows: Rows, pull: Floats, place: Floats) -> tuple[float, Floats]:
        nonlocal lowest
        value, gradient = loss_and_gradient(rows, pull, place)
        lowest = min(lowest, value)
        if value - contest.best <= GAP or time.process_time() - began > most:
            raise _Reached
        return value, gradient

    with contextlib.suppress(_Reached):
        run(judge)
    seconds = time.process_time() - began
    return Time(name, seconds if lowest - contest.best <= GAP else math.inf, lowest - contest.best)


@contextlib.contextmanager
def in_threads(number: int) -> Iterator[None]:
    """Let our fit work in so many threads meanwhile, and BLAS in one."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(number)
    try:
        with threadpool_limits(limits=1):
            yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def contest(rows: int, columns: int, nonzeros: int | None, seed: int, *, counts: bool = False) -> Contest:
    """Make a table and find its best loss, far more exactly than GAP."""
    matrix, labels = made_up(rows, columns, nonzeros, seed, counts=counts)
    wide = matrix.astype(np.float64, copy=False)
    square, there = (wide.multiply(wide), matrix != 0) if nonzeros else (matrix**2, matrix != 0)
    size = np.asarray(square.sum(axis=0)).ravel() / np.asarray(there.sum(axis=0)).ravel()  # where present
    scale = np.sqrt(size)
    even = wide @ sparse.diags(1 / scale) if nonzeros else matrix / scale
    own, scaled = (
        Rows(Sparse(one) if nonzeros else one, None, labels, np.ones(rows), np.arange(rows))
        for one in (matrix, even)
    )
    pull = RIDGE * size * LOGITS_PER_ELO**2
    return Contest(own, scaled, scale, pull, loss_and_gradient(own, pull, fitted(own))[0])


def solvers(found: Contest) -> list[str]:
    """Return the names of scikit-learn's solvers that suit a table: a first-order and a second-order one."""
    return ["lbfgs", "newton-cg" if isinstance(found.rows.features, Sparse) else "newton-cholesky"]


def memory_of(call: Callable[[], Any]) -> float:
    """Return the most memory in MiB that a call holds at a time, beside what was there before."""
    tracemalloc.start()
    call()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 2**20


def measure(found: Contest, patience: float) -> tuple[list[Time], float, float]:
    """Time every contender, ours first; also seconds of a pass, and of reading the matrix twice."""
    times = [ours(found), ours(found, weights_alone)]
    most = patience * times[0].seconds
    times += [scikit_learn(found, solver, most) for solver in solvers(found)]
    times.append(lbfgs(found, most))
    answer = fitted(found.rows)
    usual = float(np.median(np.abs(answer)))
    times += [adam(found, step * usual, most) for step in (0.3, 0.03)]
    place = np.zeros(len(found.scale))
    passes = min(spent(lambda: loss_and_gradient(found.rows, found.pull, place))[1] for _ in range(3))
    matrix = matrix_of(found.rows)
    held = [matrix.data, matrix.indices] if isinstance(found.rows.features, Sparse) else [matrix]
    reading = min(spent(lambda: [part.max() for part in held])[1] for _ in range(3))
    return times, passes, 2 * reading


class Threaded(NamedTuple):
    """Medians of seconds of a fit in so many threads: of the clock, of all processors, and of the caller's thread."""

    threads: int
    clock: float
    processors: float
    caller: float


def threaded(found: Contest, most: int) -> list[Threaded]:
    """Time our fit in one thread and in `most`, by turns; the weights must be the same."""
    times: dict[int, list[tuple[float, float, float]]] = {1: [], most: []}
    answers = set()
    for _ in range(ROUNDS):
        for number, taken in times.items():
            with in_threads(number):
                began, caller = time.perf_counter(), time.thread_time()
                weights, seconds = spent(lambda: fitted(found.rows))
                taken.append((time.perf_counter() - began, seconds, time.thread_time() - caller))
                answers.add(weights.tobytes())
    if len(answers) > 1:
        raise RuntimeError("the weights depend on the number of threads")
    return [Threaded(number, *np.median(taken, axis=0).tolist()) for number, taken in times.items()]


def main(arguments: list[str] | None = None) -> int:
    """Print one table; exit with 1 if anybody finds a loss lower than ours by more than GAP."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=60)
    parser.add_argument("--nonzeros", type=int, default=0, help="of a row; 0: a full matrix")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=100.0, help="times our seconds until one gives up")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--counts", action="store_true", help="non-zeros are whole numbers, held in float32")
    given = parser.parse_args(arguments)
    with in_threads(1):
        found = contest(given.rows, given.columns, given.nonzeros or None, given.seed, counts=given.counts)
        memory = memory_of(lambda: ours(found))  # also: the first touches memory for the first time
        times, passes, reading = measure(found, given.patience)
    kind = f"{given.nonzeros} non-zeros a row" if given.nonzeros else "dense"
    print(f"{given.rows:,} x {given.columns}, {kind}; loss {found.best:.6f}")
    print(f"CPU seconds of one thread to within {GAP:g}, and times ours")
    own = times[0].seconds
    for row in times:
        reached = f"{row.seconds:9.3f}  {row.seconds / own:7.1f}"
        if row.seconds == math.inf:
            reached = f"not in {given.patience:g} times ours"
        print(f"{row.name:28} {reached:>18}   gap {row.gap:.1e}")
    matrix = matrix_of(found.rows)
    table = matrix.data.nbytes + (matrix.indices.nbytes + matrix.indptr.nbytes if given.nonzeros else 0)
    print(f"memory: {memory:,.0f} MiB beside the {table / 2**20:,.0f} MiB of the matrix")
    print(
        f"one pass {passes:.4f} s; reading the matrix twice {reading:.4f} s: {reading / passes:.0%} of that speed"
    )
    for run in threaded(found, given.threads) if given.threads > 1 else ():
        print(
            f"threads {run.threads}: {run.clock:.3f} s of the clock, {run.processors:.3f} s of the processors, "
            f"{run.caller:.3f} s of them by the thread that calls"
        )
    return 0 if all(row.gap >= -GAP for row in times) else 1


if __name__ == "__main__":
    sys.exit(main())
