"""Expendibots against the course's referee and a slow twin; text forms, pictures, symmetries, weights.

Long because all that is tested of one game stands together, as for every game."""

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

from tests.naive import expendibots as naive
from tunesmith.engine.board import Board
from tunesmith.engine.compile import jit
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    N_FEATURES,
    N_STAGES,
    apply_move,
    features,
    history_key,
    initial,
    is_quiet,
    legal_moves,
    move_hint,
    noisy_moves,
    outcome,
    plies,
    stages,
    symmetric_move,
    symmetries,
)
from tunesmith.engine.perft import divide, perft
from tunesmith.engine.weights import load as load_weights
from tunesmith.games import ONGOING, load
from tunesmith.games.errors import InputError
from tunesmith.games.expendibots import GAME, make, notation, rules, symmetry
from tunesmith.games.expendibots.board import height_at
from tunesmith.games.expendibots.features import lowest_height, stretched
from tunesmith.games.expendibots.symmetry import swap_sides
from tunesmith.games.game import specialise

GOLDEN = Path(__file__).parent.parent / "golden" / "expendibots"
SMOOTH = load("expendibots:phase=smooth")
WEIGHTS = sorted(GAME.folder.glob("weights/*.json")) if GAME.folder else []


def golden(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text())


def referee_text(result: int, reason: str) -> str:
    """Return the words of the course's referee for a game's result (for White) and reason."""
    draws = {
        "no_tokens": "no tokens remaining",
        "repetition": "game state occurred 4 times.",
        "max_plies": "maximum number of turns reached.",
    }
    if reason in draws:
        return f"draw detected: {draws[reason]}"
    return f"winner: {notation.SIDES[(1 - result) // 2]}"


def text_of(record: Any) -> str:
    return f"{record['board']} {record['to_move']} {record['nturns']}"


def legal(state: Any) -> list[int]:
    out = np.full(GAME.max_moves + 1, -7, np.int64)
    n = GAME.legal_moves(state, out)
    assert (out[n:] == -7).all()
    return [int(move) for move in out[:n]]


def legal_texts(state: Any) -> list[str]:
    return sorted(GAME.move_to_text(state, move) for move in legal(state))


def numbers(state: Any, game: Any = GAME) -> dict[str, float]:
    out = np.full(game.n_features, np.nan)
    game.features(state, out)
    return dict(zip(game.feature_names, map(float, out), strict=True))


def shares(state: Any, game: Any = GAME) -> dict[str, float]:
    out = np.full(game.n_stages, np.nan)
    game.stages(state, out)
    return dict(zip(game.stage_names, map(float, out), strict=True))


def reachable(n: int, seed: int) -> list[Any]:
    """Return n unfinished positions of random games in which a BOOM is rare enough to let them go on."""
    rng, found = random.Random(seed), []
    while len(found) < n:
        state, boldness = GAME.initial(), rng.choice([0.03, 0.1, 0.3])
        while GAME.outcome(state) == ONGOING and GAME.plies(state) < 500:
            found.append(state)
            booms = rng.random() < boldness
            moves = legal(state)
            moves = [move for move in moves if (move >> 12 == 0) == booms] or moves
            state = GAME.apply_move(state, rng.choice(moves))
    return rng.sample(found, n)


# The referee


@pytest.mark.parametrize(
    "line", gzip.decompress((GOLDEN / "transcripts.jsonl.gz").read_bytes()).decode().splitlines()
)
def test_whole_game(line: str) -> None:
    record = json.loads(line)
    board = Board(GAME)
    occurrences: Counter[int] = Counter()
    for turn, ply in enumerate(record["plies"]):
        assert GAME.state_to_text(board.state) == f"{ply['board']} {notation.SIDES[turn % 2]} {turn}"
        assert legal_texts(board.state) == ply["legal"]
        occurrences[GAME.history_key(board.state)] += 1
        assert GAME.outcome(board.state) == ONGOING and max(occurrences.values()) < 4
        board.play(GAME.text_to_move(board.state, ply["action"]))
    assert board.text == text_of(record["final"])
    stacks = notation.stacks(board.state)
    assert [sum(h for h in stacks if h > 0), -sum(h for h in stacks if h < 0)] == record["tokens"]
    assert board.result is not None and board.reason is not None
    assert referee_text(board.result, board.reason) == record["result"]


