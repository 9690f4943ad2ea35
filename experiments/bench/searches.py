"""Speed of the searches: alpha-beta to a fixed depth, and simulations of Monte Carlo search with random playouts.

Alpha-beta runs from the same positions with the same evaluation (Kalah: seeds banked; Pentago: nothing but
results) and must find the same values. Ours runs twice: bare, which enters the same tree but for the order
of moves, and with everything that does not change the value. Monte Carlo search is UCT on both sides: the
same constant, one playout a simulation, moves never tried first, proven results carried up."""

import importlib
import time
from collections.abc import Callable
from itertools import zip_longest
from typing import Any
from unittest.mock import Mock, patch

import numpy as np

from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.evaluation import EVALUATION_MAX, wanted_features
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.search.mcts import think_uct_once
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.searcher import MAX_PLY, NODES, SCORE, SEED, SIMULATIONS, new_searcher
from tunesmith.experiments.bench.race import Effort, MismatchError, Row, Side, Title, race, timed
from tunesmith.experiments.bench.spiel import Both, Twin, random_positions, reference
from tunesmith.games.game import Game

PLIES = {"kalah": (0, 4, 8, 12), "pentago": (4, 8, 15, 18)}  # where searches start
WON_AFTER = {"kalah": range(20, 60), "pentago": range(14, 34)}  # where a move may win at once
N_WON = 3
EXPLORATION = 70  # hundredths, for results from 0 to 1; open_spiel's run from -1 to 1
_UNIT = 10_000  # a seed in the bank is one Elo of ours, 100 units of a score, and 0.01 of open_spiel's
_MANY = 1_000_000_000
_MINIMAX = "open_spiel.python.algorithms.minimax"

Value = Callable[[Any], float]


class Thinker:
    """One of our searches of one game, for position after position."""

    def __init__(self, game: Game, options: SearchOptions, limit: Limit) -> None:
        values = np.zeros((game.n_stages, game.n_features))
        if game.name == "kalah":
            values[:, game.feature_names.index("bank")] = 1.0
        self.searcher = new_searcher(game, values, 1.0, options, limit, 256 if options.kind == "uct" else 8)
        self.counters = self.searcher.memory["counters"][0]
        template = think_uct_once if options.kind == "uct" else think_once
        self._think = bind(template, game, wanted_features(game, values))
        self._keys = np.zeros(MAX_PLY + 2, np.int64)

    def think(self, board: Board) -> tuple[int, float]:
        """Return the move and the CPU seconds; nothing is known from the search before."""
        forget(self.searcher.memory[0])
        self.counters[SEED] += 1
        began = time.process_time()
        move = self._think(*self.searcher, board.state, self._keys, 1, len(board.moves))
        return int(move), time.process_time() - began


# --- alpha-beta


def alpha_beta(pair: Twin, depth: int, effort: Effort) -> list[Row]:
    """Race searches to a fixed depth: positions a second of bare ones, then ours with all exact techniques."""
    positions = [both for both in random_positions(pair, PLIES[pair.game.name]) if not winning(both.board)]
    bare = Thinker(pair.game, SearchOptions.plain(), Limit("depth", depth))
    full = Thinker(pair.game, SearchOptions.exact(), Limit("depth", depth))
    expected = [] if pair.module is None else [_their_tree(both, depth) for both in positions]
    sizes = [_same_value(bare, both, it) for both, it in zip_longest(positions, expected)]
    for both, it in zip_longest(positions, expected):
        _same_value(full, both, it)
    same = f"the same value in {len(positions)} positions"
    if expected and pair.game.name == "kalah":
        same += _same_tree(pair, sizes[0], expected[0][1])
    what, by = f"{pair.title}: alpha-beta to depth {depth}", reference("Python over C++ rules")
    work, same = f"searches of {len(positions)} positions", same if expected else ""
    theirs = _their_side(positions, depth)
    return [
        race(
            Title(f"{what}, bare", "nodes/s", by, work, same),
            _our_side(bare, positions, sum(sizes)),
            theirs(sum(size for _, size in expected)) if expected else None,
            effort,
        ),
        race(
            Title(f"{what}, all that is exact", "searches/s", by, work, same),
            _our_side(full, positions, len(positions)),
            theirs(len(positions)) if expected else None,
            effort,
        ),
    ]


def _our_side(thinker: Thinker, positions: list[Both], work: float) -> Side:
    return lambda: (work, sum(thinker.think(both.board)[1] for both in positions))


def _their_side(positions: list[Both], depth: int) -> Callable[[float], Side]:
    def side(work: float) -> Side:
        def search() -> float:
            for both in positions:
                _their_value(both, depth)
            return work

        return timed(search)

    return side


def _same_value(thinker: Thinker, both: Both, expected: tuple[float, int] | None) -> int:
    """Search a position; return the number of positions entered, if the value is as expected."""
    thinker.think(both.board)
    score = int(thinker.counters[SCORE])
    value = (1.0 if score > 0 else -1.0) if abs(score) > EVALUATION_MAX else score / _UNIT
    if expected is not None and abs(value - expected[0]) > 1e-9:
        place = f"{both.board.game.spec}: {both.board.text}"
        raise MismatchError(f"{place}: alpha-beta: value: ours {value:g}, open_spiel {expected[0]:g}")
    return int(thinker.counters[NODES])


