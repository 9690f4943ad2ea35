"""What ends the search of a move of an engine: nodes, depth, a time, or a clock with an increment."""

import contextlib
from dataclasses import dataclass

from tunesmith.games.errors import InputError

KINDS = ("nodes", "depth", "movetime")


@dataclass(frozen=True)
class GoLimit:
    """So many `nodes`, plies of `depth`, milliseconds of `movetime`; or a clock (`tc`) of so many milliseconds, to
    which each move adds `increment`."""

    kind: str
    value: int
    increment: int = 0

    def __str__(self) -> str:
        if not self.is_clock:
            return f"{self.kind}:{self.value}"
        more = f"+{self.increment / 1000:g}" if self.increment else ""
        return f"tc:{self.value / 1000:g}{more}"

    @property
    def is_clock(self) -> bool:
        """Whether time runs on from move to move."""
        return self.kind == "tc"

    @property
    def is_timed(self) -> bool:
        """Whether games depend on time: the same ones are not played again."""
        return self.kind in ("tc", "movetime")

    @property
    def seconds(self) -> float:
        """Time that the move takes by itself, 0 where that is not known."""
        return self.value / 1000 if self.kind == "movetime" else 0.0


def parse_go(text: str) -> GoLimit:
    """Return the limit of a text: `nodes:2000`, `depth:5`, `movetime:50` (ms), `time:0.05` (s), `tc:8+0.08` (s)."""
    kind, mark, value = text.partition(":" if ":" in text else "=")
    with contextlib.suppress(ValueError):
        if kind == "tc" and mark:
            base, plus, more = value.partition("+")
            left, won = float(base) * 1000, float(more) * 1000 if plus else 0.0
            if 1 <= left < 1e12 and 0 <= won < 1e12:
                return GoLimit("tc", round(left), round(won))
        number = float(value) * 1000 if kind == "time" else float(int(value))
        kind = "movetime" if kind == "time" else kind
        if kind in KINDS and 1 <= number < 1e12:
            return GoLimit(kind, round(number))
    raise InputError(
        f"limit: expected nodes:N, depth:N, movetime:MS, time:SECONDS or tc:SECONDS+INCREMENT, found {text!r}"
    )
