"""How fast are games played? Counted from the first that come in: until then code is compiled and loaded."""

import time

SHORTEST = 1.0  # seconds that a figure has to rest on


class Pace:
    """Pairs a second of one run; a run that begins anew under its name is measured anew."""

    def __init__(self) -> None:
        self._last: int | None = None
        self.began, self.first = 0.0, 0  # when the first look was, and how many pairs were there then
        self._since: tuple[float, int] | None = (
            None  # when the first pairs came in, and how many were there then
        )

    def __call__(self, done: int) -> float | None:
        """Take a look at the number of pairs that are there; return pairs a second, None while that is unknown."""
        now = time.monotonic()
        if self._last is None or done < self._last:
            self.began, self.first, self._since = now, done, None
        self._last = done
        if done == self.first:
            return None
        if self._since is None:
            self._since = now, done
        began, first = self._since
        return (done - first) / (now - began) if done > first and now - began >= SHORTEST else None


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
