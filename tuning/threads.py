"""How are parts of a fit worked on side by side, and how many cores are there?

Parts are the same for any number of threads and their results come in order, so a fit that sums them in that order
gives the same bits. BLAS stays in one thread meanwhile (`solve.in_one_thread`).
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(function: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
    """Give what a function makes of each part, in their order; worth it where compiled code or numpy does the work."""
    threads = number()
    return map(function, parts) if threads == 1 else _pool(threads).map(function, parts)


def number() -> int:
    """Return how many threads work: `OMP_NUM_THREADS`, as workers that play set it, or as many as there are cores."""
    said = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return int(said) if said.isdecimal() and int(said) else cores()


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="fit")


if hasattr(os, "register_at_fork"):  # the threads of a pool stay behind in the process that forks
    os.register_at_fork(after_in_child=_pool.cache_clear)
