"""Which well-mixed bits belong to a number, the same on every machine and in every version?

SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
"""

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
_GAMMA = np.uint64(0x9E3779B97F4A7C15)


def hashed(group: NDArray[np.int64], salt: int) -> Words:
    """Hash numbers to 64 well-mixed bits."""
    salted = splitmix64(np.array([salt % 2**64], dtype=np.uint64))
    return splitmix64(np.asarray(group, dtype=np.int64).view(np.uint64) ^ salted)


def splitmix64(state: Words) -> Words:
    """Give the first output of a SplitMix64 generator in each state."""
    z = state + _GAMMA
    z ^= z >> np.uint64(30)  # in place: there may be many
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z
