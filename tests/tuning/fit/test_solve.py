"""How a posed fit is solved: equal bits."""

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tests.support.simulated import fit, positions

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])


NOTHING = np.zeros_like(WEIGHTS)


def test_equal_rows_give_equal_bits_for_any_number_of_threads() -> None:
    """A digest of the weights must not depend on the machine's cores."""
    rows = positions(WEIGHTS, 3000)
    found = []
    for threads in (1, 2, 2):
        with threadpool_limits(limits=threads):
            found.append(fit(rows, NOTHING, ridge=1e-4))
    assert len({one.weights.tobytes() + one.errors.tobytes() for one in found}) == 1
