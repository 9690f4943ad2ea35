"""Copies of functions see other values of their globals; originals see what they saw."""

import functools
import types
from typing import Any

import numpy as np
import pytest

from tunesmith.games.clone import Cloner, attributes_of, contiguous, is_plain, specialise, without_compiler

SIZE = 5


def area() -> int:
    return SIZE * side()


def side() -> int:
    return SIZE + 1


def down(n: int) -> int:
    return SIZE if n == 0 else down(n - 1)


def test_a_constant_is_replaced_in_all_that_is_called() -> None:
    made = specialise({"area": area, "down": down}, {"SIZE": 10})
    assert (made["area"](), made["down"](3)) == (110, 10)
    assert (area(), side(), down(3)) == (30, 6, 5)


def test_a_function_takes_anothers_place() -> None:
    copy = Cloner(lambda name, value: (lambda: 100) if name == "side" else value).clone(area)
    assert copy() == 500
    assert area() == 30


def test_each_original_is_copied_once_and_finished_once() -> None:
    finished: list[str] = []

    def finish(function: types.FunctionType) -> object:
        finished.append(function.__name__)
        return function

    cloner = Cloner(lambda name, value: value, finish)
    assert cloner.clone(area) is cloner.clone(area)
    assert cloner.clone(side) is cloner.clone(area).__globals__["side"]
    assert finished == ["side", "area"]


def test_closures_and_modules_are_followed() -> None:
    module = types.ModuleType("tables")
    module.side, module.other = side, 7  # type: ignore[attr-defined]

    def make(k: int) -> Any:
        return lambda: k + module.side() + module.other

    function = make(1)
    copy = Cloner(lambda name, value: 20 if name == "SIZE" else value).clone(function)
    assert (copy(), function()) == (29, 14)
    assert module.side is side  # type: ignore[attr-defined]


def test_defaults_and_words_of_a_function_are_kept() -> None:
    def said(x: int = SIZE, *, y: int = 3) -> int:
        """Say something."""
        return x + y

    copy = specialise({"said": said}, {})["said"]
    assert copy is not said and copy() == 8 and copy.__doc__ == said.__doc__
    assert (copy.__name__, copy.__module__) == ("said", __name__)


def test_what_a_compiler_wraps_is_taken_as_the_function_inside() -> None:
    wrapped = types.SimpleNamespace(py_func=side)
    assert without_compiler(wrapped) is side
    assert without_compiler(area) is area and without_compiler(5) == 5


def test_functions_known_by_identity_and_foreign_ones_are_left_alone() -> None:
    def clock() -> int:
        return SIZE

    assert is_plain(clock) and not is_plain(np.median) and not is_plain(len)
    clock.known_by_identity = True  # type: ignore[attr-defined]
    assert not is_plain(clock)
    assert not is_plain(functools.partial(side))


@pytest.mark.parametrize(
    "value", [np.arange(12).reshape(3, 4)[:, ::2], np.arange(9)[::-1]], ids=["columns", "reversed"]
)
def test_arrays_become_contiguous_with_the_same_numbers(value: np.ndarray) -> None:
    made = contiguous(value)
    assert made.flags.c_contiguous and (made == value).all()
    inside = contiguous((1, (value, 2)))
    assert inside[1][0].flags.c_contiguous and inside[0] == 1


def test_what_is_contiguous_already_stays_the_same_object() -> None:
    whole = (np.arange(4), (np.zeros((2, 2)).T, "a"))
    assert contiguous(whole) is whole and contiguous(whole[0]) is whole[0]


def test_attributes_are_those_of_the_name_asked_for() -> None:
    uses = [(True, "m", ("a",)), (False, "m", ("b",)), (True, "n", ()), (True, "m", ())]
    from tunesmith.games.bytecode import Use

    assert attributes_of([Use(*use) for use in uses], "m", is_global=True) == [("a",), ()]
