"""Which numbers does a fit move, in what unit, and which weights keep their prior?

A parameter is one weight, or several tied ones. It counts in logits of its usual effect, so that units of
features do not matter: weights = prior + spread @ parameters. The ridge is a penalty on the mean loss, for
each weight firmness * ridge / 2 * (change in logits where the feature is present)^2; `where present` means the
root mean square over the rows in which its column is not zero, so a rare feature is held as firmly as a common
one. Firmness is 1 where all weights share one ridge. Fixed, silent, rare and dependent weights keep their prior;
`status` says which.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.checks import (
    Dependency,
    Few,
    NearLabel,
    Survey,
    find_dependencies,
    gram_of,
    near_labels,
    survey,
)
from tunesmith.tuning.fit.constraints import Constraints, circle
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO
from tunesmith.tuning.fit.newton_constrained import Limits
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows

Words = NDArray[np.str_]

FITTED, FIXED, SILENT = "fitted", "fixed", "silent"
RARE, DEPENDENT, AT_BOUND = "rare", "dependent", "at bound"
NEAR_LABEL = "near label"
CANCELLED = 1e-12  # tied columns whose sum keeps less than this of their mean squares cancel each other


@dataclass(frozen=True, eq=False)
class Parameters:
    """The free parameters (Q) behind a set of weights (S, F), P = S * F."""

    prior: Floats  # (S, F)
    spread: Floats  # (P, Q) Elo per logit of each parameter
    penalty: Floats  # (Q,) second derivative of the ridge term for ridge 1
    lower: Floats  # (Q,)
    upper: Floats  # (Q,)
    bounds: tuple[Floats, Floats]  # lower and upper bounds of the weights, (S, F) each
    products: Callable[[], Floats]  # gives `gram`
    near: Floats | None  # (Q, Q) `gram` as few rows have it
    size: Floats  # (S, F) root mean square of each column where it is not zero
    firmness: Floats  # (S, F) factor on the ridge of each weight
    status: Words  # (S, F)
    dependencies: tuple[Dependency, ...]

    def weights(self, place: Floats) -> Floats:
        """Give the weights (S, F) of parameters (Q,); what has no parameter is the prior to the last bit."""
        free = self.prior + (self.spread @ place).reshape(self.prior.shape)
        if not self.is_bounded:
            return free
        low, high = (self.moved_by(place <= self.lower), self.moved_by(place >= self.upper))
        return np.select([low, high], self.bounds, free)  # at a bound exactly, in spite of the change of unit

    @cached_property
    def is_bounded(self) -> bool:
        """Tell whether any parameter has a bound."""
        return bool(np.isfinite(self.lower).any() or np.isfinite(self.upper).any())

    @cached_property
    def gram(self) -> Floats:
        """(Q, Q) products of the parameters' columns with diagonal 1: of all rows, made when it is asked for."""
        return self.products()

    @property
    def columns(self) -> Ints:
        """The (first) flat column of each parameter, (Q,)."""
        return np.asarray((self.spread != 0).argmax(axis=0), dtype=np.int64)

    def place(self, weights: Floats) -> Floats:
        """Give the parameters (Q,) that come nearest to weights (S, F), within the bounds."""
        wide = (self.spread**2).sum(axis=0)
        near = self.spread.T @ (weights - self.prior).ravel() / wide
        return np.asarray(np.clip(near, self.lower, self.upper), dtype=np.float64)

    def limits(self, orders: Sequence[tuple[int, int]]) -> Limits:
        """Write bounds and orders `weight a <= weight b` (flat columns) as limits of sums, orders first."""
        flat = self.prior.ravel()
        rows = [self.spread[a] - self.spread[b] for a, b in orders]
        room = [float(flat[b] - flat[a]) for a, b in orders]
        for own, lower, upper in zip(np.eye(len(self.lower)), self.lower, self.upper, strict=True):
            if np.isfinite(lower):
                rows.append(-own)
                room.append(-lower)
            if np.isfinite(upper):
                rows.append(own)
                room.append(upper)
        matrix = np.array(rows, dtype=np.float64).reshape(len(rows), len(self.lower))
        return Limits(matrix, np.array(room, dtype=np.float64))

    def moved_by(self, chosen: Bools) -> Bools:
        """Mark the weights (S, F) that belong to chosen parameters (Q,)."""
        return np.asarray((self.spread[:, chosen] != 0).any(axis=1).reshape(self.prior.shape), dtype=np.bool_)


