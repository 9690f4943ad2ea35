"""How much would more games bring?

The learning curve fits nested parts of the training pairs (chosen by hash, so that they hold when games are
added) and judges each on the same held-out pairs. The loss above its limit falls like 1 / pairs, so twice the
pairs bring half of what the last doubling brought. The ridge grows as the part shrinks: the prior itself
stays as certain as it was.

What games without end would bring follows from how unsure the weights are: for positions x with chance p and weights of
covariance C, the loss above its least is expected to be tr(H C) / 2 = mean of p (1 - p) x' C x / 2 (H. Akaike, IEEE
Trans. Automatic Control 19, 1974; clustered by pair: K. Takeuchi 1976). C is that of labels that are plain results:
labels blended with scores are calmer, and pay for it by a bias that more games take away.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.documents.limits import Curve, CurvePart
from tunesmith.tuning.fit import calibration
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, design, expected_result, mean_loss, scores
from tunesmith.tuning.fit.rows import Floats, Rows, blocks
from tunesmith.tuning.fit.run import FitResult
from tunesmith.tuning.fit.solve import in_one_thread
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.fit.texel import Fit, find, fit

SHARES = (0.125, 0.25, 0.5)  # of all pairs, which come last
_SALT = 0x6C6561726E  # parts must not follow the split or the folds
_FEWEST = 20  # pairs; smaller parts say nothing


class Part(NamedTuple):
    """Held-out loss of weights that were fitted on some of the pairs.

    error: of the difference to the loss of the weights that all pairs gave; 0 for these themselves.
    """

    pairs: int
    loss: float
    error: float


class LearningCurve(NamedTuple):
    """Parts, smallest first; `doubling`: fall of the loss that twice the pairs would bring, and its error."""

    parts: tuple[Part, ...]
    doubling: float
    error: float

    @property
    def facts(self) -> Curve:
        """What a file holds."""
        parts = [CurvePart(**part._asdict()) for part in self.parts]
        return Curve(parts=parts, doubling=self.doubling, error=self.error)


def learning_curve(
    training: Rows, judging: Rows, found: Fit, full: Floats, options: FitOptions, constraints: Constraints
) -> LearningCurve:
    """Fit parts of the pairs as `found` was; `full` (S, F) are the weights that all of them gave, as written."""
    n_pairs, loss = training.n_groups, found.loss
    parts, last = [], None
    for share in SHARES:
        chosen = ~split(training.group, 1 - share, _SALT)
        if not chosen.any():  # of a handful of pairs
            continue
        part = training.take(chosen)
        pairs = part.n_groups
        if pairs < _FEWEST or not part.weight.any():
            continue
        firmer = options.model_copy(update={"ridge": found.ridge * n_pairs / pairs})
        weights = find(part, found.prior, firmer, constraints, loss=loss, start=found.weights).weights
        error = calibration.gain(judging, weights, full, loss).error
        parts.append(Part(pairs, mean_loss(judging, weights, loss), error))
        last = weights if share == SHARES[-1] else None
    parts.append(Part(n_pairs, mean_loss(judging, full, loss), 0.0))
    if last is None:
        return LearningCurve(tuple(parts), float("nan"), float("nan"))
    step = calibration.gain(judging, last, full, loss)
    return LearningCurve(tuple(parts), step.mean / 2, step.error / 2)


@in_one_thread
def unlearnt(ran: FitResult) -> float:
    """Return by how much games without end would lower the loss (nats a row), at most; the ridge stays."""
    rows, found = ran.rows, ran.fit
    if rows.results is not None and not np.array_equal(rows.results, rows.labels):
        rows = replace(rows, labels=rows.results, results=None)
        found = fit(rows, found.prior, ran.options, ran.constraints, start=found.weights)
    chance = expected_result(scores(rows, found.weights))
    bends, total = rows.weight * chance * (1 - chance), 0.0
    for at in blocks(rows.n):
        columns = design(rows, at)
        total += float(bends[at] @ np.einsum("np,np->n", columns @ found.covariance, columns))
    return LOGITS_PER_ELO**2 * total / 2 / float(rows.weight.sum())
