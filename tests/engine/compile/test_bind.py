"""Templates bound to a game: its functions and facts in place of free names, one object for the same question."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tests.support.searching import as_python
from tests.support.toys import START, hands, piles
from tunesmith.engine.compile.bind import bind, facts, substitution, uncompiled
from tunesmith.engine.compile.slots import (
    HAS_PASS,
    MAX_MOVES,
    apply_move,
    initial,
    mover,
    other_sum,
    swap_move,
)
from tunesmith.engine.evaluation import ALL_FEATURES, weighted_sum
from tunesmith.games.game import State

FEATURES_WANTED = -1
WEIGHTS, USED = np.ones((1, 3)), np.arange(3)


def first_mover() -> int:
    return mover(initial())


def second_mover() -> int:
    return mover(apply_move(initial(), 0))


def told() -> tuple[int, int, int, int]:
    return first_mover(), MAX_MOVES, HAS_PASS, swap_move(7)


def mask(state: State) -> int:
    return FEATURES_WANTED


def test_free_names_become_the_games() -> None:
    assert uncompiled(told, piles())() == (0, 4, 1, 7)
    assert uncompiled(told, hands(swap_move=lambda move: move + 1))() == (0, 3, 0, 8)


def test_a_part_gives_way_to_another() -> None:
    assert uncompiled(told, piles(), exchange=(first_mover, second_mover))()[0] == 1


@pytest.mark.parametrize("wanted", [ALL_FEATURES, 5])
def test_the_mask_of_features_is_bound(wanted: int) -> None:
    assert uncompiled(mask, piles(), wanted)(START) == wanted


def told_both(state: State) -> tuple[float, float]:
    one = weighted_sum(state, WEIGHTS, USED, 1, np.zeros(3), np.zeros(2))
    return one, other_sum(state, WEIGHTS, USED, 1, np.zeros(3), np.zeros(2))


def masked(state: State, out: Any) -> None:
    out[0] = float(FEATURES_WANTED)


def test_of_two_masks_each_sum_has_its_own() -> None:
    game = piles(features=masked, stages=None, stage_names=("all",))
    for wanted in ((ALL_FEATURES, 5), (3, 5)):
        assert uncompiled(told_both, game, wanted)(START) == wanted


def test_the_same_question_gives_the_same_object() -> None:
    with as_python(piles()) as game, as_python(piles()) as other:
        assert bind(told, game) is bind(told, game)
        assert bind(told, game) is not bind(told, game, 1)
        assert bind(told, game) is not bind(told, other)


def test_facts_say_what_a_game_has() -> None:
    def of(**changes: Any) -> dict[str, int]:
        return facts(piles(**changes))

    assert of() | {"N_STAGES": 2, "REPETITION_LIMIT": 2, "N_SYMMETRIES": 2, "MAX_PLIES": 50} == of()
    for name, function in (("HAS_QUIET", "noisy_moves"), ("HAS_PASS", "pass_turn"), ("HAS_MARGIN", "final_margin"),
                           ("HAS_SETTLED", "settled_margin"), ("HAS_STRIP", "strip_counters"),
                           ("HAS_HINT", "move_hint")):  # fmt: skip
        assert (of()[name], of(**{function: None})[name]) == (1, 0)
    assert facts(hands())["SIMULTANEOUS"] == 1


def test_what_is_no_slot_stays_as_it_is() -> None:
    substitute = substitution(piles(), ALL_FEATURES)
    assert substitute("START", START) is START
    assert substitute("len", len) is len


def test_threads_that_ask_at_once_get_the_same_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """A half copied part of one would be taken for a whole one by the other."""
    began, game = threading.Event(), piles()

    def copied(*_: Any) -> object:
        is_second = began.is_set()
        began.set()
        time.sleep(0 if is_second else 0.2)
        return object()

    monkeypatch.setattr("tunesmith.engine.compile.bind._bind", copied)
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(bind, told, game)
        began.wait()
        assert pool.submit(bind, told, game).result() is one.result()
