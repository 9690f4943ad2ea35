"""Commands on a whole study: run, search, report."""

import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.options import repeated, resources_of
from tunesmith.tuning.cli.printing import print_json


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (run, search, report):
        app.command()(command)


def run(
    study: option.Study,
    out: option.Folder = None,
    jobs: option.Jobs = None,
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    preset: option.Preset = None,
    changes: option.Changes = None,
    storage: option.Storage = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="90s, 30m, 1h30m: measure the speed here and choose the numbers of pairs that fill it; they are "
            "fixed before the first game.",
        ),
    ] = None,
    quiet: option.Quiet = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the verdict as JSON; events as JSON lines on standard error."),
    ] = False,
) -> None:
    """Run a study: play, fit, search, verify, report. Continues one that was interrupted."""
    from tunesmith.tuning.cli.events import Events
    from tunesmith.tuning.config import load
    from tunesmith.tuning.pipeline import budget as budgets
    from tunesmith.tuning.pipeline.study import run_study
    from tunesmith.tuning.report.study_page import write_report

    config = load(study, preset, changes or [])
    root = out or Path("studies") / config.name
    started = time.monotonic()
    events = Events() if as_json else None
    resources = resources_of(jobs, backend, scheduler, events, quiet=quiet)
    pairs = budgets.settled(root, budget)
    if budget and not pairs:
        pairs = budgets.settle(config, root, budget, resources)
    changes = [*(changes or []), *pairs]
    config = load(study, preset, changes)
    command = repeated("run", study, preset=preset, set=changes, out=out)
    verdict = run_study(config, root, resources, command, storage)
    page = write_report(root)
    resources.listener.note(f"{time.monotonic() - started:.0f} s")
    if events:
        print_json({**verdict.content(), "study": str(root), "report": str(page)})
        return
    print(verdict.sentence)
    for line in verdict.reason.words(root) if verdict.reason else ():
        print(line)
    print(f"weights  {root / 'weights' / 'candidate.json'}")
    print(f"report   {page}")


def report(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study's folder.")],
    tables: Annotated[Path | None, typer.Option("--csv", metavar="DIR", help="Every table as CSV.")] = None,
    plots: Annotated[Path | None, typer.Option(metavar="DIR", help="Every chart as a picture.")] = None,
    kind: Annotated[str, typer.Option("--format", help="Format of the pictures: svg or png.")] = "svg",
    as_json: option.Json = False,
) -> None:
    """Write a study's report anew; its tables and charts as files of their own on request."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.external import report
    from tunesmith.tuning.report import study_page
    from tunesmith.tuning.report.reading import read_study
    from tunesmith.tuning.study import require

    if report.is_engines(study):
        if tables is not None or plots is not None:
            raise InputError("report: --csv and --plots are for studies of games, not of chess engines")
        _print_written([report.write_report(study)], as_json)
        return
    require(study)
    written = [study_page.write_report(study)]
    if tables is not None or plots is not None:
        from tunesmith.tuning.report.plots import write_plots
        from tunesmith.tuning.report.tables import write_tables

        found = read_study(study)
        written += write_tables(found, tables) if tables is not None else []
        written += write_plots(found, plots, kind) if plots is not None else []
    _print_written(written, as_json)


def _print_written(paths: list[Path], as_json: bool) -> None:
    if as_json:
        print_json({"written": [str(path) for path in paths]})
    else:
        print(*paths, sep="\n")


def search(
    study: option.Study,
    out: option.Folder = None,
    jobs: option.Jobs = None,
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    preset: option.Preset = None,
    changes: option.Changes = None,
    storage: option.Storage = None,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Search settings by playing (Optuna), and recommend one; `run` goes on to prove it. Continues what is there."""
    from tunesmith.tuning.config import load
    from tunesmith.tuning.pipeline.budget import settled
    from tunesmith.tuning.pipeline.searching import search_study, words
    from tunesmith.tuning.report.study_page import write_report

    config = load(study, preset, changes or [])
    root = out or Path("studies") / config.name
    config = load(study, preset, [*(changes or []), *settled(root, None)])
    found = search_study(config, root, resources_of(jobs, backend, scheduler, quiet=quiet), storage)
    page = write_report(root)
    weights = root / "weights" / "search.json"
    if as_json:
        print_json({**found.content(), "study": str(root), "weights": str(weights), "report": str(page)})
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
    print("To search on from here (every parameter needs low and high, or a new fit):")
    print(f"  {shlex.join(again)}")
