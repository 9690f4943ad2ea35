"""Which games does a folder hold? Of all a few numbers each, of some whole pairs everything, read in turn.

Which pairs, a hash of their numbers says: those of the smallest. So a folder of a million games takes hardly more
memory than one of forty thousand, and what its positions look like is known as well as need be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.tuning.hashing import Words, hashed
from tunesmith.tuning.play.records import Games, Settings
from tunesmith.tuning.play.summary import Outline

_SALT = 0x64657363726962  # the pairs that are looked at must not follow the split


@dataclass(frozen=True, eq=False)
class Source:
    """What is known of all games of a folder. players: digests of the first and second player of its games.

    plies: least and most moves of an opening, empty without a game. openings: how many different ones.
    """

    outline: Outline
    settings: Settings
    players: list[tuple[str, str]]
    plies: list[int]
    openings: int

    @staticmethod
    def of(blocks: Iterable[Games]) -> Source:
        """Look at blocks of games (`store.read_blocks`), of which one at a time is in memory."""
        seen = _Seen()
        outline = Outline.of(seen.passing(blocks))
        return Source(outline, seen.settings, sorted(seen.players), seen.plies, len(seen.openings))


class _Seen:
    """What is gathered while blocks go by."""

    def __init__(self) -> None:
        self.settings: Settings = {}
        self.players: set[tuple[str, str]] = set()
        self.plies: list[int] = []
        self.openings: npt.NDArray[np.int64] = np.zeros(0, np.int64)  # a hash of each text

    def passing(self, blocks: Iterable[Games]) -> Iterator[Games]:
        for games in blocks:
            self.settings = games.settings
            names = (games.table[name].to_pylist() for name in ("first_weights", "second_weights"))
            self.players.update(zip(*names, strict=True))
            if len(games):
                reach = *self.plies, int(games.n_opening.min()), int(games.n_opening.max())
                self.plies = [min(reach), max(reach)]
            texts = np.fromiter(map(hash, games.opening.tolist()), np.int64, len(games))
            self.openings = np.union1d(self.openings, texts)
            yield games


def sample(blocks: Iterable[Games], most: int) -> tuple[Games, Source]:
    """Return the games of at most so many pairs, and what is known of all."""
    kept = _Kept(most)
    source = Source.of(kept.passing(blocks))
    return kept.games(), source


class _Kept:
    """Games of the pairs with the smallest hashes, never of more than twice as many pairs as asked for, and a block."""

    def __init__(self, most: int) -> None:
        self._most, self._n = most, 0
        self._blocks: list[Games] = []
        self._below: Any = None  # hash from which a pair is not kept

    def passing(self, blocks: Iterable[Games]) -> Iterator[Games]:
        for games in blocks:
            self._add(games if self._below is None else games.take(_words(games) < self._below))
            yield games

    def _add(self, games: Games) -> None:
        self._blocks.append(games)
        self._n += len(np.unique(games.pair))
        if self._n > 2 * self._most:
            self._cut()

    def _cut(self) -> None:
        words = np.unique(np.concatenate([_words(games) for games in self._blocks]))
        if len(words) > self._most:
            self._below = words[self._most]
            self._blocks = [games.take(_words(games) < self._below) for games in self._blocks]
        self._n = min(len(words), self._most)

    def games(self) -> Games:
        """Return what is kept, in the order of the blocks."""
        if self._n > self._most:
            self._cut()
        return Games.joined(self._blocks)


def _words(games: Games) -> Words:
    return hashed(games.pair, _SALT)
