"""Answers that need no games: what searches to a fixed depth cost, and whether an evaluation's form matters.

Nodes and values are the same on any machine; CPU times are to be compared within one table only."""

from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.player import evaluation_parts
from tunesmith.engine.weights import Weights
from tunesmith.experiments.questions.terms import Squash, Techniques
from tunesmith.tuning.play.bench_techniques import positions, search_all

WIN = 1e9


def techniques(spec: str, part: Techniques) -> dict[str, Any]:
    """Search all positions with the options of each rung on top of those before."""
    game = game_registry.load(spec)
    weights = weight_files.load(part.weights, game)
    boards = list(positions(game, part.rounds))
    settings: dict[str, Any] = {}
    found: list[dict[str, Any]] = []
    for rung in part.rung:
        settings |= rung.options
        measured, values = search_all(game, weights, boards, settings, part.depth)
        same = sum(a == b for a, b in zip(values, found[0]["values"] if found else values, strict=True))
        found.append(
            {
                "rung": rung.name,
                "options": dict(settings),
                **measured._asdict(),
                "values": values,
                "same": same,
            }
        )
    return {
        "name": f"{part.name} ({len(boards)} positions to depth {part.depth})",
        "header": [
            "techniques",
            "nodes",
            "of the first",
            "CPU s",
            "of the first",
            "cut at 1st",
            "same value",
        ],
        "rows": [_row(one, found[0], len(boards)) for one in found],
        "figures": found,
    }


def _row(one: dict[str, Any], first: dict[str, Any], n: int) -> list[str]:
    return [
        one["rung"],
        f"{'' if one['finished'] else '> '}{one['nodes']:,}",
        f"{one['nodes'] / first['nodes']:.3f}",
        f"{one['seconds']:.2f}",
        f"{one['seconds'] / max(first['seconds'], 1e-9):.3f}",
        f"{one['first_cuts']:.1%}" if one["first_cuts"] == one["first_cuts"] else "-",
        f"{one['same']} of {n}",
    ]


def squash(spec: str, part: Squash) -> dict[str, Any]:
    """Choose a move in all positions by the sum, and by the sum passed through x / (1 + |x|)."""
    game = game_registry.load(spec)
    weights = weight_files.load(part.weights, game)
    n = same_move = same_cuts = 0
    for board in positions(game, part.rounds):
        if board.is_over:
            continue
        plain, squashed = Count(weights, False), Count(weights, True)
        n += 1
        same_move += plain.choose(board, part.depth) == squashed.choose(board, part.depth)
        same_cuts += plain.nodes == squashed.nodes
    return {
        "name": part.name,
        "header": ["positions", "depth", "same move", "same nodes"],
        "rows": [[str(n), str(part.depth), f"{same_move} of {n}", f"{same_cuts} of {n}"]],
        "figures": {"positions": n, "depth": part.depth, "same_move": same_move, "same_nodes": same_cuts},
    }


class Count:
    """Plain alpha-beta on boards that counts what it enters; leaves are valued by the sum or the squashed sum."""

    def __init__(self, weights: Weights, is_squashed: bool) -> None:
        self.weights, self.is_squashed, self.nodes = weights, is_squashed, 0

    def choose(self, board: Board, depth: int) -> int:
        """Return the first of the best moves."""
        best, chosen = float("-inf"), -1
        for move in board.legal_moves():
            value = self._after(board, move, depth, best, float("inf"))
            if value > best:
                best, chosen = value, move
        return chosen

    def value(self, board: Board, depth: int, alpha: float, beta: float) -> float:
        """Return the value for the player to move, exact within the window."""
        self.nodes += 1
        if board.is_over:
            return self._end(board)
        if depth == 0:
            score = evaluation_parts(board.game, self.weights, board.state)[0]
            return score / (1 + abs(score)) if self.is_squashed else score
        for move in board.legal_moves():
            alpha = max(alpha, self._after(board, move, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def _after(self, board: Board, move: int, depth: int, alpha: float, beta: float) -> float:
        mover = board.mover
        board.play(move)
        if board.mover == mover:
            found = self.value(board, depth - 1, alpha, beta)
        else:
            found = -self.value(board, depth - 1, -beta, -alpha)
        board.pop()
        return found

    def _end(self, board: Board) -> float:
        result = board.result or 0
        return WIN * (result if board.mover == 0 else -result)
