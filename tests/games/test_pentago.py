"""Pentago against games of other programs, counts of sequences, and a slow twin; symmetry, compiled code."""

import gzip
import hashlib
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import pentago as naive
from tunesmith.engine.compile.bind import bind, facts
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    N_FEATURES,
    N_SYMMETRIES,
    apply_move,
    features,
    initial,
    is_quiet,
    legal_moves,
    move_hint,
    mover,
    noisy_moves,
    outcome,
    stages,
    symmetric_move,
    symmetries,
)
from tunesmith.engine.perft import perft
from tunesmith.games import ONGOING, load
from tunesmith.games.errors import InputError
from tunesmith.games.game import Cloner, specialise
from tunesmith.games.pentago import GAME, rules
from tunesmith.games.pentago.board import BOARD, lowest, popcount, window_counts
from tunesmith.games.pentago.symmetry import swap_sides

GOLDEN = Path(__file__).parent.parent / "golden" / "pentago"
VARIANTS = ("twist", "classic", "classic-after", "swap")
RESULTS = {ONGOING: "-", 1: "w", -1: "b", 0: "draw"}
each_variant = pytest.mark.parametrize("variant", VARIANTS)


def game_of(variant: str) -> Any:
    return load(f"pentago:variant={variant}")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text())


def legal(game: Any, state: Any) -> list[int]:
    out = np.full(game.max_moves + 1, -7, np.int64)
    n = game.legal_moves(state, out)
    assert (out[n:] == -7).all()
    return [int(move) for move in out[:n]]


def numbers(game: Any, state: Any) -> dict[str, float]:
    out = np.full(game.n_features, np.nan)
    game.features(state, out)
    return dict(zip(game.feature_names, map(float, out), strict=True))


def children(game: Any, state: Any) -> list[tuple[str, str, str]]:
    """Return (move, board, status) of every legal move."""
    found = []
    for move in legal(game, state):
        child = game.apply_move(state, move)
        found.append(
            (game.move_to_text(state, move), game.state_to_text(child), RESULTS[game.outcome(child)])
        )
    return found


def fingerprint(kids: list[tuple[str, str, str]]) -> str:
    return hashlib.sha256("\n".join(sorted(map(" ".join, kids))).encode()).hexdigest()[:16]


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
    game = game_of(record["variant"])
    state = game.initial()
    for ply in record["plies"]:
        assert game.state_to_text(state) == ply["s"]
        assert game.text_to_state(ply["s"]) == state
        assert ("w", "b")[game.mover(state)] == ply["t"]
        kids = children(game, state)
        assert sorted({move[:2] for move, _, _ in kids}) == sorted(ply["cells"].split())
        assert len(kids) == ply["n_legal"]
        statuses = Counter(status for _, _, status in kids)
        other = "b" if ply["t"] == "w" else "w"
        assert [statuses[s] for s in (ply["t"], other, "draw", "-")] == ply["children"]
        assert fingerprint(kids) == ply["kids_sha"]
        state = game.apply_move(state, game.text_to_move(state, ply["m"]))
    assert game.state_to_text(state) == record["final"]
    assert RESULTS[game.outcome(state)] == record["result"]
    assert game.end_reason(state) == record["reason"]
    assert legal(game, state) == []


@pytest.mark.parametrize("case", golden("cases.json"), ids=lambda case: case["id"])
def test_case(case: Any) -> None:
    game = game_of(case["variant"])
    state = game.text_to_state(case["state"])
    assert ("w", "b")[game.mover(state)] == case["turn"]
    kids = children(game, state)
    assert len(kids) == case["n_legal"]
    assert len({kid[1:] for kid in kids}) == case["distinct_children"]
    assert fingerprint(kids) == case["kids_sha"]
    for move in case["moves"]:
        if move["legal"]:
            child = game.apply_move(state, game.text_to_move(state, move["m"]))
            assert game.state_to_text(child) == move["board"]
            assert RESULTS[game.outcome(child)] == move["status"]
        else:
            with pytest.raises(InputError):
                game.text_to_move(state, move["m"])


@pytest.mark.parametrize("entry", golden("perft.json"), ids=lambda entry: entry["id"])
def test_number_of_sequences(entry: Any) -> None:
    game = game_of(entry["variant"])
    assert [perft(game, k, entry["state"]) for k in range(1, len(entry["perft"]) + 1)] == entry["perft"]


# The slow twin


@each_variant
def test_rules_and_features_agree_with_the_twin(variant: str) -> None:
    game, rng = game_of(variant), random.Random(variant)
    assert naive.operations(variant) == [
        game.move_to_text(game.initial(), k)[3:] for k in range(6 + 2 * (variant != "swap"))
    ]
    for n in range(500):
        board = naive.random_board(rng, rng.randrange(36))
        state = game.text_to_state(naive.write(board))
        found, expected = numbers(game, state), naive.features(board, variant)
        assert found == {name: expected[name] for name in game.feature_names}
        if n % 10 == 0:
            kids = [
                (move, naive.write(after), status) for move, after, status in naive.children(board, variant)
            ]
            assert sorted(children(game, state)) == sorted(kids)
            check_threats(game, state, board, variant)


