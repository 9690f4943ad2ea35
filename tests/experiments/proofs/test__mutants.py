"""Changes of a formula are made one at a time, of each number and operator, and of nothing else."""

import ast

from tunesmith.experiments.proofs._mutants import count, mutant

FORMULA = '''"""Five is 5."""
LIMIT: float = 0.5


def f(x: int = 1) -> float:
    """Return 3 x."""
    if x < 7:
        raise ValueError(f"expected {x + 1}", 9)
    return 3 * x
'''


def test_each_change_is_of_one_number_or_operator() -> None:
    """Not of what is said: docstrings, annotations, messages."""
    every = [mutant(FORMULA, number) for number in range(count(FORMULA))]
    found = [(one.line, ast.unparse(one.tree)) for one in every]
    plain = ast.unparse(ast.parse(FORMULA))
    for was, line, new in (("0.5", 2, "0.525"), ("x: int=1", 5, "x: int=2"), ("x < 7", 7, "x <= 7"),
                           ("x < 7", 7, "x < 8"), ("3 * x", 9, "3 / x"), ("3 * x", 9, "4 * x")):  # fmt: skip
        expected = new.join(plain.rsplit(was, 1))
        assert (line, expected) in found, new
    assert len(found) == 6


def test_signs_words_and_steps_are_operators_too() -> None:
    """A minus before an expression, `and`, each sign of a chain of comparisons, and what is added in place."""
    source = "def f(x, y):\n    if 0 < x <= y and y:\n        x += y\n    return -x // y\n"
    every = [mutant(source, number).text for number in range(count(source))]
    for new in ("if 0 <= x <= y and y:", "if 0 < x < y and y:", "if 0 < x <= y or y:", "if 1 < x <= y and y:",
                "x -= y", "return x // y", "return -x * y"):  # fmt: skip
        assert new in every
    assert len(every) == 7
