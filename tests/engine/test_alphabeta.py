"""With every inexact switch off, the search's value is plain minimax's, at each depth, in each game."""

import itertools
import random

import numpy as np
import pytest

import games
from engine.bind import bind
from engine.board import Board
from engine.deepening import think_once
from engine.limits import Limit
from engine.options import SearchOptions
from engine.searcher import BEST_AT_ROOT, MAX_PLY, N_PV, NODES, REACHED, SCORE, new_searcher
from games.game import Game
from tests.naive import minimax

SWITCHES = ("deepening", "table", "symmetry", "pvs", "hints", "killers", "history")
DEPTHS = {"kalah": 4, "pentago": 1, "fanorona": 3, "expendibots": 2, "ropasci360": 2}
PLACES = {"kalah": 25, "pentago": 4, "fanorona": 12, "expendibots": 6, "ropasci360": 6}


def weights(game: Game, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 20, (game.n_stages, game.n_features)).round(3)


def random_board(game: Game, rng: random.Random, plies: int) -> Board:
    while True:
        board = Board(game)
        for _ in range(plies):
            if not board.is_over:
                board.play(rng.choice(board.legal_moves()))
        if not board.is_over and not (game.simultaneous and board.mover == 1):
            return board


def search(game: Game, table: np.ndarray, board: Board, options: SearchOptions, limit: Limit, mb: int = 1):
    searcher = new_searcher(game, table, 1.0, options, limit, mb)
    return again(game, searcher, board), searcher


def again(game: Game, searcher, board: Board) -> int:
    history = board.history_keys
    keys = np.zeros(len(history) + MAX_PLY + 1, np.int64)
    keys[: len(history)] = history
    bind(think_once, game)(*searcher, board.state, keys, len(history), board.n_plies)
    return int(searcher.memory["counters"][0][SCORE])


def combinations(rng: random.Random, n: int) -> list[SearchOptions]:
    every = list(itertools.product([False, True], repeat=len(SWITCHES)))
    chosen = [every[0], every[-1], *rng.sample(every[1:-1], n - 2)]
    made = []
    for values in chosen:
        changes = dict(zip(SWITCHES, values, strict=True))
        made.append(SearchOptions.exact(**changes, aspiration=rng.choice([0, 0, 5, 50])))
    return made


@pytest.mark.parametrize("name", games.names())
def test_every_combination_of_exact_switches_gives_minimax(name):
    game, rng = games.load(name), random.Random(name)
    table = weights(game)
    for _ in range(PLACES[name]):
        board = random_board(game, rng, rng.randrange(2, 40, 2))
        for depth in range(1, DEPTHS[name] + 1):
            expected = minimax.value(game, table, 1.0, board.states, depth)
            for options in combinations(rng, 5):
                found, _ = search(game, table, board, options, Limit("depth", depth))
                assert found == expected, (board.text, depth, options)


@pytest.mark.slow
def test_kalah_at_many_positions_and_every_combination():
    game, rng = games.load("kalah"), random.Random(5)
    table = weights(game, 2)
    for _ in range(50):
        board = random_board(game, rng, rng.randrange(1, 60))
        for depth in range(1, 5):
            expected = minimax.value(game, table, 1.0, board.states, depth)
            for options in combinations(rng, 20):
                found, _ = search(game, table, board, options, Limit("depth", depth))
                assert found == expected, (board.text, depth, options)


def test_margins_with_shared_entries_are_minimax_too():
    game, rng = games.load("kalah"), random.Random(7)
    table = weights(game)
    for _ in range(25):
        board = random_board(game, rng, rng.randrange(1, 55))
        for depth in range(1, 6):
            expected = minimax.margin(game, board.states, depth)
            for margin_keys_and in combinations(rng, 3):
                options = SearchOptions.exact(
                    objective="margin", margin_keys=True, pvs=margin_keys_and.pvs, table=margin_keys_and.table
                )
                found, _ = search(game, table, board, options, Limit("depth", depth))
                assert found == expected, (board.text, depth)


def test_the_line_is_legal_and_ends_at_the_value():
    game, rng = games.load("kalah"), random.Random(11)
    table = weights(game)
    for _ in range(30):
        board = random_board(game, rng, rng.randrange(0, 30))
        options = SearchOptions.exact(table=False)
        found, searcher = search(game, table, board, options, Limit("depth", 5))
        line = searcher.memory["pv"][0][: searcher.memory["counters"][0][N_PV]]
        end = Board(game, board.text)
        first = end.mover
        for move in line:
            assert int(move) in end.legal_moves()
            end.play(int(move))
        if not end.is_over:
            value = minimax.evaluation(game, table, 1.0, end.state)
            assert found == (value if end.mover == first else -value)


@pytest.mark.parametrize("name", games.names())
def test_the_smallest_limits_give_a_legal_move(name):
    game, rng = games.load(name), random.Random(3)
    for _ in range(5):
        board = random_board(game, rng, rng.randrange(0, 30, 2))
        for limit in (Limit("nodes", 1), Limit("nodes", 7), Limit("depth", 1)):
            _, searcher = search(game, weights(game), board, SearchOptions(), limit, mb=0)
            counters = searcher.memory["counters"][0]
            assert int(counters[BEST_AT_ROOT]) in board.legal_moves()
            assert limit.kind == "depth" or counters[NODES] <= limit.nodes + 1


def test_a_time_limit_ends_the_search():
    game = games.load("kalah")
    _, searcher = search(game, weights(game), Board(game), SearchOptions(), Limit("time", 0.05))
    assert 1 <= searcher.memory["counters"][0][REACHED] < 60


def test_what_was_searched_before_a_new_game_changes_nothing():
    from engine.ordering import forget

    game, rng = games.load("kalah"), random.Random(13)
    table, limit = weights(game), Limit("nodes", 3000)
    board = random_board(game, rng, 10)
    fresh, searcher = search(game, table, board, SearchOptions(), limit)
    expected = (fresh, searcher.memory["counters"][0][:].tolist()[5:9])
    for _ in range(5):
        again(game, searcher, random_board(game, rng, rng.randrange(0, 40)))
    forget(searcher.memory[0])
    repeated = again(game, searcher, board)
    assert (repeated, searcher.memory["counters"][0][:].tolist()[5:9]) == expected
