"""A solver that does not arrive is no number."""

import dataclasses

from tests.experiments.test_bench import TINY
from tunesmith.experiments.bench import learning


def test_a_solver_that_does_not_arrive_is_no_number(monkeypatch):
    monkeypatch.setattr(
        learning,
        "scikit_learn",
        lambda found, solver, most: learning.ours(found)._replace(seconds=float("inf")),
    )
    rows = learning.fits(dataclasses.replace(TINY, tables=((400, 6, 0),)))
    assert [(row.reference, row.ratio) for row in rows] == [(None, None)] * 3
    assert rows[0].by == "scikit-learn, lbfgs: loss not reached"