@pytest.mark.parametrize("case", golden("cases.json"), ids=lambda case: case["id"])
def test_case(case: Any) -> None:
    board = Board(GAME, text_of(case["start"]))
    for illegal in case["illegal"]:
        with pytest.raises(InputError, match="expendibots move: expected"):
            board.push(illegal)
    for action in case["actions"]:
        assert not board.is_over
        board.push(action)
    after = case["after"]
    assert board.text == text_of(after)
    assert board.is_over == after["over"]
    if after["over"]:
        assert board.result is not None and board.reason is not None
        assert referee_text(board.result, board.reason) == after["result"]
        assert board.legal() == []


@pytest.mark.parametrize("record", golden("perft.json"), ids=lambda record: record["name"])
def test_perft(record: Any) -> None:
    text = text_of(record)
    most = 100_000_000 if jit.COMPILED else 10_000
    for depth, expected in enumerate(record["perft"], 1):
        if expected <= most:
            assert perft(GAME, depth, text) == expected
    if sum(record["divide"].values()) <= most:
        assert divide(GAME, record["divide_n"], text) == record["divide"]


# The slow twin


def check_rules(state: Any, rng: random.Random) -> None:
    """Compare legal actions, one action, the quiet test and the noisy moves with the twin's."""
    text = GAME.state_to_text(state)
    position = naive.read(text)
    assert naive.write(position) == text and GAME.text_to_state(text) == state
    actions = legal_texts(state)
    assert actions == naive.legal(position)
    for action in rng.sample(actions, min(3, len(actions))):
        after = GAME.apply_move(state, GAME.text_to_move(state, action))
        expected = naive.apply(position, action)
        assert GAME.state_to_text(after) == naive.write(expected)
        left = [naive.tokens(expected[0], sign) > 0 for sign in (1, -1)]
        assert GAME.outcome(after) == (ONGOING if all(left) else left[0] - left[1])
    out = np.zeros(GAME.max_moves, np.int64)
    booms = [int(move) & 63 for move in out[: rules.noisy_moves(state, out)]]
    blasts = [frozenset(naive.component(position[0], (boom & 7, boom >> 3))) for boom in booms]
    assert sorted(map(sorted, blasts)) == sorted(map(sorted, naive.good_booms(position)))
    assert rules.is_quiet(state) == (not booms)
    assert set(out[: len(booms)]) <= set(legal(state))


def check_features(state: Any) -> None:
    """Compare every feature and the stages with the twin's."""
    position = naive.read(GAME.state_to_text(state))
    assert numbers(state) == pytest.approx(naive.features(position), abs=1e-12)
    expected = naive.stage(position)
    assert shares(state) == {name: float(name == expected) for name in GAME.stage_names}
    full = (naive.tokens(position[0], 1) + naive.tokens(position[0], -1)) / 24
    assert shares(state, SMOOTH) == pytest.approx({"full": full, "empty": 1 - full})


def test_twin_on_reachable_positions() -> None:
    rng = random.Random(11)
    for state in reachable(2_000, seed=1):
        check_rules(state, rng)
        check_features(state)


@st.composite
def texts(draw: Any) -> str:
    """Draw any board of at most twelve tokens a side, both sides present, also crowded and piled up."""
    squares = draw(st.permutations(range(64)))
    rows = ["."] * 64
    for first in ("A", "a"):
        left = draw(st.integers(1, 12))
        while left > 0:
            height = draw(st.integers(1, left))
            rows[squares.pop()] = chr(ord(first) + height - 1)
            left -= height
    turns = draw(st.integers(0, 499))
    board = "/".join("".join(rows[8 * y : 8 * y + 8]) for y in range(8))
    return f"{board} {notation.SIDES[turns % 2]} {turns}"


@given(texts(), st.randoms(use_true_random=False))
def test_twin_on_any_position(text: str, rng: random.Random) -> None:
    state = GAME.text_to_state(text)
    assert GAME.state_to_text(state) == text
    check_rules(state, rng)
    check_features(state)


@pytest.mark.parametrize(
    ("board", "n"),
    [
        ("......../......../......../...D..../...DD.../......../......../.......a", 171),
        ("......../......../......../...L..../......../......../......../.......a", 169),
    ],
)
def test_most_moves(board: str, n: int) -> None:
    moves = legal(GAME.text_to_state(f"{board} white 40"))
    assert len(moves) == len(set(moves)) == n <= GAME.max_moves


# Symmetry, and compiled against plain


def random_number(seed: int) -> int:
    """Step a generator of 63-bit numbers on which plain and compiled code agree: shifts only (template)."""
    seed ^= (seed << 13) & 0x7FFFFFFFFFFFFFFF
    seed ^= seed >> 7
    return seed ^ (seed << 17) & 0x7FFFFFFFFFFFFFFF


