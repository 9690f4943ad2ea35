"""Kalah against games of other programs, published counts, and a slow twin; text forms, pictures, contract.

Long because everything about one game is asked in one place."""

import gzip
import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import kalah as naive
from tunesmith.engine.compile.bind import bind, facts
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    N_FEATURES,
    apply_move,
    features,
    is_quiet,
    legal_moves,
    move_hint,
    noisy_moves,
    open_margin,
    outcome,
    settled_margin,
)
from tunesmith.engine.perft import perft
from tunesmith.games import ONGOING, load
from tunesmith.games.clone import specialise
from tunesmith.games.errors import InputError
from tunesmith.games.kalah import GAME, make

GOLDEN = Path(__file__).parent.parent / "golden" / "kalah"
BOARDS = [(1, 3), (2, 2), (3, 4), (4, 3), (5, 3), (6, 4), (6, 6)]


def game_of(ponds: int, empty_capture: bool = False, seeds: int = 1) -> Any:
    return load(f"kalah:ponds={ponds},seeds={seeds},empty_capture={str(empty_capture).lower()}")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text())


def text_of(fields: Any) -> str:
    return json.dumps(fields, separators=(",", ":"))


def legal(game: Any, state: Any) -> list[int]:
    out = np.full(game.max_moves + 1, -7, np.int64)
    n = game.legal_moves(state, out)
    assert (out[n:] == -7).all()
    return [int(move) for move in out[:n]]


def numbers(game: Any, state: Any) -> dict[str, float]:
    out = np.full(game.n_features, np.nan)
    game.features(state, out)
    return dict(zip(game.feature_names, map(float, out), strict=True))


def state_of(game: Any, position: naive.Position) -> Any:
    return game.text_to_state(naive.text(position))


def reachable(game: Any, n: int, seed: int) -> list[Any]:
    """Return n unfinished positions of random games."""
    rng, found = random.Random(seed), []
    while len(found) < n:
        state = game.initial()
        while game.outcome(state) == ONGOING and len(found) < n:
            found.append(state)
            state = game.apply_move(state, rng.choice(legal(game, state)))
    return found


# Other programs


@pytest.mark.parametrize(
    "line", gzip.decompress((GOLDEN / "games.jsonl.gz").read_bytes()).decode().splitlines()
)
def test_whole_game(line: str) -> None:
    record = json.loads(line)
    game = game_of(len(record["final"][0]), record["variant"] == "empty-capture")
    after = [ply["s"] for ply in record["plies"][1:]] + [record["final"]]
    state = game.text_to_state(text_of(record["plies"][0]["s"]))
    for ply, following in zip(record["plies"], after, strict=True):
        assert game.state_to_text(state) == text_of(ply["s"])
        assert game.outcome(state) == ONGOING
        assert legal(game, state) == ply["legal"]
        state = game.apply_move(state, game.text_to_move(state, str(ply["m"])))
        assert game.state_to_text(state) == text_of(following)
    assert game.outcome(state) == {"A": 1, "draw": 0, "B": -1}[record["result"]]
    assert game.final_margin(state) == record["margin_A"]
    assert game.end_reason(state) == "side_empty"


@pytest.mark.parametrize("case", golden("cases.json"), ids=lambda case: case["id"])
def test_case(case: Any) -> None:
    game = game_of(len(case["state"][0]), case["variant"] == "empty-capture")
    state = game.text_to_state(text_of(case["state"]))
    assert legal(game, state) == case["legal"]
    for move in case["moves"]:
        if not move["legal"]:
            with pytest.raises(InputError, match="expected one of the ponds"):
                game.text_to_move(state, str(move["m"]))
            continue
        after = game.apply_move(state, game.text_to_move(state, str(move["m"])))
        assert game.state_to_text(after) == text_of(move["after"])
        assert (game.outcome(after) != ONGOING) == move["over"]
        if move["over"]:
            assert game.final_margin(after) == move["margin_A"]
        else:
            assert (game.mover(after) == game.mover(state)) == move["free_turn"]


