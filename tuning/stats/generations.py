"""Which of several generations is the strongest, as far as matches and held-out games tell?

A generation was compared with the one that it was made from: a match of some pairs, which shows a step of 20 Elo only
in many hundreds of them, and the loss of both on games that no fit saw. Steps between generations are small, so a
measured step is shrunk towards what steps are like: normal, with the standard deviation `USUAL`, and a mean that the
held-out loss names, between minus and plus `USUAL` by how sure it is which of both predicts better. Elo of the later
generation, in Elo of one game. Means and variances of independent normals are combined as in Gelman et al., Bayesian
Data Analysis, section 2.5."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.tuning.stats.elo import Estimate, judge, normal_cdf, normal_quantile

USUAL = 15.0
"""Elo. Steps after the first generation in the studies that ship lie between -19 and +31."""


@dataclass(frozen=True)
class Step:
    """What a generation gains over the one with number `on` (0 is the baseline): Elo, its error, and what is shown."""

    on: int
    elo: float
    error: float
    is_worse: bool


def step(on: int, check: Estimate, loss_fall: float | None, loss_error: float | None) -> Step:
    """Return a step as all that is known tells it.

    check: the match. loss_fall, loss_error: by how much the new weights' held-out loss is lower, and its standard
    error; None where nothing was held out. The first step, from the baseline, is not shrunk: it may be large.
    """
    error = (check.elo_high - check.elo_low) / 2 / normal_quantile(0.5 + check.level / 2)
    is_worse = judge(check.elo_low, check.elo_high) == "weaker"
    if on == 0:
        return Step(on, check.elo, error, is_worse)
    mean = 0.0
    if loss_fall is not None and loss_error:
        mean = USUAL * (2 * normal_cdf(loss_fall / loss_error) - 1)
    share = USUAL**2 / (USUAL**2 + error**2)
    return Step(on, mean + share * (check.elo - mean), USUAL * math.sqrt(1 - share), is_worse)


def left(
    unlearnt: float, played: int, planned: int, elo: float, fall: float | None, error: float | None
) -> float | None:
    """Return how many Elo so many planned games are expected to bring after those played.

    unlearnt: loss that games without end would take off (`fit.learning_curve.unlearnt`); what is above the least loss
    falls like 1 / games. A nat is worth what it was so far: the weights won `elo` over the baseline while the held-out
    loss fell by `fall`, with standard error `error`. None where that is not shown: then it cannot be told.
    """
    if elo <= 0 or fall is None or error is None or not fall > 2 * error:
        return None
    return unlearnt * planned / (played + planned) * elo / fall


def rating(steps: Sequence[Step], number: int) -> float:
    """Return the Elo of generation `number` over the baseline, along its steps."""
    return _ratings(steps)[number]


def _ratings(steps: Sequence[Step]) -> list[float]:
    ratings = [0.0]
    for one in steps:
        ratings.append(ratings[one.on] + one.elo)
    return ratings


def strongest(steps: Sequence[Step]) -> int:
    """Return the number of the strongest generation, from 1: `steps[k - 1]` is that of generation k.

    Ratings add up along the steps. Those that a match showed to be worse are out, and with them what was made from
    them; if all are, the last one is returned: whether it is better than the baseline is for a proof to say.
    """
    ratings, is_out = _ratings(steps), [False]
    for one in steps:
        is_out.append(is_out[one.on] or one.is_worse)
    left = [k for k in range(1, len(ratings)) if not is_out[k]]
    return max(left, key=lambda k: (ratings[k], k)) if left else len(steps)