def check_threats(game: Any, state: Any, board: naive.Board, variant: str) -> None:
    """Noisy moves are those that win; quiet is a position where neither player has one."""
    own = naive.side(board)
    wins = naive.winning_moves(board, variant, own)
    out = np.zeros(game.max_moves, np.int64)
    noisy = [game.move_to_text(state, int(move)) for move in out[: game.noisy_moves(state, out)]]
    assert sorted(noisy) == sorted(wins)
    threats = naive.winning_moves(board, variant, naive.other(own))
    assert game.is_quiet(state) == (not wins and not threats)


@each_variant
def test_counts_after_an_operation_are_those_of_the_turned_board(variant: str) -> None:
    rng = random.Random(variant)
    functions = {"after": rules.counts_after, "operate": rules.operate}
    turned = specialise(functions, rules.constants(variant))
    boards = [0, BOARD, *(rng.getrandbits(36) | rng.getrandbits(36) for _ in range(300))]
    for stones in boards:
        counts = window_counts(stones)
        for operation in range(6 + 2 * (variant != "swap")):
            expected = window_counts(turned["operate"](stones, operation))
            assert turned["after"](counts, stones, operation) == expected


@each_variant
def test_twin_plays_whole_games_too(variant: str) -> None:
    game, rng = game_of(variant), random.Random(variant)
    for _ in range(2):
        state = game.initial()
        while game.outcome(state) == ONGOING:
            board = naive.read(game.state_to_text(state))
            assert naive.features(board, variant).items() >= numbers(game, state).items()
            move, after, status = rng.choice(list(naive.children(board, variant)))
            state = game.apply_move(state, game.text_to_move(state, move))
            assert game.state_to_text(state) == naive.write(after)
            assert RESULTS[game.outcome(state)] == status


@pytest.mark.parametrize("variant", ["twist", "classic"])
def test_hints_put_wins_first_and_gifts_last(variant: str) -> None:
    game, rng = game_of(variant), random.Random(9)
    for _ in range(40):
        board = naive.random_board(rng, rng.randrange(12, 36))
        state = game.text_to_state(naive.write(board))
        own = naive.side(board)
        hints: dict[str, list[int]] = {own: [], "-": [], "draw": [], naive.other(own): []}
        for move, _, status in naive.children(board, variant):
            hints[status].append(game.move_hint(state, game.text_to_move(state, move)))
        assert min(hints[own], default=999) > max(hints["-"], default=-999)
        assert min(hints["-"], default=-500) > max(hints[naive.other(own)], default=-999)


# Features


def test_left_out_features_follow_from_the_others() -> None:
    """Those that a regression could not tell apart: what the text of games.pentago.features claims."""
    rng = random.Random(6)
    for _ in range(40):
        f = naive.features(naive.random_board(rng, rng.randrange(36)), "twist")
        assert f["centres"] + f["corners_q"] + f["edges_q"] == -f["odd"]
        lines = f["main_diag"] + f["middle_lines"] + f["border_lines"] + f["off_diag"]
        assert lines == f["open_3"] + f["open_4"]


@each_variant
def test_no_feature_follows_from_the_others(variant: str) -> None:
    game = game_of(variant)
    rows = np.array([list(numbers(game, state).values()) for state in reachable(game, 1000, 1)])
    assert np.linalg.matrix_rank(rows / np.sqrt((rows**2).mean(0))) == game.n_features


def test_names_and_meanings() -> None:
    assert len(set(GAME.feature_names)) == len(GAME.feature_names) == len(GAME.feature_meanings) == 22
    assert GAME.cheap_features == GAME.feature_names[:17]


def test_stages_are_shares() -> None:
    for n, expected in {
        0: (1, 0, 0),
        6: (1, 0, 0),
        11: (0.5, 0.5, 0),
        16: (0, 1, 0),
        23: (0, 0.3, 0.7),
        35: (0, 0, 1),
    }.items():
        out = np.zeros(3)
        GAME.stages(((1 << n) - 1, 0, 0), out)
        assert out == pytest.approx(expected) and out.sum() == pytest.approx(1) and (out >= 0).all()


# Compiled code and symmetry


def same_everywhere(n_positions: int, seed: int) -> int:
    """Count positions of random games where features or children break a symmetry (template)."""
    here: Any = np.zeros(N_FEATURES)
    there: Any = np.zeros(N_FEATURES)
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    state = initial()
    n_bad = 0
    for _ in range(n_positions):
        features(state, here)
        swapped = swap_sides(state)
        features(swapped, there)
        good = bool((here == there).all()) and mover(swapped) == 1 - mover(state)
        seed = (seed * 1103515245 + 12345) % 2147483648
        n_moves = legal_moves(state, moves)
        move = int(moves[(seed >> 8) % n_moves])
        child = apply_move(state, move)
        good = good and swap_sides(child) == apply_move(swapped, move) and swap_sides(swapped) == state
        k = (seed >> 4) % N_SYMMETRIES
        image = symmetries(state, k)
        features(image, there)
        good = good and bool((here == there).all())
        moved = symmetric_move(state, move, k)
        good = good and apply_move(image, moved) == symmetries(child, k)
        good = good and legal_moves(image, moves) == n_moves and moved in moves[:n_moves]
        n_bad += int(not good)
        state = child if outcome(child) == ONGOING else initial()
    return n_bad


