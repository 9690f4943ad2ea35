"""What a worker does: play pairs by their numbers, and answer with records that carry those numbers.

Everything a pair depends on is in its `Matchup`, its number and its opening; nothing is drawn here, and
nothing remains from pair to pair but compiled code and buffers. A game that raises is played once more with
fresh memory; if it raises again its pair is a fault: two rows without result, with the moves until then.
Imports stay light, because every worker pays for them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arith import MASK63, mix
from engine.book import Book
from engine.limits import parse_limit
from engine.match import Arena, Record
from engine.options import SearchOptions
from engine.searcher import new_searcher
from engine.weights import Weights, with_search
from games import registry
from games.errors import InputError
from games.game import Game, State
from tuning.blackbox import RecordedArena

FAULT = "fault:"  # what the end reason of a game without a proper end begins with
ENDLESS, DEADLY = (
    "no end in sight",
    "worker died",
)  # faults that whoever plays the game once more meets as well
_WHOLE = 1 << 64
_GOLDEN = 11400714819323198485  # of _WHOLE, the golden ratio's part behind the point
LOOKED_AT = 256  # of so many pairs one has the features of all its positions looked at, in plain Python
HUNG = 86  # exit code of a worker that ended itself because a batch went on for ever
RENEWAL = 100_000  # games after which a worker's process is replaced: what user code leaks goes with it
COMPILING = 600.0  # seconds more that a batch may take while the search is compiled for its game


class Rival(NamedTuple):
    """Weights that play a share (0 to 1) of the pairs."""

    weights: Weights
    share: float


@dataclass(frozen=True, eq=False)
class Matchup:
    """Who plays whom, and how; `first` plays first in game 0 of each pair.

    Attributes
    ----------
    limits
        Limit of each player's moves.
    search
        Search options that override both players' own (but for `random` and `greedy`).
    noise
        See `engine.match.Arena`.
    books
        Opening book of each player, or None.
    debug
        Whether each game is checked ply by ply in plain Python (`tuning.invariants`).
    rivals
        Who takes the place of `second`, each in a share of the pairs that follows from their numbers.
    adjudicate
        Score in Elo and plies, see `engine.match.Arena`.
    """

    game: str
    first: Weights
    second: Weights
    limits: tuple[str, str]
    seed: int
    noise: tuple[int, int] = (0, 0)
    move_cap: int = 1000
    hash_mb: int = 8
    search: dict[str, Any] = field(default_factory=dict)
    books: tuple[Book | None, Book | None] = (None, None)
    debug: bool = False
    rivals: tuple[Rival, ...] = ()
    adjudicate: tuple[float, int] = (0.0, 0)

    def rival_of(self, number: int) -> int:
        """Return the place in `rivals` of a pair's second-named player; -1 is `second`.

        Multiples of the golden ratio fill the unit interval evenly: any run of pairs has its shares.
        """
        place = ((number + 1) * _GOLDEN % _WHOLE) / _WHOLE
        for at, rival in enumerate(self.rivals):
            if place < rival.share:
                return at
            place -= rival.share
        return -1

    def against(self, rival: int) -> Matchup:
        """Return the match of two players that the pairs of a rival (-1: `second`) are."""
        second = self.second if rival < 0 else self.rivals[rival].weights
        return replace(self, second=second, rivals=())

    def options(self, player: int) -> SearchOptions:
        """Return the search options of a player (0 = `first`)."""
        return with_search((self.first, self.second)[player], self.search, keep_simple=True).options

    @property
    def is_mirror(self) -> bool:
        """Whether both players are the same and nothing is random, so that a pair is one game twice."""
        same = self.first.digest == self.second.digest and self.limits[0] == self.limits[1]
        if self.rivals or self.options(0).draws or self.books[0] != self.books[1]:
            return False
        return same and (self.noise[0] == 0 or self.noise[1] == 0)


class Pair(NamedTuple):
    """One pair to play: its number, the moves of its opening, and where they start (None = as the game does)."""

    number: int
    opening: tuple[int, ...]
    root: State | None = None


class Batch(NamedTuple):
    """Pairs to play in one go, and the seconds after which the worker is taken to hang (0 = never).

    box: file for the moves of a single pair that may take its worker along (`tuning.blackbox`).
    """

    pairs: tuple[Pair, ...]
    patience: float
    box: str = ""


class PlayedGame(NamedTuple):
    """One game of a pair: `engine.match.Record` with its place and seed."""

    pair: int
    game: int
    seed: int
    n_opening: int
    moves: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]
    result: int | None
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


def new_arena(matchup: Matchup, game: Game) -> Arena:
    """Return the two players of a match with fresh memory."""
    return Arena(game, *_seats(matchup, game))


def _seats(matchup: Matchup, game: Game) -> tuple[Any, ...]:
    """Return what an arena is made of besides its game."""
    players = [
        new_searcher(
            game,
            weights.array(game),
            weights.scale,
            matchup.options(at),
            parse_limit(matchup.limits[at]),
            matchup.hash_mb,
        )
        for at, weights in enumerate((matchup.first, matchup.second))
    ]
    for book, player in zip(matchup.books, players, strict=True):
        if book is not None:
            book.install(player, game)
    return players[0], players[1], matchup.move_cap, matchup.noise, matchup.adjudicate


def play_batch(matchup: Matchup, batch: Batch) -> Answer:
    """Play the pairs of a batch, in their order."""
    with _Watch(batch.patience and batch.patience + COMPILING):
        for rival in sorted({matchup.rival_of(pair.number) for pair in batch.pairs}):
            _arena(matchup, rival)  # made and compiled before the clock starts
    with _Watch(batch.patience):
        start = time.perf_counter()
        games = [game for pair in batch.pairs for game in _play_twice_if_needed(matchup, pair, batch.box)]
    return Answer(games, time.perf_counter() - start)


def fault_rows(
    matchup: Matchup, pair: Pair, why: str, played: Sequence[npt.NDArray[np.int64]] = ()
) -> list[PlayedGame]:
    """Return the two rows of a pair that came to no end: the moves of both games, or of the opening if unknown."""
    seed = pair_seed(matchup.seed, pair.number)
    both = played or [np.array(pair.opening, np.int64)] * 2
    reason = FAULT + " ".join(why.split())[:200]
    return [
        PlayedGame(
            pair.number,
            game,
            game_seed,
            len(pair.opening),
            moves,
            np.full(len(moves), np.nan, np.float32),
            None,
            reason,
        )
        for game, (game_seed, moves) in enumerate(zip((seed, mix(seed)), both, strict=True))
    ]


def _play_twice_if_needed(matchup: Matchup, pair: Pair, box: str) -> list[PlayedGame]:
    if not box:
        try:
            return _play(matchup, pair, _arena(matchup, matchup.rival_of(pair.number)))
        except Exception:  # code of the game: may raise anything, at its first call or by what it left behind
            pass
    _own.arenas = {}
    try:
        arena = _recorded(matchup, matchup.rival_of(pair.number), box)
    except Exception as error:
        return fault_rows(matchup, pair, f"{type(error).__name__}: {error}")
    try:
        return _play(matchup, pair, arena)
    except Exception as error:
        return fault_rows(matchup, pair, f"{type(error).__name__}: {error}", arena.played(pair.opening))


def _recorded(matchup: Matchup, rival: int, box: str) -> RecordedArena:
    game = registry.load(matchup.game)
    return RecordedArena(game, *_seats(matchup.against(rival), game), path=box)


def _play(matchup: Matchup, pair: Pair, arena: Arena) -> list[PlayedGame]:
    seed = pair_seed(matchup.seed, pair.number)
    records = arena.play_pair(pair.opening, seed, pair.root)
    rows = [
        _row(pair, game, game_seed, record)
        for game, (game_seed, record) in enumerate(zip((seed, mix(seed)), records, strict=True))
    ]
    return (_checked if matchup.debug else _trusted)(arena.game, rows, pair.root)


def _trusted(game: Game, rows: list[PlayedGame], root: State | None) -> list[PlayedGame]:
    """Return the games of a pair; as faults, if one of them is worth nothing."""
    from tuning.invariants import unsound

    for row in rows:
        why = unsound(game, row.moves.tolist(), row.result, root, row.pair % LOOKED_AT == 0)
        if why:
            reason = f"{FAULT}game {row.game}: {why}"[:500]
            return [other._replace(result=None, reason=reason) for other in rows]
    return rows


def _checked(game: Game, rows: list[PlayedGame], root: State | None) -> list[PlayedGame]:
    """Return the games of a pair; as faults, cut where a rule is broken, if one is."""
    from tuning.invariants import first_broken

    for at, row in enumerate(rows):
        broken = first_broken(game, row.moves.tolist(), row.result, root)
        if broken is not None:
            reason = f"{FAULT}game {at}, ply {broken.ply}: {broken.what}"[:500]
            n = min(len(row.moves), broken.ply + 1)
            cut = row._replace(moves=row.moves[:n], scores=row.scores[:n], n_opening=min(n, row.n_opening))
            return [
                (cut if other == at else rows[other])._replace(result=None, reason=reason)
                for other in range(len(rows))
            ]
    return rows


def _row(pair: Pair, game: int, seed: int, record: Record) -> PlayedGame:
    return PlayedGame(pair.number, game, seed, len(pair.opening), *record)


# --- what a worker keeps between batches -------------------------------------------------------------------

_own = threading.local()  # each thread has players of its own


def _arena(matchup: Matchup, rival: int) -> Arena:
    key = _key(matchup)
    if getattr(_own, "arenas", None) is None or _own.key != key:
        _own.arenas, _own.key = {}, key  # the old players' memory is free before the new ones take theirs
    if rival not in _own.arenas:
        arena = new_arena(matchup.against(rival), registry.load(matchup.game))
        arena.prepare()
        _own.arenas[rival] = arena
    found: Arena = _own.arenas[rival]
    return found


def _key(matchup: Matchup) -> tuple[object, ...]:
    digests = matchup.first.digest, matchup.second.digest
    search = tuple(sorted(matchup.search.items()))
    books = tuple(book and book.digest for book in matchup.books)
    rivals = tuple((weights.digest, share) for weights, share in matchup.rivals)
    rules = matchup.noise, matchup.move_cap, matchup.adjudicate, matchup.debug
    rest = *rules, matchup.hash_mb, search, books, rivals
    return matchup.game, digests, matchup.limits, *rest


class _Watch:
    """Ends the process when the block takes longer than `patience` seconds: compiled code cannot be stopped."""

    def __init__(self, patience: float) -> None:
        self._timer = threading.Timer(patience, os._exit, (HUNG,)) if patience > 0 else None

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()


__all__ = [
    "DEADLY",
    "ENDLESS",
    "FAULT",
    "Answer",
    "Batch",
    "Matchup",
    "Pair",
    "PlayedGame",
    "Rival",
    "fault_rows",
    "new_arena",
    "pair_seed",
    "play_batch",
]
