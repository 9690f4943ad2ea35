"""RoPaSci 360 against the course's referee and a slow twin: moves, battles, the end, features."""

import gzip
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import ropasci360 as naive
from tests.support.ropasci360_help import actions, choose, legal_of, numbers, state_of, text_of
from tunesmith.engine.board import Board
from tunesmith.engine.perft import perft
from tunesmith.engine.player import evaluation_parts
from tunesmith.engine.weights import load as load_weights
from tunesmith.games import ONGOING
from tunesmith.games.errors import InputError
from tunesmith.games.game import specialise
from tunesmith.games.ropasci360 import GAME

GOLDEN = Path(__file__).parent.parent / "golden" / "ropasci360"


# The referee's line for our result and reason.
REASONS = {
    (0, "nothing_left"): "draw: no remaining tokens or throws",
    (0, "both_invincible"): "draw: both players have an invincible token",
    (0, "repetition"): "draw: same game state occurred for 3rd time",
    (0, "max_plies"): "draw: maximum number of turns reached",
    (1, "out_of_everything"): "winner: upper",
    (1, "invincible"): "winner: upper",
    (-1, "out_of_everything"): "winner: lower",
    (-1, "invincible"): "winner: lower",
}


def golden(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text())


# The referee


@pytest.mark.parametrize(
    "line", gzip.decompress((GOLDEN / "transcripts.jsonl.gz").read_bytes()).decode().splitlines()
)
def test_whole_game(line: str) -> None:
    record = json.loads(line)
    state, seen = GAME.initial(), Counter([GAME.history_key(GAME.initial())])
    for nturns, ply in enumerate(record["plies"]):
        assert GAME.outcome(state) == ONGOING and seen[GAME.history_key(state)] < GAME.repetition_limit
        assert GAME.state_to_text(state) == text_of(ply | {"nturns": nturns})
        assert actions(state, legal_of(state)) == ply["legal_upper"]
        state = choose(state, ply["upper"])
        assert GAME.outcome(state) == ONGOING and GAME.history_key(state) == 0
        assert actions(state, legal_of(state)) == ply["legal_lower"]
        state = choose(state, ply["lower"])
        seen[GAME.history_key(state)] += 1
    assert GAME.state_to_text(state) == text_of(record["final"])
    if GAME.outcome(state) != ONGOING:
        ending = GAME.outcome(state), GAME.end_reason(state)
    elif seen[GAME.history_key(state)] == GAME.repetition_limit:
        ending = 0, "repetition"
    else:
        assert GAME.plies(state) == GAME.max_plies
        ending = 0, "max_plies"
    assert REASONS[ending] == record["result"]


@pytest.mark.parametrize("case", golden("cases.json"), ids=lambda case: case["id"])
def test_case(case: Any) -> None:
    game = Board(GAME, text_of(case["start"]))
    for i, (upper, lower) in enumerate(case["turns"]):
        for action, side in ((upper, "upper"), (lower, "lower")):
            assert not game.is_over
            if i == 0:
                assert len(game.legal()) == case["legal_counts"][side == "lower"]
                for illegal in case[f"illegal_{side}"]:
                    with pytest.raises(InputError, match="expected a legal one of"):
                        game.push(illegal)
            game.push(action)
    assert game.text == text_of(case["after"])
    assert game.is_over == case["after"]["over"]
    assert (REASONS[game.result, game.reason] if game.is_over else None) == case["after"]["result"]


def counts() -> list[Any]:
    found = []
    for entry in golden("perft.json"):
        for depth, count in enumerate(entry["perft"], 1):
            marks = [pytest.mark.slow] if count > 100_000_000 else []
            found.append(pytest.param(entry, depth, count, id=f"{entry['name']}-{depth}", marks=marks))
    return found


@pytest.mark.parametrize(("entry", "depth", "count"), counts())
def test_number_of_sequences(entry: Any, depth: int, count: int) -> None:
    assert perft(GAME, 2 * depth, text_of(entry)) == count
    assert perft(GAME, 1, text_of(entry)) == entry["legal"][0]


