"""A gauntlet in a terminal: the tables of players and pairings, circles, notes."""

from __future__ import annotations

from typing import Any


def words(found: dict[str, Any]) -> list[str]:
    """Return circles, first-move advantage and notes as lines."""
    first, level = found["first_move"], found["level"]
    lines = [
        f"first move {first['elo']:+.0f} Elo ({first['low']:+.0f} .. {first['high']:+.0f}); intervals {level:.0%}, "
        f"bootstrap over pairs ({found['resamples']:,}); "
        + (f"{found['anchor'][0]} held at {found['anchor'][1]:g}" if found["anchor"] else "mean 0")
    ]
    for circle in found["cycles"]:
        lines.append(f"circle: {' beats '.join([*circle, circle[0]])} (each shown at {level:.0%})")
    return [*lines, *map(str, found["notes"])]


def rating_rows(found: dict[str, Any]) -> list[list[str]]:
    """Return the table of players, strongest first."""
    return [
        [
            str(place),
            one["name"],
            f"{one['elo']:+.0f}",
            f"{one['low']:+.0f} .. {one['high']:+.0f}",
            f"{100 * one['score']:.1f} %" if one["score"] is not None else "",
            f"{one['games']:,}",
            f"{100 * one['draws'] / one['games']:.0f} %" if one["games"] else "",
        ]
        for place, one in enumerate(found["players"], 1)
    ]


def pairing_rows(found: dict[str, Any]) -> list[list[str]]:
    """Return the table of pairings, from the view of the first-named player."""
    return [
        [
            row["first"],
            row["second"],
            f"{100 * row['score']:.1f} %",
            f"{row['elo']:+.0f}",
            f"{row['elo_low']:+.0f} .. {row['elo_high']:+.0f}",
            f"{100 * row['draws']:.0f} %",
            f"{row['games']:,}",
            f"{row['distinct']:,}",
            " ".join(map(str, row["counts"])),
        ]
        for row in found["pairings"]
    ]


RATING_HEAD = ["", "player", "Elo", "interval", "score", "games", "draws"]
PAIRING_HEAD = [
    "player",
    "against",
    "score",
    "Elo",
    "interval",
    "draws",
    "games",
    "distinct",
    "LL LD DD+WL WD WW",
]
