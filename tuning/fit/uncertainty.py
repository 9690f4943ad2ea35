"""How sure is the solution of a fit: by data and prior together, and by the data alone?

Two answers, because they differ where the data say little. The posterior takes the ridge at its word: before
the games, the change of each weight is normal around zero, with the standard deviation that the ridge says.
If that is wrong, and one ridge for all weights is wrong for some, its errors are too small for these. The
data alone take no ridge: the information of the rows at the solution, and the weights that one Newton step
without ridge gives. Where they say nothing, no error is large enough.
Both are clustered by pair, because the positions of a pair share two results. References: H. White
(Econometrica 48, 1980), K.-Y. Liang & S. Zeger (Biometrika 73, 1986).
"""

from typing import NamedTuple

import numpy as np

from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Loss, bend_of, design, group_sums
from tunesmith.tuning.fit.newton import Minimum
from tunesmith.tuning.fit.parameters import Parameters, turned
from tunesmith.tuning.fit.rows import Floats, Ints, Rows
from tunesmith.tuning.fit.sparse import Sparse

NOTHING_SAID = (
    2400.0  # Elo of usual effect; a direction with a larger error is one of which the rows say nothing
)
_TOUCHED = 1e-3  # of a weight's length: a smaller part in such a direction is worth some 2 Elo
_TINY = float(np.finfo(np.float64).tiny)


class DataAlone(NamedTuple):
    """What the rows say of the weights without the ridge, in Elo.

    weights: (S, F), one Newton step without ridge from the solution. covariance: (P, P), of the directions that the
    rows speak about. silent: (P, u), moves of the weights about which they say nothing (an error beyond NOTHING_SAID),
    a logit of usual effect each.
    """

    weights: Floats
    covariance: Floats
    silent: Floats

    @property
    def errors(self) -> Floats:
        """Standard errors (S, F); infinite where a silent direction moves the weight."""
        variance = np.diag(self.covariance)
        apart = (self.silent**2).sum(axis=1) > 0
        return np.where(apart, np.inf, np.sqrt(variance)).reshape(self.weights.shape)


class Uncertainty(NamedTuple):
    """Covariance (P, P) of the posterior in Elo squared, what the data alone say, and the effective number of rows.

    n_effective: independent rows with the same information; NaN for a single pair.
    """

    posterior: Floats
    data: DataAlone
    n_effective: float


class Information(NamedTuple):
    """What the rows and the ridge say of the D directions in which a solution can move.

    spread: (P, D) Elo of the weights in each. curvature, pull, noise: A, L and M of `measure`, (D, D) each.
    n_effective: as in `Uncertainty`; NaN without a direction, too.
    """

    spread: Floats
    curvature: Floats
    pull: Floats
    noise: Floats
    n_effective: float


def measure(
    rows: Rows, parameters: Parameters, weights: Floats, found: Minimum, ridge: float, loss: Loss
) -> Uncertainty:
    """Measure both at a solution, for the directions in which its parameters can move.

    Posterior: A^-1 (M + L / n) A^-1, where A is the Hessian with ridge, M sums the outer products of the pairs'
    gradients (times G / (G - 1) for G pairs), L is the ridge part of A, and n = trace(A - L) / trace(M) the
    effective number of rows. L / n counts the ridge as one more observation: without it, a weight that only the
    ridge holds would have no error at all. Data alone: the same with A - L for A, and without L / n. Squared error
    takes Gauss and Newton's Hessian.
    """
    moves = found.directions
    if not moves.shape[1]:
        nothing = np.zeros((weights.size, weights.size))
        return Uncertainty(nothing, DataAlone(weights, nothing, nothing[:, :0]), float("nan"))
    spread, curvature, pull, noise, n_effective = information(rows, parameters, weights, found, ridge, loss)
    half = np.linalg.solve(curvature, spread.T)
    posterior = half.T @ (noise + pull / n_effective) @ half
    slope = -moves.T @ (ridge * parameters.penalty * found.place)  # of the mean loss, against the ridge's
    data = _data_alone(weights, spread, curvature - pull, noise, slope, n_effective)
    return Uncertainty(posterior, data, n_effective)


def information(
    rows: Rows, parameters: Parameters, weights: Floats, found: Minimum, ridge: float, loss: Loss
) -> Information:
    """Return what `measure` starts from."""
    moves = found.directions
    spread, pull = parameters.spread @ moves, moves.T @ (ridge * parameters.penalty[:, None] * moves)
    curvature = turned(found.point.hessian, moves)
    noise = _gradient_noise(rows, weights, loss, spread)
    told = float(np.trace(curvature) - np.trace(pull)) / max(float(np.trace(noise)), _TINY)
    return Information(spread, curvature, pull, noise, told if moves.shape[1] else float("nan"))


def _data_alone(
    weights: Floats, spread: Floats, information: Floats, noise: Floats, slope: Floats, n_effective: float
) -> DataAlone:
    rates, axes = np.linalg.eigh(information)
    is_known = rates * n_effective > 1 / (LOGITS_PER_ELO * NOTHING_SAID) ** 2
    known, silent = axes[:, is_known], spread @ axes[:, ~is_known]
    inverse = (known / rates[is_known]) @ known.T
    half = spread @ inverse
    step = -(half @ slope).reshape(weights.shape)
    lengths = np.linalg.norm(spread, axis=1, keepdims=True)
    silent = np.where(np.abs(silent) > _TOUCHED * lengths, silent, 0.0)
    return DataAlone(weights + step, half @ noise @ half.T, silent)


def _gradient_noise(rows: Rows, weights: Floats, loss: Loss, spread: Floats) -> Floats:
    """Sum the outer products of each pair's share of the gradient (Q, Q)."""
    per_row = LOGITS_PER_ELO / rows.weight.sum()
    if isinstance(rows.features, Sparse):
        slopes = bend_of(loss)(LOGITS_PER_ELO * rows.features.scores(weights[0]), rows.labels).slope
        products, n = rows.features.gram_of_groups(rows.group, per_row * rows.weight * slopes)
        scale = n / (n - 1) if n > 1 else np.nan
        return turned(products, spread) * scale
    noise, n_groups = np.zeros((spread.shape[1], spread.shape[1])), 0

    def gradients(at: slice | Ints) -> Floats:
        columns = design(rows, at)
        slope = bend_of(loss)(LOGITS_PER_ELO * (columns @ weights.ravel()), rows.labels[at]).slope
        return np.asarray((per_row * rows.weight[at] * slope)[:, None] * columns, dtype=np.float64)

    for sums in group_sums(rows, gradients):
        part = sums @ spread
        noise += part.T @ part
        n_groups += len(sums)
    return noise * (n_groups / (n_groups - 1) if n_groups > 1 else np.nan)
