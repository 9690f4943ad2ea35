"""Names that an agent's code leaves free: each says which it is when it is used unfilled, and each is filled."""

import inspect

import pytest

from tests.support.piles_agent import builder
from tunesmith.engine.compile.slots import Constant, UnboundSlotError
from tunesmith.tuning.export.agent import slots

FUNCTIONS = {
    name: function
    for name, function in inspect.getmembers(slots, inspect.isfunction)
    if function.__module__ == slots.__name__
}
CONSTANTS = {name: value for name, value in vars(slots).items() if isinstance(value, Constant)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_nothing_fills_says_its_name(name: str) -> None:
    function = FUNCTIONS[name]
    with pytest.raises(UnboundSlotError, match=f"^{name}$"):
        function(*[None] * len(inspect.signature(function).parameters))


def test_every_name_is_filled_when_an_agent_is_written() -> None:
    made = builder()
    assert {name for name, value in CONSTANTS.items() if value.name != name} == set()
    for name, value in {**FUNCTIONS, **CONSTANTS, "FEATURES": slots.FEATURES, "STAGES": slots.STAGES}.items():
        assert made.substitute(name, value, "lists")[0] is not value, name
