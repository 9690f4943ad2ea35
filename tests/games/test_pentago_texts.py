"""Pentago's text forms, pictures, variants and weight files."""

import json
import random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import pentago as naive
from tunesmith.games import ONGOING, load
from tunesmith.games.errors import InputError
from tunesmith.games.pentago import GAME, make

VARIANTS = ("twist", "classic", "classic-after", "swap")
EMPTY = "." * 36


def game_of(variant: str) -> Any:
    return load(f"pentago:variant={variant}")


def legal(game: Any, state: Any) -> list[int]:
    out = np.zeros(game.max_moves, np.int64)
    return [int(move) for move in out[: game.legal_moves(state, out)]]


@given(st.sampled_from(VARIANTS), st.integers(0, 35), st.integers(0, 2**32))
def test_states_and_moves_survive_their_text(variant: str, n_stones: int, seed: int) -> None:
    game, rng = game_of(variant), random.Random(seed)
    text = naive.write(naive.random_board(rng, n_stones))
    state = game.text_to_state(text)
    assert game.state_to_text(state) == text
    assert game.mover(state) == n_stones % 2 and game.outcome(state) == ONGOING
    moves = legal(game, state)
    assert len({game.move_to_text(state, move) for move in moves}) == len(moves)
    for move in rng.sample(moves, min(len(moves), 20)):
        assert game.text_to_move(state, game.move_to_text(state, move)) == move
        child = game.apply_move(state, move)
        again = game.text_to_state(game.state_to_text(child))
        assert game.outcome(again) == game.outcome(child) and again[:2] == child[:2]
        # A text does not say that a five was made by the stone alone; all else it does.
        assert again == child or (variant == "classic" and game.end_reason(child) == "five_on_placement")


HOSTILE = [
    "",
    ".",
    "." * 35,
    "." * 37,
    "." * 36 + "\n",
    "W" + "." * 35,
    "x" + "." * 35,
    "ẃ" + "." * 35,
    " " + "." * 35,
    "\0" + "." * 35,
    "b" + "." * 35,
    "ww" + "." * 34,
    "w" * 36,
    "wb" * 17 + "bb",
    "." * 10**6,
]


