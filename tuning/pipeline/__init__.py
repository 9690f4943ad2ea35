"""In what order does a whole study run, and where does it go on after a kill?

- `budget`: How many pairs does a study play in the time that somebody has?
- `context`: What is a study's run made of: its game and players, openings and seeds, the means it may use?
- `fit_games`: From games to weights: rows, scale of the prior, strength of the ridge, fit, and the check of
  what was written
- `fit_table`: What weights does somebody's own table ask for?
- `generations`: Play, fit, check, and play again with the better weights: generation by generation
- `predict`: What do given weights say of each position of a table, and how well do they predict its results?
- `preflight`: Before the first game: does every weight move some evaluation?
- `prove`: Is one player stronger than another?
- `searching`: The search as a stage of a study: its players, its openings, its files below `search/`
- `status`: How far a study is and what it has found, read from its folder; disturbs nothing
- `studies`: Which studies does a folder hold, what did each find, and what sets two of them apart?
- `study`: The whole loop of a study: openings, self-play, fit, again, verification, verdict, report
- `table_weights`: Weights fitted to a table, as files for other programs, and the prior that they may bring

To add a stage, write it in a file here and call it in `study` where its turn is."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.pipeline.prove import verify_study, verify_weights
    from tunesmith.tuning.pipeline.searching import search_study
    from tunesmith.tuning.pipeline.status import describe_status
    from tunesmith.tuning.pipeline.study import run_study

__all__ = ["describe_status", "run_study", "search_study", "verify_study", "verify_weights"]
__getattr__, __dir__ = offered(__name__, __file__)
