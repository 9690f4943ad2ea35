"""Monte Carlo search: the same tree as its naive twin's, proven results, limits, seeds, full memory.

Most of it runs as plain Python on small games; compiled are Kalah and the endings of Pentago."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.naive import minimax, uct
from tests.support.searching import as_python, keys_of, random_board, score, ticking, weights
from tests.support.toys import hands, piles
from tests.support.walk import WALKS
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.evaluation import EVALUATION_MAX, WIN
from tunesmith.engine.limits import Limit, parse_limit
from tunesmith.engine.match import Arena
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.search.mcts import (
    FIRST,
    LENGTH,
    MOVE,
    N_CHILDREN,
    NODE_WORDS,
    PROOF,
    TOTAL,
    UNKNOWN,
    VISITS,
    think_uct_once,
)
from tunesmith.engine.search.solve import solve, solve_moves
from tunesmith.engine.searcher import N_TREE, NODES, REACHED, SEED, SIMULATIONS, Searcher, new_searcher
from tunesmith.engine.weights import from_array, load
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

GOLDEN = Path(__file__).parents[2] / "golden"
TOYS = {
    **WALKS,
    "piles": piles(),
    "piles, draws first": piles(repetition_first=True, max_plies=3),
    "hands": hands(),
}


def options(**changes: Any) -> SearchOptions:
    return SearchOptions(**{"algorithm": "uct", **changes})


def simulated(
    board: Board, table: np.ndarray, chosen: SearchOptions, n: int, seed: int = 0, mb: int = 1, rows: int = 0
) -> tuple[int, Searcher]:
    """Make `n` simulations; return the move and the searcher."""
    searcher = new_searcher(board.game, table, 1.0, chosen, Limit("simulations", n), mb)
    if rows:
        searcher = Searcher(searcher.memory, searcher.transposition[: 2 * rows])
    searcher.memory["counters"][0, SEED] = seed
    place = board.state, keys_of(board), len(board.states), board.n_plies
    return int(bind(think_uct_once, board.game)(*searcher, *place)), searcher


def counter(searcher: Searcher, field: int) -> int:
    return int(searcher.memory["counters"][0, field])


def tree_of(searcher: Searcher) -> np.ndarray:
    return searcher.transposition.reshape(-1, NODE_WORDS)[: counter(searcher, N_TREE)]


def check_same(tree: np.ndarray, index: int, node: uct.Node, is_root: bool = True) -> None:
    """Compare a node of the engine, and all below it, with one of the twin."""
    words = tree[index]
    proof = None if words[PROOF] == UNKNOWN else words[PROOF] - 2
    found = words[VISITS], words[TOTAL], proof, words[LENGTH]
    assert found == (node.visits, node.total, node.proof, node.length), node.states
    assert is_root or words[MOVE] == node.move
    assert words[N_CHILDREN] == len(node.children)
    for at, child in enumerate(node.children):
        check_same(tree, int(words[FIRST]) + at, child, False)


def check_twin(board: Board, table: np.ndarray, chosen: SearchOptions, n: int, rows: int = 0) -> None:
    move, searcher = simulated(board, table, chosen, n, seed=n, rows=rows)
    twin = uct.Search(board.game, table, 1.0, board.states, chosen, n, rows or 10**9)
    twin.run(n)
    check_same(tree_of(searcher), 0, twin.root)
    assert move == twin.best()
    assert (counter(searcher, NODES), counter(searcher, REACHED)) == (twin.nodes, twin.deepest)


def some_options(rng: random.Random) -> SearchOptions:
    return options(
        exploration=rng.choice([0, 5, 40, 140, 1000]),
        rollouts=rng.choice([0, 0, 30, 100]),
        first_play=rng.choice(["every", "parent"]),
        proofs=rng.random() < 0.7,
    )


# --- the naive twin


@pytest.mark.parametrize("name", TOYS)
def test_every_node_is_the_naive_twins(name: str) -> None:
    """Move by move and visit by visit, with rules of repetition and length, histories, hidden choices."""
    rng = random.Random(name)
    with as_python(TOYS[name]) as game:
        for _ in range(25):
            board = random_board(game, rng, rng.randrange(6))
            check_twin(
                board, weights(game, rng.randrange(99), 150.0), some_options(rng), rng.choice([1, 2, 30, 200])
            )


def test_moves_again_and_other_numbers_of_moves() -> None:
    """In Kalah the same player may move again: values follow the mover, not the ply."""
    rng = random.Random(3)
    with as_python(games.load("kalah:ponds=3,seeds=3")) as game:
        for _ in range(12):
            board = random_board(game, rng, rng.randrange(10))
            check_twin(board, weights(game, 1, 20.0), some_options(rng), rng.choice([40, 300]))


def test_full_memory() -> None:
    """Nodes get no more children, simulations go on and are counted."""
    rng = random.Random(4)
    with as_python(games.load("kalah:ponds=3,seeds=3")) as game:
        for rows in (4, 5, 7, 20, 50):
            check_twin(
                Board(game), weights(game, 2), options(rollouts=rng.choice([0, 50]), proofs=False), 300, rows
            )
        move, searcher = simulated(Board(game), weights(game, 2), options(), 500, mb=0)
        assert move in Board(game).legal_moves()
        assert counter(searcher, SIMULATIONS) == tree_of(searcher)[0, VISITS] == 500


def test_compiled_trees_are_those_of_plain_python() -> None:
    """Bit by bit, in the middle of games of Kalah, with playouts."""
    game, rng = games.load("kalah"), random.Random(6)
    table = weights(game)
    for _ in range(6):
        board = random_board(game, rng, rng.randrange(40))
        chosen = some_options(rng)
        move, searcher = simulated(board, table, chosen, 60, seed=9)
        with as_python(game) as plain:
            again = Board(plain)
            for played in board.moves:
                again.play(played)
            same, other = simulated(again, table, chosen, 60, seed=9)
        assert move == same
        assert (tree_of(searcher) == tree_of(other)).all()
        assert score(searcher) == score(other)


# --- what it finds


@pytest.mark.parametrize("name", ["piles", "six plies", "six plies, not in the state"])
def test_tiny_positions_are_proven_to_be_worth_what_minimax_says(name: str) -> None:
    rng = random.Random(name)
    with as_python(TOYS[name]) as game:
        nothing = np.zeros((game.n_stages, game.n_features))
        for _ in range(10):
            board = random_board(game, rng, rng.randrange(5))
            exact = minimax.value(game, nothing, 1.0, board.states, 9 if name == "piles" else 6)
            _, searcher = simulated(board, nothing, options(exploration=100), 20_000)
            found = score(searcher)
            assert (found > EVALUATION_MAX, found < -EVALUATION_MAX) == (exact > 0, exact < 0)
            if exact == 0:
                assert found == 0
            assert tree_of(searcher)[0, PROOF] != UNKNOWN


def test_without_proofs_it_converges_to_the_best_move() -> None:
    with as_python(piles()) as game:
        nothing = np.zeros((game.n_stages, game.n_features))
        board = Board(game)
        values = {}
        for move in board.legal_moves():
            board.play(move)
            values[move] = -minimax.value(game, nothing, 1.0, board.states, 8)
            board.pop()
        for rollouts in (0, 100):
            move, searcher = simulated(
                board, nothing, options(exploration=70, rollouts=rollouts, proofs=False), 4000
            )
            assert values[move] > 0 > min(values.values())
            assert tree_of(searcher)[0, PROOF] == UNKNOWN
            share = tree_of(searcher)[0, TOTAL] / tree_of(searcher)[0, VISITS] / uct.ONE
            assert share > 0.8


def test_a_win_in_one_is_seen_and_its_distance() -> None:
    with as_python(WALKS["two times"]) as game:
        move, searcher = simulated(Board(game), np.zeros((1, 2)), options(), 50)
        assert (move, score(searcher)) == (2, WIN - 1)


def pentago_wins() -> list[Any]:
    rows = json.loads((GOLDEN / "pentago" / "solved.json").read_text())
    quick = [r for r in rows if r["variant"] == "classic" and r["value"] == 1 and r["state"].count(".") <= 10]
    return [pytest.param(row, id=row["id"]) for row in quick]


@pytest.mark.slow
@pytest.mark.parametrize("row", pentago_wins())
def test_forced_wins_of_pentago(row: dict[str, Any]) -> None:
    """Without any knowledge: the move played keeps the win that the solver's tables know."""
    game = games.load("pentago:variant=classic")
    board = Board(game, row["state"])
    nothing = np.zeros((game.n_stages, game.n_features))
    move, _ = simulated(board, nothing, options(exploration=50), 60_000, mb=64)
    board.play(move)
    if not board.is_over:
        assert solve(game, board.text, hash_mb=64).value == -1


