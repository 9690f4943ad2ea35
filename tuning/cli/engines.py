"""The command `tunesmith uci`: matches of chess engines, and searches over their options."""

from pathlib import Path

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.options import resources_of
from tunesmith.tuning.cli.printing import print_json


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command("uci")(uci)


def uci(
    study: option.Study,
    out: option.Folder = None,
    jobs: option.Jobs = None,
    preset: option.Preset = None,
    changes: option.Changes = None,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Play a match of chess engines (UCI), or search an engine's options and prove the result. Continues."""
    from tunesmith.tuning.external.config import UciConfig
    from tunesmith.tuning.external.study import run_study
    from tunesmith.tuning.external.words import words
    from tunesmith.tuning.settings_file import load_as

    config = load_as(UciConfig, study, preset, changes or [])
    root = out or Path("studies") / config.name
    found = run_study(config, study.parent, root, resources_of(jobs, quiet=quiet))
    if as_json:
        print_json({**found.content(), "study": str(root)})
        return
    print("\n".join(words(found)))
    print(f"games  {root}")
