"""Should some weights be held less firmly than others?

One ridge expects changes of one usual effect from all weights. Groups of weights may each have a ridge of their own:
those of a stage, and in it those of one name with different numbers (`Constraints.families`). Or single weights may,
within these groups: with heavy tails few weights go far and the others stay. In both the ridges are those that make
the data most likely (empirical Bayes), found in turn with the weights; whole games left out say which to take.
A group's ridge is gamma / sum of its squared changes, gamma counting the weights that the data determine (D. MacKay,
Bayesian interpolation, Neural Computation 4, 1992). Heavy tails are Student's t as a mixture of normals: a weight's
ridge is (nu + 1) / (nu * scale + expected squared change), the scale being that of its group (EM; K. Lange, R. Little
& J. Taylor, JASA 84, 1989).
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tunesmith.tuning.fit.loss import Loss
from tunesmith.tuning.fit.newton import Minimum
from tunesmith.tuning.fit.newton_constrained import Limits
from tunesmith.tuning.fit.parameters import Parameters
from tunesmith.tuning.fit.rows import Floats, Ints, Rows
from tunesmith.tuning.fit.solve import solve

ONE, GROUPS, TAILS = "one ridge", "a ridge a group", "heavy tails"  # the simplest first
FREEDOM = 3.0  # degrees of freedom of Student's t: few weights far out, the variance still finite
HELD = 2.0  # further weights of the usual size that each group counts: a handful of weights says little of a ridge
WIDEST = 1e4  # most by which a ridge may differ from the one
TURNS, _ROUNDS, _STILL = 2, 40, 0.01
TOLERANCE = 1e-7  # moves the loss by some 1e-14, and firmness by less than a millionth


class Held(NamedTuple):
    """Where the weights are, and how firmly each parameter (Q,) is held: a factor on the ridge."""

    minimum: Minimum
    firmness: Floats


class Case(NamedTuple):
    """What a fit holds: `ridge` is the one for all, groups (Q,) count from 0, n is the effective number of rows."""

    rows: Rows
    parameters: Parameters
    limits: Limits | None
    loss: Loss
    ridge: float
    groups: Ints
    n: float


def groups_of(parameters: Parameters, families: Ints | None) -> Ints:
    """Number the groups (Q,) of the parameters from 0 up: one for each stage and family (S, F) in it."""
    stages, features = parameters.prior.shape
    family = np.zeros((stages, features), dtype=np.int64) if families is None else families
    group = family + np.arange(stages)[:, None] * (family.max(initial=0) + 1)
    return np.asarray(np.unique(group.ravel()[parameters.columns], return_inverse=True)[1], dtype=np.int64)


def kinds_of(case: Case) -> tuple[str, ...]:
    """Return the ways to hold weights that differ."""
    if len(case.groups) < 2:
        return (ONE,)
    return (ONE, GROUPS, TAILS) if case.groups.max() else (ONE, TAILS)


def hold(case: Case, kind: str, start: Minimum) -> Held:
    """Find weights and firmness in turn from `start`, the minimum with one ridge."""
    found, firmness, free = start, np.ones(len(start.place)), case.parameters
    for _ in range(TURNS if kind != ONE else 0):
        pull = case.ridge * free.penalty
        before, firmness = pull * firmness, firmness_at(found, pull, firmness, case.groups, case.n, kind)
        held = replace(free, penalty=free.penalty * firmness)
        bend = found.point.hessian - np.diag(before)
        found = solve(
            case.rows, held, case.ridge, case.loss, found.place, (TOLERANCE, 100), case.limits, bend
        )
    return Held(found, firmness)


def firmness_at(found: Minimum, pull: Floats, firmness: Floats, groups: Ints, n: float, kind: str) -> Floats:
    """Return the firmness (Q,) that makes the data most likely; what a bound holds has a size, and no doubt."""
    free, square, spread = found.free, n * pull * found.place**2, np.zeros(len(pull))
    inside = np.ix_(free, free)
    hessian = found.point.hessian[inside]
    curvature = hessian - np.diag((pull * firmness)[free])
    slope = hessian @ found.place[free] - found.point.gradient[free]
    for _ in range(_ROUNDS):
        inverse = np.linalg.inv(curvature + np.diag((pull * firmness)[free]))
        square[free] = n * pull[free] * (inverse @ slope) ** 2  # both in units of what the one ridge expects
        spread[free] = pull[free] * np.diag(inverse)
        before = firmness
        firmness = np.clip(_update(firmness, square, spread, groups, kind), 1 / WIDEST, WIDEST)
        if np.abs(np.log(firmness / before)).max() < _STILL:
            break
    return firmness


def _update(firmness: Floats, square: Floats, spread: Floats, groups: Ints, kind: str) -> Floats:
    if kind == GROUPS:
        known = np.bincount(groups, 1 - firmness * spread) + HELD
        return np.asarray((known / (np.bincount(groups, square) + HELD))[groups], dtype=np.float64)
    scale = ((np.bincount(groups) + HELD) / (np.bincount(groups, firmness) + HELD))[groups]
    return np.asarray((FREEDOM + 1) / (FREEDOM * scale + square + spread), dtype=np.float64)


def of_weights(parameters: Parameters, firmness: Floats) -> Floats:
    """Return the firmness of every weight (S, F), 1 where it is not fitted."""
    is_part = parameters.spread != 0
    each = np.where(is_part.any(axis=1), is_part @ firmness, 1.0)
    return np.asarray(each.reshape(parameters.prior.shape), dtype=np.float64)
