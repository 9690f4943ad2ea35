"""The techniques that guess: each says what its plain recursive twin says, and each is off by default."""

import random
from typing import Any

import pytest

from tests.naive import selective
from tests.support.searching import (
    as_python,
    line,
    nodes,
    random_board,
    reached,
    score,
    search,
    value,
    weights,
)
from tests.support.toys import piles
from tests.support.walk import WALKS
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.limits import Limit, parse_limit
from tunesmith.engine.options import CHOICES, SELECTIVE, SearchOptions
from tunesmith.engine.search.values import INFINITY
from tunesmith.engine.searcher import BEST_AT_ROOT, new_searcher
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

TECHNIQUES: list[dict[str, int]] = [
    {"quiescence": 1},
    {"quiescence": 4},
    {"futility": 3},
    {"futility": 40},
    {"reductions": 1},
    {"reductions": 2},
    {"null_move": 1},
    {"null_move": 2},
    {"best_k": 1},
    {"best_k": 2},
    {"best_share": 2},
    {"best_share": 3, "best_k": 2},
    {"quiescence": 3, "futility": 10, "reductions": 1, "null_move": 1, "best_k": 3},
]


def name_of(techniques: dict[str, int]) -> str:
    return "-".join(f"{name}{number}" for name, number in techniques.items())


def agrees(
    game: Game, board: Board, table: Any, depth: int, techniques: dict[str, int], rng: random.Random
) -> None:
    options = SearchOptions.plain(**techniques)
    twin = selective.Search(game, table, options)
    searcher = new_searcher(game, table, 1.0, options, Limit("depth", 8), 1)
    for alpha, beta in (
        (-INFINITY, INFINITY),
        (low := rng.randrange(-3000, 3000), low + rng.choice([1, 900])),
    ):
        found = value(searcher, board, depth, alpha, beta)
        assert found == twin.value(board.states, depth, alpha, beta), (board.text, depth, alpha, beta)


@pytest.mark.parametrize("techniques", TECHNIQUES, ids=name_of)
def test_techniques_on_piles_and_walks(techniques: dict[str, int]) -> None:
    rng = random.Random(str(techniques))
    for toy in (piles(), piles(repetition_limit=0), WALKS["two times"]):
        with as_python(toy) as game:
            for seed in range(10):
                board = random_board(game, rng, rng.randrange(4))
                agrees(game, board, weights(game, seed), rng.randrange(1, 6), techniques, rng)


@pytest.mark.parametrize("techniques", TECHNIQUES, ids=name_of)
@pytest.mark.parametrize("spec", ["kalah:ponds=3,seeds=3", "fanorona:width=5,height=3"])
def test_techniques_on_small_boards(spec: str, techniques: dict[str, int]) -> None:
    rng = random.Random(spec + str(techniques))
    with as_python(games.load(spec)) as game:
        for seed in range(3):
            board = random_board(game, rng, rng.randrange(6))
            agrees(game, board, weights(game, seed, 5.0), rng.randrange(1, 4), techniques, rng)


def test_what_guesses_is_off_by_default_and_in_exact_options() -> None:
    """But turns of simultaneous choices are narrowed by default."""
    for options in (SearchOptions(joint_best=0), SearchOptions.exact(), SearchOptions.plain()):
        assert [getattr(options, name) for name in SELECTIVE] == [0] * len(SELECTIVE)
    assert SearchOptions().joint_best > 0


def test_a_null_move_saves_nodes_where_a_player_is_far_ahead() -> None:
    game = games.load("pentago")
    board = random_board(game, random.Random(4), 9)
    table = weights(game, 3, 30.0)
    counts = [nodes(search(board, table, SearchOptions(null_move=r), Limit("depth", 4))[1]) for r in (0, 1)]
    assert counts[1] < counts[0]


# --- limits


def test_depth_is_tied_to_the_moves_at_the_root() -> None:
    """Kalah opens with six moves: 36 leaves are two plies, 215 too, 216 three."""
    game = games.load("kalah")
    for leaves, depth in ((1, 1), (6, 1), (35, 1), (36, 2), (215, 2), (216, 3), (1296, 4)):
        _, searcher = search(Board(game), weights(game), SearchOptions(leaves=leaves), Limit("nodes", 10**6))
        assert reached(searcher) == depth, leaves


def test_a_limit_says_what_it_expects() -> None:
    assert str(parse_limit("game-time:60")) == "game-time:60"
    assert not parse_limit("game-time:60").is_deterministic
    for text in ("game-time:0", "game-time:-1", "game-time:nan", "game-time:inf", "clock:3", "depth:2.5"):
        with pytest.raises(InputError, match="expected depth:N .* or game-time:SECONDS, found"):
            parse_limit(text)


# --- everything at once


# Options of the other searches, see test_mcts and test_simultaneous.
OTHERS = {
    "algorithm",
    "exploration",
    "rollouts",
    "first_play",
    "proofs",
    "joint",
    "joint_width",
    "joint_guess",
}


def any_options(rng: random.Random, **fixed: Any) -> SearchOptions:
    """Return options of every kind, sensible or not."""
    chosen: dict[str, Any] = dict(fixed)
    for name, default in vars(SearchOptions()).items():
        if name in OTHERS or name in fixed:
            continue
        if name in CHOICES:
            chosen[name] = rng.choice(CHOICES[name])
        elif isinstance(default, bool):
            chosen[name] = rng.random() < 0.6
        else:
            chosen[name] = rng.choice([0, 0, 1, 2, 3, 30, 10_000])
    return SearchOptions(**chosen)


@pytest.mark.parametrize("name", games.names())
def test_any_options_at_any_position_give_a_legal_move(name: str) -> None:
    game, rng = games.load(name), random.Random(name)
    for _ in range(60):
        plies = rng.randrange(0, 40, 2)
        board = random_board(game, rng, plies)
        limit = Limit("nodes", rng.choice([1, 2, 50, 400]))
        options = any_options(rng)
        _, searcher = search(board, weights(game, rng.randrange(9)), options, limit, mb=0)
        assert int(searcher.memory["counters"][0][BEST_AT_ROOT]) in board.legal_moves(), options
        assert nodes(searcher) <= limit.nodes + 1


def test_mtdf_and_windows_find_the_same_move_value_and_line_start() -> None:
    game, rng = games.load("kalah"), random.Random(8)
    table = weights(game)
    for _ in range(10):
        board = random_board(game, rng, rng.randrange(30))
        found = {}
        for name, options in (
            ("windows", SearchOptions.exact()),
            ("aspiration", SearchOptions.exact(aspiration=20)),
            ("mtdf", SearchOptions.exact(mtdf=True)),
        ):
            _, searcher = search(board, table, options, Limit("depth", 7))
            found[name] = score(searcher)
            assert line(searcher)[0] == int(searcher.memory["counters"][0][BEST_AT_ROOT]), name
        assert len(set(found.values())) == 1, found
