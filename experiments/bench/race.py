"""Two sides do the same work in turns: how many times as fast is ours?

Times are CPU seconds of this process, both sides on one thread. In each round both sides work for the same
time, in the second round the other side begins, and so on; a rate is the median of the rounds, a ratio the
median of the rounds' ratios. A ratio above 1 speaks for ours, whatever the unit."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from tunesmith.games.errors import TunesmithError

Side = Callable[[], tuple[float, float]]  # does some work; returns how much, and the CPU seconds it took
Pair = tuple[float, float]  # of ours and of the reference, in one round


class MismatchError(TunesmithError):
    """The two sides do not answer alike, so their speeds say nothing."""

    exit_code = 1


@dataclass(frozen=True)
class Effort:
    """How much is measured; a run with smaller numbers takes the same way.

    Attributes
    ----------
    seconds
        CPU seconds for each side of a figure, over all rounds.
    rounds
        Turns of each side.
    games
        Random games in which rules are compared.
    perft, search
        Plies of move counting and of alpha-beta search, by game.
    simulations
        Of one Monte Carlo search.
    playouts
        Random games a call.
    duel_pairs, move_time
        Openings that are played twice against each other, and seconds a move.
    tables
        Rows, columns, and non-zeros a row (0: dense) of the tables that are fitted.
    """

    seconds: float = 2.0
    rounds: int = 5
    games: int = 20
    perft: Mapping[str, int] = field(default_factory=lambda: {"kalah": 6, "pentago": 3})
    search: Mapping[str, int] = field(default_factory=lambda: {"kalah": 8, "pentago": 3})
    simulations: int = 2000
    playouts: int = 2000
    duel_pairs: int = 20
    move_time: float = 0.02
    tables: tuple[tuple[int, int, int], ...] = ((20_000, 60, 0), (100_000, 300, 58))


@dataclass(frozen=True)
class Row:
    """One figure.

    Attributes
    ----------
    ours, reference
        In `unit`; no reference: `by` says why.
    ratio, low, high
        Times that ours is better; `low` and `high` are the extremes of the rounds.
    work, checked
        What one unit of work is, and what was found equal beforehand.
    """

    what: str
    unit: str
    ours: float
    reference: float | None
    by: str
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    rounds: int = 0
    work: str = ""
    checked: str = ""


@dataclass(frozen=True)
class Title:
    """What a figure is about; see `Row`."""

    what: str
    unit: str
    by: str
    work: str
    checked: str = ""


def race(title: Title, ours: Side, reference: Side | None, effort: Effort) -> Row:
    """Let both sides work in turns; without a reference ours alone."""
    sides = [ours] if reference is None else [ours, reference]
    for side in sides:  # compiles, and touches memory for the first time
        side()
    rates: list[list[float]] = [[] for _ in sides]
    for number in range(effort.rounds):
        order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
        for at in order:
            rates[at].append(_rate(sides[at], effort.seconds / effort.rounds))
    if reference is None:
        return alone(title, rates[0])
    return of_pairs(title, list(zip(*rates, strict=True)))


def _rate(side: Side, seconds: float) -> float:
    done = spent = 0.0
    while spent < seconds or done == 0:
        work, took = side()
        done, spent = done + work, spent + took
    return done / max(spent, 1e-9)


def timed(run: Callable[[], float]) -> Side:
    """Return a side that does `run`, which tells the work done."""

    def side() -> tuple[float, float]:
        began = time.process_time()
        work = run()
        return work, time.process_time() - began

    return side


def alone(title: Title, values: Sequence[float]) -> Row:
    """Return a row of ours without a reference."""
    return Row(**vars(title), ours=median(values), reference=None, rounds=len(values))


def of_pairs(title: Title, pairs: Sequence[Pair], *, less_is_better: bool = False) -> Row:
    """Return a row of medians."""
    ours, reference = (median(values) for values in zip(*pairs, strict=True))
    each = [_times(pair, less_is_better) for pair in pairs]
    return Row(
        **vars(title),
        ours=ours,
        reference=reference,
        ratio=median(each),
        low=min(each),
        high=max(each),
        rounds=len(pairs),
    )


def of_points(title: Title, points: float, n_games: int) -> Row:
    """Return a row of a match; no ratio to nothing."""
    ratio = points / (n_games - points) if points < n_games else None
    return Row(**vars(title), ours=points, reference=n_games - points, ratio=ratio, rounds=n_games)


def _times(pair: Pair, less_is_better: bool) -> float:
    better, worse = reversed(pair) if less_is_better else pair
    return better / worse if worse else float("inf")
