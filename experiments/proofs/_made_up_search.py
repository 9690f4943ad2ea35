"""Whole searches without games: settings of known strength whose results share luck as those of real ones do.

A setting is a point of [-1, 1]^n and has a true score, its mean over all openings there could be. On one opening the
results of two settings are correlated as the generator is told (measured between weight sets of Kalah: 0.17,
up to 0.47); the same setting on the same opening has the same result again. Trials play what the product's do, pairs
on openings of their own in the order of their numbers, which come again where there are fewer; the product's samplers
ask for them, and its model recommends. Result k of a search depends on its seed, setting and opening alone."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.tuning.config import Search
from tunesmith.tuning.hashing import hashed
from tunesmith.tuning.search.matches import hush
from tunesmith.tuning.search.recommend import Seen
from tunesmith.tuning.search.samplers import WDL
from tunesmith.tuning.search.space import Parameter, Space
from tunesmith.tuning.search.storage import hush_optuna
from tunesmith.tuning.search.watched_sampler import make_sampler

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Luck:
    """How results come about.

    Attributes
    ----------
    correlation
        Of the scores of two equally strong settings on one opening.
    draws
        Share of drawn games between equals; it falls with p (1 - p). At most 0.5.
    """

    correlation: float = 0.17
    draws: float = 0.5

    def classes(self, key: bytes, score: float, openings: Numbers, seed: int) -> Numbers:
        """Return for each opening the class of the pair (0: both lost .. 4: both won) of a setting."""
        own = zlib.crc32(key)
        alone, chance = (_uniform(openings, hash_of(seed, part, own)) for part in (2, 3))
        luck = np.where(chance < self.correlation**0.5, _uniform(openings, hash_of(seed, 1)), alone)
        found: Numbers = np.searchsorted(self._limits(score), luck, side="right")
        return found

    def _limits(self, score: float) -> Array:
        """Return the chances of a pair to be in class 0, 1 at most, 2 at most, 3 at most."""
        draw = self.draws * 4 * score * (1 - score)
        win, loss = score - draw / 2, 1 - score - draw / 2
        shares = (loss**2, 2 * loss * draw, draw**2 + 2 * win * loss, 2 * win * draw)
        return np.array([*accumulate(shares)])


def _uniform(numbers: Numbers, salt: int) -> Array:
    found: Array = hashed(numbers, salt).astype(np.float64) / 2.0**64
    return found


def hash_of(*numbers: int) -> int:
    """Return one number for several: what `hashed` makes of each, with the result so far as salt."""
    found = 0
    for number in numbers:  # plain integers: thousands of settings are hashed one by one
        found = _mixed((number ^ _mixed(found)) & _WORD)
    return found


_WORD = 2**64 - 1


def _mixed(state: int) -> int:
    """Return the first output of a SplitMix64 generator."""
    z = (state + 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _WORD
    return z ^ z >> 31


@dataclass(frozen=True)
class PointSpace(Space[Mapping[str, Any]]):
    """Settings that are points, x0, x1, ..., and become nothing else."""

    def apply(self, setting: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the setting itself."""
        return setting


def point_space(start: tuple[float, ...]) -> PointSpace:
    """Return [-1, 1]^n with a start."""
    axes = tuple(Parameter(f"x{at}", "option", unit, -1.0, 1.0) for at, unit in enumerate(start))
    return PointSpace({}, axes)


def point(setting: Mapping[str, Any]) -> Array:
    """Return a setting as a point."""
    return np.array([setting[f"x{at}"] for at in range(len(setting))], float)


@dataclass(frozen=True)
class MadeUpSearch:
    """A search to be played.

    Attributes
    ----------
    score
        The true score of a point.
    sampler
        Who asks for settings; None: they are drawn at random, which is quick.
    openings
        How many there are; None: as many as the trials need.
    start_is_opponent
        Whether the start is what all settings play against, so that its score of one half is known.
    """

    score: Callable[[Array], float]
    start: tuple[float, ...]
    trials: int
    pairs: int
    sampler: Any = "clop"
    luck: Luck = Luck()
    openings: int | None = None
    start_is_opponent: bool = True

    def play(self, seed: int) -> list[Seen]:
        """Play all trials of a search; return what was seen, trial by trial."""
        if self.sampler is None:
            rng = np.random.default_rng(seed)
            others = rng.uniform(-1, 1, (self.trials - 1, len(self.start)))
            return [
                self._seen(number, {f"x{at}": float(unit) for at, unit in enumerate(place)}, seed)[0]
                for number, place in enumerate([self.start, *others])
            ]
        import optuna

        space = point_space(self.start)
        settings = Search(trials=self.trials, pairs=self.pairs, sampler=self.sampler)
        study = optuna.create_study(direction="maximize", sampler=make_sampler(settings, space, seed))
        study.enqueue_trial(space.start)
        seen = []
        for number in range(self.trials):
            trial = study.ask(space.distributions())
            one, classes = self._seen(number, trial.params, seed)
            trial.set_user_attr(WDL, _results(classes))
            study.tell(trial, float(classes.mean() / 4))
            seen.append(one)
        return seen

    def _seen(self, number: int, setting: Mapping[str, Any], seed: int) -> tuple[Seen, Numbers]:
        classes, openings = self._trial(number, setting, seed)
        counts = tuple(np.bincount(classes, minlength=5).tolist())
        known = self._is_known(number)
        return Seen(dict(setting), counts, openings, classes / 4, (number,), is_known=known), classes

    def _is_known(self, number: int) -> bool:
        return number == 0 and self.start_is_opponent

    def _trial(self, number: int, setting: Mapping[str, Any], seed: int) -> tuple[Numbers, Numbers]:
        openings = np.arange(number * self.pairs, (number + 1) * self.pairs)
        if self.openings is not None:
            openings %= self.openings
        if self._is_known(number):
            return np.full(self.pairs, 2), openings
        at = point(setting)
        return self.luck.classes(at.tobytes(), float(self.score(at)), openings, seed), openings


def _results(classes: Numbers) -> list[int]:
    """Return games won, drawn and lost; a pair of class 2 counts as one of each."""
    wins, draws = int((classes // 2).sum()), int((classes % 2).sum())
    return [wins, draws, 2 * len(classes) - wins - draws]


@contextlib.contextmanager
def hushed() -> Iterator[None]:
    """Keep to ourselves what hundreds of searches would say."""
    import optuna

    hush_optuna()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with hush():
        yield
