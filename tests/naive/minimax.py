"""Plain minimax, recursive and slow, from the words of the contract: what the search has to agree with."""

import numpy as np

from games.game import ONGOING, Game, State

WIN = 1_000_000_000


def value(game: Game, table: np.ndarray, scale: float, states: list[State], depth: int, ply: int = 0) -> int:
    """Value of `states[-1]` for its mover; `states` is the game's history with the search's line.

    A finished game is worth WIN minus plies from the root, a draw 0, a leaf its evaluation in 1/100 Elo.
    """
    state = states[-1]
    if ply > 0:
        result = ending(game, states)
        if result != ONGOING:
            return for_mover(game, state, result * (WIN - ply))
    if depth == 0:
        return evaluation(game, table, scale, state)
    best = -(10**12)
    for move in legal(game, state):
        child = game.apply_move(state, move)
        found = value(game, table, scale, [*states, child], depth - 1, ply + 1)
        best = max(best, found if game.mover(child) == game.mover(state) else -found)
    return best


def margin(game: Game, states: list[State], depth: int) -> int:
    """Margin for the mover of `states[-1]` with the settled margin at the leaves."""
    state = states[-1]
    if game.outcome(state) != ONGOING:
        return for_mover(game, state, game.final_margin(state))
    if depth == 0:
        return game.settled_margin(state)
    best = -(10**12)
    for move in legal(game, state):
        child = game.apply_move(state, move)
        found = margin(game, [*states, child], depth - 1)
        best = max(best, found if game.mover(child) == game.mover(state) else -found)
    return best


def for_mover(game: Game, state: State, of_first: int) -> int:
    return of_first if game.mover(state) == 0 else -of_first


def legal(game: Game, state: State) -> list[int]:
    buffer = np.zeros(game.max_moves, np.int64)
    return [int(move) for move in buffer[: game.legal_moves(state, buffer)]]


def ending(game: Game, states: list[State]) -> int:
    state = states[-1]
    drawn = is_drawn(game, states)
    if drawn and game.repetition_first:
        return 0
    result = game.outcome(state)
    return 0 if result == ONGOING and drawn else result


def is_drawn(game: Game, states: list[State]) -> bool:
    if game.repetition_limit and game.history_key:
        keys = [game.history_key(state) for state in states]
        if keys[-1] and keys.count(keys[-1]) >= game.repetition_limit:
            return True
    if game.max_plies:
        plies = game.plies(states[-1]) if game.plies else len(states) - 1
        return plies >= game.max_plies
    return False


def evaluation(game: Game, table: np.ndarray, scale: float, state: State) -> int:
    features, shares = np.zeros(game.n_features), np.ones(game.n_stages)
    game.features(state, features)
    if game.stages:
        game.stages(state, shares)
    total = 0.0
    for stage in range(game.n_stages):
        part = 0.0
        for weight, feature in zip(table[stage], features, strict=True):
            part += weight * feature
        total += part if game.n_stages == 1 else shares[stage] * part
    return round(scale * total * 100)
