"""The code of an agent that plays piles, run in this process."""

from functools import cache
from typing import Any

from tests.support.toys import piles
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.weights import Weights, from_array
from tunesmith.games.game import Game
from tunesmith.tuning.export.agent.build import Builder
from tunesmith.tuning.export.agent.resolve import LISTS

GAME = piles()
ROWS: Any = [[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]]
WEIGHTS = from_array(GAME, ROWS)


def builder(
    game: Game = GAME,
    weights: Weights = WEIGHTS,
    limit: str = "nodes:200",
    rules: str = LISTS,
    **options: Any,
) -> Builder:
    return Builder(game, weights, SearchOptions(**options), parse_limit(limit), 1, (rules, LISTS))


@cache
def agent(limit: str = "nodes:200") -> dict[str, Any]:
    """Return the names of an agent's file."""
    names: dict[str, Any] = {"__name__": "agent", "__file__": "player.py"}
    exec(builder(limit=limit).code("A test.")[0], names)
    return names


def thinker(limit: str = "nodes:200") -> Any:
    return agent(limit)["Thinker"](WEIGHTS.to_json())
