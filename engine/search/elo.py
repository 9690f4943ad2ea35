"""Scores and expected results, each made of the other by the Elo formula.

A score is an integer of 1/100 Elo, an expected result lies between 0 (lost) and 1 (won); both are a player's
own. Nothing but sums, products, quotients and comparisons is used, so that compiled code and plain Python
give the same bits: libraries do not agree about the last bit of a logarithm."""

import numpy as np

LN2 = 0.6931471805599453
CENTI_ELO = 17371.779276130073  # 1/100 Elo per unit of natural log-odds: 40,000 / ln 10
_FARTHEST = 45.0  # log-odds beyond which an expected result is 0 or 1
_SUREST = 1e-6  # an expected result nearer to 0 or 1 counts as this: about 2,400 Elo


def natural_log(x: float) -> float:
    """Return the natural logarithm of a positive number, to about 1e-13."""
    twos = 0
    while x >= 2.0:
        x *= 0.5
        twos += 1
    while x < 1.0:
        x *= 2.0
        twos -= 1
    ratio = (x - 1.0) / (x + 1.0)
    square = ratio * ratio
    series = 0.0
    for odd in range(25, 0, -2):  # ln x = 2 (r + r^3 / 3 + r^5 / 5 ...)
        series = series * square + 1.0 / odd
    return twos * LN2 + 2.0 * ratio * series


def expected(score: int) -> float:
    """Return the expected result of a score, to about 1e-10; of a win score 1."""
    odds = min(max(score / CENTI_ELO, -_FARTHEST), _FARTHEST)
    part = -odds / 4096.0
    power = 1.0
    for term in range(7, 0, -1):  # e^part, by its series
        power = 1.0 + power * part / term
    for _ in range(12):  # 4096 = 2^12
        power *= power
    return 1.0 / (1.0 + power)


def to_elo(result: float) -> int:
    """Return the score of an expected result; certainty counts as about 2,400 Elo."""
    inside = min(max(result, _SUREST), 1.0 - _SUREST)
    return int(np.rint(CENTI_ELO * natural_log(inside / (1.0 - inside))))