def _same_tree(pair: Twin, ours: int, theirs: int) -> str:
    """Compare the sizes of bare searches from Kalah's start, where both try moves in the same order.

    Where games end within the depth they may differ: ours tells near wins from far ones.
    """
    if ours != theirs:
        raise MismatchError(
            f"{pair.game.spec}: alpha-beta: ours enters {ours:,} positions, open_spiel {theirs:,}"
        )
    return f", and from the start the same tree of {ours:,} positions"


def _their_tree(both: Both, depth: int) -> tuple[float, int]:
    """Return value and number of positions of open_spiel's search."""
    module = importlib.import_module(_MINIMAX)
    with patch.object(module, "_alpha_beta", Mock(wraps=module._alpha_beta)) as entered:
        value = _their_value(both, depth)
    return value, entered.call_count


def _their_value(both: Both, depth: int) -> float:
    """Return what open_spiel's search finds for the mover: 1, 0, -1 for results, else hundredths of seeds."""
    search = importlib.import_module(_MINIMAX).alpha_beta_search
    value: Value = _banked(both) if both.pair.game.name == "kalah" else lambda state: 0.0
    found, _ = search(both.state.get_game(), state=both.state, value_function=value, maximum_depth=depth)
    return float(found)


def _banked(both: Both) -> Value:
    """Return the evaluation of Kalah for who moves at the root: places 7 and 0 are the banks."""
    sign = 0.01 if both.state.current_player() == 0 else -0.01

    def value(state: Any) -> float:
        places = state.observation_tensor(0)
        return float(sign * (places[7] - places[0]))

    return value


# --- Monte Carlo


def monte_carlo(pair: Twin, effort: Effort) -> Row:
    """Race simulations from the start."""
    n = effort.simulations
    options = SearchOptions(
        algorithm="uct", rollouts=100, exploration=EXPLORATION, first_play="every", proofs=True
    )
    thinker = Thinker(pair.game, options, Limit("simulations", n))
    start, seeds = Both(pair), iter(range(1, 1 << 60))

    def ours() -> tuple[float, float]:
        seconds = thinker.think(start.board)[1]
        _all_made(pair, "ours", int(thinker.counters[SIMULATIONS]), n)
        return n, seconds

    def theirs() -> tuple[float, float]:
        search = bot(start, n, next(seeds))
        began = time.process_time()
        root = search.mcts_search(start.state)
        seconds = time.process_time() - began
        _all_made(pair, "open_spiel", root.explore_count, n)
        return n, seconds

    title = Title(
        f"{pair.title}: Monte Carlo search", "simulations/s", reference("C++"), f"{n:,} from the start"
    )
    if pair.module is None:
        return race(title, ours, None, effort)
    found = won_positions(pair)
    for both in found:
        _both_win(thinker, both, n)
    checked = f"both make {n:,} simulations, and take the win in each of {len(found)} positions that have one"
    return race(Title(title.what, title.unit, title.by, title.work, checked), ours, theirs, effort)


def bot(both: Both, n: int, seed: int, seconds: float = -1.0) -> Any:
    """Return open_spiel's search of `n` simulations, or of so many seconds a move."""
    module, game = both.pair.module, both.state.get_game()
    evaluator, constant = module.RandomRolloutEvaluator(1, seed), 2 * EXPLORATION / 100
    n = n if seconds < 0 else _MANY  # a single simulation would play by chance
    return module.MCTSBot(game, evaluator, constant, n, 1000, True, seed, False, max_wall_clock_time=seconds)


def _all_made(pair: Twin, whose: str, made: int, wanted: int) -> None:
    if made != wanted:
        raise MismatchError(f"{pair.game.spec}: expected {wanted:,} simulations, {whose} made {made:,}")


def winning(board: Board) -> list[str]:
    """Return the texts of the moves that win at once."""
    sign, found = 1 - 2 * board.mover, []
    for text in board.legal():
        board.push(text)
        if board.result == sign:
            found.append(text)
        board.pop()
    return found


def won_positions(pair: Twin) -> list[Both]:
    """Return positions of random play in which some moves win at once, and most do not."""
    found: list[Both] = []
    for seed in range(1000):
        for both in random_positions(
            pair, (WON_AFTER[pair.game.name][seed % len(WON_AFTER[pair.game.name])],), seed
        ):
            if 0 < 2 * len(winning(both.board)) <= len(both.board.legal()):
                found.append(both)
        if len(found) == N_WON:
            break
    return found


def _both_win(thinker: Thinker, both: Both, n: int) -> None:
    board, wins = both.board, winning(both.board)
    ours = board.game.move_to_text(board.state, thinker.think(board)[0])
    action = bot(both, n, 1).step(both.state)
    theirs = both.pair.text(board.mover, action)
    if ours not in wins or theirs not in wins:
        raise MismatchError(
            f"{board.game.spec}: {board.text} is won by {', '.join(wins)}: ours plays {ours}, open_spiel {theirs}"
        )
