"""Fanorona against games of other programs, published counts, and a slow twin; text forms, pictures, contract.

Long because everything about one game is asked in one place."""

import gzip
import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import fanorona as naive
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind, facts
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    N_FEATURES,
    apply_move,
    features,
    history_key,
    is_quiet,
    legal_moves,
    move_hint,
    mover,
    noisy_moves,
    outcome,
    strip_counters,
    symmetric_move,
    symmetries,
)
from tunesmith.engine.perft import perft
from tunesmith.games import ONGOING, load
from tunesmith.games.errors import InputError
from tunesmith.games.fanorona import GAME, make
from tunesmith.games.game import specialise

GOLDEN = Path(__file__).parent.parent / "golden" / "fanorona"
SIZES = [(3, 3), (5, 3), (3, 7), (5, 5), (9, 5), (9, 7), (9, 9)]
COMPILED_SIZES = [(9, 5), (9, 9)]  # one word and two words; other sizes run as plain Python


def game_of(width: int, height: int, rest: str = "") -> Any:
    return load(f"fanorona:width={width},height={height}{rest}")


def game_for(text: str, rest: str = "") -> Any:
    rows = text.split(maxsplit=1)[0].split("/")
    return game_of(len(rows[0]), len(rows), rest)


def golden(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text())


def legal(game: Any, state: Any) -> list[int]:
    out = np.full(game.max_moves + 1, -7, np.int64)
    n = game.legal_moves(state, out)
    assert (out[n:] == -7).all()
    return [int(move) for move in out[:n]]


def legal_texts(game: Any, state: Any) -> list[str]:
    return sorted(game.move_to_text(state, move) for move in legal(game, state))


def numbers(game: Any, state: Any) -> dict[str, float]:
    out = np.full(game.n_features, np.nan)
    game.features(state, out)
    return dict(zip(game.feature_names, map(float, out), strict=True))


def random_states(game: Any, n: int, seed: int) -> Any:
    """Return n unfinished positions of random games as rows."""
    states = np.zeros((n, 7), np.int64)
    run(wander, game, n > 2000)(game.initial(), seed, states)
    return states


def run(template: Any, game: Any, worth_compiling: bool = True) -> Any:
    """Return the template bound to the game, compiled only where that is worth the time."""
    size = game.variant["width"], game.variant["height"]
    return bind(template, game) if worth_compiling and size in COMPILED_SIZES else plain(template, game)


def plain(template: Any, game: Any) -> Any:
    """Return the template with the game's functions, all of it plain Python."""
    return specialise({"template": template}, game.functions() | facts(game))["template"]