def counts() -> list[Any]:
    found = []
    for entry in golden("perft.json"):
        for variant in ("standard", "empty_capture"):
            for depth, count in enumerate(entry.get(variant, ()), 1):
                name = f"{entry['id']}-{variant}-{depth}"
                found.append(pytest.param(entry["state"], variant, depth, count, id=name))
    return found


@pytest.mark.parametrize(("state", "variant", "depth", "count"), counts())
def test_number_of_sequences(state: Any, variant: str, depth: int, count: int) -> None:
    game = game_of(len(state[0]), variant == "empty_capture")
    assert perft(game, depth, text_of(state)) == count


# The slow twin


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 6])
def test_rules_agree_with_the_twin(m: int, empty_capture: bool) -> None:
    game, rng = game_of(m, empty_capture), random.Random(100 * m + empty_capture)
    for _ in range(300):
        position = naive.random_position(rng, m)
        state = state_of(game, position)
        assert game.state_to_text(state) == naive.text(position)
        assert game.mover(state) == position.turn
        assert legal(game, state) == naive.legal(position)
        for move in naive.legal(position):
            child, expected = game.apply_move(state, move), naive.play(position, move, empty_capture)
            assert game.state_to_text(child) == naive.text(expected)
            assert game.outcome(child) == (ONGOING if expected.turn is not None else naive.result(expected))


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 6])
def test_features_agree_with_the_twin(m: int, empty_capture: bool) -> None:
    game, rng = game_of(m, empty_capture), random.Random(200 * m + empty_capture)
    for _ in range(300):
        position = naive.random_position(rng, m)
        found, expected = numbers(game, state_of(game, position)), naive.features(position, empty_capture)
        assert found == {name: expected[name] for name in game.feature_names}


@pytest.mark.parametrize(("m", "seeds"), BOARDS)
def test_twin_plays_whole_games_too(m: int, seeds: int) -> None:
    game, rng = game_of(m, seeds=seeds), random.Random(m)
    for _ in range(10):
        state, position = game.initial(), naive.start(m, seeds)
        while position.turn is not None:
            assert game.state_to_text(state) == naive.text(position)
            if m > 1:
                expected = naive.features(position, False)
                assert numbers(game, state) == {name: expected[name] for name in game.feature_names}
            move = rng.choice(naive.legal(position))
            state, position = game.apply_move(state, move), naive.play(position, move, False)
        assert game.state_to_text(state) == naive.text(position)
        assert game.outcome(state) == naive.result(position)


@pytest.mark.parametrize("empty_capture", [False, True])
def test_captures_and_free_turns_are_the_noisy_moves(empty_capture: bool) -> None:
    game, rng, out = game_of(6, empty_capture), random.Random(5), np.zeros(6, np.int64)
    for _ in range(500):
        position = naive.random_position(rng, 6)
        state = state_of(game, position)
        gains = {move: naive.captured(position, move, empty_capture)[0] for move in naive.legal(position)}
        free = {move for move in gains if naive.sow(position, move)[2] == (position.turn, "bank")}
        n = game.noisy_moves(state, out)
        assert list(out[:n]) == [move for move in gains if gains[move] or move in free]
        assert game.is_quiet(state) == (not any(gains.values()))
        for move, gain in gains.items():
            hint = game.move_hint(state, move)
            assert hint > 255 if move in free else hint == gain


# Features


def test_left_out_features_follow_from_the_others() -> None:
    """Those that a regression could not tell apart: what the text of games.kalah.features claims."""
    rng = random.Random(6)
    for _ in range(200):
        position = naive.random_position(rng, 6)
        f = naive.features(position, False)
        assert f["ponds"] == sum(f[f"pond_{i}"] for i in range(1, 7)) == f["near_bank"] + f["far_from_bank"]
        assert f["far_from_bank"] == f["pond_1"] + f["pond_2"] + f["pond_3"]
        assert f["left_hoard"] == f["pond_1"]
        assert f["free_turns"] == sum(f[f"free_turn_by_pond_{i}"] for i in range(1, 7))
        assert f["empty_ponds"] == -f["mobility"]