def pick(moves: Any, n_moves: int, seed: int) -> int:
    """Choose a move, a BOOM rarely (template)."""
    move = int(moves[(seed >> 20) % n_moves])
    if move >> 12 == 0 and (seed >> 50) % 8 != 0:
        move = int(moves[(seed >> 35) % n_moves])
    return move


def differing(first: Any, second: Any) -> int:
    """Tell whether two arrays differ anywhere (template)."""
    for i in range(len(first)):
        if first[i] != second[i]:
            return 1
    return 0


def count_asymmetries(n_positions: int, seed: int) -> tuple[int, int, int, int, int]:
    """Play random games; count positions whose images disagree in features, stages, moves or outcome."""
    moves, image_moves = np.zeros(MAX_MOVES, np.int64), np.zeros(MAX_MOVES, np.int64)
    numbers, image_numbers = np.zeros(N_FEATURES), np.zeros(N_FEATURES)
    parts, image_parts = np.zeros(N_STAGES), np.zeros(N_STAGES)
    wrong_features = wrong_stages = wrong_moves = wrong_hints = wrong_outcomes = 0
    state = initial()
    for _ in range(n_positions):
        if outcome(state) != 2 or plies(state) >= 500:
            state = initial()
        features(state, numbers)
        stages(state, parts)
        n_moves = legal_moves(state, moves)
        for k in range(2):
            image = swap_sides(state) if k == 0 else symmetries(state, 1)
            features(image, image_numbers)
            stages(image, image_parts)
            wrong_features += differing(numbers, image_numbers)
            wrong_stages += differing(parts, image_parts)
            wrong_moves += int(legal_moves(image, image_moves) != n_moves)
            wrong_hints += int(noisy_moves(image, image_moves) != noisy_moves(state, image_moves))
            wrong_hints += int(is_quiet(image) != is_quiet(state))
            for i in range(n_moves):
                move = int(moves[i])
                child = apply_move(state, move)
                # turning the board over takes square 8 y + x to 8 (7 - y) + x
                image_move = (move ^ 0o7070) if k == 0 else symmetric_move(state, move, 1)
                image_child = apply_move(image, image_move)
                expected = swap_sides(child) if k == 0 else symmetries(child, 1)
                wrong_moves += int(history_key(image_child) != history_key(expected))
                wrong_hints += int(move_hint(image, image_move) != move_hint(state, move))
                result = outcome(child)
                mirrored = -result if k == 0 and result != 2 else result
                wrong_outcomes += int(outcome(image_child) != mirrored)
        seed = random_number(seed)
        state = apply_move(state, pick(moves, n_moves, seed))
    return wrong_features, wrong_stages, wrong_moves, wrong_hints, wrong_outcomes


def test_swapped_and_mirrored_positions_agree() -> None:
    n_positions = 20_000 if jit.COMPILED else 300
    assert tuple(bind(count_asymmetries, GAME)(n_positions, 7)) == (0, 0, 0, 0, 0)


def test_images_of_images() -> None:
    for state in reachable(300, seed=5):
        assert symmetry.swap_sides(symmetry.swap_sides(state)) == state == symmetry.symmetries(state, 0)
        assert symmetry.symmetries(symmetry.symmetries(state, 1), 1) == state
        for image in (symmetry.swap_sides(state), symmetry.symmetries(state, 1)):
            assert shares(image, SMOOTH) == shares(state, SMOOTH)
            assert GAME.plies(image) == GAME.plies(state)


def walk(states: Any, numbers: Any, parts: Any, moves: Any, seed: int) -> None:
    """Play random games and write down everything computed on the way (template)."""
    buffer = np.zeros(MAX_MOVES, np.int64)
    state = initial()
    for i in range(len(states)):
        if outcome(state) != 2:
            state = initial()
        for j in range(6):
            states[i, j] = state[j]
        features(state, numbers[i])
        stages(state, parts[i])
        n_moves = legal_moves(state, buffer)
        seed = random_number(seed)
        move = pick(buffer, n_moves, seed)
        moves[i, 0], moves[i, 1], moves[i, 2] = n_moves, move, move_hint(state, move)
        moves[i, 3], moves[i, 4] = noisy_moves(state, buffer), history_key(state)
        state = apply_move(state, move)


