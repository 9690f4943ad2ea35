"""`random` and `greedy`: weights by name for any game, deterministic, the same compiled and in plain Python."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.support.searching import as_python, random_board
from tests.support.toys import hands
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.match import Arena
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player, evaluation_parts, is_turned, seen_by_mover
from tunesmith.engine.searcher import Searcher, new_searcher
from tunesmith.engine.weights import Weights, load, save, with_options
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game

KALAH = games.load("kalah")


def searcher(game: Game, weights: Weights, limit: str = "nodes:5000") -> Searcher:
    return new_searcher(
        game, weights.array(game), weights.scale, weights.search_options, parse_limit(limit), hash_mb=1
    )


def pair(game: Game, names: tuple[str, str], seed: int, own: Game | None = None) -> list[list[int]]:
    """Play a pair; `own` is the game that the weights are loaded for."""
    players = [searcher(game, load(name, own or game), "nodes:60") for name in names]
    return [record.moves.tolist() for record in Arena(game, *players).play_pair([], seed)]


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_them(name: str) -> None:
    game = games.load(name)
    chance, greedy, hand = load("random", game), load(f"{name}/greedy", game), load("hand", game)
    assert chance.options == {"algorithm": "random"} and not chance.array(game).any()
    assert greedy.options == {"max_depth": 2 if game.simultaneous else 1}
    assert greedy.array(game).tolist() == hand.array(game).tolist() and greedy.scale == hand.scale
    assert len({chance.digest, greedy.digest, hand.digest}) == 3
    assert chance.is_simple and greedy.is_simple and not hand.is_simple


def test_random_needs_no_weights_and_no_variant() -> None:
    assert load("random", games.load("kalah:ponds=4,seeds=3")).search_options.kind == "random"
    assert load("random", hands()).search_options.draws
    with pytest.raises(InputError, match="'hand': no such file"):
        load("greedy", hands())


def test_random_plays_every_legal_move_alike() -> None:
    board = Board(KALAH)
    board.push(board.legal()[0])
    player_of = [Player(KALAH, load("random", KALAH), parse_limit("nodes:10"), seed=s) for s in range(600)]
    chosen = Counter(player.choose(board) for player in player_of)
    assert set(chosen) == set(board.legal())
    expected = 600 / len(chosen)
    assert sum((n - expected) ** 2 / expected for n in chosen.values()) < 25  # chi-square, 5 degrees


def test_random_games_follow_from_their_seed_compiled_or_not() -> None:
    played = {seed: pair(KALAH, ("random", "random"), seed) for seed in range(3)}
    assert len({str(moves) for moves in played.values()}) == 3
    assert played[1] == pair(KALAH, ("random", "random"), 1)
    assert played[1][0] != played[1][1]  # the two games of a pair are drawn apart
    with as_python(KALAH) as copy:
        assert pair(copy, ("random", "random"), 1, KALAH) == played[1]
        assert pair(copy, ("greedy", "random"), 2, KALAH) == pair(KALAH, ("greedy", "random"), 2)


def test_a_hidden_choice_stays_hidden() -> None:
    """In a simultaneous game neither player's draw follows from the other's choice."""
    with as_python(hands()) as game:
        moves = [pair(game, ("random", "random"), seed)[0] for seed in range(200)]
    assert {(first, second) for first, second, *_ in moves} == {(a, b) for a in range(3) for b in range(3)}


def test_a_player_draws_what_a_match_draws() -> None:
    with as_python(hands()) as game:
        weights = load("random", game)
        players = searcher(game, weights), searcher(game, weights)
        Arena(game, *players).play_pair([], 7)
        mine = [Player(game, weights, parse_limit("nodes:9"), seed=0) for _ in range(2)]
        for player, theirs in zip(mine, players, strict=True):
            player.searcher.memory["counters"][0, :] = theirs.memory["counters"][0, :]
        # Seeds are those of the pair's second game by now: play that one.
        record = Arena(game, *players).play_pair([], 7)[1]
        board = Board(game)
        for move in record.moves.tolist():
            player = mine[1 - board.mover]
            assert player.analyse(board).nodes == 0
            assert player.choose(board) == game.move_to_text(board.state, move)
            board.play(move)


@pytest.mark.parametrize("name", ["kalah", "ropasci360"])
def test_greedy_plays_the_move_that_its_evaluation_likes_best(name: str) -> None:
    """One move ahead (in the simultaneous game one turn, the opponent's best answer taken), nothing beyond."""
    game, rng = games.load(name), random.Random(3)
    weights = load("greedy", game)
    player = Player(game, weights, parse_limit("nodes:100000"))
    for _ in range(4):
        board = random_board(game, rng, rng.randrange(0, 12, 2))
        if board.is_over:
            continue
        analysis = player.analyse(board)
        assert analysis.depth <= weights.options["max_depth"]
        state = seen_by_mover(board)[0]
        best = max(
            worth(game, weights, game.apply_move(state, m), game.mover(state)) for m in moves(game, state)
        )
        assert not is_turned(board) and analysis.score == best


def moves(game: Game, state: tuple[int, ...]) -> list[int]:
    buffer = np.zeros(game.max_moves, np.int64)
    return buffer[: game.legal_moves(state, buffer)].tolist()


def worth(game: Game, weights: Weights, state: tuple[int, ...], player: int) -> int:
    """Value for `player` of an unfinished position a move later: whole turns are looked through."""
    assert game.outcome(state) == ONGOING
    if game.simultaneous and game.mover(state) == 1:
        return min(worth(game, weights, game.apply_move(state, m), player) for m in moves(game, state))
    score = evaluation_parts(game, weights, state)[0]
    return score if game.mover(state) == player else -score


def test_greedy_is_stronger_than_random_and_weaker_than_a_search() -> None:
    def points(first: str, second: str) -> int:
        players = [searcher(KALAH, load(name, KALAH), "nodes:300") for name in (first, second)]
        arena = Arena(KALAH, *players)
        total = 0
        for seed in range(15):
            one, two = arena.play_pair([], seed)
            total += one.result - two.result
        return total

    assert points("greedy", "random") > 15
    assert points("hand", "random") > 20


def test_a_depth_of_its_own_binds_under_every_limit() -> None:
    board = Board(KALAH)
    hand = load("hand", KALAH)
    for limit in ("nodes:100000", "time:5", "depth:6", "simulations:50"):
        analysis = Player(KALAH, hand, parse_limit(limit), SearchOptions(max_depth=2)).analyse(board)
        assert analysis.depth == 2
    assert Player(KALAH, hand, parse_limit("depth:1"), SearchOptions(max_depth=2)).analyse(board).depth == 1


@pytest.mark.parametrize("limit", ["depth:3", "nodes:9", "simulations:5", "time:0.01", "game-time:1"])
def test_random_plays_under_every_limit(limit: str) -> None:
    assert (
        Player(KALAH, load("random", KALAH), parse_limit(limit)).choose(Board(KALAH)) in Board(KALAH).legal()
    )


def test_options_in_passing_leave_them_as_they_are() -> None:
    hand, chance = load("hand", KALAH), load("random", KALAH)
    assert with_options(chance, {"sort": 3}, keep_simple=True) is chance
    assert with_options(hand, {"sort": 3}, keep_simple=True).options["sort"] == 3
    with pytest.raises(InputError, match=r"'random': a simple player takes no search options, found .*sort"):
        with_options(chance, {"sort": 3})


def test_a_simple_player_survives_a_file(tmp_path) -> None:
    greedy = load("greedy", KALAH)
    save(greedy, tmp_path / "copy.json")
    again = load(tmp_path / "copy.json", KALAH)
    assert again.is_simple and again.digest == greedy.digest


def test_a_weight_file_of_the_game_may_not_have_their_name(tmp_path, monkeypatch) -> None:
    (tmp_path / "weights").mkdir()
    save(load("hand", KALAH), tmp_path / "weights" / "random.json")
    game = replace(KALAH, folder=tmp_path)
    with pytest.raises(InputError, match=r"a simple player has this name, and so has .*random\.json"):
        load("random", game)
    monkeypatch.chdir(tmp_path)
    save(load("hand", KALAH), tmp_path / "greedy")
    assert load("greedy", KALAH).is_simple
    assert not load("./greedy", KALAH).is_simple
