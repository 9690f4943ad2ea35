"""How much of a label is the result, and how much what a search expected of the position?

A result is right on average and noisy: one game gives one to all its positions. What a search expects is calm, and
wrong where its weights are. So few games are best fitted to expectations, many to results (the bias of the one stays,
the noise of the other falls as games are added), and where the border lies depends on the game.
Judges are the plain results of pairs that the fit has not seen, each blend with the ridge that is chosen for it
(`ridge`). The blend is the mean over the grid, each counted exp(-z^2 / 2), z = by how many standard errors (of the
difference, clustered by pair) it predicts worse than the best: blends that predict as well share the choice, so some
games more or less move it a little and never from one end to the other.
"""

from typing import NamedTuple

import numpy as np

from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.documents.fit import BlendPath
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.folds import FOLDS, Tried, make_design, paired_errors
from tunesmith.tuning.fit.ridge import RIDGES, choose
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.solve import in_one_thread

BLENDS = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
FEWEST = 20  # pairs; fewer tell nothing, and labels are the results
_LEAST_RIDGE = 1e-9  # a ridge of 0 has no evidence


class BlendChoice(NamedTuple):
    """Mean loss of the results of pairs left out, for each blend of the grid, most of the result first.

    errors: standard error of the difference to the smallest loss, clustered by pair.
    """

    blend: float
    grid: tuple[float, ...]
    losses: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def facts(self) -> BlendPath:
        """What a file holds."""
        return BlendPath(grid=list(self.grid), losses=list(self.losses), errors=list(self.errors))


@in_one_thread
def choose_blend(
    rows: Rows, prior: Floats, options: FitOptions, constraints: Constraints | None = None
) -> BlendChoice:
    """Choose the blend as the module says; 1, without a grid, where rows have no expectations or are too few."""
    if rows.expected is None or not options.uses_scores or rows.used().n_groups < FEWEST:
        return BlendChoice(1.0, (), (), ())
    ridges = RIDGES if options.ridge == "auto" else (max(options.ridge, _LEAST_RIDGE),)
    design = make_design(rows, prior, options, constraints, ridges, FOLDS)
    tried, at, left_out = None, None, []
    for blend in BLENDS:
        tried = Tried(design.blended(blend), tried)
        at = choose(tried, at)[1]
        left_out.append(tried.left_out(at))
    values, weight = np.stack(left_out), design.rows.weight
    losses = values @ weight / weight.sum()
    errors = paired_errors(design.rows, values - values[np.argmin(losses)])
    excess = losses - losses.min()
    z = np.divide(excess, errors, out=np.zeros_like(excess), where=errors > 0)
    blend = round(float(np.average(BLENDS, weights=np.exp(-(z**2) / 2))), 2)
    return BlendChoice(blend, BLENDS, tuple(losses.tolist()), tuple(errors.tolist()))
