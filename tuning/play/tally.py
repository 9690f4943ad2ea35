"""Running counts of games as they come in, for whoever watches: results, faults, how many games are distinct.

Results are the first player's. A million games take about 60 MB: one number is kept for each different game."""

from collections.abc import Iterable
from typing import Any

from tunesmith.tuning.play.matchup import FAULT, PlayedGame
from tunesmith.tuning.play.records import CAPPED, Games


class Tally:
    """Counts of games; faults are no games."""

    def __init__(self) -> None:
        self.wins, self.draws, self.losses = 0, 0, 0
        self.capped, self.faults = 0, 0
        self._seen: set[int] = set()

    @property
    def games(self) -> int:
        """Games that were played to some end."""
        return self.wins + self.draws + self.losses + self.capped

    def add(self, rows: Iterable[PlayedGame]) -> None:
        """Count games that have just been played."""
        for row in rows:
            self._count(row.result, row.reason, row.moves)

    def add_stored(self, games: Games) -> None:
        """Count games that were there before."""
        starts, moves = games.starts, games.moves
        for at, (result, reason) in enumerate(
            zip(games.result.tolist(), games.end_reason.tolist(), strict=True)
        ):
            self._count(result, reason, moves[starts[at] : starts[at + 1]])

    def _count(self, result: int, reason: str, moves: Any) -> None:
        if reason.startswith(FAULT):
            self.faults += 1
            return
        self._seen.add(hash(moves.tobytes()))
        self.wins += result == 1
        self.draws += result == 0
        self.losses += result == -1
        self.capped += reason == CAPPED

    def words(self) -> str:
        """Return the counts in words, empty without a game."""
        known = self.wins + self.draws + self.losses
        parts = []
        if known:
            win, draw, loss = (100 * n / known for n in (self.wins, self.draws, self.losses))
            share = win + draw / 2
            parts.append(
                f"first player {share:.1f} % (wins {win:.0f}, draws {draw:.0f}, losses {loss:.0f} %)"
            )
        if self.games:
            parts.append(f"distinct {100 * len(self._seen) / self.games:.1f} %")
        parts += [f"{name} {n:,}" for name, n in (("capped", self.capped), ("faults", self.faults)) if n]
        return ", ".join(parts)