def wander(start: Any, seed: int, states: Any) -> int:
    """Fill `states` with the positions of random games (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    state, n_games = start, 0
    for i in range(states.shape[0]):
        if outcome(state) != ONGOING:
            state = start
            n_games += 1
        for j in range(7):
            states[i, j] = state[j]
        seed = (seed * 1103515245 + 12345) % 2147483648
        state = apply_move(state, int(moves[(seed >> 8) % legal_moves(state, moves)]))
    return n_games


def as_state(row: Any) -> Any:
    """Return a state that was kept as a row of an array (plain or compiled)."""
    return int(row[0]), int(row[1]), int(row[2]), int(row[3]), int(row[4]), int(row[5]), int(row[6])


# Other programs


@pytest.mark.parametrize(
    "line",
    gzip.decompress((GOLDEN / "games.jsonl.gz").read_bytes()).decode().splitlines(),
    ids=lambda s: s[7:14],
)
def test_whole_game(line: str) -> None:
    record = json.loads(line)
    game = game_of(*record["size"])
    uncounted = game_of(*record["size"], ",draw_rule=none")
    board = Board(game)
    for ply in record["plies"]:
        assert board.text == ply["s"] and not board.is_over
        assert board.legal() == ply["legal"]
        if "n_turns" in ply:
            assert turns(uncounted, 1, ply["s"]) == ply["n_turns"]
        board.push(ply["m"])
    assert board.text.split() == [*record["final_board"].split()[:1], "-", "-", "-"]
    assert (board.result, board.reason) == ({"w": 1, "draw": 0, "b": -1}[record["result"]], record["reason"])


FAR_APART = "w......../........./........./........./........b"
PENNED_IN = "........./........./........./w.wb...../bw......."  # Black's a1 can move only to b2


@pytest.mark.parametrize(
    ("start", "moves", "last", "ending"),
    [
        (FAR_APART, "a5a4P i1i2P a4a5P i2i1P a5a4P", "........./w......../........./........./........b",
         (0, "repetition")),
        (PENNED_IN, "c2b2W stop", "........./........./........./ww......./bw.......", (1, "no_move")),
    ],
    ids=["repetition, which the state alone does not show", "a player with a stone that is blocked"],
)  # fmt: skip
def test_a_finished_game_has_no_turn(start: str, moves: str, last: str, ending: tuple[int, str]) -> None:
    """The board is printed without a mover, a chain and quiet steps, whatever rule ended the game."""
    board = Board(GAME, f"{start} w - 0")
    for move in moves.split():
        assert not board.text.endswith("- - -")
        board.push(move)
    assert (board.text, board.legal()) == (f"{last} - - -", [])
    assert (board.result, board.reason) == ending
    board.pop()
    assert board.text.split()[1] in ("w", "b")


@pytest.mark.parametrize("case", golden("cases.json"), ids=lambda case: case["id"])
def test_case(case: Any) -> None:
    def played(moves: list[str]) -> Board:
        board = Board(game_for(case["start"]), case["start"])
        for move in moves:
            board.push(move)
        return board

    board = played(case["history"])
    assert (board.text, board.legal()) == (case["state"], case["legal"])
    for move in case["moves"]:
        if not move["legal"]:
            with pytest.raises(InputError, match="fanorona move: expected one of"):
                board.push(move["m"])
            continue
        after = played([*case["history"], move["m"]])
        assert after.text == move["after"]
        assert after.result == {"w": 1, "draw": 0, "b": -1, "-": None}[move["status"]]


def count_turns(root: Any, depth: int) -> int:
    """Count sequences of `depth` complete turns (template)."""
    room = 32 * depth + 32
    states = [root] * room
    moves: Any = np.zeros((room, MAX_MOVES), np.int64)
    n_moves: Any = np.zeros(room, np.int64)
    at: Any = np.zeros(room, np.int64)
    done: Any = np.zeros(room, np.int64)
    n_moves[0] = legal_moves(root, moves[0])
    level, total = 0, 0
    while level >= 0:
        if at[level] == n_moves[level]:
            level -= 1
            continue
        child = apply_move(states[level], int(moves[level, at[level]]))
        at[level] += 1
        n_done = done[level] + (1 if mover(child) != mover(states[level]) else 0)
        if n_done == depth:
            total += 1
        elif outcome(child) == ONGOING:
            level += 1
            states[level] = child
            n_moves[level] = legal_moves(child, moves[level])
            at[level] = 0
            done[level] = n_done
    return total


def turns(game: Any, depth: int, text: str) -> int:
    count = bind(count_turns, game) if depth > 1 else run(count_turns, game)
    return int(count(game.text_to_state(text), depth))


def counts(kind: str) -> list[Any]:
    found = []
    for entry in golden("perft.json"):
        for depth, count in enumerate(entry.get(kind, ()), 1):
            found.append(pytest.param(entry["state"], depth, count, id=f"{entry['id']}-{depth}"))
    return found


@pytest.mark.parametrize(("state", "depth", "count"), counts("steps"))
def test_number_of_step_sequences(state: str, depth: int, count: int) -> None:
    assert perft(game_for(state, ",draw_rule=none"), depth, state) == count


@pytest.mark.parametrize(("state", "depth", "count"), counts("turns"))
def test_number_of_turn_sequences(state: str, depth: int, count: int) -> None:
    assert turns(game_for(state, ",draw_rule=none"), depth, state) == count


def test_solved_positions_are_read() -> None:
    for entry in golden("solved.json"):
        game = game_of(*entry["size"], ",draw_rule=none")
        state = game.text_to_state(entry["state"])
        assert game.state_to_text(state) == entry["state"]
        assert entry["value"] in (-1, 0, 1)
        if "n_distinct_results" in entry:
            assert len(results_of_turn(game, state)) == entry["n_distinct_results"]


def results_of_turn(game: Any, state: Any) -> set[str]:
    found = set()
    for move in legal(game, state):
        after = game.apply_move(state, move)
        if game.mover(after) == game.mover(state):
            found |= results_of_turn(game, after)
        else:
            found.add(game.finished_text(after))
    return found


# The slow twin


@pytest.mark.parametrize(
    ("width", "height", "forced"), [(*size, False) for size in SIZES] + [(5, 5, True), (9, 5, True)]
)
def test_rules_agree_with_the_twin(width: int, height: int, forced: bool) -> None:
    game = game_of(width, height, f",forced_chain={str(forced).lower()}")
    rng = random.Random(100 * width + 10 * height + forced)
    for _ in range(8 if width * height > 50 else 20):
        position = naive.judged(naive.random_position(rng, width, height))
        while position.result is None:
            state = game.text_to_state(naive.text(position))
            moves = naive.legal(position, forced)
            assert legal_texts(game, state) == moves
            assert game.mover(state) == "wb".index(position.turn)
            for move in moves:
                after = game.apply_move(state, game.text_to_move(state, move))
                expected = naive.play(position, move, draw_rule=False)
                if expected.result is None:
                    quiet = game.state_to_text(after).split()[3]
                    assert game.state_to_text(after) == naive.text(expected)[:-1] + quiet
                else:
                    assert game.state_to_text(after) == naive.text(expected)
                    assert game.outcome(after) == expected.result
                    assert game.end_reason(after) == "no_move"
            position = naive.play(position, rng.choice(moves), draw_rule=False)
            if rng.random() < 0.03:
                break


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_whole_games_agree_with_the_twin(width: int, height: int) -> None:
    """Draws included; quiet moves are preferred, so that many games end by repetition or the quiet limit."""
    game, rng, reasons = game_of(width, height), random.Random(width + height), set()
    for number in range(12):
        position, board = naive.start(width, height), Board(game)
        if number % 3:
            position = naive.judged(naive.random_position(rng, width, height))
            board = Board(game, naive.text(position)) if position.result is None else board
        while position.result is None:
            assert (board.text, board.legal()) == (naive.text(position), naive.legal(position))
            move = rng.choice(naive.legal(position))
            position = naive.play(position, move)
            board.push(move)
            assert (board.result, board.reason) == (position.result, position.reason)
        reasons.add(position.reason)
    assert reasons


def test_all_reasons_occur() -> None:
    rng, reasons = random.Random(2), set()
    for _ in range(60):
        position = naive.judged(naive.random_position(rng, 9, 5))
        board = Board(GAME, naive.text(position)) if position.result is None else None
        while board is not None and position.result is None:
            position = naive.play(position, move := rng.choice(naive.legal(position)))
            board.push(move)
            assert (board.result, board.reason) == (position.result, position.reason)
        reasons.add(position.reason)
    assert reasons == {"no_move", "repetition", "quiet_limit"}


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_features_agree_with_the_twin(width: int, height: int) -> None:
    game, rng = game_of(width, height), random.Random(7)
    n = 100 if width * height > 50 else 220  # of each kind
    texts = [game.state_to_text(as_state(row)) for row in random_states(game, 6 * n, 5)[::6]]
    drawn = [naive.random_position(rng, width, height) for _ in range(n)]
    texts += [naive.text(position) for position in drawn if naive.judged(position).result is None]
    assert len(texts) > 1.4 * n
    for text in texts:
        found, expected = numbers(game, game.text_to_state(text)), naive.features(naive.read(text))
        assert found == pytest.approx({name: expected[name] for name in game.feature_names}, abs=1e-12)


@pytest.mark.parametrize(("width", "height"), [(5, 5), (7, 7), (9, 5), (9, 9)])
def test_features_of_boards_that_no_game_reaches(width: int, height: int) -> None:
    """Rings with groups in their holes, crowds, and loose stones among which a turn forks again and again."""
    game, rng, most = game_of(width, height), random.Random(11), width * height // 2
    ring = ["www", "wbw", "www", "..." if height == 5 else ".w.", "wbw"] + ["..."] * (height - 5)
    boards = ["/".join(row + "." * (width - 3) for row in ring)]
    for share in ("wwwbbb.", "wwwb....", "wbbb......", "wbb" + 9 * "."):
        for _ in range(25):
            boards.append("/".join("".join(rng.choices(share, k=width)) for _ in range(height)))
    boards = [board for board in boards if all(1 <= board.count(colour) <= most for colour in "wb")]
    assert len(boards) > 70
    longest = 0.0
    for board in boards:
        if naive.judged(naive.read(f"{board} w - 0")).result is None:
            found = numbers(game, game.text_to_state(f"{board} w - 0"))
            expected = naive.features(naive.read(f"{board} w - 0"))
            assert found == pytest.approx({name: expected[name] for name in game.feature_names}, abs=1e-12)
            longest = max(longest, found["own_chain"])
    assert longest >= 6


@pytest.mark.parametrize(("width", "height"), [(5, 5), (9, 5), (9, 9)])
def test_captures_are_the_noisy_moves(width: int, height: int) -> None:
    game, out = game_of(width, height), np.zeros(500, np.int64)
    for row in random_states(game, 300, 6)[::3]:
        state = as_state(row)
        position = naive.read(game.state_to_text(state))
        taken = {naive.step_text(step): len(step[3]) for step in naive.legal_steps(position)}
        texts = legal_texts(game, state)
        noisy = [text for text in texts if taken.get(text, 0) or text == "stop"]
        n = game.noisy_moves(state, out)
        assert sorted(game.move_to_text(state, int(move)) for move in out[:n]) == noisy
        assert game.is_quiet(state) == (not noisy)
        for text in texts:
            assert game.move_hint(state, game.text_to_move(state, text)) == taken.get(text, 0)


# Features


def test_names_and_meanings() -> None:
    assert len(set(GAME.feature_names)) == len(GAME.feature_names) == len(GAME.feature_meanings) == 35
    assert GAME.feature_names[-1] == "pst_15"
    assert {"material", "degree_sum", "pst_1"} < set(GAME.cheap_features) < set(GAME.feature_names)
    assert game_of(3, 3).feature_names[-1] == "pst_3"


def test_sums_of_places() -> None:
    """What the text of games.fanorona.features claims of `material`, `degree_sum` and their like."""
    rows = [numbers(GAME, as_state(row)) for row in random_states(GAME, 3000, 8)[::15]]
    places = np.array([[row[f"pst_{i}"] for i in range(1, 16)] for row in rows])
    for name in ("material", "degree_sum", "strong_points", "centre", "edge", "corner"):
        wanted = np.array([row[name] for row in rows])
        weights = np.linalg.lstsq(places, wanted, rcond=None)[0]
        assert np.allclose(places @ weights, wanted) and np.allclose(weights, np.rint(weights))


def test_no_other_feature_follows_from_the_rest() -> None:
    rows = [numbers(GAME, as_state(row)) for row in random_states(GAME, 3000, 9)[::3]]
    table = np.array([list(row.values()) for row in rows])
    assert np.linalg.matrix_rank(table / np.sqrt((table**2).mean(0))) == GAME.n_features - 6


def test_only_dear_features_are_left_out() -> None:
    is_cheap = np.array([name in GAME.cheap_features for name in GAME.feature_names])
    mask = sum(1 << int(i) for i in np.flatnonzero(is_cheap))
    cheap = specialise({"features": GAME.features}, {"FEATURES_WANTED": mask})["features"]
    for row in random_states(GAME, 3000, 2)[::30]:
        some, all_of_them = np.full(GAME.n_features, np.nan), np.full(GAME.n_features, np.nan)
        cheap(as_state(row), some)
        GAME.features(as_state(row), all_of_them)
        assert (some[is_cheap] == all_of_them[is_cheap]).all() and np.isnan(some[~is_cheap]).all()


def test_who_leads_wants_to_be_near() -> None:
    rest = "/........./........./........./........."
    near, far, even = (f"{row}{rest}" for row in ("w.w.b....", "w.w.....b", "w...b...."))
    pursuit = {(board, side): numbers(GAME, GAME.text_to_state(f"{board} {side} - 0"))["pursuit"]
               for board in (near, far, even) for side in "wb"}  # fmt: skip
    assert pursuit[far, "w"] < pursuit[near, "w"] < 0 < pursuit[near, "b"] < pursuit[far, "b"]
    assert pursuit[even, "w"] == pursuit[even, "b"] == 0


def test_start_is_even() -> None:
    """Nobody is ahead at the start: what is left is not a difference."""
    for width, height in SIZES:
        found = numbers(game_of(width, height), game_of(width, height).initial())
        assert {name for name, value in found.items() if value} <= {"tempo", "own_chain"}


@pytest.mark.parametrize(
    ("board", "share"), [("www/.../bbb", 0.0), ("wwwww/bbbb./...../...../.....", 1 / 12)], ids=str
)
def test_stages_are_shares(board: str, share: float) -> None:
    game, out = game_for(board), np.zeros(2)
    game.stages(game.text_to_state(f"{board} w - 0"), out)
    assert out == pytest.approx([share, 1 - share])
    game.stages(GAME.initial(), out)
    assert list(out) == [1.0, 0.0]


# The contract


def count_differences(states: Any, swapped: Any) -> int:
    """Count pairs of positions whose features differ (template)."""
    here: Any = np.zeros(N_FEATURES)
    there: Any = np.zeros(N_FEATURES)
    n_bad = 0
    for i in range(states.shape[0]):
        features(as_state(states[i]), here)
        features(as_state(swapped[i]), there)
        n_bad += int((here != there).any())
    return n_bad


@pytest.mark.parametrize(("width", "height"), COMPILED_SIZES)
def test_swapping_players_changes_no_feature(width: int, height: int) -> None:
    game = game_of(width, height)
    states = random_states(game, 20_000, 3)
    swapped = [game.swap_sides(as_state(row)) for row in states]
    for row, image in zip(states, swapped, strict=True):
        assert game.mover(image) == 1 - game.mover(as_state(row))
        assert game.swap_sides(image) == as_state(row)
    assert bind(count_differences, game)(states, np.array(swapped, np.int64)) == 0


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_swapped_games_mirror(width: int, height: int) -> None:
    game, rng = game_of(width, height), random.Random(width)
    state = game.initial()
    swapped = game.swap_sides(state)
    while game.outcome(state) == ONGOING:
        assert legal_texts(game, state) == legal_texts(game, swapped)
        move = rng.choice(legal(game, state))
        state, swapped = game.apply_move(state, move), game.apply_move(swapped, move)
        assert swapped == game.swap_sides(state)
    assert game.outcome(swapped) == -game.outcome(state)


def count_broken_images(states: Any, n_images: int) -> int:
    """Count images whose moves, children, outcome or features are not the images' (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    others: Any = np.zeros(MAX_MOVES, np.int64)
    here: Any = np.zeros(N_FEATURES)
    there: Any = np.zeros(N_FEATURES)
    n_bad = 0
    for i in range(states.shape[0]):
        state = as_state(states[i])
        n = legal_moves(state, moves)
        features(state, here)
        for k in range(n_images):
            image = symmetries(state, k)
            features(image, there)
            n_bad += int(legal_moves(image, others) != n)
            n_bad += int(mover(image) != mover(state)) + int(outcome(image) != outcome(state))
            for j in range(n):
                move = symmetric_move(state, int(moves[j]), k)
                n_bad += int((others[:n] == move).sum() != 1)
                child = symmetries(apply_move(state, int(moves[j])), k)
                n_bad += int(apply_move(image, move) != child)
            n_bad += int((here != there).any())
    return n_bad


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_images_play_alike(width: int, height: int) -> None:
    game = game_of(width, height)
    assert game.n_symmetries == (8 if width == height else 4)
    compiled = (width, height) in COMPILED_SIZES
    states = random_states(game, 3000 if compiled else 60, 4)
    assert run(count_broken_images, game)(states, game.n_symmetries) == 0
    for row in states[:50]:
        state = as_state(row)
        assert game.symmetries(state, 0) == state
        images = {game.symmetries(state, k) for k in range(game.n_symmetries)}
        assert state in images
        for k in range(game.n_symmetries):
            assert game.text_to_state(game.state_to_text(game.symmetries(state, k))) is not None


