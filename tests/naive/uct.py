"""UCT with objects, recursion and whole histories, from the words of `SearchOptions`: slow and obvious.

Only two things are taken from the engine: the generator of random numbers, so that playouts are the same
games, and the unit of values (2^20 for a win, always the first player's)."""

import math
from dataclasses import dataclass, field

import numpy as np

from tests.naive import minimax
from tunesmith.engine.compile.arith import below, mix, next_random
from tunesmith.engine.options import SearchOptions
from tunesmith.games.game import ONGOING, Game, State

ONE = 1 << 20


@dataclass
class Node:
    """A position with everything that led to it; `proof` is its result for the first player, if known."""

    states: list[State]
    move: int = 0
    visits: int = 0
    total: int = 0
    proof: int | None = None
    length: int = 0
    children: list["Node"] = field(default_factory=list)


class Search:
    """One search; `root` is the tree that it leaves behind."""

    def __init__(
        self,
        game: Game,
        table: np.ndarray,
        scale: float,
        states: list[State],
        options: SearchOptions,
        seed: int = 0,
        capacity: int = 10**9,
        longest: int = 255,
    ) -> None:
        self.game, self.table, self.scale, self.options = game, table, scale, options
        self.capacity, self.longest, self.n_start = capacity, longest, len(states)
        self.root, self.n_nodes, self.nodes, self.deepest = Node(list(states)), 1, 0, 0
        known = game.plies(states[-1]) if game.plies else -1
        self.stream = mix(mix(seed) ^ (known if known >= 0 else len(states) - 1))
        self.expand(self.root)

    def run(self, simulations: int) -> None:
        for _ in range(simulations):
            if self.root.proof is not None:
                return
            self.simulate(self.root)

    def ply(self, node: Node) -> int:
        return len(node.states) - self.n_start

    def player(self, node: Node) -> int:
        return self.game.mover(node.states[-1])

    def expand(self, node: Node) -> None:
        moves = minimax.legal(self.game, node.states[-1])
        if self.n_nodes + len(moves) > self.capacity or self.ply(node) >= self.longest - 1:
            return
        self.n_nodes += len(moves)
        state = node.states[-1]
        node.children = [Node([*node.states, self.game.apply_move(state, move)], move) for move in moves]

    def simulate(self, node: Node) -> int:
        """Visit a node; return what the visit was worth to the first player."""
        is_root = node is self.root
        self.deepest = max(self.deepest, self.ply(node))
        if not is_root:
            self.nodes += 1
            if node.visits == 0:
                result = minimax.ending(self.game, node.states)
                node.proof = None if result == ONGOING else result
        hidden = self.game.simultaneous and self.player(node) == 1
        if node.proof is None and not node.children and (node.visits > 0 or hidden):
            self.expand(node)
        if node.proof is not None:
            value = (node.proof + 1) * ONE // 2
        elif node.children:
            value = self.simulate(self.choose(node))
        else:
            value = self.leaf(node)
        node.visits += 1
        node.total += value
        if self.options.proofs and node.proof is None:
            self.prove(node)
        return value

    def choose(self, node: Node) -> Node:
        def bound(child: Node) -> float:
            width = self.options.exploration / 100
            if child.visits == 0 and self.options.first_play == "every":
                return math.inf
            if child.visits == 0:
                return self.mean(node, player) + width * math.sqrt(math.log(max(1, node.visits)))
            return self.mean(child, player) + width * math.sqrt(math.log(node.visits) / child.visits)

        player = self.player(node)
        lost = -1 if player == 0 else 1
        open_ = [child for child in node.children if not (self.options.proofs and child.proof == lost)]
        return max(open_ or node.children, key=lambda child: round(bound(child), 11))

    def mean(self, node: Node, player: int) -> float:
        if node.proof is not None:
            share = (node.proof + 1) / 2
        else:
            share = node.total / node.visits / ONE if node.visits else 0.5
        return share if player == 0 else 1 - share

    def prove(self, node: Node) -> None:
        if not node.children:
            return
        known = [child for child in node.children if child.proof is not None]
        if not known:
            return
        best = max(known, key=lambda child: self.rank(child, self.player(node)))
        wins = self.result(best, self.player(node)) == 1
        if wins or len(known) == len(node.children):
            node.proof, node.length = best.proof, best.length + 1

    def result(self, node: Node, player: int) -> int:
        assert node.proof is not None
        return node.proof if player == 0 else -node.proof

    def rank(self, node: Node, player: int) -> tuple[int, int]:
        """Rank results, then quick wins, quick draws, slow losses."""
        result = self.result(node, player)
        return result, node.length if result < 0 else -node.length

    def leaf(self, node: Node) -> int:
        share = self.options.rollouts
        value = (100 - share) * self.evaluated(node.states[-1]) if share < 100 else 0
        if share > 0:
            value += share * self.played_out(list(node.states))
        return value // 100

    def evaluated(self, state: State) -> int:
        score = minimax.evaluation(self.game, self.table, self.scale, state)
        value = round(ONE / (1 + 10 ** (-score / 40_000)))
        return value if self.game.mover(state) == 0 else ONE - value

    def played_out(self, states: list[State]) -> int:
        while len(states) - self.n_start < self.longest:
            moves = minimax.legal(self.game, states[-1])
            self.stream = next_random(self.stream)
            states.append(self.game.apply_move(states[-1], moves[below(self.stream, len(moves))]))
            self.nodes += 1
            result = minimax.ending(self.game, states)
            if result != ONGOING:
                return (result + 1) * ONE // 2
        return self.evaluated(states[-1])

    def best(self) -> int:
        """Return the move to play."""
        player = self.player(self.root)

        def worth(child: Node) -> tuple[object, ...]:
            decided = (0, 0)
            if self.options.proofs and child.proof:
                decided = self.rank(child, player)
            return decided, child.visits, self.mean(child, player)

        return max(self.root.children, key=worth).move
