"""Answers that need no games: what searches to a fixed depth cost, and whether an evaluation's form matters.

Nodes and values are the same on any machine; CPU times are to be compared within one table only."""

from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.player import evaluation_parts
from tunesmith.engine.weights import Weights
from tunesmith.experiments.questions.terms import Squash, Techniques
from tunesmith.games.errors import InputError
from tunesmith.tuning.play.bench_techniques import Searched, positions, search_all

WIN = 1e9


def techniques(spec: str, part: Techniques) -> dict[str, Any]:
    """Search all positions with the options of each rung on top of those before.

    Raises
    ------
    InputError
        A rung is measured by one that does not come before it.
    """
    game = game_registry.load(spec)
    weights = weight_files.load(part.weights, game)
    boards = list(positions(game, part.rounds))
    names, settings = [rung.name for rung in part.rung], list[dict[str, Any]]()
    if len(set(names)) < len(names):
        raise InputError(f"rung: expected a name of its own for each, found {', '.join(names)}")
    for at, rung in enumerate(part.rung):
        if rung.against is not None and rung.against not in names[:at]:
            raise InputError(f"against: expected a rung before {rung.name!r}, found {rung.against!r}")
        settings.append((settings[-1] if settings else {}) | rung.options)
    rounds = [
        [search_all(game, weights, boards, options, part.depth) for options in settings]
        for _ in range(part.repeats)
    ]
    by_name = dict(zip(names, zip(*rounds, strict=True), strict=True))
    found = [
        _figures(rung.name, rung.against or names[0], options, by_name)
        for rung, options in zip(part.rung, settings, strict=True)
    ]
    return {
        "kind": "techniques",
        "name": f"{part.name} ({len(boards)} positions to depth {part.depth})",
        "figures": found,
    }


def _figures(
    name: str, against: str, options: dict[str, Any], by_name: dict[str, tuple[Searched, ...]]
) -> dict[str, Any]:
    """Return what the rounds of a rung cost, in all (seconds: a round's mean) and each position."""
    own, first = by_name[name], next(iter(by_name.values()))
    return {
        "rung": name,
        "against": against,
        "options": options,
        **own[0].cost._asdict(),
        "seconds": sum(one.cost.seconds for one in own) / len(own),
        "values": own[0].values,
        "same": sum(a == b for a, b in zip(own[0].values, first[0].values, strict=True)),
        "each": {"nodes": own[0].nodes, "seconds": [one.seconds for one in own]},
    }


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
        "kind": "squash",
        "name": part.name,
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
