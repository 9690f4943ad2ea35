"""Does the fit find a teacher's weights on real positions, and do its intervals hold what they promise?

Positions come from self-play; their results are drawn from the logistic model of known weights (the game's
hand-made ones, brought to a usual size), with one draw a game: all positions of a game share one random
number, so they are as dependent as positions with one result can be, while each has the teacher's chance.
The fit is that of a study: prior zero, ridge chosen by cross-validation, anew in each repetition. Two features are
added that are not zero in one position of a hundred.
Cosine: between fitted and true weights in the metric of the positions, that is of the scores they give: a
weight that no position tells from another has no say. Cosine of weights: between the weights themselves, each
times its feature's standard deviation; features that go together let their weights be traded, so it needs far
more games.
Coverage: share of 95 % intervals that hold the truth, over weights and repetitions, of the posterior (ridge as the
prior) and of the data alone (weights and errors without the ridge); of all weights, of rare ones (not zero in at most
2 % of the rows), and of the axes about which the data say least. Its own interval takes repetitions, not weights, as
independent. The exit code is 1 if the mean cosine of scores is below --cosine, or a coverage of the data alone is
below 95 % by more than that interval.

    python -m tunesmith.experiments.proofs.recovery --game kalah --pairs 1000 --repetitions 60
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions, GameFitOptions
from tunesmith.tuning.data import dataset
from tunesmith.tuning.fit.loss import design, expected_result, scores
from tunesmith.tuning.fit.parameters import FITTED
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.texel import Fit, fit
from tunesmith.tuning.play import selfplay, store
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.stats.elo import Z95

USUAL = 120.0  # Elo; root mean square of the teacher's scores
LEVEL = 0.95
RARE = 0.02  # of the rows: a weight that is not zero in fewer is rare
PLANTED, SHOWN = 2, 0.01  # rare features that are added, and the share of the rows that shows each ...
STRONG = 100.0  # ... in which it decides much, Elo
AXES = 5
KINDS = ("all", "rare", "axes")
SOURCES = ("posterior", "data")


class Recovery(NamedTuple):
    """What came of each repetition, and how many games and weights there were.

    cosines, of_weights: (repetitions,). coverage, widths: by (source, kind), (repetitions,); a width is the median
    standard error in Elo of usual effect. undetermined: weights about which the data say nothing. ridges: chosen.
    """

    cosines: Floats
    of_weights: Floats
    coverage: dict[tuple[str, str], Floats]
    widths: dict[tuple[str, str], Floats]
    undetermined: Floats
    ridges: Floats
    games: int
    weights: int

    def half(self, source: str, kind: str) -> float:
        """Half width of the 95 % interval of a mean coverage."""
        found = self.coverage[source, kind]
        return float(Z95 * found.std(ddof=1) / len(found) ** 0.5)


def teach(rows: Rows, teacher: Floats, repetitions: int, seed: int = 1) -> Recovery:
    """Draw results and fit, again and again; repetition i depends on (seed, i) only."""
    chance = expected_result(scores(rows, teacher))
    numbers, game = np.unique(rows.group, return_inverse=True)
    cosines, of_weights, undetermined, ridges, fitted = [], [], [], [], 0
    coverage: dict[tuple[str, str], list[float]] = {(s, k): [] for s in SOURCES for k in KINDS}
    widths: dict[tuple[str, str], list[float]] = {key: [] for key in coverage}
    spread = np.sqrt(np.diag(np.cov(design(rows, slice(None)).T, aweights=rows.weight)))
    for number in range(repetitions):
        luck = np.random.default_rng([seed, number]).random(len(numbers))[game]
        results = (luck < chance).astype(np.float64)
        drawn = Rows(rows.features, rows.stages, results, rows.weight, rows.group)
        found = fit(drawn, np.zeros_like(teacher), FitOptions())
        a, b = scores(rows, found.weights), scores(rows, teacher)
        cosines.append(float(rows.weight @ (a * b) / np.sqrt((rows.weight @ a**2) * (rows.weight @ b**2))))
        a, b = spread * found.weights.ravel(), spread * teacher.ravel()
        of_weights.append(float(a @ b / np.sqrt((a @ a) * (b @ b))))
        undetermined.append(float(np.isinf(found.data_errors).sum()))
        ridges.append(found.ridge)
        fitted = int((found.status == FITTED).sum())
        for key, (missed, error) in misses(found, teacher, rows.n).items():
            if len(error):
                coverage[key].append(float((np.abs(missed) <= Z95 * error).mean()))
                widths[key].append(float(np.median(error)))
    return Recovery(
        np.array(cosines), np.array(of_weights),
        {key: np.array(shares) for key, shares in coverage.items()},
        {key: np.array(errors) for key, errors in widths.items()},
        np.array(undetermined), np.array(ridges), len(numbers), fitted,
    )  # fmt: skip


def misses(found: Fit, teacher: Floats, n_rows: int) -> dict[tuple[str, str], tuple[Floats, Floats]]:
    """Give by (source, kind) how far each answer is from the truth and its standard error, in Elo of usual effect."""
    free = ((found.status == FITTED) & np.isfinite(found.data_errors)).ravel()
    size = found.size.ravel()[free]
    rare = found.rows_per_weight.ravel()[free] <= RARE * n_rows
    scaled = np.outer(size, size)
    known = found.data.covariance[np.ix_(free, free)] * scaled
    axes = np.linalg.eigh(known)[1][:, -AXES:]
    made = {}
    for source, weights, covariance in (
        ("posterior", found.weights, found.covariance[np.ix_(free, free)] * scaled),
        ("data", found.data.weights, known),
    ):
        missed = (weights - teacher).ravel()[free] * size
        errors = np.sqrt(np.diag(covariance))
        made[source, "all"] = (missed, errors)
        made[source, "rare"] = (missed[rare], errors[rare])
        made[source, "axes"] = (missed @ axes, np.sqrt(np.einsum("pa,pq,qa->a", axes, covariance, axes)))
    return made


def with_rare(rows: Rows, teacher: Floats, seed: int = 1) -> tuple[Rows, Floats]:
    """Add features that are 1 or -1 in few of the rows, and 0 in the others, with strong weights."""
    rng = np.random.default_rng([seed, PLANTED])
    shown = rng.random((rows.n, PLANTED)) < SHOWN
    planted = np.where(shown, rng.choice([-1.0, 1.0], (rows.n, PLANTED)), 0.0)
    features = np.column_stack([np.asarray(rows.features), planted])
    strong = np.full((len(teacher), PLANTED), STRONG)
    return Rows(features, rows.stages, rows.labels, rows.weight, rows.group), np.hstack([teacher, strong])


def real_positions(spec: str, pairs: int, limit: str, per_game: int, jobs: int) -> tuple[Rows, Floats]:
    """Play games, and return their positions and the hand-made weights."""
    game = games.load(spec)
    player = weight_files.load("hand", game)
    openings = make_openings(game, player, plies=8, count=pairs, purpose="train", seed=1, max_score=300.0)
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
        matchup = Matchup(spec, player, player, (limit, limit), 1, Noise(0.1, 30))
        selfplay.play(matchup, openings, range(pairs), Path(folder) / "games", Resources(jobs))
        settings = GameFitOptions(positions_per_game=per_game, quiet="off")
        data = dataset.build_rows(game, store.read_games(Path(folder) / "games"), settings)
    return data.rows, player.array(game)


def made_teacher(rows: Rows, hand: Floats) -> Floats:
    """Return hand-made weights plus a little of every feature that is neither rare nor dependent."""
    shown = fit(rows, np.zeros_like(hand), FitOptions(ridge=1.0)).size
    size = np.where(np.isfinite(shown) & (shown > 0), shown, np.inf)
    sign = np.where(np.arange(hand.size).reshape(hand.shape) % 2, 1.0, -1.0)
    teacher = np.where(np.isfinite(size), hand + sign * 0.3 * np.abs(hand * size).max() / size, 0.0)
    usual = np.sqrt(rows.weight @ scores(rows, teacher) ** 2 / rows.weight.sum())
    if not usual > 0:
        raise InputError("teacher: says the same of every position")
    return np.asarray(teacher * USUAL / usual, dtype=np.float64)


def main(arguments: list[str] | None = None) -> int:
    """Print cosines and coverage; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--limit", default="nodes:60")
    parser.add_argument("--per-game", type=int, default=8)
    parser.add_argument("--repetitions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cosine", type=float, default=0.9)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    rows, hand = real_positions(given.game, given.pairs, given.limit, given.per_game, given.jobs)
    rows, teacher = with_rare(rows, made_teacher(rows, hand))
    found = teach(rows, teacher, given.repetitions, given.seed)
    print(
        f"{given.game}: {rows.n:,} positions of {found.games:,} pairs, {found.weights} weights fitted, "
        f"{found.undetermined.mean():.1f} not determined by the data; ridge {found.ridges.min():g} to "
        f"{found.ridges.max():g}; {given.repetitions} repetitions, seed {given.seed}"
    )
    for name, values in (("scores", found.cosines), ("scaled weights", found.of_weights)):
        print(f"cosine of {name} with the teacher's: mean {values.mean():.4f}, lowest {values.min():.4f}")
    is_short = False
    print("coverage of 95 % intervals, and median standard error in Elo of usual effect:")
    for source, kind in found.coverage:
        if not len(found.coverage[source, kind]):
            print(f"{source:>9}, {kind:>4}: no such weight was fitted")
            continue
        mean, half = found.coverage[source, kind].mean(), found.half(source, kind)
        print(
            f"{source:>9}, {kind:>4}: {mean:7.2%} ± {half:.2%}, {found.widths[source, kind].mean():6.1f} Elo"
        )
        is_short |= source == "data" and mean + half < LEVEL
    return 1 if is_short or found.cosines.mean() < given.cosine else 0


if __name__ == "__main__":
    sys.exit(main())
