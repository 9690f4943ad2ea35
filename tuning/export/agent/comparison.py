"""Does an agent's code do what it was made from? Asked before it is written, in positions of random games.

Rules, features and texts must give what the game's own functions give, to the bit, and short searches the same moves
as the engine's code run as plain Python."""

import ast
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tunesmith.engine import searcher as fields
from tunesmith.engine.board import Board
from tunesmith.engine.compile import bind
from tunesmith.engine.evaluation import wanted_features
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import seen_by_mover
from tunesmith.engine.search.dispatch import thinking_once
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

GAMES = 6
LONGEST = 80  # plies of a random game
SEARCHES = 5
NODES = 40
TRIED = 8  # moves of a position whose texts are tried


class LoadedAgent:
    """One agent's code, run in this process.

    Parameters
    ----------
    text
        The code, or its syntax tree.
    names
        What its functions are called there, by their names in `games.game`.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights,
        options: SearchOptions,
        text: str | ast.Module,
        names: dict[str, str],
    ) -> None:
        self.game, self.weights, self.options = game, weights, options
        self.module: dict[str, Any] = {"__name__": "agent", "__file__": "player.py"}
        exec(compile(text, "player.py", "exec"), self.module)
        self.functions = {slot: self.module[name] for slot, name in names.items()}
        self.used = [i for i, column in enumerate(weights.array(game).T) if column.any()]

    def fault(self, seed: int = 1) -> str | None:
        """Return what differs first, in words; None if nothing does."""
        rng = random.Random(seed)
        boards = list(random_boards(self.game, rng))
        try:
            for board in boards:
                for what, found, expected in self._answers(board):
                    if found != expected:
                        return f"{what} in {board.text}: expected {expected!r:.100}, found {found!r:.100}"
            return self._search_fault(rng.sample(boards, min(SEARCHES, len(boards))))
        except Exception as error:  # the code may fail in any way where lists are not what it needs
            return f"{type(error).__name__}: {error}"

    def _answers(self, board: Board) -> Iterator[tuple[str, object, object]]:
        """Yield (what, what the agent says, what the game says)."""
        state, game, own = board.state, self.game, self.functions
        legal = board.legal_moves()
        room = own["buffer"](game.max_moves)
        n_moves = own["legal_moves"](state, room)
        yield "legal_moves", [int(move) for move in room[:n_moves]], legal
        kinds = {type(move) for move in room[:n_moves]}
        yield "kinds of moves", kinds - {int, np.int64}, set()
        yield "outcome", own["outcome"](state), game.outcome(state)
        yield (
            "apply_move",
            [own["apply_move"](state, m) for m in legal],
            [game.apply_move(state, m) for m in legal],
        )
        if "features" in own:  # some searches ask for none
            yield "features", self._features(own["features"], state), self._features(game.features, state)
        legal = legal[:: len(legal) // TRIED + 1]
        texts = [game.move_to_text(state, move) for move in legal]
        yield "move_to_text", [own["move_to_text"](state, move) for move in legal], texts
        yield "text_to_move", [own["text_to_move"](state, text) for text in texts], legal
        text = game.state_to_text(state)
        try:
            again = game.text_to_state(text)
        except InputError:  # a position that a text cannot give back
            return
        yield "text_to_state", tuple(own["text_to_state"](text)), tuple(again)

    def _features(self, features: Any, state: Any) -> list[float]:
        out = np.zeros(max(1, self.game.n_features))
        features(state, out)
        return [float(out[i]) for i in self.used]

    def search(self, n_searches: int, n_nodes: int) -> None:
        """Choose moves in a few positions of random games."""
        rng = random.Random(2)
        boards = list(random_boards(self.game, rng))
        for board in rng.sample(boards, min(n_searches, len(boards))):
            self._found_move(board, n_nodes)

    def _search_fault(self, boards: list[Board]) -> str | None:
        for board in boards:
            expected, found = self._expected_move(board), self._found_move(board)
            if expected != found:
                return f"search of {board.text}: expected move {expected}, found {found}"
        return None

    def _expected_move(self, board: Board) -> int:
        array = self.weights.array(self.game)
        searcher = fields.new_searcher(
            self.game, array, self.weights.scale, self.options, Limit("nodes", NODES), 1
        )
        wanted = wanted_features(self.game, array)
        state, history = seen_by_mover(board)
        keys = np.zeros(len(history) + fields.MAX_PLY + 1, np.int64)
        keys[: len(history)] = history
        think = bind.uncompiled(thinking_once(searcher), self.game, wanted)
        with np.errstate(over="ignore"):
            return int(
                think(searcher.memory, searcher.transposition, state, keys, len(history), board.n_plies)
            )

    def _found_move(self, board: Board, n_nodes: int = NODES) -> int:
        thinker = self.module["Thinker"](self.weights.to_json())
        limit, counters, numbers = Limit("nodes", n_nodes), thinker.memory.counters, thinker.memory.numbers
        counters[fields.NODE_LIMIT], counters[fields.DEPTH_LIMIT] = limit.nodes, limit.depth
        counters[fields.SIMULATION_LIMIT], counters[fields.SEED] = limit.simulations, 0
        numbers[fields.SECONDS] = numbers[fields.GAME_SECONDS] = 0.0
        thinker.transposition = type(thinker.transposition)("q", bytes(1 << 20))
        played = self.module["Game"](board.states[0])
        for move in board.moves:
            played.play(move)
        move = int(thinker.choose(played))
        is_turned = self.game.simultaneous and board.mover == 1 and self.game.swap_move is not None
        return self.game.swap_move(move) if is_turned and self.game.swap_move else move


def random_boards(game: Game, rng: random.Random) -> Iterator[Board]:
    """Yield unfinished positions of a few random games, each a board of its own."""
    for _ in range(GAMES):
        board = Board(game)
        while not board.is_over and len(board.moves) < LONGEST:
            if rng.random() < 0.3 or not board.moves:
                yield _copy(board)
            board.play(rng.choice(board.legal_moves()))


def _copy(board: Board) -> Board:
    copy = Board(board.game)
    for move in board.moves:
        copy.play(move)
    return copy
