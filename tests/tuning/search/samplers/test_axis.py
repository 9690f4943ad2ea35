"""Values of a parameter and their places on [-1, 1], there and back."""

import math

import pytest

from tunesmith.tuning.search.samplers.axis import Axis

STEPS = Axis(0, 10, 2, True, margin=0.5)


def test_the_ends_stand_for_the_ends_and_the_middle_for_the_middle() -> None:
    plain = Axis(2.0, 6.0)
    assert [plain.value(unit) for unit in (-1.0, 0.0, 1.0)] == [2.0, 4.0, 6.0]
    assert [plain.unit(value) for value in (2.0, 4.0, 6.0)] == [-1.0, 0.0, 1.0]


def test_on_a_logarithmic_axis_equal_ways_are_equal_factors() -> None:
    axis = Axis(0.01, 100.0, is_log=True)
    assert [axis.value(unit) for unit in (-1.0, -0.5, 0.0, 0.5, 1.0)] == pytest.approx(
        [0.01, 0.1, 1, 10, 100]
    )
    assert axis.unit(10.0) == pytest.approx(0.5)


def test_with_a_margin_the_end_values_have_as_much_room_as_others() -> None:
    places = [-1 + 2 * (at + 0.5) / 6000 for at in range(6000)]
    found = [STEPS.value(unit) for unit in places]
    assert {value: found.count(value) for value in set(found)} == dict.fromkeys((0, 2, 4, 6, 8, 10), 1000)


def test_the_nearest_step_is_meant_and_of_two_equally_near_ones_the_lower() -> None:
    assert STEPS.value(STEPS.unit(4.9)) == 4 and STEPS.value(STEPS.unit(5.1)) == 6
    assert STEPS.value(STEPS.unit(5)) == 4
    assert isinstance(STEPS.value(0.1), int)


def test_chance_rounds_up_as_often_as_the_value_is_near_the_upper_step() -> None:
    unit = STEPS.unit(4.5)  # a quarter of the way from 4 to 6
    assert [STEPS.value(unit, chance) for chance in (0.2, 0.3)] == [6, 4]


def test_half_a_step_is_that_much_of_the_axis() -> None:
    """On a logarithmic one it shrinks as values grow."""
    assert STEPS.half_step(0.0) == pytest.approx(STEPS.unit(1) - STEPS.unit(0))
    log = Axis(1, 100, 1, True, is_log=True)
    assert log.half_step(1.0) == pytest.approx(1 / math.log(100) / 100)
    assert Axis(0.0, 1.0).half_step(0.3) == 0.0


def test_a_parameter_that_cannot_move_has_one_place() -> None:
    still = Axis(3, 3, 1, True, margin=0.5)
    assert still.unit(3) == 0.0 and still.half_step(0.0) == 0.0
    assert [still.value(unit) for unit in (-1.0, 0.0, 1.0)] == [3, 3, 3]
