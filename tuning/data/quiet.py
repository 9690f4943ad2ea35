"""Is a position calm, and if not, what does it come to?

Every noisy line is played out by the search's own quiescence under given weights. A position is calm if that
changes its static score little, or it gives way to the position at the end of the line. Scores are Elo of the
mover of the position that was asked about. Position t of a game is the one before move t."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.engine.compile.bind import bind
from tunesmith.engine.compile.slots import REPETITION_LIMIT, apply_move, history_key
from tunesmith.engine.evaluation import CENTI
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.alphabeta import ABORTED
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.quiesce import quiesce
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.search.values import evaluate
from tunesmith.engine.searcher import MAX_PLY, new_searcher
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.play.replay import Roots, look, runs, visit

LONGEST = 12  # plies of a line; a longer exchange is left alone
MOST_NODES = 20_000  # positions of one exchange
CALM, OVER, ENDLESS = 0, 1, 2  # fates of a line: calm at its end; the game ends there; too long to tell

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Lines(NamedTuple):
    """What chosen positions come to.

    static, value: (n,) scores before and after the exchange, NaN where it is endless. moves: (n, LONGEST) of the
    line, padded with NO_MOVE. fate: (n,) CALM, OVER or ENDLESS.
    """

    static: Floats
    value: Floats
    moves: Ints
    fate: npt.NDArray[np.int8]


def check_game(game: Game, how: str) -> None:
    """Refuse `score` and `resolve` in games that cannot be quiesced."""
    if how not in ("score", "resolve"):
        return
    if game.noisy_moves is None:
        raise InputError(
            f"fit.quiet: {game.name} has no noisy_moves to play out: expected off or game, found {how!r}"
        )
    if game.simultaneous:
        raise InputError(
            f"fit.quiet: in {game.name} both choose at once, so no line of moves follows from a position: "
            f"expected off or game, found {how!r}"
        )


def quiet_lines(
    game: Game,
    weights: Weights,
    moves: Ints,
    starts: Ints,
    chosen: npt.NDArray[np.bool_],
    roots: Roots = None,
) -> Lines:
    """Play out the noisy lines of the chosen positions; `chosen` is aligned with `moves`.

    Games start where `roots` says, see `replay.runs`.
    """
    n = int(chosen.sum())
    options = SearchOptions.plain(quiescence=LONGEST)
    limit = Limit("nodes", MOST_NODES)
    memory = new_searcher(game, weights.array(game), weights.scale, options, limit, 1).memory
    found = Lines(np.zeros(n), np.zeros(n), np.full((n, LONGEST), NO_MOVE, np.int64), np.zeros(n, np.int8))
    longest = int(np.diff(starts).max(initial=0))
    none = np.zeros((n, 0), np.int64)
    for run in runs(game, starts, roots, chosen):
        own = Exchanges(memory, *(part[run.rows] for part in found))
        places = run.places(moves, chosen, none, longest + MAX_PLY + 1)
        bind(visit, game, exchange=(look, play_out))(places, own)
    return found


class Exchanges(NamedTuple):
    """A searcher's memory, and the arrays of `Lines`, a row for each chosen position."""

    memory: Any
    static: Any
    value: Any
    moves: Any
    fate: Any


def play_out(seen: State, keys: Any, ply: int, found: Exchanges, row: int) -> None:
    """Play out the noisy line of a position (template)."""
    searcher = found.memory[0]
    found.static[row] = evaluate(searcher, seen) / CENTI
    value = quiesce(searcher, [seen] * MAX_PLY, keys, ply + 1, ply)
    found.value[row] = np.nan if value == ABORTED else value / CENTI
    found.fate[row] = ENDLESS
    if value != ABORTED:
        found.fate[row] = follow(seen, searcher.line, found.moves[row], keys, ply)


def follow(state: State, best: Any, line: Any, keys: Any, ply: int) -> int:
    """Copy the best line into `line` and return its fate (template)."""
    at = 0
    while at < LONGEST and best[0, at] != NO_MOVE:
        line[at] = best[0, at]
        state = apply_move(state, int(line[at]))
        at += 1
        if REPETITION_LIMIT > 0:
            keys[ply + at] = history_key(state)
    if at == 0:
        return CALM
    if ending(state, keys, ply + at + 1, ply + at) != ONGOING:
        return OVER
    return CALM if at < LONGEST else ENDLESS