def test_compiled_and_plain_agree() -> None:
    n = 600
    shape = ((n, 6), np.int64), ((n, GAME.n_features), float), ((n, GAME.n_stages), float), ((n, 5), np.int64)
    states, found, parts, moves = (np.zeros(*each) for each in shape)
    bind(walk, GAME)(states, found, parts, moves, 3)
    buffer = np.zeros(GAME.max_moves, np.int64)
    for i, row in enumerate(states):
        state = tuple(int(word) for word in row)
        assert all(0 <= word < 2**63 for word in state)
        assert list(numbers(state).values()) == list(found[i])
        assert list(shares(state).values()) == list(parts[i])
        n_moves, move, hint, n_noisy, key = map(int, moves[i])
        assert n_moves == len(legal(state)) and move in legal(state)
        assert (hint, key) == (rules.move_hint(state, move), rules.history_key(state))
        assert n_noisy == rules.noisy_moves(state, buffer)
        after = GAME.apply_move(state, move)
        if GAME.outcome(after) == ONGOING and i + 1 < n:
            assert after == tuple(map(int, states[i + 1]))


def test_features_seen_by_the_other_side() -> None:
    one_sided = {
        "enemy_tokens": "tokens",
        "enemies_free": "safe_tokens",
        "friendly_clusters": "own_clusters",
        "own_swarm_distance": "swarm_distance",
    }
    for state in reachable(300, seed=2):
        other = (*state[:5], state[5] ^ 32)
        here, there = numbers(state), numbers(other)
        for name, value in there.items():
            if name in one_sided:
                sign = 1 if name.startswith("enem") else -1
                assert value == here[name] + sign * here[one_sided[name]]
            else:
                assert value == (here[name] if name == "tempo" else -here[name])


def test_history_key() -> None:
    states = reachable(3_000, seed=3)
    keys = {}
    for state in states:
        assert 0 < rules.history_key(state) < 2**63
        assert rules.history_key(rules.strip_counters(state)) == rules.history_key(state)
        assert rules.mover(rules.strip_counters(state)) == rules.mover(state)
        assert rules.plies(rules.strip_counters(state)) == 0
        other = (*state[:5], state[5] ^ 32)
        for each in (state, other):
            assert keys.setdefault(
                rules.history_key(each), rules.strip_counters(each)
            ) == rules.strip_counters(each)


def test_repetition_needs_the_same_side_to_move() -> None:
    board = Board(GAME, ".......a/......../......../......../......../......../......../B....... white 10")
    tempo = ["M2:00-10", "M1:77-67", "M2:10-20", "M1:67-77", "M2:20-00"]  # White loses a move
    seen = [board.text.split()[0]]
    for action in tempo:
        board.push(action)
        seen.append(board.text.split()[0])
    assert seen[-1] == seen[0] and board.mover == 1
    assert len(set(board.history_keys)) == len(board.history_keys)


def test_no_moves_after_the_end() -> None:
    for text in (
        "......../......../......../......../......../......../......../A....... black 11",
        ".......a/......../......../......../......../......../......../A....... white 500",
    ):
        assert legal(GAME.text_to_state(text)) == []


# Text and pictures


START = "aa.aa.aa/aa.aa.aa/......../......../......../......../AA.AA.AA/AA.AA.AA white 0"


def test_start() -> None:
    assert GAME.state_to_text(GAME.initial()) == START
    assert GAME.text_to_state(START) == GAME.initial()
    assert len(legal(GAME.initial())) == 50


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "three fields BOARD white|black NTURNS"),
        (START.removesuffix(" 0"), "three fields"),
        (START + " 0", "three fields"),
        (START.replace("aa.aa.aa/", "", 1), "8 rows of 8 squares"),
        (START.replace("A", "M", 1), "8 rows of 8 squares"),
        (START.replace("A", "1", 1), "8 rows of 8 squares"),
        (START.replace("/", "", 1), "8 rows of 8 squares"),
        (START.replace("......../", "......../......../", 1), "8 rows of 8 squares"),
        (START.replace("A", "B", 1), r"at most 12 tokens of White \(found 13\)"),
        (START.replace(".", "a", 1), r"at most 12 tokens of Black \(found 13\)"),
        (START.replace("white", "White"), "white or black to move, found 'White'"),
        (START.replace("white", "black"), "white to move after an even number"),
        (START.replace(" 0", " 1"), "white to move after an even number"),
        (START.replace(" 0", " 502"), "0 to 500 plies, found '502'"),
        (START.replace(" 0", " -2"), "0 to 500 plies"),
        (START.replace(" 0", " 00"), "0 to 500 plies"),
        (START.replace(" 0", " 0.0"), "0 to 500 plies"),
        (START.replace(" 0", " ٢"), "0 to 500 plies"),
        ("A" * 100_000, "three fields"),
    ],
)
def test_wrong_state_texts(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=f"^expendibots state: expected .*{expected}") as caught:
        GAME.text_to_state(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text",
    ["", "B", "B02", "B88", "b00", "B00 ", "B000", "M1:00-00", "M1:00-02", "M2:00-10", "M0:01-02", "M1:01-03",
     "M1:07-06", "B07", "M1:01:02", "M1:01-0", "MD:01-02", "M1:01-12", "M-1:01-02", "BOOM 0 0", "M1:70-80", "B٠٠"],
)  # fmt: skip
def test_wrong_move_texts(text: str) -> None:
    with pytest.raises(InputError, match="^expendibots move: expected .*, found ") as caught:
        GAME.text_to_move(GAME.initial(), text)
    assert "\n" not in str(caught.value)


