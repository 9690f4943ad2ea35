"""An agent's memory and its way to a move. Copied into every agent: plain Python, no packages.

A `Game` is the history of one game, a `Thinker` what `engine.player.Player` is: the same position, history and limit
give the same move. Time is this process's CPU time, as the referees of the courses count it."""

import gc
import json
import os
from array import array
from collections import defaultdict
from time import process_time
from typing import Any

from tunesmith.engine.compile.slots import (
    HAS_HINT,
    SIMULTANEOUS,
    apply_move,
    hide,
    history_key,
    initial,
    legal_moves,
    move_hint,
    mover,
    plies,
    swap_move,
    swap_sides,
)
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.searcher import (
    DEPTH_LIMIT,
    FRAME_WORDS,
    GAME_SECONDS,
    GENERATION,
    MAX_PLY,
    MOVES_TO_GO,
    N_COUNTERS,
    N_NUMBERS,
    N_TO_GO,
    N_USED,
    NODE_LIMIT,
    SCALE,
    SECONDS,
    SECONDS_LEFT,
    SEED,
    SIMULATION_LIMIT,
)
from tunesmith.games.game import ONGOING, State
from tunesmith.tuning.export.agent.plain_numpy import Keys
from tunesmith.tuning.export.agent.slots import (
    CLOCK_SECONDS,
    DEPTH,
    FEATURES,
    HAS_SWAP,
    HASH_WORDS,
    IS_RANDOM,
    LIMIT_NODES,
    LIMIT_SIMULATIONS,
    MAX_MOVES,
    MOVE_SECONDS,
    STAGES,
    buffer,
    numbers,
    think,
)


def load_weights() -> Any:
    """Read the weight file beside this file."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def to_go(weights: Any) -> Any:
    """Return the moves to go of each stage, a row of `N_TO_GO` each."""
    known = weights.get("moves_to_go") or {s: [MOVES_TO_GO] for s in STAGES}
    return [[float(known[s][min(cell, len(known[s]) - 1)]) for cell in range(N_TO_GO)] for s in STAGES]


class Memory:
    """What a search works with: lists of numbers."""

    def __init__(self, weights: Any) -> None:
        """Lay out the memory for the weights of a weight file."""
        rows = [[float(weights["weights"][s][f]) for f in FEATURES] for s in STAGES]
        self.weights = rows
        self.used = [i for i in range(len(FEATURES)) if any(row[i] for row in rows)]
        self.values = numbers([0.0] * max(1, len(FEATURES)))
        self.shares = numbers([0.0] * len(STAGES))
        self.counters = [0] * N_COUNTERS
        self.numbers = [0.0] * N_NUMBERS
        self.frames = [[0] * FRAME_WORDS for _ in range(MAX_PLY)]
        self.moves = [buffer(MAX_MOVES) for _ in range(MAX_PLY)]
        self.order = [[0] * MAX_MOVES for _ in range(MAX_PLY)]
        self.killers = [[-1, -1] for _ in range(MAX_PLY)]
        self.to_go = to_go(weights)
        self.history: list[dict[int, int]] = [defaultdict(int) for _ in range(2)]  # few moves ever cut
        self.line = [[0] * MAX_PLY for _ in range(MAX_PLY)]
        self.pv = [0] * MAX_PLY
        self.numbers[SCALE] = float(weights["scale"])
        self.counters[GENERATION] = 1
        self.counters[N_USED] = len(self.used)


class Game:
    """The positions of a game so far, the present one last."""

    def __init__(self, state: Any = None) -> None:
        """Begin at a position, or at the start."""
        self.states = [initial() if state is None else state]
        self.keys = [history_key(self.states[0])]
        self.turned_keys = [self.turned_key(self.states[0])]

    def turned_key(self, state: State) -> int:
        """Return the key of a position between turns as the second of two choosers sees it."""
        if not SIMULTANEOUS or not HAS_SWAP or mover(state) != 0:
            return 0
        return history_key(swap_sides(state))

    def play(self, move: int) -> None:
        """Make a move."""
        state = apply_move(self.states[-1], move)
        self.states.append(state)
        self.keys.append(history_key(state))
        self.turned_keys.append(self.turned_key(state))

    def n_plies(self) -> int:
        """Return the number of actions so far."""
        known = plies(self.states[-1])
        return known if known >= 0 else len(self.states) - 1

    def result(self) -> int:
        """Return the result for the first player, or ONGOING."""
        return ending(self.states[-1], Keys(self.keys, 0), len(self.keys), self.n_plies())

    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.result() != ONGOING

    def legal(self) -> Any:
        """Return the legal moves, in the game's order; none when it is over."""
        if self.is_over():
            return []
        moves = buffer(MAX_MOVES)
        n_moves = legal_moves(self.states[-1], moves)
        return [int(move) for move in moves[:n_moves]]


class Thinker:
    """Chooses moves within the limit that the agent was written with."""

    def __init__(self, weights: Any) -> None:
        """Lay out the memory."""
        self.memory = Memory(weights)
        self.transposition = array("q", bytes(8 * HASH_WORDS))
        self.seconds = 0.0  # CPU time of the last move
        counters = self.memory.counters
        counters[DEPTH_LIMIT] = DEPTH
        counters[NODE_LIMIT] = LIMIT_NODES
        counters[SIMULATION_LIMIT] = LIMIT_SIMULATIONS
        self.memory.numbers[SECONDS] = MOVE_SECONDS
        self.memory.numbers[GAME_SECONDS] = CLOCK_SECONDS
        self.memory.numbers[SECONDS_LEFT] = CLOCK_SECONDS
        if IS_RANDOM:
            counters[SEED] = int.from_bytes(os.urandom(7), "big")

    def set_clock(self, left: float) -> None:
        """Say how many seconds are left for the rest of the game."""
        self.memory.numbers[SECONDS_LEFT] = left

    def clock(self) -> float:
        """Return the seconds that are left for the rest of the game."""
        return float(self.memory.numbers[SECONDS_LEFT])

    def forget(self) -> None:
        """Forget what was searched before, as in a new game."""
        forget(self.memory)

    def choose(self, game: Game) -> int:
        """Return the move to play; the game is not over."""
        began = process_time()
        state = game.states[-1]
        is_turned = SIMULTANEOUS and mover(state) == 1
        keys = game.keys
        if SIMULTANEOUS:
            state = hide(state)
            if is_turned and HAS_SWAP:
                state = swap_sides(state)
                keys = game.turned_keys
        room = Keys([int(key) for key in keys], MAX_PLY + 1)
        is_collecting = gc.isenabled()
        gc.disable()  # a search makes thousands of tuples and no circles of references
        try:
            move = think(self.memory, self.transposition, state, room, len(keys), game.n_plies())
        finally:
            if is_collecting:
                gc.enable()
        self.seconds = process_time() - began
        return swap_move(move) if is_turned else move


def first_choice(game: Game) -> int:
    """Return a legal move at once: the one that the game's hint speaks for, or the first."""
    state = game.states[-1]
    moves = game.legal()
    best = moves[0]
    if HAS_HINT:
        for move in moves:
            if move_hint(state, move) > move_hint(state, best):
                best = move
    return int(best)
