"""Counting bits by the fastest word that a Python has."""

import ast

import pytest

from tunesmith.tuning.export.agent.speed.bits import counted

LOOP = """
def ones(board):
    {first} = 0
    while board{test}:
        board {step}
        {first} += 1
    return {first}
def asked(board):
    return ones(board & 7) + bin(board).count('1')
"""


def run(text: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(compile(text, "file.py", "exec"), names)
    return names


@pytest.mark.parametrize("test", ["", " != 0"])
@pytest.mark.parametrize("step", ["&= board - 1", "^= board & -board"])
def test_a_loop_over_bits_is_known_by_its_shape(test: str, step: str) -> None:
    before = LOOP.format(first="n", test=test, step=step)
    text = ast.unparse(counted(ast.parse(before)))
    assert "while" not in text and "int.bit_count" in text
    for board in (0, 1, 6, 0xF0F0, (1 << 63) - 1, 1 << 63, 123456789 << 20):
        assert run(text)["asked"](board) == run(before)["asked"](board)  # type: ignore[operator]


def test_other_loops_stay() -> None:
    text = LOOP.format(first="n", test=" != 0", step=">>= 1").replace("bin(board).count('1')", "0")
    assert ast.unparse(counted(ast.parse(text))) == ast.unparse(ast.parse(text))
