"""What is known before the game begins is done before it."""

import ast

from tunesmith.tuning.export.agent.speed.tidy import tidied

FILE = """
STEPS = [4, -1, 0]
def moved(board):
    found = 0
    for at in range(3):
        found |= board << STEPS[at] + 1
    unread = board + 1
    return found
"""


def test_short_loops_over_tables_become_lines_of_numbers() -> None:
    text = ast.unparse(tidied(ast.parse(FILE)))
    assert "for" not in text and "unread" not in text and "board << 5" in text
    names: dict[str, object] = {}
    exec(text, names)
    assert names["moved"](3) == 3 << 5 | 3 | 3 << 1  # type: ignore[operator]


def test_comparisons_with_negative_numbers_are_decided() -> None:
    text = ast.unparse(tidied(ast.parse("def f(a):\n    n = -1\n    return a if n == -1 else a * 9\n")))
    assert "9" not in text and "==" not in text
