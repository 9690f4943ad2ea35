"""Rules, features and notation of board games, as plain functions that an engine can compile."""

from games.game import ONGOING, Game
from games.registry import load, names

__all__ = ["ONGOING", "Game", "load", "names"]
