"""Compile what a game needs before somebody waits for it, and say how long each part took."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.jit import takes_long
from tunesmith.engine.limits import Limit
from tunesmith.engine.player import Player
from tunesmith.games.game import Game
from tunesmith.games.registry import load
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.replay import mark_positions, view_positions, visit
from tunesmith.tuning.play.sandbox.deadline import compiling
from tunesmith.tuning.play.worker import new_arena

Work = Callable[[], object]


class Part(NamedTuple):
    """A part of what is compiled; `was_stored`: it was in the folder of compiled code."""

    name: str
    seconds: float
    was_stored: bool


def precompile(spec: str, weights: str = "hand") -> Iterator[Part]:
    """Compile a game's search with these weights part by part; give each part when it is done.

    Raises
    ------
    InputError, GameError
        There is no such game, there are no such weights, or the game cannot be compiled.
    """
    game = load(spec)
    player = weight_files.load(weights, game)
    thinker = Player(game, player, Limit("depth", 1), hash_mb=1)
    arena = new_arena(Matchup(spec, player, player, ("nodes:1", "nodes:1"), 1, Noise(0.0, 0)), game)
    parts: dict[str, tuple[bool, Work]] = {
        "search of a move (play, probe)": (thinker.takes_long, lambda: thinker.analyse(Board(game))),
        "whole games (match, selfplay, run)": (arena.takes_long, arena.prepare),
        "replay of games (fit)": (takes_long(bind(visit, game)), lambda: _replay(game)),
    }
    for name, (is_new, work) in parts.items():
        began = time.monotonic()
        with compiling(game):
            work()
        yield Part(name, time.monotonic() - began, not is_new)


def _replay(game: Game) -> None:
    """Look at the first position and what one move makes of it."""
    board = Board(game)
    moves, starts = np.array(board.legal_moves()[:1], np.int64), np.array([0, 1], np.int64)
    mark_positions(game, moves, starts)
    view_positions(game, moves, starts, np.ones(1, np.bool_))
