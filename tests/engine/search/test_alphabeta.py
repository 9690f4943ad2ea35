"""With every inexact switch off, the search's value is plain minimax's, at each depth, in each game.

Most of it runs as plain Python on copies of the games, so that many rules cost no compilation; one test a
shipped game, and test_jit, compare the compiled search."""

import random

import numpy as np
import pytest

from tests.naive import minimax
from tests.support.searching import (
    as_python,
    combinations,
    line,
    nodes,
    random_board,
    reached,
    score,
    search,
    think,
    value,
    weights,
)
from tests.support.toys import piles
from tests.support.walk import WALKS
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.evaluation import WIN
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.search.values import INFINITY
from tunesmith.engine.searcher import BEST_AT_ROOT, new_searcher
from tunesmith.games.game import Game

DEPTHS = {"kalah": 4, "pentago": 1, "fanorona": 3, "expendibots": 2, "ropasci360": 2}
PLACES = {"kalah": 25, "pentago": 4, "fanorona": 12, "expendibots": 6, "ropasci360": 3}
SMALL_KALAHS = ["ponds=1,seeds=4", "ponds=2,seeds=3", "ponds=3,seeds=2,empty_capture=true", "ponds=4,seeds=5"]
TOYS = [*WALKS.values(), piles(), piles(repetition_first=True, max_plies=3)]
TOY_NAMES = [*WALKS, "piles", "piles of three plies"]


def plies_of(game: Game, rng: random.Random) -> int:
    """Return a number of random plies; few where boards soon have hundreds of moves."""
    return rng.randrange(0, 8, 2) if game.simultaneous else rng.randrange(40)


# --- the value of a position


@pytest.mark.parametrize(
    "name",
    ["kalah", *(pytest.param(name, marks=pytest.mark.slow) for name in games.names() if name != "kalah")],
)
def test_every_shipped_game_compiled(name: str) -> None:
    game, rng = games.load(name), random.Random(name)
    table = weights(game)
    for _ in range(PLACES[name]):
        board = random_board(game, rng, plies_of(game, rng))
        for depth in range(1, DEPTHS[name] + 1):
            expected = minimax.value(game, table, 1.0, board.states, depth)
            for options in combinations(rng, 5):
                found, _ = search(board, table, options, Limit("depth", depth))
                assert found == expected, (board.text, depth, options)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_five_hundred_positions_against_compiled_minimax(name: str) -> None:
    """Without pruning the compiled search is minimax itself (the test above says so): fast enough for many."""
    game, rng = games.load(name), random.Random(f"many {name}")
    table = weights(game, 3)
    for _ in range(500):
        board = random_board(game, rng, plies_of(game, rng))
        depth = rng.randrange(1, DEPTHS[name] + 1)
        minimax_options = SearchOptions.plain(pruning=False)
        expected, _ = search(board, table, minimax_options, Limit("depth", depth), mb=0)
        for options in combinations(rng, 4)[2:]:
            found, _ = search(board, table, options, Limit("depth", depth), mb=rng.choice([0, 1]))
            assert found == expected, (board.text, depth, options)


@pytest.mark.slow
def test_kalah_at_many_positions_and_every_combination() -> None:
    game, rng = games.load("kalah"), random.Random(5)
    table = weights(game, 2)
    for _ in range(50):
        board = random_board(game, rng, rng.randrange(1, 60))
        for depth in range(1, 5):
            expected = minimax.value(game, table, 1.0, board.states, depth)
            for options in combinations(rng, 20):
                found, _ = search(board, table, options, Limit("depth", depth))
                assert found == expected, (board.text, depth, options)


@pytest.mark.parametrize("toy", TOYS, ids=TOY_NAMES)
def test_rules_of_repetition_and_of_length(toy: Game) -> None:
    """Positions recur at every depth here; with a history, where the game has been counts too."""
    rng = random.Random(1)
    with as_python(toy) as game:
        for seed in range(12):
            table = weights(game, seed)
            board = random_board(game, rng, rng.randrange(6))
            for depth in range(1, 6):
                expected = minimax.value(game, table, 1.0, board.states, depth)
                for options in combinations(rng, 4):
                    found, _ = search(board, table, options, Limit("depth", depth))
                    assert found == expected, (seed, board.states, depth, options)


