"""What does each section of a study's page say?

- `calibration`: Do the results that the fitted weights predict happen? (a part of `fit`)
- `dataset`: What do the positions that teach the weights look like?
- `fit`: How well do the new weights predict results, on games the fit saw and on games it did not?
- `fit_limits`: What would more games bring, where is the fit wrong, and what can a weighted sum not say?
- `game`: A whole game of the new weights, to page through inside the report
- `methods`: What would a student write under "Method", with every setting, seed, version and digest filled
  in?
- `proof`: Is it proved?
- `search`: What did the search by playing find?
- `selfplay`: From which games did the fit learn, and on which positions do old and new weights disagree most?
- `sources`: From what do the games come: which weights played each generation, and which openings a file
  held?
- `verdict`: What is the answer, in one screen?
- `weights`: Which weights moved, how far, and how sure is each?

To add a section, write `study -> Markup | None` in a file here (`parts.section(anchor, title, ...)` makes it) and
enter it in `SECTIONS` under the same anchor: page and contents follow its order. One that returns None, as a
search in a study without one, is in neither."""

from collections.abc import Callable

from tunesmith.tuning.report.html import Markup
from tunesmith.tuning.report.reading import StudyFiles
from tunesmith.tuning.report.sections.dataset import dataset
from tunesmith.tuning.report.sections.fit import fit
from tunesmith.tuning.report.sections.game import game
from tunesmith.tuning.report.sections.methods import methods
from tunesmith.tuning.report.sections.proof import matches, proof
from tunesmith.tuning.report.sections.search import search
from tunesmith.tuning.report.sections.selfplay import positions, selfplay
from tunesmith.tuning.report.sections.verdict import head
from tunesmith.tuning.report.sections.weights import weights

# By anchor: the words in the contents, and what writes the section.
SECTIONS: dict[str, tuple[str, Callable[[StudyFiles], Markup | None]]] = {
    "weights": ("Weights", weights),
    "fit": ("Fit", fit),
    "search": ("Search", search),
    "proof": ("Proof", proof),
    "matches": ("All matches", matches),
    "games": ("Self-play", selfplay),
    "data": ("Training positions", dataset),
    "positions": ("Positions", positions),
    "game": ("A game", game),
    "methods": ("Methods", methods),
}

__all__ = ["SECTIONS", "head"]
