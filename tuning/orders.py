"""Can all orders `a <= b` that are asked for hold at once, and with the bounds?

Numbers stand for weights (or groups of tied ones); an order is a pair of them, the smaller first. Orders that
lead back to where they began leave only equal weights, which is what ties are for; bounds may ask for more of
a weight than the one that has to be larger may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

Orders = Sequence[tuple[int, int]]


class Clash(NamedTuple):
    """Weight `low` may not be below `at_least`, and `high`, which has to be as large, not above `at_most`."""

    low: int
    at_least: float
    high: int
    at_most: float


def circle(orders: Orders) -> tuple[int, ...]:
    """Return weights that are ordered in a circle, smaller first, the first one again at the end; () if none are."""
    try:
        _sorter(orders).prepare()
    except CycleError as error:
        return tuple(error.args[1])
    return ()


def clash(orders: Orders, lower: Mapping[int, float], upper: Mapping[int, float]) -> Clash | None:
    """Return bounds that contradict the orders, which have no circle; None if there are none."""
    least: dict[int, tuple[float, int]] = {}
    smaller = _smaller(orders)
    for weight in _sorter(orders).static_order():
        own = lower[weight], weight
        least[weight] = max([own, *(least[other] for other in smaller.get(weight, ()))], key=lambda b: b[0])
        if least[weight][0] > upper[weight]:
            return Clash(least[weight][1], least[weight][0], weight, upper[weight])
    return None


def _smaller(orders: Orders) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for a, b in orders:
        found.setdefault(b, []).append(a)
    return found


def _sorter(orders: Orders) -> TopologicalSorter[int]:
    return TopologicalSorter(_smaller(orders))