def turned(matrix: Floats, spread: Floats) -> Floats:
    """Give spread.T @ matrix @ spread; where each column of spread (P, Q) has one number, in Q^2 steps."""
    if (np.count_nonzero(spread, axis=0) > 1).any():
        return np.asarray(spread.T @ matrix @ spread, dtype=np.float64)
    own = (spread != 0).argmax(axis=0)
    unit = spread[own, np.arange(len(own))]
    return np.asarray(unit[:, None] * matrix[np.ix_(own, own)] * unit, dtype=np.float64)


class Problem(NamedTuple):
    """What a fit is about to move: parameters, limits of their sums, and what is known about the columns."""

    parameters: Parameters
    limits: Limits | None
    seen: Survey
    near_labels: tuple[NearLabel, ...]


def pose(
    rows: Rows,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints | None = None,
    few: Few | None = None,
) -> Problem:
    """Choose the parameters of a fit on rows that all have weight; without constraints all weights are free.

    few: of these rows, that may prove which columns depend on others.
    """
    before = checked_prior(rows, prior)
    allowed = Constraints.of(before.shape) if constraints is None else constraints
    labels = near_labels(rows)
    held = () if options.keep_near_labels else tuple(label.feature for label in labels)
    seen = survey(rows)
    parameters = make_parameters(rows, few, seen, before, allowed, options.min_rows, held)
    limits = parameters.limits(_checked_orders(before, allowed.orders)) if allowed.orders else None
    return Problem(parameters, limits, seen, labels)


def make_parameters(
    rows: Rows,
    few: Few | None,
    seen: Survey,
    prior: Floats,
    constraints: Constraints,
    min_rows: int,
    near_label: Sequence[int] = (),
) -> Parameters:
    """Choose the parameters behind weights of the shape (S, F) of `prior`.

    near_label: features that keep their prior because they nearly are the label.
    """
    low, high = _bounds(prior, constraints.lower, constraints.upper)
    held = _shaped("fixed", constraints.fixed, prior)
    parameter, first = _parameters(
        _checked_ties(constraints.ties, prior.shape),
        {"prior": prior.ravel(), "fixed": held, "lower": low, "upper": high},
    )
    ones = np.equal.outer(parameter, np.arange(len(first))).astype(np.float64)  # (P, all parameters)
    products = cache(lambda: gram_of(rows))
    gram = cache(lambda: turned(products(), ones))
    columns = squares = seen.squares
    if few is None or len(first) < prior.size:  # what is tied has other squares
        few, columns, squares = None, np.diag(products()), np.diag(gram())
    is_label = np.broadcast_to(np.isin(np.arange(prior.shape[1]), near_label), prior.shape).ravel()
    reason = _reasons(ones.T @ seen.n_rows, held[first], is_label[first], squares, ones.T @ columns, min_rows)
    free = np.flatnonzero(reason == FITTED)
    found = None if few is None else few.dependencies(rows, squares, free)
    if found is None:
        found = find_dependencies(gram()[np.ix_(free, free)])
    dependencies = _freeze(found, reason, first)
    free = np.flatnonzero(reason == FITTED)
    inside, roots = np.ix_(free, free), np.sqrt(squares[free])
    size = np.sqrt(columns / np.maximum(seen.share, np.finfo(np.float64).tiny))
    per_elo = LOGITS_PER_ELO * roots
    members = ones[:, free]
    firmness = np.ones(prior.shape) if constraints.firmness is None else constraints.firmness
    start, own = prior.ravel()[first[free]], first[free]
    return Parameters(
        prior=prior,
        spread=members / per_elo,
        penalty=(members.T @ (firmness.ravel() * (LOGITS_PER_ELO * size) ** 2)) / per_elo**2,
        lower=(low[own] - start) * per_elo,
        upper=(high[own] - start) * per_elo,
        bounds=(low.reshape(prior.shape), high.reshape(prior.shape)),
        products=lambda: gram()[inside] / np.outer(roots, roots),
        near=None if few is None else few.gram[inside] / np.outer(roots, roots),
        size=size.reshape(prior.shape),
        firmness=firmness,
        status=reason[parameter].reshape(prior.shape),
        dependencies=dependencies,
    )


def checked_prior(rows: Rows, prior: Floats) -> Floats:
    """Copy the prior as (S, F), refusing another shape or numbers that are not finite."""
    before = np.array(prior, dtype=np.float64)
    if before.shape != rows.shape:
        raise InputError(f"prior: expected shape (stages, features) = {rows.shape}, found {before.shape}")
    for s, f in np.argwhere(~np.isfinite(before)):
        raise InputError(f"prior: stage {s}, feature {f}: expected a finite weight, found {before[s, f]}")
    return before


