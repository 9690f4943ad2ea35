"""What a worker does: play pairs by their numbers, and answer with records that carry those numbers.

Everything a pair depends on is in its `Matchup`, its number and its opening; nothing is drawn here, and
nothing remains from pair to pair but compiled code and buffers. A game that raises is played once more with
fresh memory; if it raises again its pair is a fault: two rows without result, with the moves until then.
Imports stay light, because every worker pays for them."""

import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.compile.arith import mix
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.match import NO_RESULT, Arena, Record
from tunesmith.engine.searcher import new_searcher
from tunesmith.engine.source import code_digest
from tunesmith.games import registry
from tunesmith.games.errors import StudyError, one_line
from tunesmith.games.game import Game, State
from tunesmith.tuning.play.matchup import FAULT, Answer, Batch, Matchup, Pair, PlayedGame, pair_seed
from tunesmith.tuning.play.sandbox.deadline import Watch
from tunesmith.tuning.play.sandbox.recorder import RecordedArena

ENDLESS, DEADLY = (
    "no end in sight",
    "worker died",
)  # faults that whoever plays the game once more meets as well
LOOKED_AT = 256  # of so many pairs one has the features of all its positions looked at, in plain Python
COMPILING = 600.0  # seconds more that a batch may take while the search is compiled for its game


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
            matchup.search_options(at),
            parse_limit(matchup.limits[at]),
            matchup.hash_mb,
            weights.to_go(game),
        )
        for at, weights in enumerate((matchup.first, matchup.second))
    ]
    for book, player in zip(matchup.books, players, strict=True):
        if book is not None:
            book.install(player, game)
    rule = matchup.adjudicate
    early = (0.0, 0) if rule is None else (rule.score, rule.plies)
    return players[0], players[1], matchup.move_cap, matchup.noise.thousandths, early


def play_batch(matchup: Matchup, batch: Batch) -> Answer:
    """Play the pairs of a batch, in their order."""
    with Watch(batch.patience and batch.patience + COMPILING):
        for opponent in sorted({matchup.opponent_of(pair.number) for pair in batch.pairs}):
            _arena(matchup, opponent)  # made and compiled before the clock starts
    with Watch(batch.patience, batch.work):
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
            NO_RESULT,
            reason,
        )
        for game, (game_seed, moves) in enumerate(zip((seed, mix(seed)), both, strict=True))
    ]


def _play_twice_if_needed(matchup: Matchup, pair: Pair, box: str) -> list[PlayedGame]:
    if not box:
        try:
            return _play(matchup, pair, _arena(matchup, matchup.opponent_of(pair.number)))
        except Exception:  # code of the game: may raise anything, at its first call or by what it left behind
            pass
    _own.arenas = {}
    try:
        arena = _recorded(matchup, matchup.opponent_of(pair.number), box)
    except Exception as error:
        return fault_rows(matchup, pair, f"{type(error).__name__}: {one_line(error)}")
    try:
        return _play(matchup, pair, arena)
    except Exception as error:
        return fault_rows(
            matchup, pair, f"{type(error).__name__}: {one_line(error)}", arena.played(pair.opening)
        )


def _recorded(matchup: Matchup, opponent: int, box: str) -> RecordedArena:
    game = _load(matchup)
    return RecordedArena(game, *_seats(matchup.against(opponent), game), path=box)


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
    from tunesmith.tuning.play.sandbox.rule_check import unsound

    for row in rows:
        why = unsound(game, row.moves.tolist(), row.result, root, row.pair % LOOKED_AT == 0)
        if why:
            reason = f"{FAULT}game {row.game}: {why}"[:500]
            return [other._replace(result=NO_RESULT, reason=reason) for other in rows]
    return rows


def _checked(game: Game, rows: list[PlayedGame], root: State | None) -> list[PlayedGame]:
    """Return the games of a pair; as faults, cut where a rule is broken, if one is."""
    from tunesmith.tuning.play.sandbox.rule_check import first_broken

    for at, row in enumerate(rows):
        broken = first_broken(game, row.moves.tolist(), row.result, root)
        if broken is not None:
            reason = f"{FAULT}game {at}, ply {broken.ply}: {broken.what}"[:500]
            n = min(len(row.moves), broken.ply + 1)
            cut = row._replace(moves=row.moves[:n], scores=row.scores[:n], n_opening=min(n, row.n_opening))
            return [
                (cut if other == at else rows[other])._replace(result=NO_RESULT, reason=reason)
                for other in range(len(rows))
            ]
    return rows


def _row(pair: Pair, game: int, seed: int, record: Record) -> PlayedGame:
    return PlayedGame(pair.number, game, seed, len(pair.opening), *record)


# --- what a worker keeps between batches -------------------------------------------------------------------

_own = threading.local()  # each thread has players of its own


def _arena(matchup: Matchup, opponent: int) -> Arena:
    key = _key(matchup)
    if getattr(_own, "arenas", None) is None or _own.key != key:
        _own.arenas, _own.key = {}, key  # the old players' memory is free before the new ones take theirs
    if opponent not in _own.arenas:
        arena = new_arena(matchup.against(opponent), _load(matchup))
        arena.prepare()
        _own.arenas[opponent] = arena
    found: Arena = _own.arenas[opponent]
    return found


def _load(matchup: Matchup) -> Game:
    """Return the game, in the code that the match was started with."""
    game = registry.load(matchup.game)
    if matchup.code and code_digest(game) != matchup.code:
        raise StudyError(
            f"{matchup.game}: the game's code has changed since these games were begun; start the command again"
        )
    return game


def _key(matchup: Matchup) -> tuple[object, ...]:
    digests = matchup.first.digest, matchup.second.digest
    options = tuple(sorted(matchup.options.items()))
    books = tuple(book and book.digest for book in matchup.books)
    opponents = tuple((one.weights.digest, one.share) for one in matchup.opponents)
    rules = matchup.noise, matchup.move_cap, matchup.adjudicate, matchup.debug
    rest = *rules, matchup.hash_mb, options, books, opponents
    return matchup.game, matchup.code, digests, matchup.limits, *rest
