"""Perft: the number of move sequences of a given length, the standard test of a move generator.

Games that are over have no continuation. History rules (repetition) are not applied; a limit of plies is,
where the state itself carries the count. The last ply is counted in bulk: the number of legal moves, not one
by one. In a simultaneous game a sequence is one of half-moves."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import MAX_MOVES, MAX_PLIES, apply_move, legal_moves, outcome, plies
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.games.texts import read_notation

DEEPEST = 1000  # moves; memory is laid out for each


def perft(game: Game, depth: int, text: str | None = None) -> int:
    """Return the number of sequences of `depth` moves from the position `text` (default: the start)."""
    if not 0 <= depth <= DEEPEST:
        raise InputError(f"depth: expected 0 to {DEEPEST}, found {depth}")
    state = game.initial() if text is None else read_notation(game.name, game.text_to_state, text)
    return int(bind(count_sequences, game)(state, depth)) if depth else 1


def divide(game: Game, depth: int, text: str | None = None) -> dict[str, int]:
    """Return perft split by the first move, `{move text: sequences}`, sorted by move text."""
    if not 1 <= depth <= DEEPEST:
        raise InputError(f"depth: expected 1 to {DEEPEST}, found {depth}")
    state = game.initial() if text is None else read_notation(game.name, game.text_to_state, text)
    count = bind(count_sequences, game)
    buffer = np.zeros(game.max_moves, np.int64)
    n_moves = int(game.legal_moves(state, buffer)) if game.outcome(state) == ONGOING else 0
    parts = {}
    for move in map(int, buffer[:n_moves]):
        parts[game.move_to_text(state, move)] = (
            int(count(game.apply_move(state, move), depth - 1)) if depth > 1 else 1
        )
    return dict(sorted(parts.items()))


def is_finished(state: State) -> bool:
    """Whether the state itself says that the game is over."""
    return outcome(state) != ONGOING or (MAX_PLIES > 0 and plies(state) >= MAX_PLIES)


def count_sequences(root: State, depth: int) -> int:
    """Count sequences of `depth` >= 1 moves with a stack of positions (template)."""
    states = [root] * depth
    moves: Any = np.zeros((depth, MAX_MOVES), np.int64)
    n_moves: Any = np.zeros(depth, np.int64)
    at: Any = np.zeros(depth, np.int64)
    if is_finished(root):
        return 0
    total = 0
    n_moves[0] = legal_moves(root, moves[0])
    if depth == 1:
        return int(n_moves[0])
    level = 0
    while level >= 0:
        if at[level] == n_moves[level]:
            level -= 1
            continue
        child = apply_move(states[level], int(moves[level, at[level]]))
        at[level] += 1
        if is_finished(child):
            continue
        if level == depth - 2:
            total += legal_moves(child, moves[depth - 1])
            continue
        level += 1
        states[level] = child
        n_moves[level] = legal_moves(child, moves[level])
        at[level] = 0
    return total
