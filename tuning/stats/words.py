"""How is a figure said, and what may be claimed of it? For the terminal, reports and pages alike.

Elo is that of the first-named player. A sentence never says more than the interval it stands beside:
`tuning.stats.elo.judge` decides, on the ends as they are."""

from typing import Protocol

from tunesmith.tuning.stats.elo import Estimate, judge

_LOPSIDED = 0.2
"""Share of its half width by which an interval's sides may differ and still be written with ±."""


_MOST_DIGITS = 2
"""Digits that an interval gets on top, where rounded it would claim something else."""


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
        half = (high - low) / 2
        digits += sum(_hides(value, half, digits + more) for more in range(_MOST_DIGITS))
        return f"{value:+z.{digits}f} ± {half:.{digits}f}"
    return f"{value:+z.{digits}f} ({low:+z.{digits}f} .. {high:+z.{digits}f})"


def _hides(value: float, half: float, digits: int) -> bool:
    """Whether rounding moves an end of an interval to, or over, zero."""
    shown, shown_half = round(value, digits), round(half, digits)
    return judge(shown - shown_half, shown + shown_half) != judge(value - half, value + half)


def claim(first: str, second: str, found: Interval, games_needed: float | None = None) -> str:
    """Return what a match of two shows, and, if it shows nothing, how many games would."""
    outcome = judge(found.elo_low, found.elo_high)
    if outcome != "not shown":
        return f"{first} is {outcome} than {second}"
    return f"not shown that {first} and {second} differ{needed_words(games_needed)}"


def judged(
    first: str, second: str, found: Interval, games_needed: float | None = None, digits: int = 1
) -> str:
    """Return a claim with the figure that it is made of: `A is stronger than B: +12.3 ± 4.5 Elo`."""
    return f"{claim(first, second, found, games_needed)}: {elo_words(found, digits)}"


def needed_words(games: float | None) -> str:
    """Return how many games a difference like the one seen takes, to follow a sentence; nothing without one."""
    return "" if not games else f"; a difference like this one needs about {games:,.0f} games"


def saving(what: str, value: float, low: float | None, high: float | None) -> str:
    """Return whether one thing saves or costs, by the share it takes of another's `what`: `saves nodes: 0.8 (..)`."""
    if low is None or high is None:
        said = "not shown to save or cost"
    else:
        said = {"stronger": "costs", "weaker": "saves", "not shown": "not shown to save or cost"}[
            judge(low - 1, high - 1)
        ]
    return f"{said} {what}: {share_words(value, low, high)}"


def share_words(value: float, low: float | None, high: float | None) -> str:
    """Return a share of another's cost with its interval, where there is one: `0.873 (0.852 .. 0.894)`."""
    if low is None or high is None:
        return f"{value:.3f} (one position)"
    return f"{value:.3f} ({low:.3f} .. {high:.3f})"


def first_move(share: float, half_width: float | None) -> str:
    """Return what moving first is worth between equal players, by the share of points so made and its 95 % interval."""
    interval = "" if half_width is None else f" ± {100 * half_width:.1f}"
    half = half_width or 1.0
    said = {
        "stronger": "whoever moves first scores more than half",
        "weaker": "whoever moves first scores less than half",
        "not shown": "not shown that it matters who moves first",
    }[judge(share - 0.5 - half, share - 0.5 + half)]
    return f"{said}: {100 * share:.1f}{interval} %"


def further_words(found: Estimate) -> str:
    """Return what else an estimate says: normalised Elo and the likelihood of superiority."""
    return f"normalised Elo {found.nelo:+z.1f} ± {found.nelo_half_width:.1f}, LOS {100 * found.los:.1f} %"


def place_between(value: float, low: float, high: float, width: int) -> int:
    """Return where a value stands in a picture between two bounds, 0 to `width`; beyond a bound, on it."""
    return round(width * (min(max(value, low), high) - low) / (high - low))
