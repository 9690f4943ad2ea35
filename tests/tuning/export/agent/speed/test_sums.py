"""Sums taken from tables are those that were added up."""

import ast
import random
from typing import Any

import pytest

from tunesmith.tuning.export.agent.speed.sums import summed
from tunesmith.tuning.export.agent.speed.weighing import Weighing

# Counts of twos and fives in bits 0 to 3, of threes from bit 4 on; the last feature is no sum.
FILE = """
PACKED = [0, 0, 1, 16, 0, 1, 0, 0]
def evaluate(state):
    word = state[0]
    a = word & 7
    b = word >> 3 & 7
    c = word >> 6 & 7
    tally = PACKED[a] + PACKED[b] + PACKED[c]
    two = tally & 15
    three = tally >> 4
    seven = (a == 7) - (b == 7)
    most = max(a, b, c) * (state[1] & 3)
    far = state[1] >> 2
    share = c / 7
    other = 1.0 - share
    whole = 0.0
    if share:
        whole += share * ({})
    if other:
        whole += other * ({})
    raw = whole
    score = 1.0 * raw * 100.0
    if -999900000 <= score <= 999900000:
        return round(score)
    else:
        return 999900000 if score > 0.0 else -999900000
"""
NAMES = ["a", "c", "two", "three", "seven", "most", "far"]
WEIGHTS = [
    [1.005, -2.005, 30.125, -7.115, 11.335, 0.25, 0.5],
    [-0.335, 1.115, 3.335, 8.005, -1.665, 0.125, 0.115],
]


def written(file: str = FILE, weights: list[list[float]] = WEIGHTS) -> str:
    return file.format(
        *(" + ".join(f"{w!r} * {v}" for w, v in zip(row, NAMES, strict=True)) for row in weights)
    )


def changed(text: str) -> str:
    return ast.unparse(summed(ast.parse(text), Weighing("weighted_sum", WEIGHTS, 1.0, True)))


def module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    return names


def test_scores_are_the_same_to_the_last_one() -> None:
    text = changed(written())
    old, new = module(written()), module(text)
    asked = []
    exact = new["evaluate_exactly_1"]
    new["evaluate_exactly_1"] = lambda state: asked.append(state) or exact(state)
    rng = random.Random(1)
    states = [(rng.randrange(512), rng.choice([rng.randrange(4000), 1 << 45, -3])) for _ in range(20_000)]
    for state in states:
        assert new["evaluate"](state) == old["evaluate"](state)
    near = [s for s in asked if s[1] < 1 << 40]
    assert 0 < len(near) < 5000  # in the middle of two scores, which weights with halves are often in
    assert {s[1] for s in asked} >= {1 << 45}  # a feature of unknown size


def test_what_small_numbers_say_is_looked_up_and_what_they_do_not_say_alone_is_added() -> None:
    body = changed(written()).split("def evaluate(")[1]
    assert "SUMS_1[" in body and "total_1.real + 0.25 * most + 0.5 * far" in body
    assert "tally" not in body and "two" not in body


@pytest.mark.parametrize("largest", [6, 15])
def test_counts_that_may_spill_into_others_stay_together(largest: int) -> None:
    text = changed(written(FILE.replace("0, 0, 1, 16", f"0, 0, {largest}, 16")))
    assert "tally" in text.split("def evaluate(")[1]


def test_numbers_of_different_times_are_different() -> None:
    file = written(FILE.replace("    c = word >> 6 & 7", "    word = word >> 3\n    c = word >> 3 & 7"))
    old, new = module(file), module(changed(file))
    for word in range(512):
        assert new["evaluate"]((word, 1)) == old["evaluate"]((word, 1))


def test_a_sum_with_other_weights_is_somebody_elses() -> None:
    text = written(weights=[[w + 1 for w in row] for row in WEIGHTS])
    assert changed(text) == ast.unparse(ast.parse(text))
