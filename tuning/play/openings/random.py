"""Openings made of random first plies, judged balanced by a shallow search, distinct, and split by purpose.

Candidate c of a seed is the same game in every run: asking for more openings only adds to the end of the list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.compile import jit
from tunesmith.engine.compile.arith import MASK63, below, mix, next_random
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import (
    MAX_MOVES,
    SIMULTANEOUS,
    apply_move,
    history_key,
    initial,
    legal_moves,
    mover,
)
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.ordering import forget
from tunesmith.engine.searcher import MAX_PLY, SCORE, Searcher, new_searcher
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.config import MOST_PAIRS, Openings
from tunesmith.tuning.play.openings.opening import SHARES, Opening, TooFewOpenings, purpose_of, shared_key
from tunesmith.tuning.play.sandbox.deadline import Ask, compiling, watched

_OVER = 0  # key of a candidate whose game ended on the way
_BATCH = 64  # candidates to a call
_TRIES = 100  # games of a candidate
_BARREN = 20_000  # candidates, or games that end too early, in a row after which a set counts as exhausted
_HOPELESS = 200  # judged positions for one that is balanced, after which the bound counts as too narrow


def make_openings(
    game: Game,
    weights: Weights,
    terms: Openings,
    *,
    count: int,
    purpose: str,
    seed: int,
    judge_limit: str = "nodes:200",
) -> list[Opening]:
    """Return `count` distinct openings of `terms.plies` moves, both sides within `terms.max_score` Elo of each other.

    Parameters
    ----------
    weights
        Of the judge, who searches each position within `judge_limit`.
    terms
        With the edition of the split by purpose; of a file they know nothing here.
    purpose
        One of `SHARES`.

    Raises
    ------
    InputError
        A parameter is out of range.
    GameError
        A function of the game raises or hangs.
    TooFewOpenings
        The game has fewer such openings; the message says how many were found and what helps.
    """
    wanted = _Wanted(terms, count, purpose, seed)
    _check(game, wanted)
    judge = _Judge(game, weights, terms.max_score, judge_limit)
    with watched(game, "openings are made") as ask:
        return _find(game, judge, ask, wanted)


@dataclass(frozen=True)
class _Wanted:
    """Which openings, and how many."""

    terms: Openings
    count: int
    purpose: str
    seed: int

    def serves(self, key: int) -> bool:
        """Whether a position is for the purpose."""
        return purpose_of(key, self.terms.edition) == self.purpose


def _find(game: Game, judge: _Judge, ask: Ask, wanted: _Wanted) -> list[Opening]:
    found: list[Opening] = []
    seen: set[int] = set()
    barren = n_judged = n_over = 0
    for key, moves, text in _judged(game, judge, ask, wanted, seen):
        if len(found) == wanted.count:
            break
        if key == _OVER or key in seen or not wanted.serves(key):
            barren += 1 if key != _OVER else _TRIES
            n_over += key == _OVER
            if barren > _BARREN + 20 * len(seen):
                break
            continue
        seen.add(key)
        barren = 0
        n_judged += 1
        if text is not None:
            found.append(Opening(moves, text))
        elif n_judged > _BARREN + _HOPELESS * (len(found) + 1):
            break
    if len(found) < wanted.count:
        if n_over > n_judged:
            raise StudyError(
                f"openings: plies: most random games of {game.name} end within {wanted.terms.plies}: take fewer"
            )
        raise TooFewOpenings(_shortage(game, wanted, len(found), n_judged), found)
    return found


def _judged(
    game: Game, judge: _Judge, ask: Ask, wanted: _Wanted, seen: set[int]
) -> Iterator[tuple[int, tuple[int, ...], str | None]]:
    """Yield key, moves and, of a balanced opening that is new and for the purpose, text of each candidate.

    Those of a batch are judged together: to ask for each costs as much as to judge it.
    """
    for batch in _candidates(game, wanted.terms.plies, wanted.seed, ask):
        new = {key: moves for key, moves in reversed(batch) if key not in seen and wanted.serves(key)}
        new.pop(_OVER, None)
        texts = dict(zip(new, ask(_texts, game, judge, list(new.values())), strict=True))
        yield from ((key, moves, texts.get(key)) for key, moves in batch)


def _texts(game: Game, judge: _Judge, candidates: list[tuple[int, ...]]) -> list[str | None]:
    return [_text(game, moves) if judge.is_balanced(moves) else None for moves in candidates]


def _check(game: Game, wanted: _Wanted) -> None:
    plies, count, purpose, seed = wanted.terms.plies, wanted.count, wanted.purpose, wanted.seed
    if purpose not in SHARES:
        raise InputError(f"openings: purpose: expected one of {', '.join(SHARES)}, found {purpose!r}")
    if count < 0:
        raise InputError(f"openings: expected a count of 0 or more, found {count}")
    if count > MOST_PAIRS:
        raise InputError(f"openings: pairs need one each: expected at most {MOST_PAIRS:,}, found {count:,}")
    if game.simultaneous and plies % 2:
        raise InputError(
            f"openings: plies: expected an even number, found {plies}: in {game.name} both sides choose at once"
        )
    if not 0 <= seed <= MASK63:
        raise InputError(f"openings: seed: expected 0 to 2**63 - 1, found {seed}")


def _shortage(game: Game, wanted: _Wanted, n_found: int, n_judged: int) -> str:
    terms = wanted.terms
    remedy = "more plies (openings.plies in a study, else --plies) make more"
    if n_judged > 4 * n_found:
        remedy += f", and so does a wider bound than {terms.max_score:g} Elo"
    later = f" in edition {terms.edition}" if terms.edition > 1 else ""
    return (
        f"openings: {game.name} has only {n_found} distinct balanced openings of {terms.plies} plies for "
        f"{wanted.purpose!r}{later} (of {n_judged} positions judged), and {wanted.count} are needed: {remedy}"
    )


def _text(game: Game, moves: tuple[int, ...]) -> str:
    state, texts = game.initial(), []
    for move in moves:
        texts.append(game.move_to_text(state, move))
        state = game.apply_move(state, move)
    return " ".join(texts)


# --- random play -------------------------------------------------------------------------------------------


def _candidates(game: Game, plies: int, seed: int, ask: Ask) -> Iterator[list[tuple[int, tuple[int, ...]]]]:
    """Yield key and moves of random beginnings without end, in the order of their numbers, a batch at a time."""
    play = bind(random_openings, game)
    moves, keys = np.zeros((_BATCH, plies), np.int64), np.zeros(_BATCH, np.int64)
    first = 0
    with compiling(game):
        jit.prepare(play, mix(seed), first, moves, keys)
    while True:
        ask(play, mix(seed), first, moves, keys)
        yield list(zip(keys.tolist(), map(tuple, moves.tolist()), strict=True))
        first += _BATCH


def random_openings(seed: int, first: int, moves: npt.NDArray[np.int64], keys: npt.NDArray[np.int64]) -> None:
    """Play candidates `first`, `first + 1`, ... into the rows of `moves` and `keys` (template).

    A candidate whose game ends on the way gives way to the next of its own stream; after `_TRIES` such games the
    row keeps what is there, with the key `_OVER`.
    """
    n_plies = moves.shape[1]
    history: Any = np.zeros(n_plies + 1, np.int64)
    legal: Any = np.zeros(MAX_MOVES, np.int64)
    for row in range(moves.shape[0]):
        stream = mix(seed ^ mix(first + row))
        keys[row] = _OVER
        for _ in range(_TRIES):
            state = initial()
            history[0] = history_key(state)
            at = 0
            while ending(state, history, at + 1, at) == ONGOING and at < n_plies:
                stream = next_random(stream)
                move = int(legal[below(stream, legal_moves(state, legal))])
                moves[row, at] = move
                state = apply_move(state, move)
                at += 1
                history[at] = history_key(state)
            if at == n_plies and ending(state, history, at + 1, at) == ONGOING:
                if not SIMULTANEOUS or mover(state) == 0:
                    keys[row] = shared_key(state)
                    break


# --- the judge ---------------------------------------------------------------------------------------------


class _Judge:
    """A shallow search with fresh memory for each position, in Elo whatever the player's own objective."""

    def __init__(self, game: Game, weights: Weights, max_score: float, limit: str) -> None:
        options = replace(
            weights.search_options,
            objective="result",
            margin_keys=False,
            max_depth=0,
            algorithm="alphabeta",
            joint="pessimistic",
        )
        self._game, self._max_score = game, max_score
        self._searcher: Searcher = new_searcher(
            game, weights.array(game), weights.scale, options, parse_limit(limit), 1
        )
        self._think, self._forget = bind(think_once, game), bind(forget_once, game)
        memory, transposition = self._searcher
        with compiling(game):
            jit.prepare(self._forget, memory)
            jit.prepare(
                self._think, memory, transposition, game.initial(), np.zeros(1 + MAX_PLY, np.int64), 1, 0
            )

    def is_balanced(self, moves: tuple[int, ...]) -> bool:
        """Whether the position after `moves` favours neither side by more than the bound."""
        game, state = self._game, self._game.initial()
        keys = np.zeros(len(moves) + 1 + MAX_PLY, np.int64)
        for at, move in enumerate((*moves, None)):
            keys[at] = game.history_key(state) if game.history_key else 0
            if move is not None:
                state = game.apply_move(state, move)
        score = self._score(state, keys, len(moves))
        if game.simultaneous and game.swap_sides is not None:
            # A search lets the opponent see this side's choice: only the difference of both sides is fair.
            score = (score - self._score(game.swap_sides(state), keys, len(moves))) / 2
        return abs(score) <= self._max_score

    def _score(self, state: State, keys: npt.NDArray[np.int64], n_plies: int) -> float:
        memory, transposition = self._searcher
        self._forget(memory)
        self._think(memory, transposition, state, keys, n_plies + 1, n_plies)
        return float(memory["counters"][0][SCORE]) / 100.0


def forget_once(memory: Any) -> None:
    """Do `forget` for callers outside compiled code (template)."""
    forget(memory[0])
