"""How are weights fitted when the table is too large for Newton's method on every row?

Newton on a subset of rows finds nearly the right weights and the Hessian of the loss; L-BFGS on all rows,
preconditioned with that Hessian, then needs a handful of passes. A pass reads the matrix twice (scores, and
gradient), so the time is near that of reading memory. Rows may be dense or sparse (CSR); the columns are used
as they are, since the preconditioner sees their scales. Where columns depend on each other exactly, only the
ridge tells them apart: it is added to the Hessian, and the loss is the same for every such choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.lbfgs import descend
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO
from tunesmith.tuning.fit.newton import ARMIJO, HALVINGS, newton_step
from tunesmith.tuning.fit.rows import Floats

SUBSET = 20  # rows of the subset for each column ...
LEAST_SUBSET, MOST_SUBSET = 2_000, 40_000  # ... within these
_SUBSET_STEPS = 6
_JITTER = 1e-10  # part of the mean curvature that makes the preconditioner invertible


class Large(NamedTuple):
    """Rows (n, P) dense or CSR, float64 or float32, results (n,) from 0 to 1, and weights (n,) that sum to 1."""

    matrix: Any
    labels: Floats
    share: Floats


class LargeFit(NamedTuple):
    """Weights (P,) in Elo, mean loss plus ridge, passes over all rows, and the largest scaled gradient."""

    weights: Floats
    value: float
    passes: int
    slope: float


def is_sparse(matrix: Any) -> bool:
    """Tell whether a matrix leaves out its zeros."""
    return bool(sparse.issparse(matrix))


def large(matrix: Any, labels: Floats, weight: Floats | None = None) -> Large:
    """Check and prepare rows; nothing large is copied."""
    n = matrix.shape[0]
    if is_sparse(matrix):
        matrix = sparse.csr_matrix(matrix)
    if labels.shape != (n,) or not ((labels >= 0) & (labels <= 1)).all():
        raise InputError(f"labels: expected a result from 0 to 1 for each of {n} rows")
    share = np.ones(n) if weight is None else np.asarray(weight, dtype=np.float64)
    if share.shape != (n,) or not (share >= 0).all() or not 0 < share.sum() < np.inf:
        raise InputError(f"weight: expected a number from 0 up for each of {n} rows")
    return Large(matrix, np.asarray(labels, dtype=np.float64), share / share.sum())


def fit_large(
    rows: Large, ridge: float = 0.0, *, tolerance: float = 1e-6, max_passes: int = 200, seed: int = 1
) -> LargeFit:
    """Minimise mean cross-entropy + ridge / 2 * |change of each weight in logits of its size|^2, from 0.

    tolerance: of the gradient in units of the preconditioner, whose square is twice the loss still to gain.
    """
    square = _mean_squares(rows)
    pull = ridge * square * LOGITS_PER_ELO**2
    place, hessian = _on_subset(rows, pull, np.random.default_rng(seed))
    jitter = _JITTER * float(np.trace(hessian)) / len(hessian)
    hessian[np.diag_indices_from(hessian)] += np.where(square > 0, jitter, 1.0)
    factor = cho_factor(hessian, lower=True, overwrite_a=True)
    found = descend(lambda there: loss_and_gradient(rows, pull, there), place, factor, tolerance, max_passes)
    if not found.is_found:
        raise InputError(
            f"the fit did not converge: after {found.passes} passes its slope is {found.slope:.3g}, expected at "
            f"most {tolerance:.3g}; use a ridge, or leave out features that decide results alone"
        )
    return LargeFit(found.place, found.value, found.passes, found.slope)


def loss_and_gradient(rows: Large, pull: Floats, place: Floats) -> tuple[float, Floats]:
    """Give mean loss plus ridge and its gradient per Elo."""
    logits = LOGITS_PER_ELO * (rows.matrix @ place)
    small = np.exp(-np.abs(logits))
    value = rows.share @ (np.maximum(logits, 0) - rows.labels * logits + np.log1p(small))
    chance = np.where(logits >= 0, 1.0, small) / (1 + small)
    slope = rows.share * (chance - rows.labels)
    gradient = LOGITS_PER_ELO * (slope @ rows.matrix) + pull * place
    return float(value + pull @ place**2 / 2), np.asarray(gradient, dtype=np.float64)


def _mean_squares(rows: Large) -> Floats:
    if is_sparse(rows.matrix):
        table: Any = rows.matrix
        squares = sparse.csr_matrix((table.data**2, table.indices, table.indptr), shape=table.shape)
        return np.asarray(rows.share @ squares, dtype=np.float64)
    return np.asarray(np.einsum("n,np,np->p", rows.share, rows.matrix, rows.matrix), dtype=np.float64)


def _on_subset(rows: Large, pull: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Newton's method on some of the rows; also their Hessian."""
    n, width = rows.matrix.shape
    size = min(n, max(LEAST_SUBSET, min(SUBSET * width, MOST_SUBSET)))
    chosen = np.sort(rng.choice(n, size, replace=False)) if size < n else np.arange(n)
    part: Any
    part, labels, share = rows.matrix[chosen], rows.labels[chosen], rows.share[chosen]
    some = part.toarray() if is_sparse(part) else np.asarray(part, dtype=np.float64)
    few = Large(some, labels, share / share.sum())
    place, hessian = np.zeros(width), np.zeros((width, width))
    value, gradient = loss_and_gradient(few, pull, place)
    for _ in range(_SUBSET_STEPS):
        hessian = _hessian(few, pull, place)
        step = newton_step(hessian, gradient)
        promised = -float(step @ gradient)
        if promised < 1e-4:  # nats; the subset itself is off by more
            break
        for _ in range(HALVINGS):
            found, slope = loss_and_gradient(few, pull, place + step)
            if found <= value - ARMIJO * promised:
                break
            step, promised = step / 2, promised / 2
        place, value, gradient = place + step, found, slope
    return place, hessian


def _hessian(rows: Large, pull: Floats, place: Floats) -> Floats:
    chance = 1 / (1 + np.exp(-LOGITS_PER_ELO * (rows.matrix @ place)))
    rooted = (LOGITS_PER_ELO * np.sqrt(rows.share * chance * (1 - chance)))[:, None] * rows.matrix
    return np.asarray(rooted.T @ rooted + np.diag(pull), dtype=np.float64)
