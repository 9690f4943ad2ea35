"""What does it cost to prove 5 Elo, or 20, in each game?

    python -m tunesmith.experiments.price

Nothing is played: how much results of pairs scatter is taken from recorded matches of players that are nearly equal,
and what a test of that scatter needs is computed (`tuning.stats.sprt`). Pairs that scatter less, as where games are
drawn or both sides win the same opening, show a gain in fewer games. Work is counted in nodes, and so the same on any
machine.
The page is `results/price.md`; `python -m tunesmith.experiments.figures --pages` writes it too."""

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tunesmith.engine import files
from tunesmith.experiments.questions.ask import RESULTS
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.errors import TunesmithError
from tunesmith.tuning.files import read_json
from tunesmith.tuning.stats.elo import NELO_UNIT, Z95, elo_to_score, moments
from tunesmith.tuning.stats.sprt import Sprt, expected_length, pairs_to_resolve, shown_gain

GAINS = (5.0, 10.0, 20.0, 50.0)  # Elo
NODES = 1000  # a move
# Question and match of nearly equal players, a game each.
MATCHES = {
    "kalah": ("kalah-patterns", "Tuned without free turns against tuned"),
    "pentago": ("pentago-patterns", "Without wins at once"),
    "fanorona": ("fanorona-quiescence", "Quiescence 2 against none"),
    "expendibots": ("expendibots-mtdf", "MTD(f) against principal variation"),
    "ropasci360": ("ropasci360-parts", "Without mobility"),
}
PLACE = RESULTS.parent / "price.md"


class Price(NamedTuple):
    """Games that a test and a match of fixed length take to show a gain."""

    normalised: float  # the gain, in normalised Elo
    expected: float  # games of a sequential test, on average
    limit: int | None  # pairs within which nine of ten such tests accept the gain
    fixed: float  # games of a match that excludes equality in four of five cases


def normalised(elo: float, counts: Sequence[int]) -> float:
    """Return a gain in normalised Elo, for pairs that scatter as these counts (LL .. WW) do."""
    scatter = math.sqrt(2 * moments(counts).variance)
    return (elo_to_score(elo) - 0.5) / scatter * NELO_UNIT


def price(elo: float, counts: Sequence[int]) -> Price:
    """Return what it costs to show a gain of so many Elo, errors of 5 % each, against no gain."""
    gain = normalised(elo, counts)
    test = Sprt(0.0, gain, 0.05, 0.05, "normalized")
    fixed = 2 * (shown_gain(1) / gain) ** 2
    return Price(gain, expected_length(test, gain).expected_games, pairs_to_resolve(test), fixed)


def uncertainty(counts: Sequence[int]) -> float:
    """Return by which share the games of a price may be off (95 %): they follow the variance, and it is measured."""
    score, variance = moments(counts).score, moments(counts).variance
    fourth = sum(n * (at / 4 - score) ** 4 for at, n in enumerate(counts)) / sum(counts)
    return Z95 * math.sqrt((fourth / variance**2 - 1) / sum(counts))


def recorded(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of each game's match, at its first limit."""
    found = {}
    for game, (question, name) in MATCHES.items():
        part = next(part for part in answers[question]["parts"] if part["name"] == name)
        found[game] = {**part["figures"][0], "match": f"{name} (`{question}`)"}
    return found


def page(answers: Mapping[str, Any]) -> str:
    """Return the page; answers by the names of their questions."""
    matches = recorded(answers)
    lines = [
        "# What does it cost to prove 5 Elo?",
        "",
        "`python -m tunesmith.experiments.price` (computed: nothing was played for it)",
        "",
        "A sequential test of no gain against the gain itself, errors of 5 % each, takes so many games on average if "
        "the gain is there; within the limit it accepts the gain in nine of ten cases. A match of fixed length takes "
        "so many games that the 95 % interval excludes equality in four of five cases. Work: games of the test x "
        f"plies of the recorded games x {NODES:,} nodes. The interval is "
        "that of the scatter, which was measured in the games below.",
    ]
    header = ["game", "normalised Elo", "test, games", "limit, pairs", "match, games", "million nodes"]
    for elo in GAINS:
        rows = [_row(game, elo, one) for game, one in matches.items()]
        lines += ["", f"## {elo:g} Elo", "", *markdown(header, rows)]
    lines += ["", "## How much pairs scatter", "", *markdown(*_scatter(matches)), ""]
    by_games = sorted(matches, key=lambda game: moments(matches[game]["counts"]).variance)
    said = (f"{_games(matches[game])} games in {game}" for game in (by_games[0], by_games[-1]))
    lines.append(
        f"To prove {GAINS[0]:g} Elo takes a test {' and '.join(said)}, on average and if the gain is there."
    )
    return "\n".join(lines) + "\n"


def _games(one: Mapping[str, Any]) -> str:
    return _with_interval(price(GAINS[0], one["counts"]).expected, one["counts"])


def _with_interval(games: float, counts: Sequence[int]) -> str:
    return f"{games:,.0f} ± {games * uncertainty(counts):,.0f}"


def _row(game: str, elo: float, one: Mapping[str, Any]) -> list[str]:
    found = price(elo, one["counts"])
    nodes = found.expected * one["mean_length"] * NODES
    limit = "-" if found.limit is None else f"{found.limit:,}"
    return [
        game,
        f"{found.normalised:.1f}",
        _with_interval(found.expected, one["counts"]),
        limit,
        f"{found.fixed:,.0f}",
        f"{nodes / 1e6:,.0f}",
    ]


def _scatter(matches: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["game", "match", "limit", "pairs", "LL LD DD+WL WD WW", "scatter of a pair", "plies"]
    rows = [
        [
            game,
            one["match"],
            one["limit"],
            f"{sum(one['counts']):,}",
            " ".join(map(str, one["counts"])),
            f"{math.sqrt(moments(one['counts']).variance):.3f}",
            f"{one['mean_length']:.0f}",
        ]
        for game, one in matches.items()
    ]
    return header, rows


if __name__ == "__main__":
    try:
        content = page({path.stem: read_json(path) for path in RESULTS.glob("*.json")})
        files.write(PLACE, content)
        print(content)
    except TunesmithError as error:
        sys.exit(f"error: {error}")
