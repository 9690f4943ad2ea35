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
def wide(a):
    found = []
    for i in range(100):
        found.append((a * i) % 7)
    return tuple(found)
def inner(a, b):
    return slow(9 * a, b) + slow(9 * a + 1, b)
def search(n):
    if n > 1000:
        return sum(len(wide(at % 50)) + inner(at % 5, 3) for at in range(n))
    return sum(slow(at % 3, 4) + once(at) + len(grows([at])) for at in range(n))
"""


def chosen(n: int, file: str = SEARCHED) -> str:
    """Return the file with the tables that `search(n)` asks for."""

    def searches(tree: ast.Module, prepare: object) -> None:
        names: dict[str, object] = {}
        exec(compile(ast.fix_missing_locations(tree), "file.py", "exec"), names)
        prepare(names)  # type: ignore[operator]
        names["search"](n)  # type: ignore[operator]

    return ast.unparse(memoised(ast.parse(file), searches))


def test_a_table_of_answers_is_for_functions_that_are_asked_the_same_again() -> None:
    text = chosen(200)
    assert text.count("@lru_cache") == 1
    assert "@lru_cache(maxsize=1024)\ndef slow" in text


def test_a_table_leaves_nothing_to_ask_inside_and_long_answers_get_less_room() -> None:
    text = chosen(1200)
    assert text.count("@lru_cache") == 2
    assert "@lru_cache(maxsize=1024)\ndef inner" in text
    assert "@lru_cache(maxsize=1024)\ndef wide" in text
    assert "def slow" in text and "lru_cache(maxsize=1024)\ndef slow" not in text


def test_tables_of_finished_code_are_fewer_and_never_others() -> None:
    text = chosen(200)
    assert chosen(200, text) == text
    table = "@lru_cache(maxsize=1024)\n"
    assert table not in chosen(200, text.replace(table, "").replace("def once", f"{table}def once"))


def test_answers_about_tuples_must_be_worth_their_memory() -> None:
    file = (
        "def often(a):\n    return {}"
        + " + 1" * 60
        + "\ndef search(n):\n    return sum(often({}) for at in range(n))\n"
    )
    assert "lru_cache" in chosen(200, file.format("a", "at % (n // 2)"))
    assert "lru_cache" not in chosen(200, file.format("a[0]", "(at % (n // 2),)"))