def test_no_feature_follows_from_the_others() -> None:
    rows = np.array([list(numbers(GAME, state).values()) for state in reachable(GAME, 2000, 1)])
    assert np.linalg.matrix_rank(rows / np.sqrt((rows**2).mean(0))) == GAME.n_features


def test_names_and_meanings() -> None:
    assert len(set(GAME.feature_names)) == len(GAME.feature_names) == len(GAME.feature_meanings) == 24
    assert {"bank", "ponds", "won", "tempo", "need"} < set(GAME.cheap_features) < set(GAME.feature_names)


def take_features(state: Any, out: Any) -> None:
    features(state, out)


def test_only_dear_features_are_left_out() -> None:
    mask = sum(1 << i for i, name in enumerate(GAME.feature_names) if name in GAME.cheap_features)
    cheap, full = bind(take_features, GAME, mask), bind(take_features, GAME)
    for state in reachable(GAME, 300, 2):
        some, all_of_them = np.full(GAME.n_features, np.nan), np.full(GAME.n_features, np.nan)
        cheap(state, some)
        full(state, all_of_them)
        n = len(GAME.cheap_features)
        assert (some[:n] == all_of_them[:n]).all() and np.isnan(some[n:]).all()
        assert list(numbers(GAME, state).values()) == list(all_of_them)


def test_stages_are_shares() -> None:
    out = np.zeros(2)
    GAME.stages(GAME.initial(), out)
    assert list(out) == [1.0, 0.0]
    GAME.stages(GAME.text_to_state("[[0,0,0,0,0,9],[9,0,0,0,0,0],[30,24],0]"), out)
    assert list(out) == [0.25, 0.75]


def test_majority_is_that_of_the_position() -> None:
    state = GAME.text_to_state("[[0,0,0,0,0,1],[1,0,0,0,0,0],[5,1],1]")
    found = numbers(GAME, state)
    assert (found["won"], found["tempo"], found["need"]) == (-1, 0, 1)


# The contract


def count_differences(states: Any, swapped: Any) -> int:
    """Count pairs of positions whose features differ (template)."""
    here: Any = np.zeros(N_FEATURES)
    there: Any = np.zeros(N_FEATURES)
    n_bad = 0
    for i in range(states.shape[0]):
        features((states[i, 0], states[i, 1], states[i, 2]), here)
        features((swapped[i, 0], swapped[i, 1], swapped[i, 2]), there)
        n_bad += int((here != there).any())
    return n_bad


@pytest.mark.parametrize(("m", "seeds"), [(6, 6), (3, 4)])
def test_swapping_players_changes_no_feature(m: int, seeds: int) -> None:
    game = game_of(m, seeds=seeds)
    states = reachable(game, 20_000, 3)
    swapped = [game.swap_sides(state) for state in states]
    for state, image in zip(states, swapped, strict=True):
        assert game.mover(image) == 1 - game.mover(state) and game.swap_sides(image) == state
    assert bind(count_differences, game)(np.array(states, np.int64), np.array(swapped, np.int64)) == 0


@pytest.mark.parametrize(("m", "seeds"), BOARDS)
def test_swapped_games_mirror(m: int, seeds: int) -> None:
    game, rng = game_of(m, True, seeds), random.Random(m)
    state = game.initial()
    swapped = game.swap_sides(state)
    while game.outcome(state) == ONGOING:
        move = rng.choice(legal(game, state))
        state, swapped = game.apply_move(state, move), game.apply_move(swapped, move)
        assert swapped == game.swap_sides(state)
    assert game.outcome(swapped) == -game.outcome(state)
    assert game.final_margin(swapped) == -game.final_margin(state)


def test_margins_add_up() -> None:
    for before, after in pairwise(reachable(GAME, 500, 4)):
        assert GAME.open_margin(after) + abs(GAME.settled_margin(after)) <= 72
        ponds = GAME.open_state(before)
        assert ponds == GAME.open_state(GAME.swap_sides(before))
        assert legal(GAME, ponds) == legal(GAME, before)
    over = GAME.text_to_state("[[0,0,0,0,0,0],[0,0,0,0,0,0],[32,40],null]")
    assert GAME.settled_margin(over) == GAME.final_margin(over) == -8
    assert GAME.open_margin(over) == 0