def test_image_in_words() -> None:
    state = GAME.text_to_state("...b...../........./.b.w...../........./........b w c3-d3 0")
    assert GAME.state_to_text(GAME.symmetries(state, 1)) == (
        ".....b.../........./.....w.b./........./b........ w g3-f3 0"
    )
    assert GAME.state_to_text(GAME.symmetries(state, 2)) == (
        "........b/........./.b.w...../........./...b..... w c3-d3 0"
    )
    square = game_of(5, 5)
    state = square.text_to_state("....b/...../.bw../...../..... w - 0")
    assert square.state_to_text(square.symmetries(state, 4)) == "....b/...../..w../..b../..... w - 0"


def play_random(state: Any, seed: int, trace: Any) -> int:
    """Play a game with a small generator, leaving a trace of positions (template)."""
    moves: Any = np.zeros(MAX_MOVES, np.int64)
    values: Any = np.zeros(N_FEATURES)
    n = 0
    while outcome(state) == ONGOING:
        seed = (seed * 1103515245 + 12345) % 2147483648
        move = int(moves[(seed >> 8) % legal_moves(state, moves)])
        features(state, values)
        trace[n, 7] = move_hint(state, move)
        trace[n, 8] = noisy_moves(state, moves)
        trace[n, 9] = int(is_quiet(state))
        trace[n, 10] = history_key(state)
        trace[n, 11] = strip_counters(state)[6]
        trace[n, 12] = symmetries(state, 3)[0]
        trace[n, 13] = int(
            (values * 1000).sum() + 0.123
        )  # sums differ in their last bits: cut where none lies
        state = apply_move(state, move)
        for j in range(7):
            trace[n, j] = state[j]
        n += 1
    return n * 10 + outcome(state)


