"""What several commands share: option types, what was given of them, and the resources that they name.

Defaults of what a study can say stand in `tuning.config` alone; the help texts quote them, and a test compares."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from tunesmith.tuning.passwords import STORAGE_VARIABLE


def _few_enough(pairs: int | None) -> int | None:
    from tunesmith.tuning.config import MOST_PAIRS

    if pairs is not None and pairs > MOST_PAIRS:
        raise typer.BadParameter(f"expected at most {MOST_PAIRS:,}, found {pairs:,}")
    return pairs


if TYPE_CHECKING:
    from pydantic import BaseModel

    from tunesmith.tuning.config import StudyConfig
    from tunesmith.tuning.play.resources import Listener, Resources

Model = TypeVar("Model", bound="BaseModel")

Seed = Annotated[int | None, typer.Option(help="Everything random follows from it (default: 1).", min=0)]
PairsOrAll = Annotated[
    int | None,
    typer.Option(
        help="Openings, each played twice with sides exchanged (default: those of --openings, or 100).",
        min=1,
        callback=_few_enough,
    ),
]
Plies = Annotated[
    int | None, typer.Option(help="Random moves at the start of each game (default: 6).", min=0, max=60)
]
Balance = Annotated[
    float | None,
    typer.Option(
        "--max-score", help="Largest advantage of either side in an opening, in Elo (default: 150)."
    ),
]
Edition = Annotated[
    int | None,
    typer.Option(
        help="Edition of the openings: a proof in one shares none with a proof in another (default: 1).",
        min=1,
        max=10,
    ),
]
Nodes = Annotated[
    str | None,
    typer.Option(
        "--limit",
        help="depth:N, nodes:N, simulations:N, time:SECONDS a move or game-time:SECONDS (default: nodes:1000).",
    ),
]
GAME = "A game, e.g. kalah or kalah:ponds=6,seeds=4, or a path/to/game.py."
PLAYER = "NAME or NAME@key=value,...: weights, with search options, limit and book of the player's own."
PLAIN_PLAYER = "NAME or NAME@key=value,...: weights, with search options of the player's own."

DEFAULT_PLAYER = "Default: what the game names for play against strangers, else tuned, else hand."
BestKnown = Annotated[
    str | None, typer.Option("--weights", metavar="PLAYER", help=f"{PLAYER} {DEFAULT_PLAYER}")
]
BestKnownPlain = Annotated[
    str | None, typer.Option("--weights", metavar="PLAYER", help=f"{PLAIN_PLAYER} {DEFAULT_PLAYER}")
]
Game = Annotated[str, typer.Argument(metavar="GAME", help=GAME)]
GameOption = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help=f"{GAME} Default: what the file says.")
]
OwnGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="For a folder of games: your own game, a path/to/game.py."),
]
Player = Annotated[str, typer.Option("--weights", metavar="PLAYER", help=PLAYER)]
PlainPlayer = Annotated[str, typer.Option("--weights", metavar="PLAYER", help=PLAIN_PLAYER)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress, only the result and warnings.")]
Jobs = Annotated[
    int | None,
    typer.Option(help="Worker processes on this machine, at most one a core (default: all cores).", min=1),
]
Backend = Annotated[str, typer.Option(help="loky (processes), threads, or dask (a cluster).")]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="With --backend dask: its scheduler, e.g. tcp://10.0.0.1:8786."),
]
Limit = Annotated[
    str, typer.Option(help="depth:N, nodes:N, simulations:N, time:SECONDS a move or game-time:SECONDS.")
]
Options = Annotated[
    str,
    typer.Option("--options", metavar="KEY=VALUE,...", help="Search options of every player, below its own."),
]
Hash = Annotated[
    int | None, typer.Option("--hash", help="Transposition table, MiB (default: 8).", min=1, max=65536)
]
Variant = Annotated[
    bool,
    typer.Option("--allow-variant", help="Take weights made for another variant with the same features."),
]
Storage = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar=STORAGE_VARIABLE,
        help="Optuna storage that machines share (default: a file of the study). Others on this machine can read "
        "a password in a command: keep it in ~/.pgpass or PGPASSWORD, or the whole address in the variable.",
    ),
]
Study = Annotated[Path, typer.Argument(metavar="STUDY.toml", help="The study file.")]
Folder = Annotated[Path | None, typer.Option(help="Folder for everything (default: studies/NAME).")]
Preset = Annotated[str | None, typer.Option(help="A [preset.NAME] of the file.")]
Changes = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting.")]
Openings = Annotated[
    Path | None,
    typer.Option(
        "--openings", metavar="FILE", help="Openings, one a line: moves or a position (# comments)."
    ),
]
State = Annotated[str | None, typer.Option(help="Text form of a position (default: the start).")]


def resources_of(
    jobs: int | None,
    backend: str = "loky",
    scheduler: str | None = None,
    listener: Listener | None = None,
    *,
    quiet: bool = False,
) -> Resources:
    """Return workers as asked for, and who hears of them: by default whoever reads standard error."""
    from tunesmith.tuning.cli.progress import listener_for_people
    from tunesmith.tuning.play.backends import backend_of
    from tunesmith.tuning.play.resources import Resources
    from tunesmith.tuning.threads import cores

    listener = listener or listener_for_people(quiet)
    most = cores()
    if jobs is not None and jobs > most:
        listener.note(f"--jobs {jobs}: there are {most} cores, so {most} play (the games are the same)")
    return Resources(min(jobs or most, most), backend_of(backend, scheduler), listener)


def require_file(option: str, path: Path) -> None:
    """Refuse a path where no file can be written: said before the work, not after it."""
    from tunesmith.games.errors import InputError

    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"{option}: expected a file in a folder that exists, found '{path}'")


def repeated(*words: str | Path, **options: Any) -> str:
    """Return the command that does the same again, as it is typed in the folder that this one was typed in.

    Absolute paths become relative ones: the command is quoted on pages that people pass on. An option that is None is
    left out, a list gives it several times.
    """
    parts = ["tunesmith", *map(_relative, words)]
    for name, value in options.items():
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            parts += [f"--{name.replace('_', '-')}", _relative(one)]
    return shlex.join(parts)


def _relative(word: Any) -> str:
    text = str(word)
    try:
        return os.path.relpath(text) if os.path.isabs(text) else text
    except ValueError:  # another drive
        return os.path.basename(text)


def given(**options: Any) -> dict[str, Any]:
    """Return the options that somebody gave: what is left out keeps the default of the settings."""
    return {name: value for name, value in options.items() if value is not None}


def asked(
    game: str,
    *,
    seed: int | None,
    hash_mb: int | None,
    plies: int | None,
    max_score: float | None,
    **play: Any,
) -> StudyConfig:
    """Return what a command was asked for, over the defaults of a study; `play` are options of its [play]."""
    from tunesmith.tuning.config import StudyConfig

    openings = given(plies=plies, max_score=max_score)
    own = given(seed=seed, hash_mb=hash_mb)
    return checked(
        StudyConfig, {"name": "asked", "game": game, "openings": openings, "play": given(**play), **own}
    )


def checked(model: type[Model], settings: dict[str, Any]) -> Model:
    """Return settings that the command line made; what is wrong is said by the option's name."""
    from pydantic import ValidationError

    from tunesmith.games.errors import InputError

    try:
        return model.model_validate(settings)
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][-1]).replace("_", "-")
        message = first["msg"].removeprefix("Value error, ").removeprefix("limit: ")
        found = "" if ", found " in message else f", found {first['input']!r}"
        raise InputError(f"--{option}: {message[0].lower()}{message[1:]}{found}") from None
