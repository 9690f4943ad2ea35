"""How is a figure said, and what may be claimed of it? For the terminal, reports and pages alike.

Elo is that of the first-named player. A sentence never says more than the interval it stands beside:
`tuning.stats.elo.judge` decides, on the ends as they are."""

from typing import Protocol

from tunesmith.tuning.stats.elo import Estimate, judge

_LOPSIDED = 0.2
"""Share of its half width by which an interval's sides may differ and still be written with ±."""


class Interval(Protocol):
    """Anything with an Elo and its 95 % interval: an estimate, a match, a pairing."""

    @property
    def elo(self) -> float:
        """Elo of the first-named player."""

    @property
    def elo_low(self) -> float:
        """Lower end."""

    @property
    def elo_high(self) -> float:
        """Upper end."""


def is_even(value: float, low: float, high: float) -> bool:
    """Whether ± half the width tells an interval as it is: about in the middle, and with the same claim."""
    half = (high - low) / 2
    return abs((high + low) / 2 - value) <= _LOPSIDED * half and judge(value - half, value + half) == judge(
        low, high
    )


def elo_words(found: Interval, digits: int = 1) -> str:
    """Return `+12.3 ± 4.5 Elo`, or `+338.0 (-397.4 .. +1199.8) Elo` where both sides are not alike."""
    return f"{interval_words(found, digits)} Elo"


def interval_words(found: Interval, digits: int = 1) -> str:
    """Return the same without its unit, for a table that states it."""
    value, low, high = found.elo, found.elo_low, found.elo_high
    if is_even(value, low, high):
        return f"{value:+.{digits}f} ± {(high - low) / 2:.{digits}f}"
    return f"{value:+.{digits}f} ({low:+.{digits}f} .. {high:+.{digits}f})"


def claim(first: str, second: str, found: Interval, games_needed: float | None = None) -> str:
    """Return what a match of two shows, and, if it shows nothing, how many games would."""
    outcome = judge(found.elo_low, found.elo_high)
    if outcome != "not shown":
        return f"{first} is {outcome} than {second}"
    return f"not shown that {first} and {second} differ{needed_words(games_needed)}"


def needed_words(games: float | None) -> str:
    """Return how many games a difference like the one seen takes, to follow a sentence; nothing without one."""
    return "" if not games else f"; a difference like this one needs about {games:,.0f} games"


def further_words(found: Estimate) -> str:
    """Return what else an estimate says: normalised Elo and the likelihood of superiority."""
    return f"normalised Elo {found.nelo:+.1f} ± {found.nelo_half_width:.1f}, LOS {100 * found.los:.1f} %"


def place_between(value: float, low: float, high: float, width: int) -> int:
    """Return where a value stands in a picture between two bounds, 0 to `width`; beyond a bound, on it."""
    return round(width * (min(max(value, low), high) - low) / (high - low))
