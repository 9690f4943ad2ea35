"""A whole game of the new weights, to page through inside the report.

It is the first game of the match that measured the gain (or of another match of the proof), replayed under the
game's rules. Where there is none, or the rules have changed since, the report does without."""

from pathlib import Path

from tunesmith import games
from tunesmith.games.errors import TunesmithError
from tunesmith.tuning.report.game_page import capital, outcome, replay
from tunesmith.tuning.report.game_source import from_folder
from tunesmith.tuning.report.html import Markup, el
from tunesmith.tuning.report.parts import section
from tunesmith.tuning.report.reading import StudyFiles

_MOST = 3_000_000  # characters: half of what a report may have
_FIRST = ("measure", "main")  # matches that are asked first


def game(study: StudyFiles) -> Markup | None:
    """Return the section, or None where no game can be shown."""
    spec = study.setting("game")
    for folder in _folders(study) if spec else ():
        try:
            story = from_folder(games.load(spec or ""), folder, 0, 0)
        except (TunesmithError, OSError):
            continue  # a picture book is no reason to have no report
        ended = el(
            "p",
            f"{capital(outcome(story))}: the first game of the match ",
            el("code", folder.name),
            ". The new weights move first. Evaluations are Elo, in the view of who moved.",
        )
        return section("game", "A game of the new weights", ended, replay(story, _MOST))
    return None


def _folders(study: StudyFiles) -> list[Path]:
    found = sorted(path for path in (study.folder / "verify").glob("*") if path.is_dir())
    return sorted(found, key=lambda path: _FIRST.index(path.name) if path.name in _FIRST else len(_FIRST))
