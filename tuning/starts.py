"""From which positions do games start, when their moves are replayed?

Compiled replay takes one start position at a time: `runs` splits games, in their order, where the start changes.
Usually it never does; games from a user's positions come in pairs at least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from games.game import Game, State

Roots = Sequence[State] | None  # the start of each game; None = the game's own for all


class Run(NamedTuple):
    """Games in a row that start from `root`: where their moves begin, and which of the chosen rows are theirs."""

    root: State
    starts: npt.NDArray[np.int64]
    rows: slice


def runs(
    game: Game, starts: npt.NDArray[np.int64], roots: Roots, chosen: npt.NDArray[np.bool_] | None = None
) -> Iterator[Run]:
    """Yield runs of games; game i owns moves `starts[i]` to `starts[i + 1]`, with which `chosen` is aligned."""
    if roots is None:
        yield Run(game.initial(), starts, slice(0, None))
        return
    begins = [at for at in range(len(roots)) if at == 0 or roots[at] != roots[at - 1]]
    first_row = 0
    for first, end in zip(begins, [*begins[1:], len(roots)], strict=True):
        own = starts[first : end + 1]
        n_rows = 0 if chosen is None else int(np.count_nonzero(chosen[own[0] : own[-1]]))
        yield Run(roots[first], own, slice(first_row, first_row + n_rows))
        first_row += n_rows
