"""Tunesmith: tunes the evaluation of game-playing agents by self-play, and proves whether they got stronger.

What a script or a notebook needs, imported when it is first used:

- `load_game`, `Board`: a game by name, variant or file; a position to play on, that shows itself;
- `load_weights`: weights by name or file, and what they say of a position (`evaluate`);
- `match`: a match of two players;
- `run_study`, `open_study`: a whole study; its verdict, and its games, positions, weights and trials as frames of
  pandas;
- `TexelRegressor`: the fit as an estimator of scikit-learn;
- `TunesmithError`: what is raised where input or a folder is wrong, with one line that says what.

Everything else is imported from `tunesmith.games`, `tunesmith.engine`, `tunesmith.tuning`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tunesmith.games.errors import TunesmithError
    from tunesmith.tuning.fit.estimator import TexelRegressor as TexelRegressor
    from tunesmith.tuning.notebook.boards import Board, load_game
    from tunesmith.tuning.notebook.matches import match
    from tunesmith.tuning.notebook.players import load_weights
    from tunesmith.tuning.notebook.studies import open_study, run_study

# What an extra brings is offered, and not taken along by `from tunesmith import *`, which has to work without.
__all__ = [
    "Board",
    "TunesmithError",
    "load_game",
    "load_weights",
    "match",
    "open_study",
    "run_study",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for; before, not even what imports it."""
    from tunesmith.games.lazy import offered

    return offered(__name__, __file__)[0](name)


def __dir__() -> list[str]:
    """List what the package offers."""
    return sorted([*globals(), *__all__, "TexelRegressor"])