@pytest.mark.parametrize(("width", "height"), COMPILED_SIZES)
def test_compiled_games_equal_plain_ones(width: int, height: int) -> None:
    game = game_of(width, height)
    compiled, as_python = bind(play_random, game), plain(play_random, game)
    for seed in range(4):
        traces = np.zeros((2, 1000, 14), np.int64)
        n = compiled(game.initial(), seed, traces[0])
        assert n == as_python(game.initial(), seed, traces[1])
        assert (traces[0] == traces[1]).all() and (traces[0, :, [0, 1, 2, 3, 4, 5, 6, 10]] >= 0).all()


def test_history_keys() -> None:
    pictures: dict[int, tuple[int, ...]] = {}
    for row in random_states(GAME, 5000, 11):
        state = as_state(row)
        key = GAME.history_key(state)
        assert (key != 0) == (int(GAME.state_to_text(state).split()[3]) > 0)
        assert key < 2**63 and (key == 0 or pictures.setdefault(key, state[:4]) == state[:4])
    assert len(pictures) > 1000


def test_what_the_history_key_depends_on() -> None:
    before = GAME.text_to_state("w......../........./........./........./........b w - 5")
    after = GAME.apply_move(before, GAME.text_to_move(before, "a5b5P"))
    other_side = (*after[:6], after[6] ^ 1)
    assert GAME.history_key(before) == 0  # read from a text: the list of pictures starts empty
    assert GAME.history_key(other_side) == GAME.history_key(after) != 0
    assert GAME.mover(other_side) != GAME.mover(after)
    assert GAME.history_key(GAME.strip_counters(after)) == 0


