"""RoPaSci 360 against the course's referee and a slow twin; text forms, pictures, contract."""

import gzip
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bind import bind
from engine.board import Board
from engine.perft import perft
from engine.slots import (
    MAX_MOVES,
    MAX_PLIES,
    N_FEATURES,
    apply_move,
    features,
    history_key,
    initial,
    is_quiet,
    legal_moves,
    move_hint,
    mover,
    noisy_moves,
    outcome,
    plies,
    swap_move,
    swap_sides,
    symmetric_move,
    symmetries,
)
from games import ONGOING
from games.errors import InputError
from games.ropasci360 import GAME, board
from games.ropasci360.rules import AS_GIVEN, judge
from tests.naive import ropasci360 as naive

GOLDEN = Path(__file__).parent.parent / "golden" / "ropasci360"
STATE = ("board", "throws", "nturns")

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


def text_of(fields: Any) -> str:
    return json.dumps({name: fields[name] for name in STATE}, separators=(",", ":"))


def legal_of(state: Any) -> list[int]:
    out = np.full(GAME.max_moves + 1, -7, np.int64)
    n = GAME.legal_moves(state, out)
    assert (out[n:] == -7).all()
    return [int(move) for move in out[:n]]


def actions(state: Any, moves: list[int]) -> list[str]:
    return sorted(GAME.move_to_text(state, move) for move in moves)


def choose(state: Any, action: str) -> Any:
    return GAME.apply_move(state, GAME.text_to_move(state, action))


def numbers(state: Any) -> dict[str, float]:
    out = np.full(GAME.n_features, np.nan)
    GAME.features(state, out)
    return dict(zip(GAME.feature_names, map(float, out), strict=True))


def state_of(position: Any) -> Any:
    return GAME.text_to_state(text_of(naive.to_fields(position)))


def reachable(n: int, seed: int) -> list[Any]:
    """Return n unfinished positions between turns, of games that are random but take what they can."""
    rng, found, out = random.Random(seed), [], np.zeros(GAME.max_moves, np.int64)
    while len(found) < n:
        state = GAME.initial()
        while GAME.outcome(state) == ONGOING and GAME.plies(state) < GAME.max_plies:
            if GAME.mover(state) == 0:
                found.append(state)
            n_noisy = GAME.noisy_moves(state, out)
            takes = n_noisy > 0 and rng.random() < 0.3
            state = GAME.apply_move(state, rng.choice(out[:n_noisy].tolist() if takes else legal_of(state)))
    return found[:n]


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


# The contract


def test_facts() -> None:
    assert GAME.spec == "ropasci360" and GAME.simultaneous and not GAME.repetition_first
    assert (GAME.max_plies, GAME.repetition_limit, GAME.n_symmetries) == (720, 3, 2)
    assert len(set(GAME.feature_names)) == len(GAME.feature_meanings) == GAME.n_features == 20
    assert set(GAME.cheap_features) < set(GAME.feature_names)


def test_the_most_moves_fit() -> None:
    """Eight tokens with as many targets as possible, and the last throw to go."""
    cells = [
        [0, 0, "R"],
        [0, 1, "R"],
        [1, -1, "R"],
        [1, 0, "R"],
        [-1, 0, "R"],
        [-1, 1, "R"],
        [0, -1, "R"],
        [2, -1, "R"],
    ]
    state = GAME.text_to_state(text_of({"board": sorted(cells), "throws": [8, 8], "nturns": 16}))
    assert 183 + 8 * 12 < len(legal_of(state)) <= 327 < GAME.max_moves


def test_what_is_hidden_is_dropped() -> None:
    for state in reachable(300, 3):
        for move in legal_of(state)[:3]:
            waiting = GAME.apply_move(state, move)
            assert GAME.hide(waiting) == state == GAME.hide(state)
            assert (GAME.plies(waiting), GAME.mover(waiting)) == (GAME.plies(state) + 1, 1)
            assert GAME.history_key(waiting) == 0
            stripped = GAME.strip_counters(waiting)
            assert GAME.plies(stripped) == 1 and stripped[7] == move
            assert legal_of(stripped) == legal_of(waiting)
            there, here = numbers(GAME.swap_sides(waiting)), numbers(waiting)
            assert there == here and GAME.mover(GAME.swap_sides(waiting)) == 0
            assert sorted(map(GAME.swap_move, legal_of(waiting))) == sorted(
                legal_of(GAME.swap_sides(waiting))
            )


