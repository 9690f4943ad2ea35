"""What do counts of results say about strength, and how sure is it? Pure functions.

- `brownian`: Where does Brownian motion from 0, between an absorbing wall below and one above, end, and when?
- `elo`: What do the counts of a match say about strength, and how sure is it?
- `generations`: Which of several generations is the strongest, as far as matches and held-out games tell?
- `likelihood`: How much more likely are these counts under H1 than under H0?
- `ratings`: How strong are several players, from the counts of all their matches?
- `sprt`: Is the first-named player stronger, and may we stop now?
- `words`: How is a figure said, and what may be claimed of it?
- `stopped_test`: How strong is the first-named player, seen from the end of a sequential test?

To add a model of the bounds, edit `likelihood.MODELS`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.stats.elo import Estimate, estimate, games_needed
    from tunesmith.tuning.stats.likelihood import llr
    from tunesmith.tuning.stats.ratings import rate
    from tunesmith.tuning.stats.sprt import Sprt, expected_length, walk
    from tunesmith.tuning.stats.stopped_test import StoppedEstimate, estimate_stopped

__all__ = [
    "Estimate",
    "Sprt",
    "StoppedEstimate",
    "estimate",
    "estimate_stopped",
    "expected_length",
    "games_needed",
    "llr",
    "rate",
    "walk",
]
__getattr__, __dir__ = offered(__name__, __file__)
