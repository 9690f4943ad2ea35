"""Does the fit find a teacher's weights on real positions, and do its intervals hold what they promise?

Positions come from self-play; their results are drawn from the logistic model of known weights (the game's
hand-made ones, brought to a usual size), with one draw a game: all positions of a game share one random
number, so they are as dependent as positions with one result can be, while each has the teacher's chance.
The fit is that of a study: prior zero, ridge and the way to hold weights chosen by cross-validation, anew in each
repetition. Two features are added that are not zero in one position of a hundred. Beside it stand fits of the same
results with each way of `tuning.fit.shrinkage`, at the same ridge.
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
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions, GameFitOptions, Openings
from tunesmith.tuning.data import dataset
from tunesmith.tuning.fit.constraints import Constraints, Names, make_constraints
from tunesmith.tuning.fit.loss import design, expected_result, scores
from tunesmith.tuning.fit.parameters import FITTED
from tunesmith.tuning.fit.ridge import RidgeChoice, choose_ridge
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.shrinkage import GROUPS, ONE, TAILS
from tunesmith.tuning.fit.texel import Fit, fit
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.stats.elo import Z95

USUAL = 120.0  # Elo; root mean square of the teacher's scores
LEVEL = 0.95
RARE = 0.02  # of the rows: a weight that is not zero in fewer is rare
PLANTED, SHOWN = 2, 0.01  # rare features that are added, and the share of the rows that shows each ...
STRONG = 100.0  # ... in which it decides much, Elo
AXES = 5
KINDS = ("all", "rare", "axes")
SOURCES = ("posterior", "data")
CHOSEN = "chosen"  # the way that the product takes
WAYS = (CHOSEN, ONE, GROUPS, TAILS)


class Recovery(NamedTuple):
    """What came of each repetition, and how many games and weights there were.

    cosines, of_weights: (repetitions,). coverage, widths: by (source, kind), (repetitions,); a width is the median
    standard error in Elo of usual effect. undetermined: weights about which the data say nothing. ridges: chosen;
    kinds: how often each way was.
    """

    cosines: Floats
    of_weights: Floats
    coverage: dict[tuple[str, str], Floats]
    widths: dict[tuple[str, str], Floats]
    undetermined: Floats
    ridges: Floats
    games: int
    weights: int
    kinds: dict[str, int]

    def half(self, source: str, kind: str) -> float:
        """Half width of the 95 % interval of a mean coverage."""
        found = self.coverage[source, kind]
        return float(Z95 * found.std(ddof=1) / len(found) ** 0.5)


def fits(
    rows: Rows, prior: Floats, constraints: Constraints, ways: Sequence[str] = WAYS
) -> tuple[dict[str, Fit], RidgeChoice]:
    """Fit in each of the ways that are there, at the ridge that is chosen for one."""
    options = FitOptions()
    choice = choose_ridge(rows, prior, options, constraints)
    kinds = {CHOSEN: choice.kind, **{kind.name: kind for kind in choice.kinds}}
    made = {}
    for way in (way for way in ways if way in kinds):
        asked, held = choice._replace(kind=kinds[way]).applied(options, constraints, rows.shape)
        made[way] = fit(rows, prior, asked, held)
    return made, choice


def teach(
    rows: Rows,
    teacher: Floats,
    constraints: Constraints,
    repetitions: int,
    seed: int = 1,
    ways: Sequence[str] = WAYS,
) -> dict[str, Recovery]:
    """Draw results and fit in each way, again and again; repetition i depends on (seed, i) only."""
    made: dict[str, list[Fit]] = {}
    kinds = []
    for number in range(repetitions):
        drawn = replace(rows, labels=drawn_results(rows, teacher, [seed, number]))
        found, choice = fits(drawn, np.zeros_like(teacher), constraints, ways)
        kinds.append(choice.kind.name)
        for way, one in found.items():
            made.setdefault(way, []).append(one)
    return {way: _recovery(rows, teacher, each, kinds) for way, each in made.items()}


def drawn_results(rows: Rows, teacher: Floats, seed: Sequence[int]) -> Floats:
    """Draw results from the teacher's chances: all positions of a game share one random number."""
    numbers, game = np.unique(rows.group, return_inverse=True)
    luck = np.random.default_rng(seed).random(len(numbers))[game]
    return np.asarray(luck < expected_result(scores(rows, teacher)), dtype=np.float64)