@pytest.mark.parametrize("row", json.loads((GOLDEN / "kalah" / "solved.json").read_text())[:14], ids=str)
def test_small_boards_of_kalah(row: dict[str, Any]) -> None:
    """Boards of one and two ponds are proven to be won, drawn or lost, whatever their margin."""
    capture = str(row["variant"] != "standard").lower()
    with as_python(
        games.load(f"kalah:ponds={row['pits']},seeds={row['seeds']},empty_capture={capture}")
    ) as game:
        nothing = np.zeros((game.n_stages, game.n_features))
        move, searcher = simulated(Board(game), nothing, options(exploration=100), 20_000)
        assert tree_of(searcher)[0, PROOF] - 2 == np.sign(row["value"])
        assert np.sign(row["per_move"][str(game.move_to_text(game.initial(), move))]) == np.sign(row["value"])


# --- limits, seeds, odd cases


def test_limits() -> None:
    """Simulations are counted exactly; nodes end at the first simulation that reaches them; one is always made."""
    with as_python(games.load("kalah")) as game:
        player = from_array(game, weights(game))
        for text, least, most in (("simulations:1", 1, 1), ("simulations:70", 70, 70), ("nodes:1", 1, 1)):
            found = Player(game, player, parse_limit(text), options()).analyse(Board(game))
            assert least <= found.simulations <= most
            assert found.move in Board(game).legal()
        found = Player(game, player, parse_limit("nodes:500"), options()).analyse(Board(game))
        assert 500 <= found.nodes < 520


