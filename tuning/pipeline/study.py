"""The whole loop of a study: openings, self-play, fit, again, verification, verdict, report.

`run_study` may be interrupted at any point and called again: what is done is read back, what is missing is
made, and the numbers are those of an undisturbed run. Nothing here depends on the number of workers."""

from dataclasses import replace
from pathlib import Path

from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.matches import Verdict
from tunesmith.tuning.documents.search import SearchResult
from tunesmith.tuning.files import locked
from tunesmith.tuning.pipeline import context, preflight
from tunesmith.tuning.pipeline.generations import start_of
from tunesmith.tuning.pipeline.prove import foretold, settle
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.verdict import finished
from tunesmith.tuning.study import Study, open_study


def run_study(
    config: StudyConfig, root: Path, resources: Resources, command: str = "", storage: str | None = None
) -> Verdict:
    """Run or continue the study in `root`; return the verdict (`verdict.json`).

    `command` repeats the study; it is quoted in the verdict and the report. `storage` is the address of an
    Optuna storage for the search, if not the study's own file.
    """
    players = context.load_players(config)
    study = replace(open_study(root, config, context.pins(players)), listen=resources.listener.stage)
    done = finished(root)
    if done is not None:
        resources.listener.note(f"{root}: already finished")
        return done
    with locked(root):
        if study.read("status.json") is None:
            for line in (preflight.line(players.game), *foretold(config)):
                resources.listener.note(line)
        context.keep(study, "baseline", players.baseline)
        context.note_openings(study, players, resources, context.openings_needed(config))
        find_candidate(study, players, resources, storage)
        return settle(study, players, context.candidate_of(study, players), resources, command)


def find_candidate(study: Study, players: context.Players, resources: Resources, storage: str | None) -> None:
    """Make the weights to verify: fitted, then improved by a search if the study asks for one."""
    start = start_of(study, players, resources, storage)
    if not study.config.search.trials:
        return
    from tunesmith.tuning.pipeline.searching import search, words

    search(study, players, start, resources, storage)
    for line in words(SearchResult.read(study.path("search", "result.json"))):
        resources.listener.note(line)