def test_margin_does_not_depend_on_what_is_banked() -> None:
    rng = random.Random(8)
    for start in reachable(GAME, 60, 9):
        state, ponds = start, GAME.open_state(start)
        if GAME.mover(start) == 1:
            ponds = GAME.swap_sides(ponds)
        sign = 1 - 2 * GAME.mover(start)
        while GAME.outcome(state) == ONGOING:
            move = rng.choice(legal(GAME, state))
            state, ponds = GAME.apply_move(state, move), GAME.apply_move(ponds, move)
        settled = sign * GAME.settled_margin(start)
        assert GAME.final_margin(state) == settled + GAME.final_margin(ponds)


def play_random(state: Any, seed: int, trace: Any) -> int:
    """Play a game with a small generator, leaving a trace of positions (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    n = 0
    while outcome(state) == ONGOING:
        seed = (seed * 1103515245 + 12345) % 2147483648
        move = int(moves[(seed >> 8) % legal_moves(state, moves)])
        trace[n, 3] = move_hint(state, move)
        trace[n, 4] = noisy_moves(state, moves)
        trace[n, 5] = int(is_quiet(state))
        trace[n, 6] = settled_margin(state) * 1000 + open_margin(state)
        state = apply_move(state, move)
        trace[n, 0], trace[n, 1], trace[n, 2] = state
        n += 1
    return n * 10 + outcome(state)


@pytest.mark.parametrize(("m", "empty_capture"), [(6, False), (4, True)])
def test_compiled_games_equal_plain_ones(m: int, empty_capture: bool) -> None:
    game = game_of(m, empty_capture, 5)
    compiled = bind(play_random, game)
    plain = specialise({"play": play_random}, game.functions() | facts(game))["play"]
    for seed in range(30):
        traces = np.zeros((2, 300, 7), np.int64)
        assert compiled(game.initial(), seed, traces[0]) == plain(game.initial(), seed, traces[1])
        assert (traces[0] == traces[1]).all()


# Text forms and pictures


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_states_survive_their_text(m: int, seed: int) -> None:
    game, position = game_of(m), naive.random_position(random.Random(seed), m)
    state = state_of(game, position)
    assert game.text_to_state(game.state_to_text(state)) == state
    for move in legal(game, state):
        assert game.text_to_move(state, game.move_to_text(state, move)) == move
        child = game.apply_move(state, move)
        assert game.text_to_state(game.state_to_text(child)) == child


HOSTILE = [
    "",
    "null",
    "{}",
    "[",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0]]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0,0]",
    "[[6,6,6,6,6],[6,6,6,6,6,6],[0,0],0]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6,6],[0,0],0]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0],0]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],0,0]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],2]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],-1]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],true]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0.0]",
    '[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],"0"]',
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],null]",
    "[[6,6,6,6,6,-6],[6,6,6,6,6,6],[0,0],0]",
    "[[6,6,6,6,6,6.0],[6,6,6,6,6,6],[0,0],0]",
    "[[6,6,6,6,6,true],[6,6,6,6,6,6],[0,0],0]",
    "[[6,6,6,6,6,NaN],[6,6,6,6,6,6],[0,0],0]",
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[100,84],0]",
    f"[[6,6,6,6,6,{10**30}],[6,6,6,6,6,6],[0,0],0]",
    f"[[6,6,6,6,6,{'9' * 5000}],[6,6,6,6,6,6],[0,0],0]",
    "[[0,0,0,0,0,0],[6,6,6,6,6,6],[0,0],0]",
    "[[0,0,0,0,0,1],[0,0,0,0,0,0],[0,0],1]",
    "[[0,0,0,0,0,1],[0,0,0,0,0,0],[0,0],null]",
    "[" * 100_000,
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0] 1",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_wrong_states_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="kalah state: expected .*, found ") as caught:
        GAME.text_to_state(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@given(st.text("[],0123456 -n", max_size=12), st.integers(0, 40), st.integers(0, 40))
def test_a_spoilt_text_is_a_state_or_an_input_error(patch: str, first: int, last: int) -> None:
    text = GAME.state_to_text(GAME.initial())
    spoilt = text[:first] + patch + text[last:]
    try:
        state = GAME.text_to_state(spoilt)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert GAME.text_to_state(GAME.state_to_text(state)) == state


@pytest.mark.parametrize("text", ["", "0", "7", "-1", "a", "3 4", "03", "1.0", "³", "3\n4", "2"])
def test_wrong_moves_are_refused(text: str) -> None:
    state = GAME.text_to_state("[[6,0,6,6,6,6],[6,6,6,6,6,6],[0,0],0]")
    with pytest.raises(
        InputError, match="kalah move: expected one of the ponds 1, 3, 4, 5, 6, found"
    ) as caught:
        GAME.text_to_move(state, text)
    assert repr(text) in str(caught.value)


def test_no_move_after_the_end() -> None:
    over = GAME.text_to_state("[[0,0,0,0,0,0],[0,0,0,0,0,0],[36,36],null]")
    assert GAME.outcome(over) == 0
    assert legal(GAME, over) == []
    with pytest.raises(InputError, match="game is over"):
        GAME.text_to_move(over, "1")


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        ({"ponds": 0}, "ponds: expected 1 to 6, found 0"),
        ({"ponds": 7}, "ponds: expected 1 to 6, found 7"),
        ({"ponds": True}, "ponds: expected 1 to 6, found True"),
        ({"seeds": 0}, "seeds: expected 1 to 21 with 6 ponds a side, found 0"),
        ({"seeds": 22}, "seeds: expected 1 to 21"),
        ({"ponds": 1, "seeds": 128}, "seeds: expected 1 to 127 with 1 ponds a side, found 128"),
        ({"empty_capture": 1}, "empty_capture: expected true or false, found 1"),
    ],
)
def test_wrong_variants_are_refused(variant: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        make(**variant)


@pytest.mark.parametrize(("m", "seeds"), [(6, 21), (1, 127), (5, 25)])
def test_fullest_boards_play_to_the_end(m: int, seeds: int) -> None:
    game, rng = make(m, seeds), random.Random(m)
    state, position = game.initial(), naive.start(m, seeds)
    while position.turn is not None:
        move = rng.choice(naive.legal(position))
        state, position = game.apply_move(state, move), naive.play(position, move, False)
        assert game.state_to_text(state) == naive.text(position)
    assert sum(position.banks) == 2 * m * seeds


PICTURES = [
    "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0]",
    "[[2,4,2,0,3,20],[3,1,7,8,0,2],[9,11],1]",
    "[[0,0,0,0,0,0],[0,0,0,0,0,0],[40,32],null]",
    "[[13,0,14,1,27,2],[0,3,0,0,1,4],[4,3],0]",
    "[[3,3,3,3],[3,3,3,3],[0,0],0]",
    "[[3],[3],[0,0],1]",
]


@pytest.mark.parametrize("text", PICTURES)
def test_pictures(text: str) -> None:
    fields = json.loads(text)
    game = game_of(len(fields[0]))
    state = game.text_to_state(text)
    drawn = game.draw_text(state)
    words = {0: "A to move", 1: "B to move", None: "game over"}[fields[3]]
    assert words in drawn and len({line.index("|") for line in drawn.splitlines() if "|" in line}) == 1
    picture = ElementTree.fromstring(game.draw_svg(state))
    assert picture.get("viewBox") and "script" not in game.draw_svg(state)
    labels = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words in labels
    for seeds in (*fields[0], *fields[1], *fields[2]):
        assert str(seeds) in labels


# Weights


@pytest.mark.parametrize("name", ["hand", *(f"hand-{k}" for k in range(1, 7))])
def test_hand_weights_name_every_feature(name: str) -> None:
    weights = json.loads((GAME.folder / "weights" / f"{name}.json").read_text(encoding="utf-8"))
    assert weights["variant"] == GAME.variant
    assert tuple(weights["features"]) == GAME.feature_names
    assert tuple(weights["stages"]) == tuple(weights["weights"]) == GAME.stage_names
    assert all(tuple(row) == GAME.feature_names for row in weights["weights"].values())
