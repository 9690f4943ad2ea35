"""Hashes of numbers: those of the published generator, whatever the shape of the salt."""

import numpy as np

from tunesmith.tuning.hashing import splitmix64


def test_hash_is_splitmix64() -> None:
    """First outputs of the reference generator for seeds 0 and 1234567."""
    found = splitmix64(np.array([0, 1234567], dtype=np.uint64))
    assert found.tolist() == [0xE220A8397B1DCDAF, 6457827717110365317]
