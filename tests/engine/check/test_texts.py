"""Texts of states and moves are read back as what they say, nonsense is refused, and positions are drawn."""

import random
from typing import Any

import pytest

from tests.support.toys import START, move_to_text, piles, text_to_state
from tunesmith.engine.check import texts
from tunesmith.engine.check.asking import Asker, Stopped
from tunesmith.engine.check.position import look


def noted(check: Any, **changes: Any) -> list[str]:
    asker = Asker(piles(**changes))
    for seed in range(30):
        try:
            check(asker, look(asker, START, random.Random(seed)))
        except Stopped:
            continue
    return [f"{problem.function}: {problem.what}" for problem in asker.problems]


@pytest.mark.parametrize("check", texts.UNFINISHED, ids=lambda check: check.__name__)
def test_sound_texts_pass(check: Any) -> None:
    assert noted(check) == []


def refuses(text: str) -> Any:
    return text_to_state("refused")


def loses_a_stone(text: str) -> Any:
    a, b, side, plies = text_to_state(text)
    return a - 1, b, side, plies


@pytest.mark.parametrize(
    ("check", "changes", "found"),
    [
        (texts.check_state_text, {"text_to_state": refuses},
         "text_to_state: refuses the state's own text: piles: expected four numbers, found 'refused'"),
        (texts.check_state_text, {"text_to_state": loses_a_stone},
         "text_to_state: the text '4 5 0 0' read back prints as '3 5 0 0'"),
        (texts.check_state_text, {"state_to_text": lambda state: "a\nb"},
         "state_to_text: expected a text of one line, found 'a\\nb' (str)"),
        (texts.check_move_texts, {"move_to_text": lambda state, move: move_to_text(state, move & 2)},
         "move_to_text: 2 legal moves are called 'a1'"),
        (texts.check_drawings, {"draw_svg": lambda state: "<p>"},
         "draw_svg: expected an SVG text with a viewBox"),
        (texts.check_drawings, {"draw_text": lambda state: ""}, "draw_text: draws nothing"),
    ],
)  # fmt: skip
def test_what_texts_get_wrong_is_noted(check: Any, changes: dict[str, Any], found: str) -> None:
    assert found in noted(check, **changes)


def test_nonsense_that_is_taken_for_a_move_is_noted() -> None:
    (found,) = noted(texts.check_refusals, text_to_move=lambda state, text: 9)
    assert found.startswith("text_to_move: accepts ") and found.endswith(
        "which is not legal; raise InputError"
    )


def test_a_garbled_text_that_makes_the_game_fail_is_noted() -> None:
    """A game that looks at the form of a text, and not at what it says."""

    def trusting(text: str) -> Any:
        return tuple(map(int, text.split())) if len(text.split()) == 4 else text_to_state(text)

    found = noted(texts.check_refusals, text_to_state=trusting)
    assert any(
        "text_to_state: " in line and "ValueError: invalid literal for int()" in line for line in found
    )
    assert all(line.endswith("; raise InputError for a text that cannot be read") for line in found)
    assert any(" when given '" in line for line in found)