# The slow twin


def agree(state: Any, position: Any) -> None:
    """Compare all that can be asked of a position between turns, for both sides."""
    assert json.loads(GAME.state_to_text(state)) == naive.to_fields(position)
    if GAME.outcome(state) != ONGOING:
        return
    waiting = GAME.apply_move(state, legal_of(state)[0])
    out = np.zeros(GAME.max_moves, np.int64)
    for side, view in enumerate((state, waiting)):
        assert GAME.mover(view) == side
        assert actions(view, legal_of(view)) == naive.legal(position, side)
        found, expected = numbers(view), naive.features(position, side)
        assert found.keys() == expected.keys()
        assert [name for name in found if abs(found[name] - expected[name]) > 1e-12] == []
        n = GAME.noisy_moves(view, out)
        assert actions(view, out[:n].tolist()) == naive.captures(position, side)
        assert bool(GAME.is_quiet(view)) == naive.is_quiet(position)


def result_of(state: Any) -> str | None:
    if GAME.outcome(state) == ONGOING:
        return None
    return REASONS[GAME.outcome(state), GAME.end_reason(state)]


def play_turn(state: Any, position: Any, rng: random.Random) -> tuple[Any, Any]:
    """Play the same random actions in both; captures and shared targets more often than by chance."""
    chosen = []
    for side in (0, 1):
        options = naive.legal(position, side)
        last = chosen[0].split(":")[1].split(">")[-1] if chosen else ""
        wanted = [a for a in options if last and a.endswith((f":{last}", f">{last}"))]
        wanted = wanted if wanted and rng.random() < 0.3 else naive.captures(position, side)
        chosen.append(rng.choice(wanted if wanted and rng.random() < 0.4 else options))
        state = choose(state, chosen[side])
    return state, naive.turn(position, *chosen)


def test_random_positions_agree_with_the_twin() -> None:
    rng, n_over = random.Random(1), 0
    for _ in range(900):
        position = naive.random_position(rng)
        state = state_of(position)
        agree(state, position)
        if GAME.outcome(state) == ONGOING:
            state, position = play_turn(state, position, rng)
            assert json.loads(GAME.state_to_text(state)) == naive.to_fields(position)
            assert result_of(state) == naive.result(position)
            n_over += GAME.outcome(state) != ONGOING
    assert n_over > 100


def test_random_games_agree_with_the_twin() -> None:
    rng = random.Random(2)
    for _ in range(15):
        state, position = GAME.initial(), naive.from_fields({"board": [], "throws": [0, 0], "nturns": 0})
        while GAME.outcome(state) == ONGOING and position["nturns"] < 80:
            agree(state, position)
            state, position = play_turn(state, position, rng)
            assert result_of(state) == naive.result(position)


def test_a_group_of_features_is_the_same_without_the_others() -> None:
    """Distances, where they are wanted, tell that nothing is attacked; attacks are found without them too."""
    names = list(GAME.feature_names)
    rng = random.Random(4)
    positions = [naive.random_position(rng) for _ in range(200)]
    for group in (
        ["attack_mean", "attack_min"],
        ["attack_now", "attack_two", "guarded"],
        ["cluster_variety"],
    ):
        places = [names.index(name) for name in group]
        cloned = specialise({"features": GAME.features}, {"FEATURES_WANTED": sum(1 << at for at in places)})
        some, every = np.full(len(names), np.nan), np.full(len(names), np.nan)
        for position in positions:
            state = state_of(position)
            cloned["features"](state, some)
            GAME.features(state, every)
            assert some[places].tolist() == every[places].tolist()


