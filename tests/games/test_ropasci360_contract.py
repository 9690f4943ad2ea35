"""What `games.game` asks of RoPaSci 360: symmetry, hidden choices, features, compiled play, weights."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.ropasci360_help import choose, legal_of, numbers, reachable, text_of
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import (
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
from tunesmith.games import ONGOING
from tunesmith.games.ropasci360 import GAME, board, symmetry


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
    assert symmetry.half_turn_pile(pile) == pile_of([(8 - t) % 61 for t in tokens])
    assert symmetry.mirror_pile(symmetry.mirror_pile(pile)) == pile


# Weights


@pytest.mark.parametrize("name", ["hand", "ti_ming", "additional_pylon", "lich", "the_pink_coder"])
def test_weights(name: str) -> None:
    fields = json.loads((GAME.folder / "weights" / f"{name}.json").read_text())
    assert (fields["format"], fields["version"]) == ("tunesmith-weights", 2)
    assert (fields["game"], fields["variant"]) == (GAME.name, dict(GAME.variant))
    assert fields["features"] == list(GAME.feature_names) and fields["stages"] == list(GAME.stage_names)
    assert fields["weights"].keys() == set(GAME.stage_names) and fields["scale"] > 0
    for weights in fields["weights"].values():
        assert list(weights) == fields["features"] and all(np.isfinite([*weights.values()]))
        assert weights["tokens"] > 0
    assert fields["provenance"]["how"] and fields["provenance"]["source"]
