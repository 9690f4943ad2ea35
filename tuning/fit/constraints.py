"""Which weights does a person mean by a name, and what may they be?

A name is a feature, `stage.feature`, or a pattern of either (`pst_*`, `mg.*`); it stands for every weight that
it matches. Constraints come as text, in the unit of the weights that will be written:
`pawn=50:200`, `pawn=+`, `a<=b` (in each stage), `a=b` (in each stage; `mg.a=eg.a` across stages).
"""

import difflib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from graphlib import CycleError, TopologicalSorter
from typing import Literal, NamedTuple, Self

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.rows import Bools, Floats, Ints

FAMILY = 3  # features of one name and different numbers, at least, are a family: pst_1, pst_2, pst_3
_NUMBER = re.compile(r"_?\d+$")

Orders = Sequence[tuple[int, int]]


class Spelling(NamedTuple):
    """What a person calls the constraints: options of the command line, or settings of a study."""

    fixed: str
    only: str
    bounds: str
    orders: str
    ties: str


COMMAND = Spelling("--fixed", "--only", "--bound", "--order", "--tie")
STUDY = Spelling("fit.fixed", "fit.only", "fit.bounds", "fit.orders", "fit.ties")


@dataclass(frozen=True)
class Names:
    """Names of the stages and features behind weights (S, F); flat columns are stage-major.

    groups: what rows that share their luck come from, as in `Rows.group`.
    """

    stages: tuple[str, ...]
    features: tuple[str, ...]
    groups: Literal["pairs", "games"] = "pairs"

    @property
    def shape(self) -> tuple[int, int]:
        """(S, F)."""
        return len(self.stages), len(self.features)

    @property
    def full(self) -> tuple[str, ...]:
        """`stage.feature` for every column, `feature` where there is one stage."""
        if len(self.stages) == 1:
            return self.features
        return tuple(f"{stage}.{feature}" for stage in self.stages for feature in self.features)

    @property
    def stems(self) -> tuple[str, ...]:
        """The name of each feature's family, without the number that sets it apart; "" where it is of none."""
        stems = [_NUMBER.sub("", name) for name in self.features]
        return tuple(stem if stems.count(stem) >= FAMILY else "" for stem in stems)

    @property
    def families(self) -> Ints:
        """Number of each weight's family (S, F), 0 for weights of none."""
        known = ["", *dict.fromkeys(stem for stem in self.stems if stem)]
        each = np.array([known.index(stem) for stem in self.stems], dtype=np.int64)
        return np.tile(each, (len(self.stages), 1))

    def find(self, pattern: str, option: str) -> list[int]:
        """Return the columns that a pattern matches; InputError if there is none."""
        plain = self.features * len(self.stages)
        dotted = [f"{stage}.{feature}" for stage in self.stages for feature in self.features]
        found = [
            at for at, (a, b) in enumerate(zip(plain, dotted, strict=True))
            if pattern in (a, b) or fnmatchcase(a, pattern) or fnmatchcase(b, pattern)
        ]  # fmt: skip
        if not found:
            near = difflib.get_close_matches(pattern, [*self.features, *dotted], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(f"{option}: no weight is called {pattern!r}{hint}")
        return found

    def mask(self, patterns: Iterable[str], option: str) -> Bools:
        """Mark (S, F) the weights that any pattern matches."""
        marked = np.zeros(self.shape, dtype=np.bool_)
        for pattern in patterns:
            marked.flat[self.find(pattern, option)] = True
        return marked

    def pairs(self, first: str, second: str, option: str) -> list[tuple[int, int]]:
        """Pair the columns of two names, stage by stage where both stand in every stage."""
        a, b = self.find(first, option), self.find(second, option)
        if len(a) != len(b):
            raise InputError(f"{option}: {first!r} means {len(a)} weights and {second!r} {len(b)}")
        return list(zip(a, b, strict=True))


@dataclass(frozen=True, eq=False)
class Constraints:
    """What the weights (S, F) may be, in the unit of the weights; infinite where there is no bound.

    fixed: True keeps the prior. ties: weights with the same number from 0 up stay equal; -1 stands alone. orders:
    (a, b) of flat columns keeps weight a <= weight b. families: weights of one family have the same
    number from 0 up; None: all of one. firmness: factor on the ridge of each; None: 1.
    """

    fixed: Bools
    ties: Ints | None
    lower: Floats
    upper: Floats
    orders: tuple[tuple[int, int], ...]
    families: Ints | None = None
    firmness: Floats | None = None

    @classmethod
    def of(
        cls,
        shape: tuple[int, int],
        *,
        fixed: Bools | None = None,
        ties: Ints | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        orders: Sequence[tuple[int, int]] = (),
    ) -> Self:
        """Return constraints of weights (S, F), free where nothing is said."""
        return cls(
            np.zeros(shape, dtype=np.bool_) if fixed is None else fixed,
            ties,
            np.full(shape, -np.inf) if lower is None else lower,
            np.full(shape, np.inf) if upper is None else upper,
            tuple(orders),
        )

    @property
    def tied(self) -> list[Ints]:
        """Flat columns of each group of tied weights."""
        if self.ties is None:
            return []
        flat = self.ties.ravel()
        return [np.flatnonzero(flat == number) for number in np.unique(flat[flat >= 0])]


def make_constraints(names: Names, options: FitOptions, spelling: Spelling = COMMAND) -> Constraints:
    """Read the constraints of a fit."""
    fixed = names.mask(options.fixed, spelling.fixed)
    if options.only:
        fixed |= ~names.mask(options.only, spelling.only)
    lower, upper = np.full(names.shape, -np.inf), np.full(names.shape, np.inf)
    for text in options.bounds:
        low, high, columns = _bound(names, text, spelling.bounds)
        lower.flat[columns] = np.maximum(lower.flat[columns], low)
        upper.flat[columns] = np.minimum(upper.flat[columns], high)
    ordered = [pair for text in options.orders for pair in _order(names, text, spelling.orders)]
    tied = _ties(names, options.ties, spelling.ties)
    kept = _consistent(names, ordered, tied, (lower, upper), spelling)
    return Constraints(fixed, tied, lower, upper, tuple(kept), names.families)


def _consistent(
    names: Names,
    orders: list[tuple[int, int]],
    ties: Ints | None,
    bounds: tuple[Floats, Floats],
    spelling: Spelling,
) -> list[tuple[int, int]]:
    """Return the orders between weights that are not tied; refuse what no weights can keep."""
    low, high = (bound.ravel() for bound in bounds)
    for at in np.flatnonzero(low > high):
        raise InputError(
            f"{spelling.bounds}: {names.full[at]}: no number is at least {low[at]:g} and at most {high[at]:g}"
        )
    alone = np.arange(len(low))
    group = alone if ties is None else np.where(ties.ravel() >= 0, ties.ravel(), alone)
    kept = [(a, b) for a, b in orders if a == b or group[a] != group[b]]
    grouped = [(int(group[a]), int(group[b])) for a, b in kept]
    if found := circle(grouped):
        text = [names.full[at] for at in found]
        raise InputError(
            f"{spelling.orders}: {' <= '.join(text)} is a circle: all of them would be equal, which is said with "
            f"{spelling.ties} {'='.join(text[:-1])}"
        )
    wrong = clash(grouped, dict(enumerate(low)), dict(enumerate(high)))
    if wrong is not None:
        raise InputError(
            f"{spelling.bounds}: {names.full[wrong.low]} is at least {wrong.at_least:g} and {names.full[wrong.high]} "
            f"at most {wrong.at_most:g}, but {spelling.orders} asks for "
            f"{names.full[wrong.low]} <= {names.full[wrong.high]}"
        )
    return kept


def _bound(names: Names, text: str, option: str) -> tuple[float, float, list[int]]:
    name, equals, span = text.rpartition("=")
    low, colon, high = {"+": "0:", "-": ":0"}.get(span.strip(), span).partition(":")
    try:
        ends = float(low or "-inf"), float(high or "inf")
    except ValueError:
        ends = (np.nan, np.nan)
    if not (equals and colon and ends[0] <= ends[1]):
        is_turned = equals and colon and ends[0] > ends[1]
        why = f": the low end, {ends[0]:g}, is above the high end, {ends[1]:g}" if is_turned else ""
        raise InputError(f"{option}: expected NAME=LOW:HIGH, NAME=+ or NAME=-, found {text!r}{why}")
    return *ends, names.find(name.strip(), option)


def _order(names: Names, text: str, option: str) -> list[tuple[int, int]]:
    parts = [part.strip() for part in text.split("<=")]
    if len(parts) < 2 or not all(parts):
        raise InputError(f"{option}: expected A<=B, found {text!r}")
    return [pair for a, b in itertools.pairwise(parts) for pair in names.pairs(a, b, option)]


def _ties(names: Names, texts: Sequence[str], option: str) -> Ints | None:
    """Number tied weights; ties that share a weight become one."""
    number = np.arange(names.shape[0] * names.shape[1])
    for text in texts:
        parts = [part.strip() for part in text.split("=")]
        if len(parts) > 1:
            pairs = [p for a, b in itertools.pairwise(parts) for p in names.pairs(a, b, option)]
        else:
            found = names.find(text, option)
            if len(found) < 2:
                raise InputError(f"{option} {text}: expected two weights or more, found one")
            pairs = list(itertools.pairwise(found))
        for a, b in pairs:
            number[number == number[b]] = number[a]
    if not texts:
        return None
    counts = np.bincount(number, minlength=len(number))
    return np.where(counts[number] > 1, number, -1).reshape(names.shape).astype(np.int64)


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
