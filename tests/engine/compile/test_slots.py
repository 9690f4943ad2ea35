"""Free names of templates: what a game must bring fails by name, what it may leave out has a harmless answer."""

import inspect
import math

import numpy as np
import pytest

from tests.support.toys import START, piles
from tunesmith.engine.compile import slots
from tunesmith.engine.compile.bind import facts

OPTIONAL = [
    name for name, slot in inspect.getmembers(slots, inspect.isfunction)
    if name not in ("initial", "legal_moves", "apply_move", "mover", "outcome", "features", "other_sum")
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("initial", 0),
        ("legal_moves", 2),
        ("apply_move", 2),
        ("mover", 1),
        ("outcome", 1),
        ("features", 2),
        ("other_sum", 6),
    ],
)
def test_a_rule_that_no_game_has_filled_says_which(name: str, arguments: int) -> None:
    with pytest.raises(slots.UnboundSlotError, match=f"^{name}$"):
        getattr(slots, name)(*[START] * arguments)


def test_constants_know_their_names_and_all_are_facts_of_a_game() -> None:
    constants = {name: value for name, value in vars(slots).items() if isinstance(value, slots.Constant)}
    assert all(value.name == name for name, value in constants.items())
    assert constants.keys() == facts(piles()).keys()


def test_optional_rules_are_those_of_the_contract() -> None:
    assert set(OPTIONAL) < set(piles().__dataclass_fields__)


def test_a_game_without_them_has_one_stage_no_noise_and_no_images() -> None:
    shares = np.zeros(1)
    slots.stages(START, shares)
    assert shares.tolist() == [1.0]
    assert slots.is_quiet(START) and slots.noisy_moves(START, np.zeros(4, np.int64)) == 0
    assert slots.symmetries(START, 1) == slots.swap_sides(START) == slots.strip_counters(START) == START
    assert slots.symmetric_move(START, 3, 1) == slots.swap_move(3) == 3
    assert slots.history_key(START) == 0 and slots.plies(START) == -1
    assert slots.settled_margin(START) == 0 and slots.open_margin(START) > math.pow(10, 11)