def test_pictures() -> None:
    state = GAME.text_to_state(
        "L......a/......../..b...../......../......../......../......../.......i black 11"
    )
    drawing = GAME.draw_text(state)
    assert "7 | O12  .   .   .   .   .   .  #1  |" in drawing
    assert "O white 12, # black 12; black to move (ply 11)" in drawing
    picture = ElementTree.fromstring(GAME.draw_svg(state))
    assert picture.get("viewBox") == "0 0 352 376"
    shown = ["".join(label.itertext()) for label in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"12", "9", "2", "1"} <= set(shown)
    over = GAME.text_to_state(
        "......../......../......../......../......../......../......../A....... black 11"
    )
    assert "game over" in GAME.draw_text(over) and "game over" in GAME.draw_svg(over)


# Variants and weights


def test_variants() -> None:
    assert load("expendibots").variant == {"phase": "cases"}
    assert GAME.stage_names == ("middle", "near_end", "end") and SMOOTH.stage_names == ("full", "empty")
    assert SMOOTH.spec == "expendibots:phase=smooth"
    with pytest.raises(InputError, match="expendibots: phase: expected cases or smooth, found 'late'"):
        make(phase="late")
    assert set(GAME.cheap_features) < set(GAME.feature_names)
    assert len(GAME.feature_names) == len(GAME.feature_meanings) == 26


def test_features_that_are_not_wanted_are_left_alone() -> None:
    n_cheap = len(GAME.cheap_features)
    assert GAME.feature_names[:n_cheap] == GAME.cheap_features
    some = specialise({"features": GAME.features}, {"FEATURES_WANTED": (1 << n_cheap) - 1})["features"]
    for state in reachable(100, seed=6):
        out = np.full(GAME.n_features, np.nan)
        some(state, out)
        assert list(out[:n_cheap]) == list(numbers(state).values())[:n_cheap]
        assert np.isnan(out[n_cheap:]).all()


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_weights(path: Path) -> None:
    game = make(**json.loads(path.read_text())["variant"])
    weights = load_weights(path.stem, game)
    assert weights.features == game.feature_names and weights.stages == game.stage_names
    assert weights.provenance["how"]
    assert weights.provenance["study" if path.stem == "tuned" else "source"]


def test_hand_weights_are_the_formulas_of_the_report() -> None:
    weights = load_weights("hand", GAME).values
    for state in reachable(200, seed=4):
        board, own, _ = naive.read(GAME.state_to_text(state))
        mine, theirs = naive.tokens(board, own), naive.tokens(board, -own)
        safe, free = naive.safe(board, own), naive.safe(board, -own)
        risk = naive.at_risk(board, own) - naive.at_risk(board, -own)
        lumps, distance = len(naive.only(board, own)), naive.swarm(board, own)
        expected = 10 * mine - 10 * theirs - 20 * risk + lumps - free - distance
        if safe > 1 and free == 1:
            expected = 20 * mine - 20 * theirs - 20 * risk - free - distance
        if safe > 0 and free == 0:
            expected = 100 * (12 - theirs)
        here, parts = numbers(state), shares(state)
        score = sum(parts[s] * weights[s][name] * here[name] for s in weights for name in here)
        assert score == pytest.approx(expected)


@pytest.mark.parametrize("steps", range(1, 12))
def test_a_stack_reaches_every_square_of_its_file_and_row_in_its_steps(steps: int) -> None:
    """Also from the edge, where the stretch of squares ends on one side."""
    for at in range(63):
        x, y = at % 8, at // 8
        near = (
            1 << u + 8 * v
            for u in range(8)
            for v in range(8)
            if (v == y and abs(u - x) <= steps) or (u == x and abs(v - y) <= steps)
        )
        assert stretched(1 << at, steps) & (1 << 64) - 1 == sum(near)


@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=4, max_size=4), st.sets(st.integers(0, 63)))
def test_lowest_height(boards: list[int], squares: set[int]) -> None:
    expected = min((height_at(*boards, square) for square in squares), default=0)
    assert lowest_height(*boards, sum(1 << square for square in squares)) == expected
