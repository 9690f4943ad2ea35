"""How strong is the first-named player, seen from the end of a sequential test?

The plain Elo of a test that stopped at a bound is biased: it stopped because the result was extreme. Here
outcomes are ordered from an early H0 over late ones to an early H1; the estimate is the Elo at which a
worse outcome than the one seen has probability 1/2, and interval and LOS follow from the same probability.
It can differ from the plain Elo even in sign, so show both, and name them.

The ratio is taken as Brownian motion between two absorbing walls (`tuning.stats.brownian`), as in fishtest
(`sprt.py`) and vdbergh/simul.
"""

from dataclasses import dataclass

from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.brownian import worse_outcome
from tunesmith.tuning.stats.elo import (
    Counts,
    bayeselo_to_elo,
    check_counts,
    elo_to_score,
    fit_bayeselo,
    furthest_elo,
    games_of,
    moments,
    nelo_to_score,
    sigma_per_game,
    spread,
)
from tunesmith.tuning.stats.likelihood import ZERO_CELL, single_games
from tunesmith.tuning.stats.sprt import Sprt


@dataclass(frozen=True)
class StoppedEstimate:
    """Logistic Elo with interval and LOS of a sequential test, whatever the model of its bounds.

    `llr` is the closed form used here. `is_clamped`: it lies well beyond a bound, as if the test had gone
    on after its end, and the estimate takes it back to the bound; or Elo is at `stats.furthest_elo`.
    """

    games: float
    elo: float
    elo_low: float
    elo_high: float
    los: float
    llr: float
    is_clamped: bool
    level: float


@dataclass(frozen=True)
class _Outcome:
    """Where a test stands: `time` in games or pairs, `at` between the walls, in a world of that spread."""

    time: float
    at: float
    lower: float
    upper: float
    middle: float
    gap: float
    variance: float


def estimate_stopped(test: Sprt, counts: Counts, level: float = 0.95) -> StoppedEstimate:
    """Return the estimate for the counts at which the test stopped, or stands."""
    if not 0 < level < 1:
        raise InputError(f"level must lie strictly between 0 and 1, found {level}")
    seen, llr = _outcome(test, counts)
    limit = furthest_elo(games_of(counts))
    low, elo, high = (_elo_at(seen, p, limit) for p in (0.5 + level / 2, 0.5, 0.5 - level / 2))
    return StoppedEstimate(
        games=games_of(counts),
        elo=elo,
        elo_low=low,
        elo_high=high,
        los=_worse(seen, 0.0),
        llr=llr,
        is_clamped=not 1.03 * test.lower <= llr <= 1.03 * test.upper or limit in (-low, -elo, elo, high),
        level=level,
    )


def _outcome(test: Sprt, counts: Counts) -> tuple[_Outcome, float]:
    """Return the state of the test, taken back to the wall it has crossed, and the ratio before that."""
    facts, variance = moments(counts), spread(counts)
    s0, s1 = _scores(test, counts)
    rate = (facts.score - (s0 + s1) / 2) * (s1 - s0) / variance
    units = max(facts.units, ZERO_CELL)
    llr = rate * units
    at = min(max(llr, test.lower), test.upper)
    time = units if at == llr else at / rate
    return _Outcome(time, at, test.lower, test.upper, (s0 + s1) / 2, s1 - s0, variance), llr


def _scores(test: Sprt, counts: Counts) -> tuple[float, float]:
    """Return the scores of the two hypotheses."""
    elo0, elo1 = test.elo0, test.elo1
    if test.model == "normalized":
        sigma = sigma_per_game(counts)
        return nelo_to_score(elo0, sigma), nelo_to_score(elo1, sigma)
    if test.model == "bayesian":
        padded = [n or ZERO_CELL for n in check_counts(counts)]
        _, drawelo = fit_bayeselo(single_games([n / sum(padded) for n in padded]))
        elo0, elo1 = bayeselo_to_elo(elo0, drawelo), bayeselo_to_elo(elo1, drawelo)
    return elo_to_score(elo0), elo_to_score(elo1)


def _elo_at(seen: _Outcome, probability: float, limit: float) -> float:
    """Return the Elo at which a worse outcome has that probability, which falls as Elo grows."""
    from scipy.optimize import brentq  # here, because commands that need no solver must start at once

    def excess(elo: float) -> float:
        return _worse(seen, elo) - probability

    if excess(-limit) <= 0:
        return -limit
    if excess(limit) >= 0:
        return limit
    return brentq(excess, -limit, limit, xtol=1e-9)


def _worse(seen: _Outcome, elo: float) -> float:
    """Return the probability of a worse outcome if the true difference is `elo`, at the spread seen."""
    drift = (elo_to_score(elo) - seen.middle) * seen.gap / seen.variance
    p = worse_outcome(seen.time, seen.at, drift, seen.gap**2 / seen.variance, seen.lower, seen.upper)
    return min(max(p, 0.0), 1.0)
