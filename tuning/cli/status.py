"""`tunesmith status STUDY`: how far a study is, once or again and again; `studies`: all of a folder, or two compared

On a terminal `--watch` draws in place; elsewhere it prints what has changed, with `--json` one object a line."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.printing import print_grid, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from tunesmith.tuning.cli.live import Region
    from tunesmith.tuning.documents.status import Changed, Status, StudiesCompared, StudyLine

HEAD = ["study", "game", "stage", "games", "verdict", "gain (Elo)"]
PAUSE = 2.0  # seconds between looks


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(status)
    app.command()(studies)


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


def studies(
    where: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR | STUDY STUDY]", help="A folder of studies (default: studies), or two to compare."
        ),
    ] = None,
    as_json: option.Json = False,
) -> None:
    """List the studies of a folder with verdicts, or compare two."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.pipeline.studies import compare, folders, line_of

    given = where or [Path("studies")]
    if len(given) > 2:
        raise InputError(f"studies: expected a folder of studies, or two studies, found {len(given)} folders")
    if len(given) == 2:
        _print_compared(compare(given[0], given[1]), as_json)
        return
    lines = sorted([*map(line_of, folders(given[0])), *_of_engines(given[0])], key=lambda line: line.study)
    if as_json:
        print_json({"studies": [line.content() for line in lines]})
    elif lines:
        print_grid([_cells(line) for line in lines], HEAD)
    else:
        print(f"{given[0]}: no studies")


def _of_engines(root: Path) -> list[StudyLine]:
    """Return the studies of engines, whose verdict is the first line of what came of them."""
    from tunesmith.tuning.documents.status import StudyLine
    from tunesmith.tuning.external.pgn import is_chess
    from tunesmith.tuning.external.report import read_study
    from tunesmith.tuning.external.words import NAME
    from tunesmith.tuning.files import read_lines
    from tunesmith.tuning.pipeline.studies import folders

    found = []
    for folder in folders(root, NAME):
        known = read_study(folder)
        found.append(
            StudyLine(
                study=str(folder),
                game=known.settings.text("game") or ("chess" if is_chess(folder) else "of the engines"),
                stage="finished" if (folder / "engines.json").is_file() else "begun",
                games=sum(len(list(read_lines(path))) for path in folder.glob("**/games.jsonl")),
                outcome=None,
                gain=None,
                told=known.verdict.text("sentence") or None,
            )
        )
    return found


def _cells(line: StudyLine) -> list[str]:
    from tunesmith.tuning.pipeline.studies import gain_words

    verdict = line.outcome or line.told or ""
    return [line.study, line.game or "", line.stage, f"{line.games:,}", verdict, gain_words(line)]


def _print_compared(found: StudiesCompared, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    print_grid([_cells(line) for line in found.studies], HEAD)
    for line in found.studies:
        if line.told:
            print(f"{line.study}: {line.told}")
    for title, rows in (
        ("setting", found.settings),
        ("made with", found.pinned),
        ("weight (Elo)", found.weights),
    ):
        if rows:
            print()
            print_grid(_changed(rows), [title, "first", "second"])
    for note in found.notes:
        print(f"note: {note}")


def _changed(rows: Sequence[Changed]) -> list[list[str]]:
    return [[row.name, _shown(row.first), _shown(row.second)] for row in rows]


def _shown(value: object) -> str:
    text = "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return text[:16] if len(text) == 64 and text.isalnum() else text  # a digest