@pytest.mark.parametrize("toy", TOYS, ids=TOY_NAMES)
def test_memory_of_earlier_moves_of_the_game_changes_nothing(toy: Game) -> None:
    """The table keeps entries of searches from earlier roots, where other positions had been seen."""
    rng = random.Random(2)
    with as_python(toy) as game:
        for seed in range(20):
            table = weights(game, seed)
            searcher = new_searcher(game, table, 1.0, SearchOptions.exact(), Limit("depth", 3), 1)
            board = Board(game)
            while not board.is_over and len(board.moves) < 12:
                think(searcher, board)
                assert score(searcher) == minimax.value(game, table, 1.0, board.states, 3), board.states
                board.play(rng.choice(board.legal_moves()))


@pytest.mark.parametrize("variant", SMALL_KALAHS)
def test_variants_of_kalah(variant: str) -> None:
    rng = random.Random(variant)
    with as_python(games.load(f"kalah:{variant}")) as game:
        table = weights(game)
        for _ in range(6):
            board = random_board(game, rng, rng.randrange(4))
            for depth in range(1, 5):
                expected = minimax.value(game, table, 0.7, board.states, depth)
                for options in combinations(rng, 3):
                    found, _ = search(board, table, options, Limit("depth", depth), scale=0.7)
                    assert found == expected, (board.text, depth, options)


@pytest.mark.parametrize("variant", SMALL_KALAHS)
@pytest.mark.parametrize("has_weights", [False, True], ids=["settled margin", "weights"])
def test_margins(variant: str, has_weights: bool) -> None:
    """Leaves are worth what is banked, and entries are shared; or an evaluation within what is possible."""
    rng = random.Random(variant)
    with as_python(games.load(f"kalah:{variant}")) as game:
        table = weights(game, size=0.1)
        for _ in range(6):
            board = random_board(game, rng, rng.randrange(4))
            for depth in range(1, 6):
                expected = minimax.margin(game, board.states, depth, table if has_weights else None)
                for options in combinations(rng, 3, objective="margin", margin_keys=not has_weights):
                    found, _ = search(board, table, options, Limit("depth", depth))
                    assert found == expected, (board.text, depth, options)


def test_margins_compiled() -> None:
    game, rng = games.load("kalah"), random.Random(7)
    table = weights(game)
    for _ in range(25):
        board = random_board(game, rng, rng.randrange(1, 55))
        for depth in range(1, 6):
            expected = minimax.margin(game, board.states, depth)
            for options in combinations(rng, 3, objective="margin", margin_keys=True):
                found, _ = search(board, table, options, Limit("depth", depth))
                assert found == expected, (board.text, depth)


def test_a_game_drawn_by_rule_has_no_margin() -> None:
    """`final_margin` is not asked about positions that only repetition or the count of plies ends."""
    with as_python(piles(max_plies=1)) as game:
        options = SearchOptions.exact(objective="margin")
        assert search(Board(game), weights(game), options, Limit("depth", 3))[0] == 0


# --- windows


@pytest.mark.parametrize("toy", [WALKS["two times"], piles()], ids=["walk", "piles"])
def test_values_keep_their_promise_about_the_window(toy: Game) -> None:
    """Exact inside; at or above beta a lower bound, at or below alpha an upper one."""
    rng = random.Random(3)
    outside = 0
    with as_python(toy) as game:
        for seed in range(30):
            table = weights(game, seed)
            board = random_board(game, rng, rng.randrange(5))
            depth = rng.randrange(5)
            exact = minimax.value(game, table, 1.0, board.states, depth)
            searcher = new_searcher(game, table, 1.0, rng.choice(combinations(rng, 4)), Limit("depth", 5), 1)
            for _ in range(8):
                alpha = rng.choice([exact, -WIN, 0]) + rng.randrange(-4000, 4000)
                beta = alpha + rng.choice([1, 2, 500, 5000])
                found = value(searcher, board, depth, alpha, beta)
                if found <= alpha:
                    assert exact <= found
                elif found >= beta:
                    assert exact >= found
                else:
                    assert found == exact
                outside += not alpha < found < beta
    assert outside > 60


@pytest.mark.parametrize("depth", range(5))
def test_the_full_window_gives_the_value_at_every_depth(depth: int) -> None:
    """Depth 0 is the evaluation of the position itself."""
    with as_python(games.load("kalah:ponds=3,seeds=3")) as game:
        table = weights(game)
        searcher = new_searcher(game, table, 1.0, SearchOptions.exact(), Limit("depth", 5), 1)
        board = random_board(game, random.Random(depth), 3)
        expected = minimax.value(game, table, 1.0, board.states, depth)
        assert value(searcher, board, depth, -INFINITY, INFINITY) == expected


