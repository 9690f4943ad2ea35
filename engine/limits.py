"""What ends a search: `depth:6`, `nodes:5000` or `time:0.1` (seconds a move).

Depth and nodes are deterministic; node limits are the default everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from games.errors import InputError

KINDS = ("depth", "nodes", "time")
MAX_DEPTH = 200  # deeper than any of the shipped games lasts in practice; bounds the search's stack
FULL_DEPTH = 10_000  # to the end of the game: not counted down
_NO_NODES = 1 << 60


@dataclass(frozen=True)
class Limit:
    """A limit of one move's search.

    Attributes
    ----------
    kind
        One of `KINDS`.
    value
        Plies, nodes, or seconds.
    """

    kind: str
    value: float

    def __str__(self) -> str:
        return f"{self.kind}:{self.value:g}" if self.kind == "time" else f"{self.kind}:{int(self.value)}"

    @property
    def depth(self) -> int:
        """Largest depth of an iteration, in plies."""
        return int(self.value) if self.kind == "depth" else MAX_DEPTH

    @property
    def nodes(self) -> int:
        """Number of nodes after which the search stops."""
        return int(self.value) if self.kind == "nodes" else _NO_NODES

    @property
    def seconds(self) -> float:
        """Wall time after which the search stops; 0 = none."""
        return self.value if self.kind == "time" else 0.0

    @property
    def is_deterministic(self) -> bool:
        """Whether the same search gives the same move on every machine."""
        return self.kind != "time"


def parse_limit(text: str) -> Limit:
    """Return the limit written as `kind:value`."""
    kind, _, number = text.partition(":")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    whole = kind == "time" or value == int(value)
    upper = {"depth": MAX_DEPTH, "nodes": 1e15, "time": 1e6}.get(kind, 0.0)
    if kind not in KINDS or not whole or not 0 < value <= upper:
        raise InputError(
            f"limit: expected depth:N (1 to {MAX_DEPTH}), nodes:N or time:SECONDS, found {text!r}"
        )
    return Limit(kind, value)
