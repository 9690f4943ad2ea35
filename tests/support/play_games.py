"""Games to be played on a page, in plain Python: what is shown matters here, not how fast it is."""

import dataclasses
from typing import Any

from tests.support.searching import as_python
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.tuning.report.play_page.game import BrowserGame

# Changes of a new game's file: one that fails after the first move, and one whose picture holds a script.
FAILING = ("    out[0] = 1.0\n", "    out[0] = 1.0 / (1 - (state[0] >> 12 & 1))\n")
SILENT = ("{discs}</svg>", "<script>console.log(1)</script>{discs}</svg>")


def hosted(spec: str, side: int = 0, limit: str = "nodes:20", **options: Any) -> BrowserGame:
    """Return a game against its hand-made weights."""
    with as_python(dataclasses.replace(games.load(spec))) as game:
        weights = weight_files.load("hand", game)

        def new_player() -> Player:
            with as_python(game):
                return Player(game, weights, parse_limit(limit), hash_mb=1)

        return BrowserGame(game, weights, new_player, side, against="hand", **options)
