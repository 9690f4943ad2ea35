"""Who scores how much against whom? The cross table of a gauntlet (`results/questions/kalah-heuristics.json`).

A cell is the score of the player at the left, in per cent of the points of their games."""

from collections.abc import Iterator
from typing import Any

from tunesmith.experiments.pictures.frame import WIDTH, picture, word
from tunesmith.tuning.report.html import Markup, el
from tunesmith.tuning.stats.elo import estimate

_NAMES, _ELO, _ROW, _TOP = 66, 60, 34, 64


def scores(gauntlet: Any) -> dict[tuple[str, str], float]:
    """Return the share of the points that the first of two players has won of the second."""
    found = {}
    for one in gauntlet["pairings"]:
        won = estimate(one["counts"]).score
        found[one["first"], one["second"]], found[one["second"], one["first"]] = won, 1 - won
    return found


def cross_table(gauntlet: Any) -> str:
    """Draw a gauntlet: players by rating, blue where the one at the left has won more, red where less."""
    players, won = gauntlet["players"], scores(gauntlet)
    names = [one["name"] for one in players]
    said = "; ".join(f"{one['name']} {one['elo']:+z.0f}" for one in players)
    cell = (WIDTH - _NAMES - _ELO) / len(names)
    return picture(
        f"Ratings in Elo: {said}",
        _TOP + _ROW * len(names) + 4,
        word(f"Score in %, everybody against everybody, {gauntlet['terms']['limit']}", 0, 16),
        *(word(name, _NAMES + cell * (at + 0.5), _TOP - 10, "small mid") for at, name in enumerate(names)),
        word("Elo", WIDTH, _TOP - 10, "small end"),
        *(part for at, one in enumerate(players) for part in _row(one, names, won, _TOP + _ROW * at, cell)),
    )


def _row(
    one: Any, names: list[str], won: dict[tuple[str, str], float], y: float, cell: float
) -> Iterator[Markup]:
    foot = y + _ROW / 2 + 5
    yield word(one["name"], 0, foot)
    for at, other in enumerate(names):
        if (score := won.get((one["name"], other))) is not None:
            yield _cell(score, _NAMES + cell * at, y, cell)
            yield word(f"{score:.0%}".removesuffix("%"), _NAMES + cell * (at + 0.5), foot, "word mid")
    yield word(f"{one['elo']:+z.0f}", WIDTH, foot, "word end")


def _cell(score: float, x: float, y: float, width: float) -> Markup:
    field = el(
        "rect", x=f"{x + 1:.1f}", y=f"{y + 1:.1f}", width=f"{width - 2:.1f}", height=_ROW - 2,
        class_="of", fill_opacity=f"{min(1.0, 2 * abs(score - 0.5)) * 0.6:.2f}",
    )  # fmt: skip
    return el("g", field, class_="s0" if score > 0.5 else "s1")


def words(gauntlet: Any) -> str:
    """Say who leads, and of how many games a cell is."""
    first, second = gauntlet["players"][:2]
    games = gauntlet["pairings"][0]["games"]
    return (
        f"{games} games a cell. By ratings over all games {first['name']} leads with {_rating(first)} before "
        f"{second['name']} with {_rating(second)}."
    )


def _rating(one: Any) -> str:
    return f"{one['elo']:+z.0f} ({one['low']:+z.0f} .. {one['high']:+z.0f})"
