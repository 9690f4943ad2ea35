"""Items that are taken together are the same ones."""

import ast
from typing import Any

from tunesmith.tuning.export.agent.speed.items import items

FILE = """
TABLE = [5, 3, 0, 7, 1, 2, 9, 4]
def summed(n):
    total = 0
    for at in range(2 * n, 2 * n + 4):
        total = 3 * total + TABLE[at]
    return total
def counted(n):
    total = 0
    for at in range(2 * n, 2 * n + 4):
        total += TABLE[at] * at
    return total
def bytes_of(word):
    ponds = word ^ 5
    return (ponds & 255) + 2 * (ponds >> 8 & 255) + 3 * (ponds >> 16 & 255) + 5 * (ponds >> 24 & 255)
def seldom(word):
    found = word ^ 9
    if word & 1:
        if found > 100:
            return (found & 255) - (found >> 8 & 255) - (found >> 16 & 255) - (found >> 24 & 255)
    return found
def few(word):
    return (word & 255) + (word >> 48 & 255)
LONG = [7 * n % 1000 for n in range(1024)]
def said(word):
    ponds = word ^ 5
    first = ponds & 255
    second = ponds >> 8 & 255
    total = 0 + LONG[first]
    total += LONG[256 + second]
    total += LONG[512 + (ponds >> 16 & 255)] + LONG[768 + (ponds >> 24 & 255)]
    least = first if first > 0 else 0
    return total * 1000 + least + LONG[3 + least] + (0 + second)
"""


def changed() -> tuple[str, dict[str, Any], dict[str, Any]]:
    tree = items(ast.parse(FILE), {"TABLE", "LONG"}, {"ponds_byte_0"})
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(FILE, old)
    exec(ast.unparse(tree), new)
    return ast.unparse(tree), old, new


def test_a_loop_runs_over_the_table_that_it_reads() -> None:
    text, old, new = changed()
    assert "for at in TABLE[2 * n:2 * n + 4]" in text
    assert [new["summed"](n) for n in range(3)] == [old["summed"](n) for n in range(3)]


def test_a_number_that_counts_for_itself_stays() -> None:
    text, old, new = changed()
    assert "TABLE[at] * at" in text and new["counted"](1) == old["counted"](1)


def test_bytes_of_a_word_are_taken_apart_at_once_where_there_are_several() -> None:
    text, old, new = changed()
    assert text.count("to_bytes") == 3 and "ponds_byte_0_, " in text and "word >> 48 & 255" in text
    for word in (0, 5, 0x12345678, 0xFFFF_FFFF_FFFF, -3):
        assert new["bytes_of"](word) == old["bytes_of"](word)
        assert new["few"](word) == old["few"](word)


def test_bytes_are_taken_apart_where_they_are_asked_for() -> None:
    text, old, new = changed()
    lines = [line.strip() for line in text.split("def seldom")[1].splitlines()]
    assert lines[3] == "if found > 100:" and lines[4].endswith("to_bytes(4, 'little')")
    for word in (0, 5, 0x12345679, 0xFFFF_FFFF_FFFE, -3):
        assert new["seldom"](word) == old["seldom"](word)


def test_what_a_table_says_of_each_byte_is_a_table_of_its_own() -> None:
    text, old, new = changed()
    assert new["LONG_512"] == new["LONG"][512:768]
    body = text[text.index("def said") :]
    assert "LONG_256[" in body and "LONG_768[" in body and "256 +" not in body
    assert "= 0 +" not in body and "(0 +" not in body and "first" not in body and "least" not in body
    for word in (0, 5, 0x01020304, 0xFFFFFFFF, 0x80FF00A0, 1 << 40):
        assert new["said"](word) == old["said"](word)
