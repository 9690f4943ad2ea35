"""What several commands share: option types, and how results are printed."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game spec, e.g. kalah:ponds=6,seeds=4.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
JobsOption = Annotated[
    int | None, typer.Option(help="Worker processes on this machine (default: all cores).", min=1)
]
BackendOption = Annotated[str, typer.Option(help="loky (processes), threads, or dask (a cluster).")]
SchedulerOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="With --backend dask: its scheduler, e.g. tcp://10.0.0.1:8786."),
]
LimitOption = Annotated[
    str, typer.Option(help="depth:N, nodes:N, simulations:N, time:SECONDS a move or game-time:SECONDS.")
]
SearchOption = Annotated[
    str, typer.Option("--search", metavar="KEY=VALUE,...", help="Search options on top of the weight file's.")
]
HashOption = Annotated[int, typer.Option("--hash", help="Transposition table, MiB.", min=1, max=65536)]
VariantOption = Annotated[
    bool,
    typer.Option("--allow-variant", help="Take weights made for another variant with the same features."),
]
StorageOption = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Optuna storage that machines share (default: a file of the study)."),
]
StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY.toml", help="The study file.")]
FolderOption = Annotated[Path | None, typer.Option(help="Where it all goes (default: studies/NAME).")]
PresetOption = Annotated[str | None, typer.Option(help="A [preset.NAME] of the file.")]
ChangesOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting.")
]
OpeningsOption = Annotated[
    Path | None,
    typer.Option(
        "--openings", metavar="FILE", help="Openings, one a line: moves or a position (# comments)."
    ),
]
StateOption = Annotated[str | None, typer.Option(help="Text form of a position (default: the start).")]


def print_json(value: Any) -> None:
    """Print one JSON object; numbers that are not finite become null."""
    print(json.dumps(_finite(value), indent=1, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def print_table(rows: list[list[str]], header: list[str]) -> None:
    """Print rows under a header; columns of numbers are aligned to the right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    is_number = [all(_looks_like_number(row[i]) for row in rows) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ]
        print("  ".join(cells).rstrip())


def _looks_like_number(text: str) -> bool:
    return (
        text.replace(",", "").replace(".", "").replace("-", "").replace("+", "").strip("% ").isdigit()
        or not text
    )


def search_options(text: str, where: str = "--search", others: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the search options of `key=value,key=value`, checked, and those of `others` as text."""
    from engine.options import SearchOptions
    from games.errors import InputError

    found: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name in found:
            raise InputError(f"{where}: expected key=value,key=value, each key once, found {text!r}")
        word = {"true": True, "false": False}.get(value, value)
        found[name] = int(value) if value.isascii() and value.isdigit() and name not in others else word
    SearchOptions.from_mapping({name: found[name] for name in found if name not in others}, where)
    return found


def default_jobs(jobs: int | None) -> int:
    """Return the number of workers: as asked, or the cores this process may use."""
    import os

    return (
        jobs or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else jobs or os.cpu_count() or 1
    )