# --- wins, draws, lines


def test_the_nearest_win_is_found_and_its_distance() -> None:
    """In walk the mover at 0 wins by a jump onto 2; one step further away it takes three plies."""
    with as_python(WALKS["two times"]) as game:
        table = np.zeros((1, 2))
        for options in combinations(random.Random(4), 6):
            found, searcher = search(Board(game), table, options, Limit("depth", 5))
            assert found == WIN - 1
            assert line(searcher) == [2]
        lost = Board(game, "1 0 0 0")
        lost.play(1)  # to 2: the other one jumps
        assert search(lost, table, SearchOptions.exact(), Limit("depth", 5))[0] == WIN - 1


def test_the_same_position_may_be_worth_something_else_after_another_history() -> None:
    """Stepping there and back leaves the tokens where they were, and less to do without repeating."""
    differ = 0
    with as_python(WALKS["peaceful, three times"]) as game:
        for seed in range(12):
            table, values, states = weights(game, seed), set(), set()
            for moves in ([], [0, 0, 1, 1], [1, 1, 0, 0]):
                board = Board(game)
                for move in moves:
                    board.play(move)
                expected = minimax.value(game, table, 1.0, board.states, 5)
                assert search(board, table, SearchOptions.exact(), Limit("depth", 5))[0] == expected
                states.add(board.state)
                values.add(expected)
            assert len(states) == 1
            differ += len(values) > 1
    assert differ > 0


@pytest.mark.parametrize("name", games.names())
def test_the_line_is_legal_and_ends_at_the_value(name: str) -> None:
    game, rng = games.load(name), random.Random(11)
    table = weights(game)
    whole = 0
    for _ in range(8):
        board = random_board(game, rng, plies_of(game, rng))
        depth = DEPTHS[name] + 1
        found, searcher = search(board, table, SearchOptions.exact(table=False), Limit("depth", depth))
        first, before = board.mover, len(board.moves)
        for move in line(searcher):
            assert move in board.legal_moves()
            board.play(move)
        own = 1 if board.mover == first else -1
        if board.is_over:
            expected = own * minimax.for_mover(
                game, board.state, board.result * (WIN - len(board.moves) + before)
            )
        else:
            expected = own * minimax.evaluation(game, table, 1.0, board.state)
        assert found == expected
        whole += len(board.moves) - before == depth
    assert whole >= 1


# --- limits and memory


@pytest.mark.parametrize("name", games.names())
def test_the_smallest_limits_give_a_legal_move(name: str) -> None:
    game, rng = games.load(name), random.Random(3)
    for _ in range(5):
        board = random_board(game, rng, plies_of(game, rng))
        for limit in (Limit("nodes", 1), Limit("nodes", 7), Limit("depth", 1)):
            _, searcher = search(board, weights(game), SearchOptions(), limit, mb=0)
            assert int(searcher.memory["counters"][0][BEST_AT_ROOT]) in board.legal_moves()
            assert limit.kind == "depth" or nodes(searcher) <= limit.nodes + 1


def test_a_time_limit_ends_the_search() -> None:
    game = games.load("kalah")
    _, searcher = search(Board(game), weights(game), SearchOptions(), Limit("time", 0.05))
    assert 1 <= reached(searcher) < 60


@pytest.mark.parametrize("mb", [0, 1, 2])
def test_the_size_of_the_table_changes_no_exact_value(mb: int) -> None:
    game, rng = games.load("kalah"), random.Random(17)
    table = weights(game)
    for _ in range(5):
        board = random_board(game, rng, rng.randrange(30))
        found, searcher = search(board, table, SearchOptions.exact(), Limit("depth", 7), mb)
        assert len(searcher.transposition) == max(2, mb * 32768)
        assert found == search(board, table, SearchOptions.exact(table=False), Limit("depth", 7))[0]


def test_what_was_searched_before_a_new_game_changes_nothing() -> None:
    game, rng = games.load("kalah"), random.Random(13)
    table, limit = weights(game), Limit("nodes", 3000)
    board = random_board(game, rng, 10)
    _, searcher = search(board, table, SearchOptions(), limit)
    expected = (score(searcher), line(searcher), nodes(searcher), reached(searcher))
    for _ in range(5):
        think(searcher, random_board(game, rng, rng.randrange(40)))
    forget(searcher.memory[0])
    think(searcher, board)
    assert (score(searcher), line(searcher), nodes(searcher), reached(searcher)) == expected
