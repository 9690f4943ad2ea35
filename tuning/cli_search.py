"""The command `search`: a study up to the end of its search by playing, without the proof."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from tuning.cli_common import (
    BackendOption,
    ChangesOption,
    FolderOption,
    JobsOption,
    JsonOption,
    PresetOption,
    SchedulerOption,
    StorageOption,
    StudyArgument,
    default_jobs,
    print_json,
)
from tuning.interrupt import say
from tuning.progress import Progress


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("search")(search)


def search(
    study: StudyArgument,
    out: FolderOption = None,
    jobs: JobsOption = None,
    backend: BackendOption = "loky",
    scheduler: SchedulerOption = None,
    preset: PresetOption = None,
    changes: ChangesOption = None,
    storage: StorageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search settings by playing (Optuna), and recommend one; `run` goes on to prove it. Continues what is there."""
    from tuning.config import load
    from tuning.pipeline import Means
    from tuning.report import write_report
    from tuning.searching import search_study, words
    from tuning.workers import backend_of

    config = load(study, preset, changes or [])
    root = out or Path("studies") / config.name
    means = Means(default_jobs(jobs), backend_of(backend, scheduler), "", say, Progress(), storage)
    found = search_study(config, root, means)
    page = write_report(root)
    weights = root / "weights" / "search.json"
    if as_json:
        print_json({**found, "study": str(root), "weights": str(weights), "report": str(page)})
        return
    print("\n".join(words(found)))
    print(f"weights  {weights}   (not proved yet: tunesmith run does that)")
    print(f"report   {page}")
    again = [
        "tunesmith",
        "search",
        str(study),
        "--set",
        f"baseline={weights.resolve()}",
        "--out",
        f"{root}-2",
    ]
    print("A new search from here (give every parameter low and high, or fit anew):")
    print(f"  {shlex.join(again)}")
