"""Alpha-beta with guesses, recursive and slow: what quiescence, futility, reductions, passing and best-k say.

Fail-soft, moves in the order of the game, no table. Values belong to the mover of the last of `states`."""

from collections.abc import Callable

import numpy as np

from tests.naive.minimax import WIN, ending, evaluation, for_mover, legal
from tunesmith.engine.options import SearchOptions
from tunesmith.games.game import ONGOING, Game, State

INFINITY = 10**12
DECIDED = WIN - 100_000


class Search:
    """One search: a game, weights, options, and `turned`, which says how a child's value looks to its parent."""

    def __init__(self, game: Game, table: np.ndarray, options: SearchOptions) -> None:
        self.game, self.table, self.options = game, table, options

    def static(self, state: State) -> int:
        return evaluation(self.game, self.table, 1.0, state)

    def noisy(self, state: State) -> list[int]:
        if self.game.noisy_moves is None:
            return []
        buffer = np.zeros(self.game.max_moves, np.int64)
        return [int(move) for move in buffer[: self.game.noisy_moves(state, buffer)]]

    def child(
        self,
        states: list[State],
        after: State,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        passed: bool = False,
    ) -> int:
        """Return the value of the position after a move (or a passed turn) for the player who made it."""
        if self.game.mover(after) == self.game.mover(states[-1]):
            return self.value([*states, after], depth, alpha, beta, ply + 1, passed)
        return -self.value([*states, after], depth, -beta, -alpha, ply + 1, passed)

    def value(
        self, states: list[State], depth: int, alpha: int, beta: int, ply: int = 0, passed: bool = False
    ) -> int:
        game, options, state = self.game, self.options, states[-1]
        if ply > 0 and (result := ending(game, states)) != ONGOING:
            return for_mover(game, state, result * (WIN - ply))
        if depth <= 0:
            return self.beyond(states, depth, alpha, beta, ply)
        best, moves = -INFINITY, legal(game, state)
        if ply > 0 and game.noisy_moves and options.futility and depth <= 2 and abs(alpha) < DECIDED:
            most = self.static(state) + depth * 100 * options.futility
            if most <= alpha:
                best, moves = most, self.noisy(state)
        r = options.null_move
        if (
            best == -INFINITY
            and ply > 0
            and game.pass_turn
            and 0 < r < depth
            and not passed
            and abs(beta) < DECIDED
        ):
            if self.static(state) >= beta:
                found = self.child(states, game.pass_turn(state), depth - 1 - r, beta - 1, beta, ply, True)
                if beta <= found < DECIDED:
                    return found
        return self.best(states, self.kept(state, moves), depth, alpha, beta, ply, best)

    def beyond(self, states: list[State], depth: int, alpha: int, beta: int, ply: int) -> int:
        static = self.static(states[-1])
        if self.options.quiescence + depth <= 0:
            return static
        moves = self.noisy(states[-1])
        if not moves:
            return static
        stand = -INFINITY if len(moves) == len(legal(self.game, states[-1])) else static
        return stand if stand >= beta else self.best(states, moves, depth, alpha, beta, ply, stand)

    def kept(self, state: State, moves: list[int]) -> list[int]:
        options, k = self.options, len(moves)
        if options.best_k:
            k = min(k, options.best_k)
        if options.best_share:
            k = min(k, -(-len(moves) // options.best_share))
        return moves if k == len(moves) else sorted(moves, key=self.rating(state), reverse=True)[:k]

    def rating(self, state: State) -> Callable[[int], int]:
        def rate(move: int) -> int:
            game, after = self.game, self.game.apply_move(state, move)
            result = game.outcome(after)
            value = self.static(after) if result == ONGOING else for_mover(game, after, result * WIN)
            return value if game.mover(after) == game.mover(state) else -value

        return rate

    def best(
        self, states: list[State], moves: list[int], depth: int, alpha: int, beta: int, ply: int, best: int
    ) -> int:
        alpha = max(alpha, best)
        for at, move in enumerate(moves):
            after = self.game.apply_move(states[-1], move)
            reduced = self.reduction(at, depth)
            found = self.child(states, after, depth - 1 - reduced, alpha, beta, ply)
            if reduced and found > alpha:
                found = self.child(states, after, depth - 1, alpha, beta, ply)
            best = max(best, found)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def reduction(self, at: int, depth: int) -> int:
        n_full = self.options.reductions
        if n_full == 0:
            return 0
        return int(at >= n_full and depth >= 3) + int(at >= 4 * n_full and depth >= 4)
