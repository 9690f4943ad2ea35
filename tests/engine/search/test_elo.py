"""Scores and expected results: the Elo formula, to the last digits that matter, both ways."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.engine.evaluation import WIN
from tunesmith.engine.search.elo import expected, natural_log, to_elo


@given(st.floats(1e-12, 1e12))
def test_logarithm(x: float) -> None:
    assert natural_log(x) == pytest.approx(math.log(x), rel=1e-12, abs=1e-13)


@given(st.integers(-700_000, 700_000))
def test_expected_result(score: int) -> None:
    assert expected(score) == pytest.approx(1 / (1 + 10 ** (-score / 40_000)), rel=1e-11)


@given(st.integers(-230_000, 230_000))
def test_there_and_back(score: int) -> None:
    assert to_elo(expected(score)) == score


def test_certainty() -> None:
    assert expected(WIN - 3) == 1.0
    assert expected(3 - WIN) == pytest.approx(0.0, abs=1e-19)
    assert expected(0) == 0.5
    assert to_elo(0.5) == 0
    assert to_elo(1.0) == -to_elo(0.0) == 240_000
