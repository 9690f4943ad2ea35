"""The evaluation: scale x sum of stage share x weight x feature, in float64, seen from the mover.

Sums run over the features in use, in their order, one sum a stage, then over the stages: the same order,
and so the same bits, in search, replay and probe. A stage without a share adds nothing and is passed over.
Which features are computed at all: `wanted_features`."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.slots import N_FEATURES, N_STAGES, features, stages
from tunesmith.games.game import Game, State

WIN = 1_000_000_000  # a won game, minus plies from the root
EVALUATION_MAX = WIN - 100_000  # 1/100 Elo; no evaluation reaches a win score
ALL_FEATURES = -1  # the mask of all
Wanted = int | tuple[int, int]  # a mask for all searchers, or one for each of two (`searcher.OTHER_MASK`)
CENTI = 100.0  # an evaluation's integers are 1/100 Elo


def weighted_sum(state: State, weights: Any, used: Any, n_used: int, values: Any, shares: Any) -> float:
    """Return the sum of stage share x weight x feature, in the weights' own unit (template).

    `used[:n_used]` lists the features with a weight other than 0; `values` and `shares` are buffers.
    """
    features(state, values)
    if N_STAGES == 1:
        return stage_sum(weights, 0, used, n_used, values)
    stages(state, shares)
    whole = 0.0
    for stage in range(N_STAGES):
        if shares[stage] != 0.0:
            whole += shares[stage] * stage_sum(weights, stage, used, n_used, values)
    return whole


def stage_sum(weights: Any, stage: int, used: Any, n_used: int, values: Any) -> float:
    """Return the sum of weight x feature of one stage (template)."""
    total = 0.0
    if n_used == N_FEATURES:  # a number that the compiler knows
        for at in range(N_FEATURES):
            total += weights[stage, at] * values[at]
        return total
    for at in range(n_used):
        total += weights[stage, used[at]] * values[used[at]]
    return total


def to_score(value: float, scale: float) -> int:
    """Return an evaluation as an integer of 1/100 Elo, rounded half to even, below the win scores."""
    score = np.rint(scale * value * CENTI)
    return int(min(max(score, -float(EVALUATION_MAX)), float(EVALUATION_MAX)))


def wanted_features(game: Game, *tables: Any) -> int:
    """Return the mask of features to compute for evaluations by `tables` of weights, (stages, features or more).

    There are two masks a game, so that a new weight file hardly ever means a new compilation: the game's
    `cheap_features` if they are enough, else all.
    """
    cheap = [index for index, name in enumerate(game.feature_names) if name in game.cheap_features]
    used = np.flatnonzero(np.any([table.any(axis=0) for table in tables], axis=0))
    if not cheap or not set(used.tolist()) <= set(cheap):
        return ALL_FEATURES
    return sum(1 << index for index in cheap)
