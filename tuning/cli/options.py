"""What several commands share: option types, and the number of workers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.tuning.bounds import MOST_PAIRS

SeedOption = Annotated[int, typer.Option(help="Everything random follows from it.", min=0)]
PairsOrAllOption = Annotated[
    int | None,
    typer.Option(
        help="Openings, each played twice with sides exchanged (default: those of --openings, or 100).",
        min=1,
        max=MOST_PAIRS,
    ),
]
PliesOption = Annotated[int, typer.Option(help="Random actions at the start of each game.", min=0, max=60)]
NodesOption = Annotated[
    str,
    typer.Option(
        "--limit", help="depth:N, nodes:N, simulations:N, time:SECONDS a move or game-time:SECONDS."
    ),
]
SearchesOption = Annotated[
    str, typer.Option(metavar="KEY=VALUE,...", help="Search options of one player, e.g. algorithm=uct.")
]


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


def default_jobs(jobs: int | None) -> int:
    """Return the number of workers: as asked, or the cores this process may use."""
    import os

    return (
        jobs or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else jobs or os.cpu_count() or 1
    )
