"""A solver that does not arrive is no number."""

import dataclasses

from tests.experiments.test_bench import TINY
from tunesmith.experiments.bench import learning


def test_a_solver_that_does_not_arrive_is_no_number(monkeypatch):
    late = dataclasses.replace(TINY, tables=((400, 6, 0),))
    for solver in ("scikit_learn", "lbfgs"):
        monkeypatch.setattr(
            learning, solver, lambda found, *_: learning.ours(found)._replace(seconds=float("inf"))
        )
    rows = learning.fits(late)
    assert [(row.reference, row.ratio) for row in rows] == [(None, None)] * 4
    assert rows[0].by == "scikit-learn, lbfgs: loss not reached"
    assert rows[3].by == "SciPy, L-BFGS-B: loss not reached"
