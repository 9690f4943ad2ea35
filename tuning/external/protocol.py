"""Which words does an engine understand? UCI, for chess, and UGI, for any game: one conversation, two vocabularies.

Sources: the UCI protocol by S. Meyer-Kahlen, 2006; `ugi.md` of kz04px/cutegames."""

from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.tuning.external.limits import GoLimit


@dataclass(frozen=True)
class Protocol:
    """A vocabulary: the first word, its answer, and what begins with another letter."""

    name: str
    hello: str
    welcome: str
    new_game: str
    times: tuple[str, str, str, str]  # both sides' time left, both sides' increment
    can_be_asked: bool  # whose turn it is, and whether the game is over

    def position(self, fen: str, moves: Sequence[str]) -> str:
        """Return the line for a position (empty: the start of the game) and moves from it."""
        where = f"fen {fen}" if fen else "startpos"
        return f"position {where}" + (f" moves {' '.join(moves)}" if moves else "")

    def go(self, limit: GoLimit, left: Sequence[int], increments: Sequence[int]) -> str:
        """Return the line that asks for a move; times in milliseconds, the first player's first."""
        if not limit.is_clock:
            return f"go {limit.kind} {limit.value}"
        values = (*left, *increments)
        return "go " + " ".join(f"{word} {value}" for word, value in zip(self.times, values, strict=True))


UCI = Protocol("uci", "uci", "uciok", "ucinewgame", ("wtime", "btime", "winc", "binc"), False)
UGI = Protocol("ugi", "ugi", "ugiok", "uginewgame", ("p1time", "p2time", "p1inc", "p2inc"), True)
PROTOCOLS = {protocol.name: protocol for protocol in (UCI, UGI)}
