"""Integer arithmetic that gives the same bits compiled (int64, wrapping) and as plain Python (unbounded).

Everything stays in 63 bits: products are masked, so only their low bits count, and no value is negative."""

from tunesmith.engine.compile.jit import plus, times
from tunesmith.games.game import State

MASK63 = 0x7FFF_FFFF_FFFF_FFFF
_MIX = 0x1B87_3593_CC9E_2D51  # odd, bits well spread
_STEP = 0x5851_F42D_4C95_7F2D  # Knuth's MMIX multiplier
_ADD = 0x1405_7B7E_F767_814F


def mix(value: int) -> int:
    """Return a 63-bit hash of a non-negative 63-bit number (multiply, fold, multiply, fold)."""
    value = times(value ^ (value >> 31), _MIX)
    value = times(value ^ (value >> 29), _STEP)
    return value ^ (value >> 32)


def hash_state(state: State) -> int:
    """Return a 63-bit hash of all words of a state."""
    value = 0x2545_F491_4F6C_DD1D
    for word in state:
        value = times(value ^ (word & MASK63), _MIX)
        value ^= value >> 32
    return mix(value)


def next_random(seed: int) -> int:
    """Return the state of a linear congruential generator after `seed`; its high bits are good."""
    return plus(times(seed, _STEP), _ADD)


def below(seed: int, n: int) -> int:
    """Return a number in 0..n-1 from the generator's state `seed` (n < 2**20)."""
    return ((mix(seed) >> 20) * n) >> 43


def drawn_place(seed: int, n_plies: int, n: int) -> int:
    """Return a number in 0..n-1, what a player with `seed` draws after `n_plies` plies of a game."""
    return below(mix(mix(seed) ^ n_plies), n)
