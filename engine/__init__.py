"""Play, for any game: compiled search, whole games and pairs, weight files, boards for people."""

from tunesmith.engine.board import Board
from tunesmith.engine.perft import divide, perft

__all__ = ["Board", "divide", "perft"]
