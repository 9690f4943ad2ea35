"""Buffers lie between guards, and compiled answers are compared with those of plain Python."""

import random
from typing import Any

import numpy as np

from tests.support.searching import as_python
from tests.support.toys import START, piles
from tunesmith.engine.check import compiled
from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.position import look
from tunesmith.engine.compile.bind import uncompiled


def test_what_is_written_outside_a_buffer_is_found() -> None:
    asker = Asker(piles())
    for name, view in compiled.buffers(asker)._asdict().items():
        for place in (compiled.GUARDS - 1, compiled.GUARDS + len(view)):
            room = compiled.buffers(asker)
            room.fill()
            assert room.touched(4, 4) is None
            getattr(room, name).base[place] = 1
            assert room.touched(4, 4) == name


def test_entries_beyond_the_moves_returned_are_outside_too() -> None:
    room = compiled.buffers(Asker(piles()))
    room.fill()
    room.moves[3] = 1
    assert room.touched(4, 0) is None and room.touched(3, 0) == "moves"


def test_the_survey_asks_what_its_list_of_answers_says() -> None:
    """Bound to a game, each answer is that of the function of its name."""
    game = piles()
    functions, rooms = game.functions(), [np.zeros(n) for n in (3, 2)]
    moves, noisy = (np.zeros(4, np.int64) for _ in range(2))
    found = uncompiled(compiled.survey, game)(START, 2, 1, moves, noisy, *rooms)
    said: dict[str, Any] = dict(zip(compiled.ANSWERS, found, strict=True))
    assert (said["legal_moves"], said["noisy_moves"]) == (4, 0)
    for name in functions.keys() & said.keys() - {"legal_moves", "noisy_moves"}:
        assert said[name] == functions[name](*compiled.own_arguments(name, START, 2, 1)), name
    end = uncompiled(compiled.survey_end, game)((0, 0, 1, 5), 1)
    assert dict(zip(compiled.END_ANSWERS, end, strict=True)) == {
        "mover": 1, "outcome": 1, "history_key": 1, "final_margin": 3,
        "symmetries": (0, 0, 1, 5), "swap_sides": (0, 0, 0, 5),
    }  # fmt: skip


def test_without_a_compiler_there_is_nothing_to_compare() -> None:
    with as_python(piles(is_quiet=lambda state: [])) as game:
        asker = Asker(game)
        compiled.check_compiled(asker, [look(asker, START, random.Random(1))], 1)
        assert asker.problems == []
