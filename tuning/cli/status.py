"""`tunesmith status STUDY`: how far a study is, once or again and again.

On a terminal `--watch` draws in place; elsewhere it prints what has changed, with `--json` one object a line."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.printing import print_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tunesmith.tuning.cli.live import Region
    from tunesmith.tuning.documents.status import Status

PAUSE = 2.0  # seconds between looks


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(status)


def status(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study's folder.")],
    watch: Annotated[
        bool, typer.Option("--watch", help="Look every two seconds until it is finished.")
    ] = False,
    as_json: option.Json = False,
) -> None:
    """Say how far a study is and what it found."""
    from tunesmith.tuning.pipeline.status import describe_status, lines, tell_missing

    tell_missing(study)
    if not watch:
        facts = describe_status(study)
        print_json(facts) if as_json else print("\n".join(lines(facts)))
        return
    show = _show_json if as_json else Screen().show
    speed = Speed()
    while True:
        facts = describe_status(study)
        facts = facts.model_copy(update={"games_per_second": speed(facts)})
        show(facts)
        if facts.stage == "finished":
            return
        time.sleep(PAUSE)


def _show_json(facts: Status) -> None:
    print(json.dumps(facts.content(), allow_nan=False), flush=True)


class Speed:
    """Games a second since the first look at the present stage; None until some have been played."""

    def __init__(self) -> None:
        self._stage: object = None
        self._since, self._games = 0.0, 0

    def __call__(self, facts: Status) -> float | None:
        """Take a look."""
        from tunesmith.tuning.pipeline.status import n_games

        now, games = time.monotonic(), n_games(facts)
        stage = facts.stage, facts.generation, facts.run
        if stage != self._stage:
            self._stage, self._since, self._games = stage, now, games
        return (games - self._games) / (now - self._since) if games > self._games else None


class Screen:
    """Where a study is shown: drawn in place on a terminal (`tuning.cli.live`), else printed when it changes."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._shown: list[str] = []
        self._region: Region | None = None
        self._view: RenderableType = ""

    def show(self, facts: Status) -> None:
        """Show a study as it is now."""
        from tunesmith.tuning.pipeline.status import lines

        if self._is_terminal and facts.stage != "finished":
            self._draw(facts)
            return
        made = lines(facts)
        if facts.games_per_second:
            made[0] += f", {facts.games_per_second:.3g} games/s"
        if made[1:] != self._shown[1:] or not self._shown:
            print("\n".join(made), flush=True)
        self._shown = made

    def _draw(self, facts: Status) -> None:
        from tunesmith.tuning.cli.live import Region, following

        self._view = following(facts)
        if self._region is None:
            self._region = Region(lambda: self._view, sys.stdout)
