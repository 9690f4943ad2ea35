"""Tunesmith: tunes the evaluation of game-playing agents by self-play, and proves whether they got stronger.

What most programs need, imported when it is first used:

- `load_game`: a game by name, variant or file; `load_weights`: weights by name or file;
- `Board`: a position to play on, with its history;
- `match`: a match between two players, of a `Matchup` (who plays whom, and how), `Beginnings` (from which
  openings) and `Resources` (with what);
- `open_study`, `run_study`: a whole study.

Everything else is imported from `tunesmith.games`, `tunesmith.engine`, `tunesmith.tuning`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tunesmith.engine.board import Board
    from tunesmith.engine.weights import load as load_weights
    from tunesmith.games.registry import load as load_game
    from tunesmith.tuning.pipeline.study import run_study
    from tunesmith.tuning.play.match import Beginnings
    from tunesmith.tuning.play.match import play_match as match
    from tunesmith.tuning.play.matchup import Matchup
    from tunesmith.tuning.play.resources import Resources
    from tunesmith.tuning.study import open_study

__all__ = [
    "Beginnings",
    "Board",
    "Matchup",
    "Resources",
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
    return sorted([*globals(), *__all__])
