"""Tables of answers where they pay."""

import ast

from tunesmith.tuning.export.agent.speed.memo import memoised

SEARCHED = """
def slow(a, b):
    total = 0
    for i in range(b):
        for j in range(9):
            total += (a * i + j) % 7
    return total
def once(a):
    total = 0
    for i in range(50):
        total += (a * i) % 7
    return total
def grows(values):
    values.append(len(values))
    return [value * value for value in values]
def search(n):
    return sum(slow(at % 3, 4) + once(at) + len(grows([at])) for at in range(n))
"""


def test_a_table_of_answers_is_for_functions_that_are_asked_the_same_again() -> None:
    def searches(tree: ast.Module, prepare: object) -> None:
        names: dict[str, object] = {}
        exec(compile(ast.fix_missing_locations(tree), "file.py", "exec"), names)
        prepare(names)  # type: ignore[operator]
        names["search"](200)  # type: ignore[operator]

    text = ast.unparse(memoised(ast.parse(SEARCHED), searches))
    assert text.count("@lru_cache") == 1
    assert "@lru_cache(maxsize=1024)\ndef slow" in text
