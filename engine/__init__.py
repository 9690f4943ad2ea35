"""Play, for any game: compiled search, whole games and pairs, weight files, boards for people."""

from engine.board import Board
from engine.perft import divide, perft

__all__ = ["Board", "divide", "perft"]
