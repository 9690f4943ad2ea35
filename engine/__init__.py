"""Play, for any game: compiled search, whole games and pairs, weight files, boards for people.

`Board` is imported when it is first used: who only reads a limit or a weight file needs no compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tunesmith.engine.board import Board

__all__ = ["Board"]


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name != "Board":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tunesmith.engine.board import Board

    return Board