def sweep(seed: int, n: int, trace: Any, values: Any) -> int:
    """Play random games; count breaches of symmetry; leave a trace of every state (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    there: Any = np.zeros(N_FEATURES)
    state, n_bad = initial(), 0
    for i in range(n):
        if outcome(state) != ONGOING or plies(state) >= MAX_PLIES:
            state = initial()
        swapped, image = swap_sides(state), symmetries(state, 1)
        for k in range(3):
            view = state if k == 0 else (image if k == 1 else swapped)
            sign = -1.0 if k == 2 and mover(state) == 0 else 1.0
            features(view, there)
            if k == 0:
                values[i, :] = there
            n_bad += int((sign * there != values[i]).any())
        if mover(state) == 0:
            n_bad += int(swap_sides(swapped) != state)
        n_bad += int(symmetries(image, 1) != state)
        seed = (seed * 1103515245 + 12345) % 2147483648
        n_moves = legal_moves(state, moves)
        move = int(moves[(seed >> 8) % n_moves])
        child = apply_move(state, move)
        mirror = apply_move(image, symmetric_move(state, move, 1))
        n_bad += int(symmetries(child, 1) != mirror)
        n_bad += int(symmetric_move(image, symmetric_move(state, move, 1), 1) != move)
        n_bad += int(outcome(child) != outcome(mirror))
        if mover(state) == 1:  # Lower answers; in the swapped game he chooses first, Upper answers
            chosen = apply_move(swapped, swap_move(move))
            n_bad += int(apply_move(chosen, swap_move(state[7])) != swap_sides(child))
        for j in range(9):
            trace[i, j] = state[j]
        trace[i, 9] = move
        trace[i, 10] = n_moves
        trace[i, 11] = move_hint(state, move)
        trace[i, 12] = history_key(state)
        trace[i, 13] = int(is_quiet(state))
        trace[i, 14] = noisy_moves(state, moves)
        trace[i, 15] = outcome(child)
        state = child
    return n_bad


@pytest.fixture(scope="module")
def trace() -> Any:
    """Return what `sweep` saw in 40,000 actions: states, move, and answers; and the features."""
    seen, values = np.zeros((40_000, 16), np.int64), np.zeros((40_000, GAME.n_features))
    assert bind(sweep, GAME)(1, len(seen), seen, values) == 0
    return seen, values


def test_players_and_mirror_images_are_alike(trace: Any) -> None:
    seen, values = trace
    between = seen[:, 7] == 0
    assert between.sum() == 20_000 and len(np.unique(seen[:, 12])) > 15_000
    assert (np.abs(values).max(axis=0) > 0).all()  # no feature was compared as 0 only


def test_compiled_games_equal_plain_ones(trace: Any) -> None:
    out = np.zeros(GAME.max_moves, np.int64)
    for row, values in zip(trace[0][:3000].tolist(), trace[1], strict=False):
        state, move = tuple(row[:9]), row[9]
        assert list(numbers(state).values()) == values.tolist()
        expected = [move, len(legal_of(state)), GAME.move_hint(state, move), GAME.history_key(state)]
        expected += [int(GAME.is_quiet(state)), GAME.noisy_moves(state, out)]
        child = GAME.apply_move(state, move)
        assert row[9:] == [*expected, GAME.outcome(child)]
        for words in (child, GAME.swap_sides(state), GAME.symmetries(state, 1)):
            assert all(type(word) is int and 0 <= word < 2**63 for word in words)


def test_no_feature_follows_from_the_others(trace: Any) -> None:
    rows = trace[1]
    assert np.linalg.matrix_rank(rows / np.sqrt((rows**2).mean(0))) == GAME.n_features


def take_features(state: Any, out: Any) -> None:
    features(state, out)


def test_only_dear_features_are_left_out() -> None:
    mask = sum(1 << i for i, name in enumerate(GAME.feature_names) if name in GAME.cheap_features)
    cheap, n = bind(take_features, GAME, mask), len(GAME.cheap_features)
    for state in reachable(300, 4):
        some = np.full(GAME.n_features, np.nan)
        cheap(state, some)
        assert some[:n].tolist() == list(numbers(state).values())[:n] and np.isnan(some[n:]).all()


def test_stages_are_shares() -> None:
    out = np.zeros(2)
    for throws, share in (((0, 0), 1.0), ((9, 0), 0.5), ((9, 9), 0.0)):
        state = GAME.text_to_state(text_of({"board": [], "throws": throws, "nturns": 9}))
        GAME.stages(state, out)
        assert out.tolist() == [share, 1 - share]


def test_hints_order_captures_first() -> None:
    state = GAME.text_to_state(
        '{"board":[[0,0,"R"],[0,1,"s"],[1,0,"p"],[0,-1,"S"]],"throws":[5,5],"nturns":10}'
    )
    hint = {
        action: GAME.move_hint(state, GAME.text_to_move(state, action))
        for action in Board(GAME, GAME.state_to_text(state)).legal()
    }
    assert hint["L:0,0>0,1"] > 0 > hint["L:0,0>1,0"] > hint["L:0,0>0,-1"]
    assert hint["L:0,0>1,-1"] == 0 and hint["Tr:0,1"] == hint["L:0,0>0,1"]
    waiting = choose(state, "L:0,0>1,-1")
    assert GAME.move_hint(waiting, GAME.text_to_move(waiting, "L:1,0>0,0")) == 0  # the rock has left
    assert GAME.move_hint(waiting, GAME.text_to_move(waiting, "L:1,0>1,-1")) > 0  # and is met there
    attacked = choose(state, "L:0,0>0,1")
    assert GAME.move_hint(attacked, GAME.text_to_move(attacked, "L:0,1>0,2")) > 0  # the scissors flee


# Tokens that share a hex

HEXES = st.integers(0, board.N_HEXES - 1)


def pile_of(numbers_: list[int]) -> int:
    pile = 0
    for number in numbers_:
        pile = board.add_to_pile(pile, number)
    return pile


@given(st.lists(HEXES, max_size=8), st.randoms(use_true_random=False), HEXES)
def test_piles_are_multisets(tokens: list[int], rng: Any, number: int) -> None:
    pile = pile_of(tokens)
    assert pile == pile_of(rng.sample(tokens, len(tokens))) < 2**48
    fewer = list(tokens)
    if number in fewer:
        fewer.remove(number)
    assert board.take_from_pile(pile, number) == pile_of(fewer)
    assert board.clear_pile(pile, 1 << number) == pile_of([t for t in tokens if t != number])
    assert board.count_pile(pile, 1 << number) == tokens.count(number)
    assert board.half_turn_pile(pile) == pile_of([(8 - t) % 61 for t in tokens])
    assert board.mirror_pile(board.mirror_pile(pile)) == pile


# Text forms and pictures


@given(st.integers(0, 2**32))
def test_states_survive_their_text(seed: int) -> None:
    rng = random.Random(seed)
    state = state_of(naive.random_position(rng))
    assert GAME.text_to_state(GAME.state_to_text(state)) == state
    if GAME.outcome(state) == ONGOING:
        moves = legal_of(state)
        for move in rng.sample(moves, min(5, len(moves))):
            assert GAME.text_to_move(state, GAME.move_to_text(state, move)) == move
            waiting = GAME.apply_move(state, move)
            assert GAME.text_to_state(GAME.state_to_text(waiting)) == waiting


def test_reached_states_survive_their_text() -> None:
    for state in reachable(300, 5):
        assert GAME.text_to_state(GAME.state_to_text(state)) == state


def test_order_in_a_text_does_not_matter() -> None:
    one = '{"nturns": 3, "throws": [3, 2], "board": [[4,0,"rRR"], [-4,0,"s"]]}'
    other = '{"board":[[-4,0,"s"],[4,0,"RRr"]],"throws":[3,2],"nturns":3}'
    assert GAME.state_to_text(GAME.text_to_state(one)) == other


EMPTY = '"board":[],"throws":[0,0],"nturns":0'
HOSTILE = [
    "",
    "null",
    "[]",
    "3",
    '["board","throws","nturns"]',
    "{}",
    "{" + EMPTY,
    "{" + EMPTY + "} x",
    "{" + EMPTY + ',"over":false}',
    "{" + EMPTY + ',"nturns":0}',
    "{" + EMPTY + ',"pending":null}',
    '{"board":[],"throws":[0,0]}',
    '{"board":{},"throws":[0,0],"nturns":0}',
    '{"board":[],"throws":[0],"nturns":0}',
    '{"board":[],"throws":"00","nturns":0}',
    '{"board":[],"throws":[0,-1],"nturns":0}',
    '{"board":[],"throws":[0,10],"nturns":0}',
    '{"board":[],"throws":[0,true],"nturns":0}',
    '{"board":[],"throws":[0,0.0],"nturns":0}',
    '{"board":[],"throws":[0,NaN],"nturns":0}',
    '{"board":[],"throws":[0,0],"nturns":361}',
    '{"board":[],"throws":[0,0],"nturns":-1}',
    '{"board":[],"throws":[0,0],"nturns":"0"}',
    f'{{"board":[],"throws":[0,0],"nturns":{10**30}}}',
    f'{{"board":[],"throws":[0,0],"nturns":{"9" * 5000}}}',
    '{"board":[[0,0]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"R",1]],"throws":[1,1],"nturns":1}',
    '{"board":[{"r":0,"q":0,"t":"R"}],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,""]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,1]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,["R"]]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"X"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"\u017f"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"Rs"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"RR"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"rr"]],"throws":[2,1],"nturns":1}',
    '{"board":[[0,0,"R"],[0,0,"r"]],"throws":[1,1],"nturns":1}',
    '{"board":[[4,1,"R"]],"throws":[1,1],"nturns":1}',
    '{"board":[[-5,0,"R"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0.5,0,"R"]],"throws":[1,1],"nturns":1}',
    '{"board":[[true,0,"R"]],"throws":[1,1],"nturns":1}',
    "[" * 100_000,
    '{"board":' * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_wrong_states_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="ropasci360 state: expected .*, found ") as caught:
        GAME.text_to_state(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


@given(st.text('[]{},:"0149-RPSrps', max_size=8), st.integers(0, 70), st.integers(0, 70))
def test_a_spoilt_text_is_a_state_or_an_input_error(patch: str, first: int, last: int) -> None:
    text = '{"board":[[-4,1,"rr"],[0,0,"Pp"],[4,0,"S"]],"throws":[3,4],"nturns":9}'
    try:
        state = GAME.text_to_state(text[:first] + patch + text[last:])
    except InputError:
        return
    assert GAME.text_to_state(GAME.state_to_text(state)) == state


WRONG_ACTIONS = [
    "",
    "Tr",
    "TR:4,-2",
    "tr:4,-2",
    "Tx:4,-2",
    "Tr:4,-2 L",
    "Tr:4,+2",
    "Tr:4,-0",
    "Tr:04,0",
    "Tr:4,1",
    "Tr:9,9",
    "Tr:4",
    "L:0,0",
    "L:0,0>0,0",
    "L:0,0>0,2",
    "W:0,0>0,1",
    "W:0,0>3,0",
    "L:0,0>0,1>0,2",
    "L:\u0660,0>0,1",
    "L:0,0\n>0,1",
]


@pytest.mark.parametrize("text", WRONG_ACTIONS, ids=range(len(WRONG_ACTIONS)))
def test_wrong_actions_are_refused(text: str) -> None:
    state = GAME.text_to_state('{"board":[[0,0,"R"],[0,1,"R"]],"throws":[2,2],"nturns":2}')
    with pytest.raises(InputError, match="ropasci360 action: expected .*, found '") as caught:
        GAME.text_to_move(state, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["Tr:1,0", "L:1,0>0,0", "W:0,0>-2,0", "L:-1,0>-1,1"])
def test_illegal_actions_are_refused(text: str) -> None:
    state = GAME.text_to_state('{"board":[[-1,0,"r"],[0,0,"R"],[0,1,"R"]],"throws":[2,2],"nturns":2}')
    with pytest.raises(InputError, match=f"expected a legal one of Upper, found '{text}'"):
        GAME.text_to_move(state, text)
    with pytest.raises(InputError, match="expected a legal one of Upper"):
        GAME.text_to_state(GAME.state_to_text(state)[:-1] + f',"pending":"{text}"}}')


def test_drawings() -> None:
    state = GAME.text_to_state('{"board":[[-4,2,"R"],[0,0,"RRRrr"],[4,0,"Pp"]],"throws":[8,7],"nturns":20}')
    picture = ElementTree.fromstring(GAME.draw_svg(state))
    assert picture.get("viewBox") == "0 0 620 604"
    tags = Counter(element.tag.split("}")[-1] for element in picture.iter())
    assert tags["polygon"] == 61 and tags["script"] == 0
    assert tags["circle"] == 5 + 2 + 18  # discs, numbers on them, throws
    drawn = GAME.draw_text(state)
    assert "R3r2" in drawn and "Pp" in drawn and drawn.endswith("after turn 20: Upper to choose")
    assert "Lower (r p s), throws left: 2" in drawn
    waiting = GAME.apply_move(state, legal_of(state)[0])
    assert GAME.draw_text(waiting).endswith("Upper has chosen, Lower to choose")
    assert GAME.move_to_text(state, legal_of(state)[0]) not in GAME.draw_text(waiting)


def test_a_given_end_is_marked_only_where_the_end_test_fires() -> None:
    for state in reachable(200, 6):
        given_state = GAME.text_to_state(GAME.state_to_text(state))
        assert given_state[8] & AS_GIVEN == 0 and judge(given_state) == 0


# Weights


@pytest.mark.parametrize("name", ["hand", "ti_ming", "additional_pylon", "lich", "the_pink_coder"])
def test_weights(name: str) -> None:
    fields = json.loads((GAME.folder / "weights" / f"{name}.json").read_text())
    assert (fields["format"], fields["version"]) == ("tunesmith-weights", 1)
    assert (fields["game"], fields["variant"]) == (GAME.name, dict(GAME.variant))
    assert fields["features"] == list(GAME.feature_names) and fields["stages"] == list(GAME.stage_names)
    assert fields["weights"].keys() == set(GAME.stage_names) and fields["scale"] > 0
    for weights in fields["weights"].values():
        assert list(weights) == fields["features"] and all(np.isfinite([*weights.values()]))
        assert weights["tokens"] > 0
    assert fields["provenance"]["how"] and fields["provenance"]["source"]
