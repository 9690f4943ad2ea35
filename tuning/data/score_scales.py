"""What is one Elo of a player's scores worth in the results of its games?

A player's own scale may have been a guess, and players have different ones. The factor K that makes scores predict
results is found in the player's games with itself; if it has none, with allowance for how strong the other was."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.engine.evaluation import CENTI, EVALUATION_MAX
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.merge import Positions
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.play.records import Games

FORCED = EVALUATION_MAX / CENTI
"""Elo; what lies above is a win that the search has found, and says nothing of the unit of its scores."""


class ScoreScale(NamedTuple):
    """K, by which the scores of a player (digest of its weights) in a set of games are brought to Elo."""

    generation: int
    player: str
    scale: float


def bring_to_elo(source: Games, number: int, positions: Positions, held_out: float) -> list[ScoreScale]:
    """Turn the scores of each player into Elo, in place (NaN: they say nothing); return the scales."""
    digests, seats = source.seats
    row = positions.place[:, 1]
    player, is_alone = seats[row, positions.seat], (seats[:, 0] == seats[:, 1])[row]
    learnt = ~split(positions.group, held_out)  # held-out results take no part in a label
    found = []
    for at, digest in enumerate(digests):
        own = player == at
        seen = own & learnt & (np.abs(positions.expected) <= FORCED)
        alone = seen & is_alone
        is_between_equals = bool(alone.any()) or len(digests) == 1
        scale = _scale_of(positions, alone if is_between_equals else seen, is_between_equals)
        positions.expected[own] *= np.nan if scale is None else max(scale, 0.0)
        found += [] if scale is None else [ScoreScale(number + 1, digest, scale)]
    return found


def _scale_of(positions: Positions, chosen: npt.NDArray[np.bool_], is_between_equals: bool) -> float | None:
    """Return the K that makes scores predict results.

    Where there are too few or all agree it is 1 between equals; nothing is known of others.
    """
    scores, labels = positions.expected[chosen], positions.labels[chosen]
    try:
        return fit_scale(scores, labels, is_between_equals=is_between_equals)
    except InputError:
        return 1.0 if is_between_equals else None