def test_simulations_end_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with as_python(games.load("kalah")) as game, ticking(monkeypatch, 0.001):
        found = Player(game, from_array(game, weights(game)), parse_limit("time:0.02"), options()).analyse(
            Board(game)
        )
        assert 15 < found.simulations <= 22


def test_one_legal_move_and_weights_of_zero() -> None:
    with as_python(games.load("kalah")) as game:
        board = Board(game, "[[0,0,0,0,0,3],[1,1,1,0,0,0],[33,33],0]")
        assert len(board.legal()) == 1
        nothing = np.zeros((game.n_stages, game.n_features))
        move, _ = simulated(board, nothing, options(), 5)
        assert [move] == board.legal_moves()
        assert score(simulated(Board(game), nothing, options(), 50)[1]) == 0


def test_any_options_at_any_position_give_a_legal_move() -> None:
    game, rng = games.load("kalah"), random.Random(5)
    for _ in range(60):
        board = random_board(game, rng, rng.randrange(60))
        move, searcher = simulated(
            board, weights(game, rng.randrange(9)), some_options(rng), rng.choice([1, 2, 9, 300]), mb=0
        )
        assert move in board.legal_moves()
        assert counter(searcher, SIMULATIONS) > 0


def test_the_seed_decides_playouts_and_nothing_else() -> None:
    with as_python(games.load("kalah")) as game:
        board, table = Board(game), weights(game)

        def tree(seed: int, rollouts: int) -> bytes:
            return tree_of(simulated(board, table, options(rollouts=rollouts), 20, seed)[1]).tobytes()

        assert tree(1, 100) == tree(1, 100) != tree(2, 100)
        assert tree(1, 0) == tree(2, 0)


