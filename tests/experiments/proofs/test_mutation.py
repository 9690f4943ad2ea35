"""Changes of a formula are made one at a time, and those that its tests do not notice are named."""

import ast
from pathlib import Path

from tunesmith.experiments.proofs import mutation

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
    every = [mutation.mutant(FORMULA, number) for number in range(mutation.count(FORMULA))]
    found = [(one.line, ast.unparse(one.tree)) for one in every]
    plain = ast.unparse(ast.parse(FORMULA))
    for was, line, new in (("0.5", 2, "0.525"), ("x: int=1", 5, "x: int=2"), ("x < 7", 7, "x <= 7"),
                           ("x < 7", 7, "x < 8"), ("3 * x", 9, "3 / x"), ("3 * x", 9, "4 * x")):  # fmt: skip
        expected = new.join(plain.rsplit(was, 1))
        assert (line, expected) in found, new
    assert len(found) == 6


def test_a_change_that_no_test_notices_is_named(tmp_path: Path) -> None:
    """The slope is tested, the offset is not."""
    (tmp_path / "small.py").write_text("def f(x):\n    return 3 * x + 2\n")
    (tmp_path / "test_small.py").write_text(
        "from small import f\n\n\ndef test_slope():\n    assert f(2.0) - f(1.0) == 3.0\n"
    )
    found = mutation.outlive("small", tmp_path / "small.py", tmp_path / "test_small.py", 9, 1, tmp_path)
    assert (found.is_sound, found.tried) == (True, 4)
    assert sorted(one.text for one in found.survivors) == ["return 3 * x + 3", "return 3 * x - 2"]
