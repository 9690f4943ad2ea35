"""What ends a search: `depth:6`, `nodes:5000`, `simulations:800`, `time:0.1` (seconds a move), `game-time:60`
(seconds for all moves of one player in one game).

All but time are deterministic; node limits are the default everywhere. Depth is for alpha-beta alone,
simulations are for UCT."""

from dataclasses import dataclass

from tunesmith.games.errors import InputError

KINDS = ("depth", "nodes", "simulations", "time", "game-time")
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
        Plies, nodes, simulations, or seconds (a move, or a game).
    """

    kind: str
    value: float

    def __str__(self) -> str:
        return f"{self.kind}:{int(self.value)}" if self.is_deterministic else f"{self.kind}:{self.value:g}"

    @property
    def depth(self) -> int:
        """Largest depth of an iteration, in plies."""
        return int(self.value) if self.kind == "depth" else MAX_DEPTH

    @property
    def nodes(self) -> int:
        """Number of nodes after which the search stops."""
        return int(self.value) if self.kind == "nodes" else _NO_NODES

    @property
    def simulations(self) -> int:
        """Number of simulations of Monte Carlo search."""
        return int(self.value) if self.kind == "simulations" else _NO_NODES

    @property
    def seconds(self) -> float:
        """Wall time after which the search of a move stops; 0 = none."""
        return self.value if self.kind == "time" else 0.0

    @property
    def game_seconds(self) -> float:
        """Wall time for all moves of one player in one game; 0 = none."""
        return self.value if self.kind == "game-time" else 0.0

    @property
    def is_deterministic(self) -> bool:
        """Whether the same search gives the same move on every machine."""
        return self.kind in ("depth", "nodes", "simulations")


def parse_limit(text: str, where: str = "limit") -> Limit:
    """Return the limit written as `kind:value`; an error names `where` it stands."""
    kind, _, number = text.partition(":")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    upper = {"depth": MAX_DEPTH, "nodes": 1e15, "simulations": 1e15, "time": 1e6, "game-time": 1e6}.get(
        kind, 0.0
    )
    if not 0 < value <= upper or ("time" not in kind and value != int(value)):
        raise InputError(
            f"{where}: expected depth:N (1 to {MAX_DEPTH}), nodes:N, simulations:N, time:SECONDS (a move) or "
            f"game-time:SECONDS, found {text!r}"
        )
    return Limit(kind, value)
