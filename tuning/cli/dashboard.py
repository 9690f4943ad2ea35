"""The command that opens a dashboard."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.browser import LOOPBACK, until_interrupted


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("dashboard")(dashboard)


def dashboard(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY...", help="Folders of studies.")],
    host: Annotated[str, typer.Option(help="Address or name to listen on, and to be called by.")] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Port (0: any free one).", min=0, max=65535)] = 8080,
    storage: option.Storage = None,
) -> None:
    """Show studies in a browser (optuna-dashboard), running ones too; Ctrl-C closes it."""
    from tunesmith.tuning.external import report
    from tunesmith.tuning.report.dashboard.app import make_dashboard, study_reader
    from tunesmith.tuning.report.server import is_loopback, serve

    app = make_dashboard(studies, storage, [report.reader_of, study_reader])
    server = serve(app, host, port)
    if not is_loopback(host):
        print("tunesmith: no password protects this dashboard from others", file=sys.stderr)
    until_interrupted(server, host, "Ctrl-C closes it; the studies are only read")
