"""How many Elo is one unit of somebody's evaluation worth?

The scale K makes 1 / (1 + 10 ** (-K * score / 400)) predict the results of the side to move best, by
cross-entropy. It is fitted once on a hand-made evaluation and then kept: scale and weights are only known
up to a factor. Engines that write 1 / (1 + exp(-K_e * score / 400)) have K_e = K * ln(10).
"""

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, derivatives
from tunesmith.tuning.fit.newton import Point, minimise
from tunesmith.tuning.fit.rows import Floats, Rows, features_of
from tunesmith.tuning.fit.solve import in_one_thread

_TOLERANCE = 1e-11  # of the gradient in nats per logit: K to about ten digits


def fit_scale(
    scores: Floats, labels: Floats, weight: Floats | None = None, *, is_between_equals: bool = True
) -> float:
    """Find K for scores (n,) in any unit, labels (n,) and weights (n,), all of the side to move.

    K below 0 means that the scores predict the wrong side. InputError if no finite K is best.
    is_between_equals: false if the side to move may be a stronger or a weaker player than the other; by how much is
    then fitted along, so that K is what scores say of results between equals.
    """
    if not np.any(scores):
        raise InputError("scores: every score is 0, so no scale can be found; start from weights that play")
    columns, n = [np.asarray(scores, dtype=np.float64)], len(scores)
    features = np.stack(columns if is_between_equals else [*columns, np.ones(n)], axis=1)
    weights = np.ones(n) if weight is None else weight
    rows = Rows(features, None, labels, weights, np.arange(n, dtype=np.int64))
    seen = rows.used()
    score, label = features_of(seen)[:, 0], seen.labels
    if not score.any():
        raise InputError("scores: every score is 0, so no scale can be found; start from weights that play")
    if not is_between_equals:
        _refuse_separable(score, label)
        return float(_best_weights(rows)[0])
    for is_ahead, kind in ((np.greater, "always"), (np.less, "never")):
        if ((score == 0) | (label == is_ahead(score, 0))).all():
            raise InputError(
                f"scores: the side ahead {kind} wins in all {seen.n} rows: no finite scale is best"
            )
    return float(_best_weights(rows)[0])


def _refuse_separable(score: Floats, label: Floats) -> None:
    """Refuse scores that are all the same, or of which a bound parts wins from losses."""
    for turned in (score, -score):
        least = turned[label > 0].min(initial=np.inf)
        if least >= turned[label < 1].max(initial=-np.inf) or not np.ptp(turned):
            raise InputError("scores: a bound on them parts wins from losses: no finite scale is best")


@in_one_thread
def _best_weights(rows: Rows) -> Floats:
    """Fit the few columns without a ridge, each counted in logits of its root mean square."""
    square = rows.weight @ (features_of(rows) ** 2) / rows.weight.sum()
    per_logit = 1 / (LOGITS_PER_ELO * np.sqrt(square))

    def at(place: Floats) -> Point:
        value, gradient, hessian = derivatives(rows, (place * per_logit)[None, :])
        return Point(value, gradient * per_logit, hessian * np.outer(per_logit, per_logit))

    start, far = np.zeros(len(per_logit)), np.full(len(per_logit), np.inf)
    found = minimise(at, start, -far, far, tolerance=_TOLERANCE, max_iterations=200)
    return np.asarray(found.place * per_logit, dtype=np.float64)
