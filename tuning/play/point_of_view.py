"""Whose result is it? Records speak of the first player; matches, and all statistics, of the first-named one."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Result = TypeVar("Result", int, npt.NDArray[np.int64])


def for_first_named(result: Result, game: Result) -> Result:
    """Return the first-named player's result (1, 0, -1) from the first player's; in game 1 they are two.

    Numbers or arrays; games without a result are the caller's to leave out.
    """
    return result * (1 - 2 * game)