def test_counters_are_stripped() -> None:
    fresh = GAME.text_to_state("w......../........./........./........./........b w - 0")
    later = GAME.text_to_state("w......../........./........./........./........b w - 13")
    assert fresh != later and GAME.strip_counters(later) == fresh


def test_without_draw_rule_nothing_is_counted() -> None:
    game = game_of(9, 5, ",draw_rule=none")
    assert (game.repetition_limit, game.repetition_first) == (0, False)
    board = Board(game, "w......../........./........./........./........b w - 9")
    for move in ("a5a4P", "i1i2P", "a4a5P", "i2i1P") * 10:
        assert board.text.endswith(" 0") and game.history_key(board.state) == 0
        board.push(move)
    assert not board.is_over


def test_forced_chains_have_no_stop() -> None:
    text = "...b...../........./.b.w...../........./........b w c3-d3 0"
    assert Board(GAME, text).legal() == ["d3d4A", "stop"]
    assert Board(make(forced_chain=True), text).legal() == ["d3d4A"]


def test_buffers_are_large_enough() -> None:
    for width, height in SIZES:
        game, rng = game_of(width, height), random.Random(3)
        most = 0
        for _ in range(200):
            state = game.text_to_state(naive.text(naive.random_position(rng, width, height)))
            most = max(most, len(legal(game, state)))
        assert most <= game.max_moves
    assert GAME.max_moves == 216


