"""What is it worth to know the opponent's evaluation in the search?

Opponent-model search (Iida, Uiterwijk, van den Herik and Herschberg 1993; M of Carmel and Markovitch 1993): at its own
turns a player takes the move that is best by its own evaluation, at the other's turns it expects the move that is best
by the other's. With its own evaluation in the place of the other's it is plain minimax. Everything here is searched
to a fixed depth over all moves, in plain Python: what is compared is choices, not speed."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.evaluation import wanted_features, weighted_sum
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game, State
from tunesmith.tuning.play.openings.opening import Opening

WIN = 1e9
MOST_MOVES = 1000  # a game that is longer is drawn

Evaluation = Callable[[State], float]


def evaluation(game: Game, weights: Weights) -> Evaluation:
    """Return what tells the value of an unfinished position for its mover, in Elo."""
    values = weights.array(game)
    used = np.flatnonzero(values.any(axis=0)).astype(np.int64)
    total = bind(weighted_sum, game, wanted_features(game, values))
    buffers = np.zeros(max(1, game.n_features)), np.zeros(game.n_stages)
    return lambda state: weights.scale * float(total(state, values, used, len(used), *buffers))


class Mind(NamedTuple):
    """A player: its evaluation, the one it expects the other to move by, and how many plies it looks ahead."""

    own: Evaluation
    expected: Evaluation
    depth: int

    def choose(self, board: Board) -> int:
        """Return the first of the moves that are best by the own evaluation."""
        me, best, chosen = board.mover, float("-inf"), -1
        for move in board.legal_moves():
            board.play(move)
            value = self.values(board, me, self.depth - 1)[0]
            board.pop()
            if value > best:
                best, chosen = value, move
        return chosen

    def values(self, board: Board, me: int, depth: int) -> tuple[float, float]:
        """Return what a position is worth to `me` by the own evaluation, and to the other by the expected one."""
        if board.is_over:
            result = (board.result or 0) * (1 if me == 0 else -1)
            sooner = result * (WIN - board.n_plies)
            return sooner, -sooner
        if depth == 0:
            sign = 1 if board.mover == me else -1
            return sign * self.own(board.state), -sign * self.expected(board.state)
        found = []
        for move in board.legal_moves():
            board.play(move)
            found.append(self.values(board, me, depth - 1))
            board.pop()
        if board.mover == me:
            return max(own for own, _ in found), min(other for _, other in found)
        return max(found, key=lambda pair: pair[1])  # the first of equals, as `choose` takes it


def play_pairs(game: Game, first: Mind, second: Mind, openings: Sequence[Opening]) -> list[float]:
    """Return the first player's points (0 to 2) of each opening, played twice."""
    return [play(game, (first, second), one) + 1 - play(game, (second, first), one) for one in openings]


def play(game: Game, players: tuple[Mind, Mind], opening: Opening) -> float:
    """Play one game; return the points (0 to 1) of who moves first."""
    board = Board(game, None if opening.root is None else game.state_to_text(opening.root))
    for move in opening.moves:
        board.play(move)
    while not board.is_over and board.n_plies < MOST_MOVES:
        board.play(players[board.mover].choose(board))
    return ((board.result or 0) + 1) / 2


def figures(model: str, points: Sequence[float]) -> dict[str, Any]:
    """Return a row: by whose evaluation the first player expected the other to move, and what came of it."""
    counts = [sum(point == half / 2 for point in points) for half in range(5)]
    return {"model": model, "counts": counts, "each": list(points)}