def test_later_searches_forget_earlier_ones() -> None:
    with as_python(games.load("kalah")) as game:
        player = Player(
            game, from_array(game, weights(game)), parse_limit("simulations:40"), options(rollouts=50)
        )
        first = player.analyse(Board(game))
        player.analyse(random_board(game, random.Random(1), 9))
        assert player.analyse(Board(game)) == first


@pytest.mark.parametrize(
    ("spec", "limit", "changes", "words"),
    [
        ("kalah", "depth:3", {"algorithm": "uct"}, "limit: expected simulations:N"),
        ("kalah", "simulations:9", {}, "for alphabeta, found 'simulations:9'"),
        ("kalah", "nodes:9", {"algorithm": "uct", "objective": "margin"}, "objective: expected result"),
        ("kalah", "nodes:9", {"joint": "matrix"}, "kalah has no simultaneous choices"),
        ("ropasci360", "nodes:9", {"joint": "matrix", "algorithm": "uct"}, "joint: expected pessimistic"),
    ],
)
def test_what_does_not_fit_is_refused(spec: str, limit: str, changes: dict[str, Any], words: str) -> None:
    game = games.load(spec)
    with pytest.raises(InputError, match=words):
        new_searcher(game, weights(game), 1.0, SearchOptions(**changes), parse_limit(limit))


@pytest.mark.parametrize(("name", "value"), [("rollouts", 101), ("exploration", -1), ("joint_width", 0)])
def test_options_out_of_range(name: str, value: int) -> None:
    with pytest.raises(InputError, match=f"{name}: expected a whole number"):
        SearchOptions(**{name: value})


# --- matches


def pair(game: Game, chosen: list[SearchOptions], limits: list[str], seed: int) -> list[tuple[Any, ...]]:
    hand = load("hand", games.load("kalah")).array(games.load("kalah"))
    table = hand if game.variant == games.load("kalah").variant else weights(game)
    players = [
        new_searcher(game, table, 1.0, o, parse_limit(x), 1) for o, x in zip(chosen, limits, strict=True)
    ]
    records = Arena(game, *players).play_pair([], seed)
    return [(r.moves.tolist(), np.nan_to_num(r.scores).tolist(), r.result, r.reason) for r in records]


@pytest.mark.slow
def test_compiled_matches_against_alphabeta_are_those_of_plain_python() -> None:
    game = games.load("kalah")
    setting = [options(rollouts=30), SearchOptions()], ["simulations:25", "nodes:60"]
    compiled = pair(game, *setting, 5)
    with as_python(game) as plain:
        assert pair(plain, *setting, 5) == compiled
    assert pair(game, *setting, 5) == compiled
    assert pair(game, *setting, 6) != compiled


def test_both_players_draw_from_the_game_but_not_alike() -> None:
    """Equal players with playouts: other seeds give other games, and a game's two sides other playouts."""
    with as_python(games.load("kalah:ponds=3,seeds=3")) as game:
        both = [options(rollouts=100), options(rollouts=100)], ["simulations:15", "simulations:15"]
        played = [pair(game, *both, seed) for seed in range(4)]
        assert len({str(found) for found in played}) > 1
        searchers = [
            new_searcher(game, weights(game), 1.0, o, parse_limit("simulations:5"), 1) for o in both[0]
        ]
        Arena(game, *searchers).play_pair([], 1)
        assert counter(searchers[0], SEED) != counter(searchers[1], SEED)


def test_a_forced_win_is_played_out() -> None:
    """Proven wins and solved values agree where both are known: endings of a small Kalah."""
    rng = random.Random(8)
    with as_python(games.load("kalah:ponds=2,seeds=3")) as game:
        nothing = np.zeros((game.n_stages, game.n_features))
        for _ in range(4):
            board = random_board(game, rng, rng.randrange(4))
            move, _ = simulated(board, nothing, options(exploration=100), 5000)
            values = {
                text: np.sign(answer.value) for text, answer in solve_moves(game, board.text, 1).items()
            }
            assert values[game.move_to_text(board.state, move)] == max(values.values())