def _checked_orders(prior: Floats, orders: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Refuse orders of columns that are not there, or that the prior breaks."""
    flat = prior.ravel()
    if found := circle(orders):
        raise InputError(f"orders: columns {' <= '.join(map(str, found))} are a circle: tie them instead")
    for a, b in orders:
        if not (0 <= a < prior.size and 0 <= b < prior.size):
            raise InputError(f"orders: expected two columns below {prior.size}, found {a} and {b}")
        if flat[a] > flat[b]:
            raise InputError(
                f"orders: expected the prior to keep column {a} <= {b}, found {flat[a]} > {flat[b]}"
            )
    return orders


def _shaped(name: str, given: NDArray[np.generic], prior: Floats) -> NDArray[np.bool_]:
    given = np.asarray(given)
    if given.shape != prior.shape or given.dtype != np.bool_:
        raise InputError(
            f"{name}: expected true or false for each weight {prior.shape}, found {given.dtype} {given.shape}"
        )
    return given.ravel().astype(np.bool_)


def _bounds(prior: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Flatten the bounds; the prior must lie inside."""
    low, high = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
    for name, bound in (("lower", low), ("upper", high)):
        if bound.shape != prior.shape:
            raise InputError(f"{name}: expected one bound for each weight {prior.shape}, found {bound.shape}")
    for s, f in np.argwhere(~((low <= prior) & (prior <= high))):
        raise InputError(
            f"bounds: stage {s}, feature {f}: expected the prior {prior[s, f]} to lie within "
            f"{low[s, f]} to {high[s, f]}"
        )
    return low.ravel(), high.ravel()


def _parameters(ties: Ints | None, columns: dict[str, NDArray[Any]]) -> tuple[Ints, Ints]:
    """Number the parameters; columns with the same tie number (0 or above) share one, and must be alike."""
    alone = np.arange(columns["prior"].size, dtype=np.int64)
    if ties is None:
        return alone, alone
    parameter, first = _first_members(np.where(ties >= 0, ties, ~alone))
    for name, values in columns.items():
        for q in np.flatnonzero(~_is_one_valued(values, parameter, first)):
            found = sorted(set(values[parameter == q].tolist()))
            raise InputError(f"ties: weights tied as {ties[first[q]]} differ in {name}: {found}")
    return parameter, first


def _checked_ties(ties: Ints | None, shape: tuple[int, ...]) -> Ints | None:
    if ties is None:
        return None
    given = np.asarray(ties)
    if given.shape != shape or given.dtype.kind not in "iu":
        raise InputError(
            f"ties: expected a whole number for each weight {shape}, found {given.dtype} {given.shape}"
        )
    return given.ravel().astype(np.int64)


def _first_members(tie: Ints) -> tuple[Ints, Ints]:
    """Number the parameters behind tied columns: (parameter of each column, first column of each)."""
    _, first, parameter = np.unique(tie, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[parameter].astype(np.int64), np.sort(first).astype(np.int64)


def _is_one_valued(values: NDArray[Any], parameter: Ints, first: Ints) -> Bools:
    """Tell for each parameter whether its columns all hold the same value."""
    same = values == values[first][parameter]
    return np.asarray(np.bincount(parameter, weights=~same) == 0, dtype=np.bool_)


def _reasons(
    n_rows: Floats, held: Bools, is_label: Bools, squares: Floats, parts: Floats, min_rows: int
) -> Words:
    """Say for each parameter whether it is fitted, and if not, why.

    squares: of its column; parts: the sum of those of the columns that are tied to it.
    """
    is_silent = squares <= CANCELLED * parts
    choices = [held, is_silent, n_rows < min_rows, is_label]
    return np.select(choices, [FIXED, SILENT, RARE, NEAR_LABEL], FITTED).astype(
        np.dtype("U12")
    )  # room for any reason


def _freeze(found: Sequence[Dependency], reason: Words, first: Ints) -> tuple[Dependency, ...]:
    """Mark dependent ones of the fitted parameters in `reason`; give the dependencies by column."""
    free = np.flatnonzero(reason == FITTED)
    reason[np.array([free[d.column] for d in found if d.is_frozen], dtype=np.int64)] = DEPENDENT
    columns = first[free]
    return tuple(
        d._replace(column=int(columns[d.column]), others=tuple(int(columns[i]) for i in d.others))
        for d in found
    )
