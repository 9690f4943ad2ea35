"""What does it cost to write whole numbers, and which of them should be rounded the other way?

Every weight goes to the nearest multiple of a step (never towards zero). Rounding errors of weights that act
together add up, so a local repair follows: single weights, then pairs, move by one step as long as a quadratic
model of the loss falls. The losses reported are true ones; if the repair does not lower it, it is not made.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import derivatives, mean_loss
from tunesmith.tuning.fit.parameters import AT_BOUND, FITTED, FIXED
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows
from tunesmith.tuning.fit.solve import in_one_thread
from tunesmith.tuning.fit.texel import Fit

_GAIN = 1e-15  # nats; what a move must bring
_MOST_PAIRED = 600  # weights; above, only single moves are tried


class Rounded(NamedTuple):
    """Weights (S, F) in multiples of the step, fixed ones aside.

    loss: mean loss before rounding, after it, and after the repair. repaired: flat columns that the repair
    moved. vanished: columns that the fit moved and rounding moved back to the rounded prior.
    """

    weights: Floats
    loss: tuple[float, float, float]
    repaired: tuple[int, ...]
    vanished: tuple[int, ...]


@in_one_thread
def round_weights(rows: Rows, found: Fit, step: float, constraints: Constraints) -> Rounded:
    """Round the weights of a fit on its own rows; constraints are those of the fit, which rounding keeps."""
    if not 0 < step < np.inf:
        raise InputError(f"step: expected a positive number, found {step}")
    fixed = found.status == FIXED
    plain = np.where(fixed, found.weights, np.rint(found.weights / step) * step)
    low, high = _inner(found, step, constraints)
    plain = np.where(fixed, plain, np.clip(plain, low, high))
    movable = (found.status == FITTED) | (found.status == AT_BOUND)
    moves = _moves(movable, constraints.ties, step)
    repaired = _repair(rows, found, plain, moves, (low, high), constraints.orders)
    losses = [mean_loss(rows, w, found.loss) for w in (found.weights, plain, repaired)]
    if losses[2] >= losses[1]:
        repaired, losses[2] = plain, losses[1]
    gone = movable & (found.weights != found.prior) & (repaired == np.rint(found.prior / step) * step)
    moved = np.flatnonzero(repaired.ravel() != plain.ravel())
    return Rounded(
        repaired,
        (losses[0], losses[1], losses[2]),
        tuple(moved.tolist()),
        tuple(np.flatnonzero(gone).tolist()),
    )


def _inner(found: Fit, step: float, constraints: Constraints) -> tuple[Floats, Floats]:
    """Give the outermost multiples of the step within the bounds; infinite where there is no bound."""
    low = np.ceil(constraints.lower / step - 1e-9) * step
    high = np.floor(constraints.upper / step + 1e-9) * step
    for s, f in np.argwhere((low > high) & (found.status != FIXED)):
        raise InputError(f"step: no multiple of {step} lies within the bounds of stage {s}, feature {f}")
    return low, high


def _moves(movable: Bools, ties: Ints | None, step: float) -> Floats:
    """Give one row (P,) for each weight, or tie, that can move by a step."""
    alone = movable.size + np.arange(movable.size)
    number = alone if ties is None else np.where(ties.ravel() >= 0, ties.ravel(), alone)
    rows = [step * (number == tie) for tie in dict.fromkeys(number[movable.ravel()].tolist())]
    return np.array(rows, dtype=np.float64).reshape(-1, movable.size)


def _repair(
    rows: Rows,
    found: Fit,
    plain: Floats,
    moves: Floats,
    bounds: tuple[Floats, Floats],
    orders: tuple[tuple[int, int], ...],
) -> Floats:
    """Walk downhill on the quadratic model from the plainly rounded weights."""
    if not len(moves):
        return plain
    there = derivatives(rows, found.weights, found.loss)
    bend = moves @ there.hessian @ moves.T
    slope = moves @ (there.gradient + there.hessian @ (plain - found.weights).ravel())
    place = plain.ravel().copy()

    def is_allowed(step: Floats) -> bool:
        to = place + step @ moves
        inside = (to >= bounds[0].ravel()) & (to <= bounds[1].ravel()) | (to == place)
        return bool(inside.all()) and all(to[a] <= to[b] for a, b in orders)

    for _ in range(10 * len(moves)):
        step = next(filter(is_allowed, _better(slope, bend)), None)
        if step is None:
            break
        slope, place = slope + bend @ step, place + step @ moves
    return place.reshape(plain.shape)


def _better(slope: Floats, bend: Floats) -> Iterator[Floats]:
    """Yield steps (numbers of moves) that lower the model: single ones, best first, then the best pairs."""
    unit = np.eye(len(slope))
    single = np.diag(bend) / 2 - np.abs(slope)
    for at in np.argsort(single, kind="stable"):
        if single[at] < -_GAIN:
            yield -np.sign(slope[at]) * unit[at]
    if len(slope) > _MOST_PAIRED:
        return
    for sign in (1.0, -1.0):  # both up or down, or one up and one down
        fall = np.add.outer(np.diag(bend) / 2, np.diag(bend) / 2) + sign * bend
        fall = np.triu(fall - np.abs(np.add.outer(slope, sign * slope)), 1)
        for at in np.argsort(fall, axis=None, kind="stable")[: len(slope)]:
            a, b = divmod(int(at), len(slope))
            if fall[a, b] < -_GAIN:
                yield -np.sign(slope[a] + sign * slope[b]) * (unit[a] + sign * unit[b])
