"""An agent's first moves drawn by a seed: many different games from one start. Copied into agents with a referee.

A move is drawn among those whose score, searched to a fixed depth, is at most 20 Elo below the best. The draw follows
from position and seed alone: no clock is asked, and what was searched before is forgotten. Where one move alone is that
good nothing is drawn: the search, which looks deeper, chooses."""

import random
from typing import Any

from tunesmith.engine.compile.slots import mover
from tunesmith.engine.searcher import DEPTH_LIMIT, GAME_SECONDS, NODE_LIMIT, SCORE, SECONDS
from tunesmith.tuning.export.agent.player import Game, Thinker

N_DRAWN = 2  # own moves
DEPTH = 2  # of the search behind each move
WITHIN = 2_000  # 1/100 Elo
NO_LIMIT = 1 << 60


def drawn(thinker: Thinker, game: Game, seed: int) -> int:
    """Return one of the good moves, by the seed; -1 if there is only one, or a move ends the game."""
    moves = good_moves(thinker, game)
    if len(moves) < 2:
        return -1
    dice = random.Random(seed * 1000 + game.n_plies())
    return int(moves[int(dice.random() * len(moves))])


def good_moves(thinker: Thinker, game: Game) -> Any:
    """Return the moves within 20 Elo of the best, in the game's order; none if a move ends the game."""
    numbers, counters = thinker.memory.numbers, thinker.memory.counters
    usual = numbers[SECONDS], numbers[GAME_SECONDS], counters[DEPTH_LIMIT], counters[NODE_LIMIT]
    left = thinker.clock()
    thinker.forget()
    numbers[SECONDS], numbers[GAME_SECONDS] = 0.0, 0.0
    counters[DEPTH_LIMIT], counters[NODE_LIMIT] = DEPTH, NO_LIMIT
    try:
        scores = {move: score_behind(thinker, game, move) for move in game.legal()}
    finally:
        numbers[SECONDS], numbers[GAME_SECONDS], counters[DEPTH_LIMIT], counters[NODE_LIMIT] = usual
        thinker.set_clock(left)
    if None in scores.values():
        return []
    return [move for move in game.legal() if scores[move] >= max(scores.values()) - WITHIN]


def score_behind(thinker: Thinker, game: Game, move: int) -> Any:
    """Return the score of a move for who makes it, in 1/100 Elo; None if it ends the game."""
    before = mover(game.states[-1])
    game.play(move)
    try:
        if game.is_over():
            return None
        thinker.choose(game)
        score = thinker.memory.counters[SCORE]
        return score if mover(game.states[-1]) == before else -score
    finally:
        del game.states[-1], game.keys[-1], game.turned_keys[-1]
