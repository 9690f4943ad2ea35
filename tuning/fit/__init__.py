"""Which weights predict results best, and how sure is each? Pure arrays.

- `blend`: How much of a label is the result, and how much what a search expected of the position?
- `boosting`: What do boosted trees predict, and how much better than a weighted sum?
- `calibration`: Do the predicted results happen, in every range of scores and in every stage?
- `checks`: What can the data say about each weight before any fit?
- `constraints`: Which weights does a person mean by a name, and what may they be?
- `draws`: How wide is a draw, and what are the weights when results are three ordered outcomes?
- `estimator`: The fit as a scikit-learn estimator: pipelines, grid search and grouped cross-validation work
  with it
- `facts`: What is written down about a fit, whether its rows came from self-play or from somebody's table?
- `folds`: How well does each ridge predict pairs that a fit has not seen, with these labels or with others for the same
  rows?
- `lbfgs`: Where is a smooth convex function smallest, if its slope is cheap and its curvature is known only
  roughly?
- `learning_curve`: How much would more games bring?
- `loss`: How badly do given weights predict the results, and which way is down (gradient and
  Hessian of the loss)?
- `newton`: Where is a smooth function of a few numbers smallest, within bounds?
- `newton_constrained`: Where is a smooth convex function smallest while some sums of its numbers stay below
  limits?
- `notes`: What should a person know before trusting a fit?
- `out_of_core`: How are numbers used that do not fit in memory?
- `parameters`: Which numbers does a fit move, in what unit, and which weights keep their prior?
- `ridge`: How firmly should the data be held towards the prior weights?
- `rounding`: What does it cost to write whole numbers, and which of them should be rounded the other way?
- `rows`: What does a fit learn from: positions as plain numbers, all seen by the side to move
- `run`: How is one fit run as its options say, whether its rows came from self-play or from a table?
- `scale`: How many Elo is one unit of somebody's evaluation worth?
- `shape`: Which features bend, where, and which belong together: what does a weighted sum not say of the results?
- `shrinkage`: Should some weights be held less firmly than others?
- `solve`: How is a posed fit solved?
- `sparse`: How are rows used that are mostly zeros?
- `split`: Which pairs are held out, and which fold is a pair in?
- `texel`: Which weights predict the results of the games best, and how sure is each of them?
- `uncertainty`: How sure is the solution of a fit: by data and prior together, and by the data alone?

To add a loss, give it a line in `loss.LOSSES`; to add an option of the fit, a field in `config.FitOptions`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.config import FitOptions
    from tunesmith.tuning.fit.estimator import TexelRegressor
    from tunesmith.tuning.fit.ridge import choose_ridge
    from tunesmith.tuning.fit.rows import Rows
    from tunesmith.tuning.fit.run import run_fit
    from tunesmith.tuning.fit.scale import fit_scale
    from tunesmith.tuning.fit.texel import Fit, fit

__all__ = ["Fit", "FitOptions", "Rows", "TexelRegressor", "choose_ridge", "fit", "fit_scale", "run_fit"]
__getattr__, __dir__ = offered(__name__, __file__)
