"""How many moves are still to come? From games: by the number of plies played and the stage of the position.

A player with time for a whole game shares out what is left among the moves that it still expects to make
(`engine.search.time_control`). The mean number of own moves to come is taken in cells of plies; the stages, which say
what is left on the board, divide it further where there is enough of it. Where lengths differ much the mean is more
than most games see: it is divided by the smallest `haste` with which nine of ten games that last at least as long as
the median one would have spent `SPENT` of their time."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.searcher import N_TO_GO, PLIES_A_CELL
from tunesmith.games.game import Game
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.records import Games

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SPENT = 0.9  # of the time, as the rule shares it out
MOST_GAMES = 2000  # that are looked at, the last ones
_SHRINK = 50.0  # positions that all stages of a cell together count for, in each of them
_HASTES = np.arange(1.0, 8.01, 0.1)


def moves_to_go(game: Game, games: Sequence[Games]) -> dict[str, list[float]]:
    """Return {stage: numbers} as weight files hold it (`Weights.moves_to_go`); empty if no game has ended.

    Parameters
    ----------
    games
        Of all generations so far, oldest first; those without a result are left out.
    """
    parts = []
    room = MOST_GAMES
    for source in reversed(games):
        chosen = np.flatnonzero(source.result != NO_RESULT)[-room:] if room else np.zeros(0, np.int64)
        if len(chosen):
            parts.append(_positions(game, source, chosen))
            room -= len(chosen)
    if not parts:
        return {}
    to_come, ply, owner, shares = (np.concatenate(column) for column in zip(*parts, strict=True))
    # Games of several generations must not share a number.
    offsets = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    _, owner = np.unique(owner + offsets * (2 * MOST_GAMES + 2), return_inverse=True)
    table = table_of(to_come, ply, owner, shares)
    return {
        stage: [round(float(v), 2) for v in row] for stage, row in zip(game.stage_names, table, strict=True)
    }


def table_of(to_come: Floats, ply: Ints, owner: Ints, shares: Floats) -> Floats:
    """Return the moves to go as float64 (stages, cells) of positions (n,) with their stage shares (n, S).

    Parameters
    ----------
    to_come
        Moves that the mover was still to make, this one too.
    owner
        A number for each player of each game.
    """
    cells = np.minimum(ply // PLIES_A_CELL, N_TO_GO - 1)
    table = _means(to_come, cells, shares)
    planned = np.einsum("ns,ns->n", shares, table.T[cells])
    return np.asarray(np.maximum(table / _haste(to_come, planned, owner), 1.0))


def _positions(game: Game, source: Games, chosen: Ints) -> tuple[Floats, Ints, Ints, Floats]:
    """Return own moves to come, this one too; plies; a number for each player of each game; stage shares (n, S)."""
    is_chosen = np.zeros(len(source), bool)
    is_chosen[chosen] = True
    lengths = np.diff(source.starts)
    of_game = np.repeat(np.arange(len(source)), lengths)
    taken = is_chosen[of_game]
    ply = (np.arange(len(of_game)) - source.starts[:-1][of_game])[taken]
    marks = replay.mark_positions(game, source.moves, source.starts, source.roots(game))[taken]
    number = np.searchsorted(chosen, of_game[taken])
    owner = 2 * number + ((marks & replay.SECOND) != 0)
    shares = np.ones((len(ply), 1))
    if game.n_stages > 1:
        shares = replay.view_positions(
            game, source.moves, source.starts, taken, roots=source.roots(game)
        ).stages
    return _countdown(owner), ply, owner, shares


def _countdown(owner: Ints) -> Floats:
    """Return for each position how many positions of its owner there are from it on; owners' come in order."""
    order = np.argsort(owner, kind="stable")
    _, first, count = np.unique(owner[order], return_index=True, return_counts=True)
    found = np.zeros(len(owner))
    found[order] = np.repeat(first + count, count) - np.arange(len(owner))
    return found


def _means(to_come: Floats, cells: Ints, shares: Floats) -> Floats:
    """Return the mean moves to come, (stages, cells): up to the last cell with games, each drawn to its cell's."""
    n_cells = int(cells.max()) + 1
    seen = np.bincount(cells, minlength=n_cells)
    known = np.flatnonzero(seen)
    whole = np.bincount(cells, to_come, n_cells)[known] / seen[known]
    rows = []
    for share in shares.T:
        total = np.bincount(cells, share * to_come, n_cells)[known] + _SHRINK * whole
        rows.append(total / (np.bincount(cells, share, n_cells)[known] + _SHRINK))
    # A cell that no game has ended in is as the one before.
    nearest = np.maximum(np.searchsorted(known, np.arange(n_cells), "right") - 1, 0)
    return np.stack(rows)[:, nearest]


def _haste(to_come: Floats, planned: Floats, owner: Ints) -> float:
    """Return by what the planned moves to go are to be divided."""
    _, first, own = np.unique(owner, return_index=True, return_inverse=True)
    is_long = to_come[first] >= np.median(to_come[first])
    for haste in _HASTES:
        rest = np.log1p(-np.minimum(haste / np.maximum(planned, haste), 0.999))
        left = np.exp(np.bincount(own, rest))
        if np.quantile(1.0 - left[is_long], 0.1) >= SPENT:
            break
    return float(haste)