def test_every_battle() -> None:
    """All sets of tokens that can meet on one hex, both sides moving or throwing onto it."""
    for stood in ["", *"RPSrps", "Rr", "Pp", "Ss", "PP", "ss", "RRrr"]:
        cells = [[0, 0, stood]] if stood else []
        for i, (upper, lower) in enumerate((a, b) for a in "RPS" for b in "rps"):
            board_ = [[-1, 0, lower], *cells, [1, 0, upper]]
            position = naive.from_fields({"board": board_, "throws": [7, 7], "nturns": i})
            for first in ("L:1,0>0,0", f"T{lower}:0,0", "L:1,0>1,1"):
                for second in ("L:-1,0>0,0", f"T{upper.lower()}:0,0"):
                    after = choose(choose(state_of(position), first), second)
                    assert json.loads(GAME.state_to_text(after)) == naive.to_fields(
                        naive.turn(position, first, second)
                    )


# The end


def test_a_given_position_is_judged_after_a_turn_only() -> None:
    game = Board(GAME, '{"board":[[0,0,"R"],[2,0,"r"]],"throws":[9,9],"nturns":40}')
    assert not game.is_over and len(game.legal()) == 6
    game.push("L:0,0>0,1")
    assert not game.is_over
    game.push("L:2,0>2,1")
    assert (game.result, game.reason) == (0, "both_invincible")
    assert GAME.draw_text(game.state).endswith("the game is over")
    nothing = Board(GAME, '{"board":[[0,0,"r"]],"throws":[9,8],"nturns":40}')  # Upper cannot act
    assert (nothing.result, nothing.reason) == (-1, "out_of_everything") and nothing.legal() == []


def test_the_end_waits_while_a_choice_is_hidden() -> None:
    state = GAME.text_to_state(
        '{"board":[[0,0,"R"],[2,0,"s"]],"throws":[9,9],"nturns":9,"pending":"L:0,0>0,1"}'
    )
    assert GAME.outcome(state) == ONGOING
    assert GAME.outcome(GAME.hide(state)) == ONGOING
    assert GAME.outcome(choose(state, "L:2,0>2,1")) == 1


def test_repetition_and_turn_limit() -> None:
    game = Board(GAME, '{"board":[[-4,0,"r"],[4,0,"R"]],"throws":[5,5],"nturns":355}')
    there, back = ("L:4,0>4,-1", "L:-4,0>-4,1"), ("L:4,-1>4,0", "L:-4,1>-4,0")
    for action in [*there, *back, *there]:
        game.push(action)
    assert not game.is_over
    game.push(back[0])
    assert not game.is_over and game.n_plies == 717
    game.push(back[1])
    assert (game.result, game.reason) == (0, "repetition")
    game.pop()
    game.push("L:-4,1>-4,2")
    assert not game.is_over
    game.push("L:4,0>4,-1")
    game.push("L:-4,2>-4,3")
    assert (game.result, game.reason) == (0, "max_plies")


@given(st.integers(0, 2**32))
def test_history_counts_tokens_and_throws_alone(seed: int) -> None:
    rng = random.Random(seed)
    position = naive.random_position(rng)
    state = state_of(position)
    key = GAME.history_key(state)
    assert 0 < key < 2**63
    assert GAME.history_key(state_of(position | {"nturns": 17})) == key
    for side in (0, 1):
        throws = list(position["throws"])
        throws[side] += 1
        if throws[side] <= 9:
            assert GAME.history_key(state_of(position | {"throws": throws})) != key
    for token in position["tokens"]:
        fewer = list(position["tokens"])
        fewer.remove(token)
        assert GAME.history_key(state_of(position | {"tokens": fewer})) != key


def test_weights_that_stay_at_home_give_nothing_for_a_walk_to_the_side_that_still_throws() -> None:
    board = {"board": [[-4, 0, "r"], [4, 0, "R"]], "throws": [1, 1], "nturns": 1}
    away = {"board": [[-4, 0, "r"], [-4, 1, "R"]], "throws": [1, 1], "nturns": 1}
    at_home, far = (GAME.text_to_state(json.dumps(place)) for place in (board, away))
    shares = {}
    for name in ("tuned", "home"):
        weights = load_weights(name, GAME)
        parts = [evaluation_parts(GAME, weights, state)[1]["advance"].elo for state in (at_home, far)]
        shares[name] = parts[1] - parts[0]
    assert shares["tuned"] > 500 and abs(shares["home"]) < 10
