"""Where does a value lie on [-1, 1], and which value lies there? The one mapping of a numerical parameter.

Samplers, the pilot and the recommendation all see parameters so. Between two steps the nearer one is meant, of
two equally near ones the lower."""

import math
from typing import NamedTuple


class Axis(NamedTuple):
    """One numerical parameter from `first` to `last`, in steps of `step` (0: none), logarithmic if `is_log`.

    The ends of [-1, 1] lie `margin` steps beyond its own: 0.5 gives the end values as much room as others.
    """

    first: float
    last: float
    step: float = 0.0
    is_int: bool = False
    is_log: bool = False
    margin: float = 0.0

    @property
    def low(self) -> float:
        """What -1 stands for; its logarithm if `is_log`."""
        return self._end(self.first, -1)

    @property
    def high(self) -> float:
        """What 1 stands for; its logarithm if `is_log`."""
        return self._end(self.last, 1)

    def _end(self, own: float, sign: int) -> float:
        end = own if self.first == self.last else own + sign * self.margin * self.step
        return math.log(end) if self.is_log else end

    def unit(self, value: float) -> float:
        """Return the place of a value on [-1, 1]."""
        if self.high <= self.low:
            return 0.0
        at = math.log(value) if self.is_log else float(value)
        return 2 * (at - self.low) / (self.high - self.low) - 1

    def position(self, unit: float) -> float:
        """Return the unrounded value at a place of [-1, 1], within the parameter's own ends."""
        at = self.low + (unit + 1) / 2 * (self.high - self.low)
        return min(max(math.exp(at) if self.is_log else at, self.first), self.last)

    def half_step(self, unit: float) -> float:
        """Return half a step at a place of [-1, 1], on that scale."""
        if self.step == 0 or self.high <= self.low:
            return 0.0
        return self.step / (self.high - self.low) / (self.position(unit) if self.is_log else 1.0)

    def value(self, unit: float, chance: float = 0.5) -> int | float:
        """Return the value at a place of [-1, 1]; between steps it is the upper one if `chance` < share.

        With `chance` 0.5 that is the nearest value, with a uniform random `chance` a stochastic rounding.
        """
        at = self.position(unit)
        if self.step == 0:
            return at
        below = math.floor((at - self.first) / self.step + 1e-9)
        share = (at - self.first) / self.step - below
        at = min(self.first + (below + (share > chance)) * self.step, self.last)
        return round(at) if self.is_int else at