# Text forms and pictures


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_states_survive_their_text(size: tuple[int, int], seed: int) -> None:
    game, rng = game_of(*size), random.Random(seed)
    state = game.text_to_state(naive.text(naive.random_position(rng, *size)))
    while game.outcome(state) == ONGOING:
        text = game.state_to_text(state)
        again = game.text_to_state(text)
        assert game.state_to_text(again) == text
        assert again[:6] == state[:6] and legal(game, again) == legal(game, state)
        for move in legal(game, state):
            assert game.text_to_move(state, game.move_to_text(state, move)) == move
        state = game.apply_move(state, rng.choice(legal(game, state)))
        if rng.random() < 0.2:
            break


EMPTY_ROWS = "........./........./........./........."
CHAIN = "...b...../........./.b.w...../........./........b w "
HOSTILE = [
    "",
    "w - 0",
    f"{EMPTY_ROWS} w - 0",
    f"w......../{EMPTY_ROWS}/......... w - 0",
    f"w.......b./{EMPTY_ROWS} w - 0",
    f"w.......x/{EMPTY_ROWS} w - 0",
    f"W.......b/{EMPTY_ROWS} w - 0",
    f"w8/{EMPTY_ROWS} w - 0",
    f"........./{EMPTY_ROWS} w - 0",
    "wwwwwwwww/wwwwwwwww/wwwwwwwww/b......../......... w - 0",
    "wwwwwwwww/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/......... w - 0",
    f"w.......b/{EMPTY_ROWS} x - 0",
    f"w.......b/{EMPTY_ROWS} - - -",
    f"w.......b/{EMPTY_ROWS} wb - 0",
    f"w.......b/{EMPTY_ROWS} w - -1",
    f"w.......b/{EMPTY_ROWS} w - 22",
    f"w.......b/{EMPTY_ROWS} w - 1.0",
    f"w.......b/{EMPTY_ROWS} w - ²",
    f"w.......b/{EMPTY_ROWS} w - {'9' * 5000}",
    f"w.......b/{EMPTY_ROWS} w - 0 0",
    f"w.......b/{EMPTY_ROWS} w -",
    CHAIN + "c3-d3 1",  # quiet steps in a chain
    CHAIN + "d3 0",
    CHAIN + "c3- 0",
    CHAIN + "c3-d9 0",
    CHAIN + "c3-d3-d3 0",
    CHAIN + "d3-c3 0",  # no stone on the last point
    CHAIN + "b3-d3 0",  # too far
    CHAIN + "c2-d3 0",  # no diagonal there
    CHAIN + "b3-c3-d3 0",  # the same direction twice
    CHAIN + "c3-d3-c3-d3 0",
    CHAIN + "e3-d3-d3 0",
    "...b...../........./.b.w...../........./........b b c3-d3 0",  # a stone of the other side
    "........./........./...w...../........./........b w c3-d3 0",  # nothing left to take
    "...b...../........./bbwwb..../........./........b w c2-c3 0",  # wrong geometry of what was taken
    "...b...../........./.bbwb..../........./........b w e4-d3 0",
    "........./........./........./wb.b...../w........ w b1-a1 0",  # nothing can have been taken
    "bbbbbbbbb/bbbbbbbbb/...w...../bbb...../b.......b w c3-d3 0",  # all black stones still there
    "a" * 100_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_wrong_states_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="fanorona state: expected .*, found ") as caught:
        GAME.text_to_state(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


@pytest.mark.parametrize("thing", [None, 7, b"w", ["w"]])
def test_what_is_no_text_is_refused(thing: Any) -> None:
    with pytest.raises(InputError):
        GAME.text_to_state(thing)
    with pytest.raises(InputError):
        GAME.text_to_move(GAME.initial(), thing)


@given(st.text("wb./ -abc345019", max_size=12), st.integers(0, 60), st.integers(0, 60))
def test_a_spoilt_text_is_a_state_or_an_input_error(patch: str, first: int, last: int) -> None:
    text = CHAIN + "c3-d3 0"
    try:
        state = GAME.text_to_state(text[:first] + patch + text[max(first, last) :])
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert GAME.outcome(state) != ONGOING or GAME.text_to_state(GAME.state_to_text(state)) == state


@pytest.mark.parametrize("text", ["", "e2e3P", "e2e3", "d3e3", "stop", "D3E3A", "d3e3A d3e3A", "a" * 10_000])
def test_wrong_moves_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="fanorona move: expected one of d2e3A, d3e3A, d3e3W") as caught:
        GAME.text_to_move(GAME.initial(), text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


def test_no_move_after_the_end() -> None:
    over = GAME.text_to_state(f"w......../{EMPTY_ROWS} b - 0")
    assert GAME.outcome(over) == 1 and GAME.state_to_text(over) == f"w......../{EMPTY_ROWS} - - -"
    with pytest.raises(InputError, match="the game is over"):
        GAME.text_to_move(over, "a5a4P")
    assert GAME.outcome(GAME.text_to_state(f"w......../{EMPTY_ROWS} w - 0")) == 1


@pytest.mark.parametrize(
    "variant",
    [{"width": 4}, {"width": 11}, {"height": 1}, {"height": True}, {"width": "9"}, {"draw_rule": "44"}]
    + [{"forced_chain": 1}, {"draw_rule": None}, {"height": 5.0}],
)
def test_wrong_variants_are_refused(variant: Any) -> None:
    (name, value), *_ = variant.items()
    with pytest.raises(InputError, match=f"fanorona: {name}: expected .*, found {value!r}"):
        make(**variant)


def test_start_positions() -> None:
    assert GAME.state_to_text(GAME.initial()) == naive.text(naive.start(9, 5))
    boards = {(3, 3): "bbb/b.w/www", (5, 3): "bbbbb/bw.bw/wwwww", (5, 5): "bbbbb/bbbbb/bw.bw/wwwww/wwwww"}
    for size, board in boards.items():
        assert game_of(*size).state_to_text(game_of(*size).initial()) == f"{board} w - 0"
    assert "/bwb.wbw/" in game_of(7, 5).state_to_text(game_of(7, 5).initial())


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_pictures(width: int, height: int) -> None:
    game = game_of(width, height)
    for row in random_states(game, 60, 12)[::6]:
        state = as_state(row)
        text = game.state_to_text(state)
        root = ElementTree.fromstring(game.draw_svg(state))
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("viewBox")
        classes = [node.get("class") for node in root.iter()]
        board = text.split()[0]
        assert (classes.count("light"), classes.count("dark")) == (board.count("w"), board.count("b"))
        drawing = game.draw_text(state)
        assert drawing.count("o") - drawing.count("move") == board.count("w") + drawing.count("to ")
        assert len(drawing.splitlines()) == 2 * height + 1


def test_drawing_in_characters() -> None:
    drawing = game_of(3, 3).draw_text(game_of(3, 3).initial())
    assert drawing.splitlines() == [
        "3  x-x-x",
        "   |\\|/|",
        "2  x-.-o",
        "   |/|\\|",
        "1  o-o-o",
        "   a b c",
        "   White to move",
    ]


@pytest.mark.parametrize("path", sorted((GAME.folder or Path()).glob("weights/*.json")), ids=lambda p: p.stem)
def test_weight_files_fit(path: Path) -> None:
    data = json.loads(path.read_text())
    assert data["variant"] == dict(GAME.variant) and data["features"] == list(GAME.feature_names)
    assert list(data["weights"]) == data["stages"] == list(GAME.stage_names)
    assert all(list(table) == data["features"] for table in data["weights"].values())


def test_hand_weights_are_the_authors_table() -> None:
    table = [[18, 18, 20, 18, 20], [18, 23, 19, 23, 19], [20, 19, 23, 19, 23]]
    weights = json.loads((Path(GAME.folder or "") / "weights" / "hand.json").read_text())["weights"]["many"]
    for row, numbers_of_row in enumerate(table):
        for column, number in enumerate(numbers_of_row):
            line = "." * column + "w" + "." * (8 - column)
            rows = ["........."] * row + [line] + ["........."] * (4 - row)
            found = numbers(GAME, GAME.text_to_state("/".join(rows[::-1]) + " w - 0"))
            assert sum(weights[name] * value for name, value in found.items()) == number
