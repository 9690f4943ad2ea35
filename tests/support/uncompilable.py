"""Functions that run as plain Python but cannot be compiled; with the line (from `def`) and the words to say."""

import math
from typing import Any

import numpy as np

Pair = tuple[int, int]

WORTH = {1: 2}
ORDER = [2, 1]
HUGE = 1 << 64


class Rules:
    size = 3


RULES = Rules()


def dictionary(state: Pair, out: Any) -> int:
    return WORTH[1]


def list_of_numbers(state: Pair, out: Any) -> int:
    return ORDER[0]


def instance(state: Pair, out: Any) -> int:
    return RULES.size


def huge_constant(state: Pair, out: Any) -> int:
    return state[0] & HUGE


def huge_literal(state: Pair, out: Any) -> int:
    return state[0] & 0xFFFF_FFFF_FFFF_FFFF_FFFF


def two_returns(state: Pair, out: Any) -> Any:
    if state[0]:
        return 1, 2
    return 1, 2, 3


def two_types(state: Pair, out: Any) -> Any:
    x: Any = 1
    if state[0]:
        x = (1, 2)
    return x


def helper(x: Any) -> Any:
    return x + None


def calls_helper(state: Pair, out: Any) -> Any:
    return helper(state[0]) if state[0] == 0 else 0


def empty_list(state: Pair, out: Any) -> int:
    found: list[int] = []
    return len(found)


def tuple_of_a_list(state: Pair, out: Any) -> Any:
    return tuple([word for word in state])


def generator(state: Pair, out: Any) -> int:
    return sum(word for word in state)


def recursive(state: Pair, out: Any) -> int:
    if state[0] == 0:
        return 0
    return recursive((state[0] - 1, state[1]), out)


def method_of_int(state: Pair, out: Any) -> int:
    return state[0].bit_count()


def slice_of_state(state: Pair, out: Any) -> Any:
    at = state[0]
    return state[:at]


def key_function(state: Pair, out: Any) -> int:
    return max(state, key=lambda word: -word)


def mixed_tuple(state: Pair, out: Any) -> Any:
    pair = (1, state)
    return pair[state[0]]


def missing_in_math(state: Pair, out: Any) -> int:
    return math.comb(state[0], 2)


def missing_in_numpy(state: Pair, out: Any) -> Any:
    return np.unpackbits(np.zeros(1, np.uint8))


def appends(state: Pair, out: Any) -> int:
    if state[0] == 0:
        out.append(1)
    return 0


def imports(state: Pair, out: Any) -> int:
    import math  # noqa: F401

    return 1


def changes_global(state: Pair, out: Any) -> int:
    global HUGE
    HUGE = 1 << 64
    return 1


def wrong_arguments(state: Pair, out: Any) -> int:
    if state[0] == 0:
        return helper(1, 2)  # type: ignore[call-arg,no-any-return]
    return 0


CASES = [
    (dictionary, 1, "'WORTH' is of type dict; compiled functions know ints, floats, tuples"),
    (list_of_numbers, 1, "'ORDER' is of type list"),
    (instance, 1, "'RULES' is of type"),
    (huge_constant, 1, "the number 'HUGE' exceeds 64 bits"),
    (huge_literal, 1, "exceeds 64 bits"),
    (two_returns, 3, "returns different types on different paths: "),
    (two_types, 4, "the variable 'x' is int on one path and tuple of (int, int) on another"),
    (calls_helper, -3, "add(int64, none) is not possible"),
    (empty_list, 1, "'found' is not known (an empty list?)"),
    (tuple_of_a_list, 1, "a tuple of unknown length cannot be made; write its elements out"),
    (generator, 1, "a generator expression cannot be compiled; write a loop"),
    (recursive, 3, "'recursive' calls itself, directly or through others; recursion cannot be compiled"),
    (method_of_int, 1, "int64 has no 'bit_count' in compiled code"),
    (slice_of_state, 2, "a slice of a tuple needs constant bounds"),
    (key_function, 1, "is not possible"),
    (mixed_tuple, 2, "a tuple of different types needs a constant index"),
    (missing_in_math, 1, "module math has no 'comb' in compiled code"),
    (missing_in_numpy, 1, "numpy.unpackbits is not available in compiled code"),
    (appends, 2, "array of int64 has no 'append' in compiled code"),
    (imports, 1, "this kind of statement cannot be compiled (import name)"),
    (changes_global, 2, "this kind of statement cannot be compiled (store global)"),
    (wrong_arguments, 2, "called with the wrong number of arguments; it takes (x)"),
]