@each_variant
def test_players_and_board_may_be_exchanged(variant: str) -> None:
    assert bind(same_everywhere, game_of(variant))(20_000, 7) == 0


@each_variant
def test_images_are_different_and_keep_the_children(variant: str) -> None:
    game = game_of(variant)
    assert game.n_symmetries == (2 if variant == "twist" else 8)
    n_images = []
    for state in reachable(game, 20, 3):
        images = [game.symmetries(state, k) for k in range(game.n_symmetries)]
        assert images[0] == state
        for k, image in enumerate(images):
            kids = Counter(game.symmetries(game.apply_move(state, move), k) for move in legal(game, state))
            assert kids == Counter(game.apply_move(image, move) for move in legal(game, image))
            moved = [game.symmetric_move(state, move, k) for move in legal(game, state)]
            assert sorted(moved) == sorted(legal(game, image))
        n_images.append(len(set(images)))
    assert max(n_images) == game.n_symmetries and n_images[0] == 1


def test_twist_knows_no_other_symmetry() -> None:
    twist, classic = GAME, game_of("classic-after")
    state = twist.text_to_state("wb.w.b..wb..wbw..b....w.b...w.bwb..w")
    for k in range(2, 8):
        image = classic.symmetries(state, k)
        kids = {classic.symmetries(twist.apply_move(state, move), k) for move in legal(twist, state)}
        assert kids != {twist.apply_move(image, move) for move in legal(twist, image)}


def play_random(state: Any, seed: int, trace: Any, row: Any) -> int:
    """Play a game with a small generator, leaving a trace of what the functions say (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    n = 0
    while outcome(state) == ONGOING:
        features(state, row)
        for i in range(N_FEATURES):
            trace[n, 9] += row[i] * (i + 1)
        stages(state, row)
        trace[n, 8] = row[0] + 10 * row[1] + 100 * row[2]
        trace[n, 7] = symmetries(state, N_SYMMETRIES - 1)[0]
        seed = (seed * 1103515245 + 12345) % 2147483648
        n_moves = legal_moves(state, moves)
        move = int(moves[(seed >> 8) % n_moves])
        trace[n, 6] = n_moves
        trace[n, 3] = move_hint(state, move)
        trace[n, 4] = noisy_moves(state, moves)
        trace[n, 5] = int(is_quiet(state))
        state = apply_move(state, move)
        trace[n, 0], trace[n, 1], trace[n, 2] = state
        n += 1
    return n * 10 + outcome(state)


@each_variant
def test_compiled_games_equal_plain_ones(variant: str) -> None:
    game = game_of(variant)
    slots = facts(game) | game.functions()
    compiled = bind(play_random, game)
    plain = Cloner(lambda name, value: slots.get(name, value)).clone(play_random)
    row = np.zeros(game.n_features)
    for seed in range(20):
        traces = np.zeros((2, 36, 10))
        assert compiled(game.initial(), seed, traces[0], row) == plain(game.initial(), seed, traces[1], row)
        assert (traces[0] == traces[1]).all()


def take_features(state: Any, out: Any) -> None:
    features(state, out)


@pytest.mark.parametrize("variant", ["twist", "classic"])
def test_only_dear_features_are_left_out(variant: str) -> None:
    game = game_of(variant)
    n = len(game.cheap_features)
    cheap, full = bind(take_features, game, (1 << n) - 1), bind(take_features, game)
    for state in reachable(game, 300, 2):
        some, all_of_them = np.full(game.n_features, np.nan), np.full(game.n_features, np.nan)
        cheap(state, some)
        full(state, all_of_them)
        assert (some[:n] == all_of_them[:n]).all() and np.isnan(some[n:]).all()
        assert list(numbers(game, state).values()) == list(all_of_them)


@given(st.integers(1, 2**63 - 1))
def test_bits(word: int) -> None:
    assert popcount(word) == word.bit_count()
    assert 1 << lowest(word) == word & -word


def test_a_stone_that_makes_five_ends_the_classic_game() -> None:
    game = game_of("classic")
    state = game.text_to_state("wwww..bb....b......................b")
    won = game.apply_move(state, game.text_to_move(state, "e1-"))
    assert (game.outcome(won), game.end_reason(won), game.mover(won)) == (1, "five_on_placement", 1)
    again = game.text_to_state(game.state_to_text(won))
    assert (game.outcome(again), game.end_reason(again), game.mover(again)) == (1, "five", 1)
