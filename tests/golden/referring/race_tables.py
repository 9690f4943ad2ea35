"""Numbers and helpers that `game.py` reads as attributes of this module."""

import numpy as np
from numba import njit

VALUE = 5
COLUMN = np.full((30, 2), 5)[:, 0]  # not contiguous


def by_function(x):
    return 5 * x


@njit
def by_compiled_function(x):
    return 5 * x