@pytest.mark.parametrize("text", [*HOSTILE, None, 36, EMPTY.encode()], ids=range(len(HOSTILE) + 3))
def test_wrong_states_are_refused(text: Any) -> None:
    with pytest.raises(InputError, match="pentago state: expected .*, found ") as caught:
        GAME.text_to_state(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


@given(st.text("wb. ,", max_size=6), st.integers(0, 36), st.integers(0, 36))
def test_a_spoilt_text_is_a_state_or_an_input_error(patch: str, first: int, last: int) -> None:
    spoilt = EMPTY[:first] + patch + EMPTY[last:]
    try:
        state = GAME.text_to_state(spoilt)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert GAME.state_to_text(state) == spoilt


WRONG_MOVES = {
    "": "a cell a1 to f6",
    "a1": "a cell a1 to f6",
    "a1-": "one of 0r, 0f, .* after the dash",
    "a1-0": "a cell a1 to f6",
    "a1-0l": "a cell a1 to f6, a dash and one of 0r, 0f, 1r",
    "a1-01s": "a cell a1 to f6",
    "a1-4r": "a cell a1 to f6",
    "a0-0r": "a cell a1 to f6",
    "g1-0r": "a cell a1 to f6",
    "A1-0r": "a cell a1 to f6",
    "a1-0r ": "a cell a1 to f6",
    "a1-0r-": "a cell a1 to f6",
    "a²-0r": "a cell a1 to f6",
    "b1-0r": r"an empty cell \(b1 is taken\)",
    "x" * 10**5: "a cell a1 to f6",
}


@pytest.mark.parametrize("text", WRONG_MOVES, ids=range(len(WRONG_MOVES)))
def test_wrong_moves_are_refused(text: str) -> None:
    state = GAME.text_to_state("." + "w" + "." * 34)
    words = r"pentago move \(twist\): expected " + WRONG_MOVES[text] + ".*, found "
    with pytest.raises(InputError, match=words) as caught:
        GAME.text_to_move(state, text)
    assert len(str(caught.value)) < 240


def test_classic_winning_stones_have_no_operation() -> None:
    game = game_of("classic")
    state = game.text_to_state("wwww..bb....b......................b")
    assert game.move_to_text(state, game.text_to_move(state, "e1-")) == "e1-"
    with pytest.raises(InputError, match="expected e1- .the stone makes a five"):
        game.text_to_move(state, "e1-2l")
    with pytest.raises(InputError, match="after the dash"):
        game.text_to_move(state, "f1-")


ENDS = {
    "wwwww.bbbb..........................": (1, "five"),
    "bbbbb.wwww.w........................": (-1, "five"),
    "wwwwwwbbbbb........................b": (0, "both_five"),
    "wwwbbbwwwbbbbbbwwwbbbwwwwwwbbbwwwbbb": (0, "full"),
}


@pytest.mark.parametrize("text", ENDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_finished_boards(variant: str, text: str) -> None:
    game = game_of(variant)
    state = game.text_to_state(text)
    assert (game.outcome(state), game.end_reason(state)) == ENDS[text]
    assert legal(game, state) == [] and game.noisy_moves(state, np.zeros(288, np.int64)) == 0
    with pytest.raises(InputError, match="game is over"):
        game.text_to_move(state, "f6-" + game.move_to_text(game.initial(), 0)[3:])
    swapped = game.swap_sides(state)
    assert game.outcome(swapped) == -game.outcome(state)
    assert game.end_reason(swapped) == game.end_reason(state)


@pytest.mark.parametrize("value", ["", "Twist", "classic_after", "rotate", 3, None, True, ["twist"]])
def test_wrong_variants_are_refused(value: Any) -> None:
    words = "pentago: variant: expected one of twist, classic, classic-after, swap, found"
    with pytest.raises(InputError, match=words) as caught:
        make(variant=value)
    assert repr(value) in str(caught.value)


def test_specs() -> None:
    assert GAME.spec == "pentago:variant=twist" and dict(GAME.variant) == {"variant": "twist"}
    for variant in VARIANTS:
        game = game_of(variant)
        assert game.spec == f"pentago:variant={variant}"
        assert len(legal(game, game.initial())) == (216 if variant == "swap" else 288)


PICTURES = {
    EMPTY: ("White to move", 0),
    "w" + "." * 35: ("Black to move", 0),
    "...wbw.w.w.b...b..b..w..b....w.w.b.b": ("White to move", 0),
    "w.....bw.....bw.....bw.....bw.......": ("White wins", 1),
    "wwwwwwbbbbb........................b": ("draw", 3),
}


@pytest.mark.parametrize("text", PICTURES)
def test_pictures(text: str) -> None:
    words, n_fives = PICTURES[text]
    state = GAME.text_to_state(text)
    drawn = GAME.draw_text(state)
    assert words in drawn
    board = [line[3:].replace("|", "").replace(" ", "") for line in drawn.splitlines() if line[0].isdigit()]
    assert "".join(board) == text
    picture = ElementTree.fromstring(GAME.draw_svg(state))
    assert picture.get("viewBox") and "script" not in GAME.draw_svg(state)
    svg = "{http://www.w3.org/2000/svg}"
    assert words in [element.text for element in picture.iter(f"{svg}text")]
    fills = [disc.get("fill") for disc in picture.iter(f"{svg}circle") if disc.get("r") != "6"]
    for letter, name in {"w": "white", "b": "black", ".": "hollow"}.items():
        assert fills.count(f"url(#pentago-{name})") == text.count(letter)
    assert len(list(picture.iter(f"{svg}line"))) == n_fives


@pytest.mark.parametrize("name", ["hand", "lines"])
def test_hand_weights_name_every_feature(name: str) -> None:
    weights = json.loads((GAME.folder / "weights" / f"{name}.json").read_text(encoding="utf-8"))
    assert weights["variant"] == GAME.variant
    assert tuple(weights["features"]) == GAME.feature_names
    assert tuple(weights["stages"]) == tuple(weights["weights"]) == GAME.stage_names
    assert all(tuple(row) == GAME.feature_names for row in weights["weights"].values())