def _recovery(rows: Rows, teacher: Floats, made: Sequence[Fit], kinds: Sequence[str]) -> Recovery:
    cosines, of_weights, undetermined, ridges, fitted = [], [], [], [], 0
    coverage: dict[tuple[str, str], list[float]] = {(s, k): [] for s in SOURCES for k in KINDS}
    widths: dict[tuple[str, str], list[float]] = {key: [] for key in coverage}
    spread = np.sqrt(np.diag(np.cov(design(rows, slice(None)).T, aweights=rows.weight)))
    for found in made:
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
        np.array(undetermined), np.array(ridges), rows.n_groups, fitted, dict(Counter(kinds)),
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
    openings = make_openings(
        game, player, Openings(plies=8, max_score=300.0), count=pairs, purpose="train", seed=1
    )
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
        matchup = Matchup(spec, player, player, (limit, limit), 1, Noise(0.1, 30))
        selfplay.play(matchup, openings, range(pairs), Path(folder) / "games", Resources(jobs))
        settings = GameFitOptions(positions_per_game=per_game, quiet="off")
        data = dataset.build_rows(game, read_games(Path(folder) / "games"), settings)
    return data.rows, player.array(game)


def made_teacher(rows: Rows, hand: Floats, share: float = 0.3) -> Floats:
    """Return hand-made weights plus a little of every feature that is neither rare nor dependent.

    share: of the largest effect of a hand-made weight; 0: the hand-made weights alone, most of which are small or zero.
    """
    shown = fit(rows, np.zeros_like(hand), FitOptions(ridge=1.0)).size
    size = np.where(np.isfinite(shown) & (shown > 0), shown, np.inf)
    sign = np.where(np.arange(hand.size).reshape(hand.shape) % 2, 1.0, -1.0)
    teacher = np.where(np.isfinite(size), hand + sign * share * np.abs(hand * size).max() / size, 0.0)
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
    parser.add_argument(
        "--share", type=float, default=0.3, help="effect of every feature; 0: hand-made weights"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cosine", type=float, default=0.9)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    rows, hand = real_positions(given.game, given.pairs, given.limit, given.per_game, given.jobs)
    rows, teacher = with_rare(rows, made_teacher(rows, hand, given.share))
    game = games.load(given.game)
    names = Names(tuple(game.stage_names), (*game.feature_names, *(f"planted_{n}" for n in range(PLANTED))))
    constraints = make_constraints(names, FitOptions())
    found = teach(rows, teacher, constraints, given.repetitions, given.seed)
    one = found[CHOSEN]
    print(
        f"{given.game}: {rows.n:,} positions of {one.games:,} pairs, {one.weights} weights fitted, "
        f"{one.undetermined.mean():.1f} not determined by the data; ridge {one.ridges.min():g} to "
        f"{one.ridges.max():g}; {given.repetitions} repetitions, seed {given.seed}; chosen: "
        + ", ".join(f"{kind} {count}" for kind, count in one.kinds.items())
    )
    for way, each in found.items():
        print(f"\n{way}\n" + "\n".join(lines(each)))
    is_short = any(
        len(one.coverage["data", kind]) and one.coverage["data", kind].mean() + one.half("data", kind) < LEVEL
        for kind in KINDS
    )
    return 1 if is_short or one.cosines.mean() < given.cosine else 0


def lines(found: Recovery) -> list[str]:
    """Say how near the weights of one way came to the teacher's, and what their intervals hold."""
    told = [
        f"cosine of {name} with the teacher's: mean {values.mean():.4f}, lowest {values.min():.4f}"
        for name, values in (("scores", found.cosines), ("scaled weights", found.of_weights))
    ]
    told.append("coverage of 95 % intervals, and median standard error in Elo of usual effect:")
    for source, kind in found.coverage:
        held = found.coverage[source, kind]
        figures = "no such weight was fitted"
        if len(held):
            width = found.widths[source, kind].mean()
            figures = f"{held.mean():7.2%} ± {found.half(source, kind):.2%}, {width:6.1f} Elo"
        told.append(f"{source:>9}, {kind:>4}: {figures}")
    return told


if __name__ == "__main__":
    sys.exit(main())
