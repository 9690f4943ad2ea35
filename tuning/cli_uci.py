"""The command `tunesmith uci`: matches of chess engines, and searches over their options."""

from __future__ import annotations

from pathlib import Path

import typer

from tuning.cli_common import (
    ChangesOption,
    FolderOption,
    JobsOption,
    JsonOption,
    PresetOption,
    StudyArgument,
    default_jobs,
)
from tuning.cli_printing import print_json
from tuning.interrupt import say
from tuning.progress import Progress


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command("uci")(uci)


def uci(
    study: StudyArgument,
    out: FolderOption = None,
    jobs: JobsOption = None,
    preset: PresetOption = None,
    changes: ChangesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match of chess engines (UCI), or search an engine's options and prove the result. Continues."""
    from tuning.config import load_as
    from tuning.uci_config import UciConfig
    from tuning.uci_study import UciMeans, run_study
    from tuning.uci_words import words

    config = load_as(UciConfig, study, preset, changes or [])
    root = out or Path("studies") / config.name
    found = run_study(config, study.parent, root, UciMeans(default_jobs(jobs), say, Progress()))
    if as_json:
        print_json({**found, "study": str(root)})
        return
    print("\n".join(words(found)))
    print(f"games  {root}")
