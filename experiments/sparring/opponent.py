"""What the games against one opponent amount to: points, faults, time.

Results and counts are ours: won, drawn, lost by the program that carries the weights. A game counts once, however often
the same moves were played; a game that ended by a fault is in no score."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from tunesmith.tuning.stats.elo import score_interval

TUNED = "tuned"
OURS, THEIRS, NOBODY = "ours", "theirs", "nobody's"
HEADINGS = (
    "game",
    "opponent",
    "limit",
    "games",
    "won",
    "drawn",
    "lost",
    "points of games",
    "faults",
    "seconds a game",
)


@dataclass
class Played:
    """A game: who began, its moves, our result (1, 0, -1; None by a fault), and how it ended.

    `fault` is the side at fault, `seconds` what each of (we, they) used, of CPU time or, over UGI, by the clock;
    `thoughts` of each of our moves (depth, score in Elo, nodes, seconds).
    """

    we_begin: bool
    seed: int
    moves: list[str]
    result: int | None
    ending: str
    fault: str | None = None
    seconds: list[float] = field(default_factory=list)
    thoughts: list[list[float]] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """Return it as a line of a file."""
        return asdict(self)


def different(games: Iterable[Played]) -> list[Played]:
    """Return the games without those whose moves and first player were there before."""
    found: dict[tuple[Any, ...], Played] = {}
    for game in games:
        found.setdefault((game.we_begin, *game.moves), game)
    return list(found.values())


def tally(games: Sequence[Played]) -> dict[str, Any]:
    """Return counts, points with a 95 % interval (both of all games), faults and mean seconds."""
    once = different(games)
    results = Counter(game.result for game in once)
    won, drawn, lost = (results[result] for result in (1, 0, -1))
    n = won + drawn + lost
    timed = [game.seconds for game in once if game.seconds]
    low, high = (min(max(end, 0.0), 1.0) for end in score_interval((lost, drawn, won))) if n else (0.0, 1.0)
    return {
        "played": len(games), "games": n, "won": won, "drawn": drawn, "lost": lost,
        "points": won + drawn / 2, "interval": [round(n * low, 1), round(n * high, 1)],
        "faults": sorted(f"{game.fault}: {game.ending}" for game in once if game.fault is not None),
        "seconds": [round(fmean(side), 1) for side in zip(*timed, strict=True)],
    }  # fmt: skip


def page_of(cells: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page of all opponents so far."""
    played = [cells[name] for name in sorted(cells) if "won" in cells[name]]
    absent = [cells[name] for name in sorted(cells) if "why" in cells[name]]
    lines = [
        "# Against programs that others published", "",
        "Counts are those of the program that carries our tuned weights, or those named. It began every other game. "
        "Games with the same moves count once; games that ended by a fault (illegal move, time or memory used up, "
        "crash) are in no score. Points have a 95 % interval. Seconds are ours and theirs, means of a game: of CPU "
        "time under a referee, by the clock over UGI.", "",
        "| " + " | ".join(HEADINGS) + " |", "|---|---|---|" + "--:|" * 4 + "---|---|---|",
        *["| " + " | ".join(_cells(one)) + " |" for one in played],
        *["" if at else "\nNot played:\n" for at in range(min(1, len(absent)))],
        *[f"- {one['game']}, {one['opponent']}: {one['why']}" for one in absent],
        "", "Rows are written by these commands, with the code of the commit named; games that the folder `work` holds "
        "are not played again.", "",
        *[f"- `{one['command']}` (commit {one['commit']}, seeds from {one['seed']}){_note(one)}" for one in played],
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _playing(one: Mapping[str, Any]) -> str:
    weights = one.get("weights", TUNED)
    return str(one["game"]) if weights == TUNED else f"{one['game']}, weights {weights}"


def _note(one: Mapping[str, Any]) -> str:
    return f": {one['note']}" if "note" in one else ""


def _cells(one: Mapping[str, Any]) -> list[str]:
    low, high = one["interval"]
    faults = Counter(one["faults"])
    return [
        _playing(one),
        one["opponent"],
        one["limit"],
        str(one["games"]),
        *(str(one[word]) for word in ("won", "drawn", "lost")),
        f"{one['points']:g} ({low:g} to {high:g}) of {one['games']}",
        "; ".join(f"{n} {words}" for words, n in faults.items()) or "none",
        ", ".join(f"{seconds:.1f}" for seconds in one["seconds"]) or "not measured",
    ]
