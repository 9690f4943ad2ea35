"""Does the fit find a teacher's weights on real positions, and do its intervals hold what they promise?

Positions come from self-play; their results are drawn from the logistic model of known weights (the game's
hand-made ones, brought to a usual size), with one draw a game: all positions of a game share one random
number, so they are as dependent as positions with one result can be, while each has the teacher's chance.
Cosine: between fitted and true weights in the metric of the positions, that is of the scores they give: a
weight that no position tells from another has no say. Cosine of weights: between the weights themselves, each
times its feature's standard deviation; features that go together let their weights be traded, so it needs far
more games. Only the cosine of scores decides the exit code. Coverage: share of 95 %
intervals that hold the truth, over weights and repetitions; its own interval takes repetitions, not weights,
as independent. The exit code is 1 if the cosine is below 0.99 or the coverage is not 95 % within that interval.

    python -m tunesmith.experiments.proofs.recovery --game kalah --pairs 2000 --repetitions 200
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
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.texel import fit
from tunesmith.tuning.play import selfplay, store
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.stats.elo import Z95

USUAL = 120.0  # Elo; root mean square of the teacher's scores
RIDGE = 1e-6  # next to none: the question is what the data say
LEVEL = 0.95


class Recovery(NamedTuple):
    """Cosines of scores and of scaled weights, coverage (each repetitions,), how many games and weights there were."""

    cosines: Floats
    of_weights: Floats
    coverage: Floats
    games: int
    weights: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the mean coverage should lie if every interval holds the truth with probability LEVEL."""
        half = Z95 * float(self.coverage.std(ddof=1)) / len(self.coverage) ** 0.5
        return LEVEL - half, LEVEL + half


def teach(rows: Rows, teacher: Floats, repetitions: int, seed: int = 1) -> Recovery:
    """Draw results and fit, again and again; repetition i depends on (seed, i) only."""
    chance = expected_result(scores(rows, teacher))
    numbers, game = np.unique(rows.group, return_inverse=True)
    cosines, of_weights, coverage, fitted = [], [], [], 0
    spread = np.sqrt(np.diag(np.cov(design(rows, slice(None)).T, aweights=rows.weight)))
    for number in range(repetitions):
        luck = np.random.default_rng([seed, number]).random(len(numbers))[game]
        results = (luck < chance).astype(np.float64)
        drawn = Rows(rows.features, rows.stages, results, rows.weight, rows.group)
        found = fit(drawn, np.zeros_like(teacher), FitOptions(ridge=RIDGE))
        free = found.status == "fitted"
        a, b = scores(rows, found.weights), scores(rows, teacher)
        cosines.append(float(rows.weight @ (a * b) / np.sqrt((rows.weight @ a**2) * (rows.weight @ b**2))))
        a, b = spread * found.weights.ravel(), spread * teacher.ravel()
        of_weights.append(float(a @ b / np.sqrt((a @ a) * (b @ b))))
        low, high = found.interval(LEVEL)
        coverage.append(float(((low < teacher) & (teacher < high))[free].mean()))
        fitted = int(free.sum())
    return Recovery(np.array(cosines), np.array(of_weights), np.array(coverage), len(numbers), fitted)


def real_positions(spec: str, pairs: int, limit: str, per_game: int, jobs: int) -> tuple[Rows, Floats]:
    """Play games, and return their positions with a teacher of usual size that uses features they show."""
    game = games.load(spec)
    player = weight_files.load("hand", game)
    openings = make_openings(game, player, plies=8, count=pairs, purpose="train", seed=1, max_score=300.0)
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
        matchup = Matchup(spec, player, player, (limit, limit), 1, Noise(0.1, 30))
        selfplay.play(matchup, openings, range(pairs), Path(folder) / "games", Resources(jobs))
        settings = GameFitOptions(positions_per_game=per_game, quiet="off")
        data = dataset.build_rows(game, store.read_games(Path(folder) / "games"), settings)
    return data.rows, made_teacher(data.rows, player.array(game))


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
    """Print cosine and coverage; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kalah")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--limit", default="nodes:60")
    parser.add_argument("--per-game", type=int, default=8)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    rows, teacher = real_positions(given.game, given.pairs, given.limit, given.per_game, given.jobs)
    found = teach(rows, teacher, given.repetitions)
    low, high = found.interval
    mean = float(found.coverage.mean())
    print(f"{given.game}: {rows.n:,} positions of {found.games:,} pairs, {found.weights} weights fitted")
    for name, values in (("scores", found.cosines), ("scaled weights", found.of_weights)):
        print(f"cosine of {name} with the teacher's: mean {values.mean():.4f}, lowest {values.min():.4f}")
    print(
        f"coverage of 95 % intervals, {given.repetitions} repetitions: {mean:.2%} (expected {low:.2%} to {high:.2%})"
    )
    return 0 if found.cosines.mean() >= 0.99 and low <= mean <= high else 1


if __name__ == "__main__":
    sys.exit(main())
