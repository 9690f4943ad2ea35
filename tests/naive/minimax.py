"""Plain minimax, recursive and slow, from the words of the contract: what the search has to agree with.

Values belong to the mover of the last of `states`, the game's history with the search's line. One action is
one ply of depth, also where the same player moves again."""

from collections.abc import Callable

import numpy as np

from tunesmith.games.game import ONGOING, Game, State

WIN = 1_000_000_000


def value(game: Game, table: np.ndarray, scale: float, states: list[State], depth: int) -> int:
    """A finished game is worth WIN minus plies from the root, a draw 0, a leaf its evaluation in 1/100 Elo."""

    def finished(state: State, result: int, ply: int) -> int:
        return for_mover(game, state, result * (WIN - ply))

    return minimax(game, states, depth, lambda state: evaluation(game, table, scale, state), finished)


def margin(game: Game, states: list[State], depth: int, table: np.ndarray | None = None) -> int:
    """A finished game is worth its margin; a leaf, the settled margin.

    With weights a leaf is worth its evaluation in their own unit, if the margin can still become that.
    """

    def leaf(state: State) -> int:
        settled = game.settled_margin(state)
        if table is None:
            return settled
        reach = game.open_margin(state)
        return min(max(evaluation(game, table, 0.01, state), settled - reach), settled + reach)

    def finished(state: State, result: int, ply: int) -> int:
        return for_mover(game, state, game.final_margin(state))

    return minimax(game, states, depth, leaf, finished)


def minimax(
    game: Game,
    states: list[State],
    depth: int,
    leaf: Callable[[State], int],
    finished: Callable[[State, int, int], int],
    ply: int = 0,
) -> int:
    state = states[-1]
    if ply > 0:
        result = ending(game, states)
        if result != ONGOING:
            return finished(state, result, ply)
    if depth == 0:
        return leaf(state)
    best = -(10**12)
    for move in legal(game, state):
        child = game.apply_move(state, move)
        found = minimax(game, [*states, child], depth - 1, leaf, finished, ply + 1)
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
