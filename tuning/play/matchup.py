"""Who plays whom, and how; what a worker is given, and what it gives back.

Everything a pair depends on is in its `Matchup`, its number and its opening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.engine.book import Book
from tunesmith.engine.compile.arith import MASK63, mix
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.weights import Weights, with_options
from tunesmith.games.errors import InputError
from tunesmith.games.game import State
from tunesmith.tuning.config import DEFAULTS, Adjudicate
from tunesmith.tuning.documents.document import Options

if TYPE_CHECKING:
    from tunesmith.tuning.play.openings.opening import Opening

FAULT = "fault:"  # what the end reason of a game without a proper end begins with
_WHOLE = 1 << 64
_GOLDEN = 11400714819323198485  # of _WHOLE, the golden ratio's part behind the point
RENEWAL = 100_000  # games after which a worker's process is replaced: what user code leaks goes with it


@dataclass(frozen=True)
class Noise:
    """Random moves: their chance (0 to 1), and the number of moves from the start after which there is none."""

    chance: float = 0.0
    plies: int = 0

    @property
    def thousandths(self) -> tuple[int, int]:
        """The chance in 1/1000, as games are played with, and the plies."""
        return round(1000 * self.chance), self.plies


class Opponent(NamedTuple):
    """Weights that play a share (0 to 1) of the pairs, and what they are called (which decides nothing)."""

    weights: Weights
    share: float
    name: str = ""


@dataclass(frozen=True, eq=False)
class Matchup:
    """Who plays whom, and how; `first` plays first in game 0 of each pair.

    Attributes
    ----------
    game
        Name, variant or file, as `games.registry` reads it.
    limits
        Limit of each player's moves.
    seed
        Pair p has seed `pair_seed(seed, p)`.
    search
        Search options that override both players' own (but for `random` and `greedy`).
    move_cap
        Moves after which a game is given up, without result.
    hash_mb
        Megabytes of each player's transposition table.
    books
        Opening book of each player, or None.
    debug
        Whether each game is checked ply by ply in plain Python (`tuning.play.sandbox.rule_check`).
    opponents
        Who takes the place of `second`, each in a share of the pairs that follows from their numbers.
    adjudicate
        When games are decided early (`engine.match.Arena`); None: never.
    code
        Digest of the game's code where the match was started; a worker plays with no other. "" = any.
    """

    game: str
    first: Weights
    second: Weights
    limits: tuple[str, str]
    seed: int
    noise: Noise = Noise()
    move_cap: int = DEFAULTS.play.move_cap
    hash_mb: int = DEFAULTS.hash_mb
    options: Options = field(default_factory=dict)
    books: tuple[Book | None, Book | None] = (None, None)
    debug: bool = False
    opponents: tuple[Opponent, ...] = ()
    adjudicate: Adjudicate | None = None
    code: str = ""

    def opponent_of(self, number: int) -> int:
        """Return the place in `opponents` of a pair's second-named player; -1 is `second`.

        Multiples of the golden ratio fill the unit interval evenly: any run of pairs has its shares.
        """
        place = ((number + 1) * _GOLDEN % _WHOLE) / _WHOLE
        for at, opponent in enumerate(self.opponents):
            if place < opponent.share:
                return at
            place -= opponent.share
        return -1

    def against(self, opponent: int) -> Matchup:
        """Return the match of two players that the pairs of a opponent (-1: `second`) are."""
        second = self.second if opponent < 0 else self.opponents[opponent].weights
        return replace(self, second=second, opponents=())

    def search_options(self, player: int) -> SearchOptions:
        """Return the search options of a player (0 = `first`)."""
        return with_options((self.first, self.second)[player], self.options, keep_simple=True).search_options

    @property
    def is_mirror(self) -> bool:
        """Whether both players are the same and nothing is random, so that a pair is one game twice."""
        same = self.first.digest == self.second.digest and self.limits[0] == self.limits[1]
        if self.opponents or self.search_options(0).draws or self.books[0] != self.books[1]:
            return False
        return same and 0 in self.noise.thousandths


@dataclass(frozen=True, eq=False)
class FolderMatch:
    """A match whose games are in a folder: pair p plays `openings[p]`.

    `name` is what the listener is told is being played; None: the name of the folder.
    """

    matchup: Matchup
    openings: Sequence[Opening]
    pairs: range
    folder: Path
    name: str | None = None

    @property
    def title(self) -> str:
        """What the listener is told."""
        own = self.folder.parent.name if self.folder.name == "games" else self.folder.name
        return own if self.name is None else self.name


class Pair(NamedTuple):
    """One pair to play: its number, the moves of its opening, and where they start (None = as the game does)."""

    number: int
    opening: tuple[int, ...]
    root: State | None = None


class Batch(NamedTuple):
    """Pairs to play in one go, and the seconds after which the worker is taken to hang (0 = never).

    box: file for the moves of a single pair that may take its worker along (`tuning.play.sandbox.recorder`).
    work: seconds of computing after which it is taken to hang as well (0 = never).
    """

    pairs: tuple[Pair, ...]
    patience: float
    box: str = ""
    work: float = 0.0


class PlayedGame(NamedTuple):
    """One game of a pair: `engine.match.Record` with its place and seed."""

    pair: int
    game: int
    seed: int
    n_opening: int
    moves: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]
    result: int
    reason: str


class Answer(NamedTuple):
    """What a worker gives back: games in order, and the seconds they took (for sizing batches only)."""

    games: list[PlayedGame]
    seconds: float


def pair_seed(seed: int, number: int) -> int:
    """Return the 63-bit seed of a pair; different for all pairs of a study."""
    if not 0 <= seed <= MASK63 or number < 0:
        raise InputError(f"seed: expected a seed and a pair of 0 to 2**63 - 1, found {seed} and {number}")
    return mix(mix(seed) ^ number)
