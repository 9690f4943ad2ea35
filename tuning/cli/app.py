"""All commands of `tunesmith` in one application, told by task.

Heavy modules are imported inside commands, so that `--help` is instant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tunesmith.tuning.cli import (
    agent,
    dashboard,
    dataset,
    engines,
    fit,
    games,
    gauntlet,
    play,
    show,
    stats,
    status,
    study,
    verify,
    weights,
)

# What somebody wants to do, and with which commands: the order of the help. A test holds that none is left out.
TASKS: Mapping[str, tuple[str, ...]] = {
    "Tune a player": ("run", "search", "status", "studies", "report", "dashboard"),
    "Learn from positions": ("selfplay", "import", "fit", "predict", "dataset"),
    "Measure who is stronger": ("match", "verify", "gauntlet", "ladder", "engines", "stats"),
    "Look at games and positions": ("games", "play", "probe", "show", "perft", "bench", "compile"),
    "Make games, weights and agents": ("new-game", "check", "weights", "book", "agent", "ugi"),
}


class Whole(TyperGroup):
    """A group whose help tells its commands by task, each with its whole summary."""

    tasks: Mapping[str, tuple[str, ...]] = {}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command that tells shells its whole summary, too."""
        command = super().get_command(ctx, cmd_name)
        if command is not None and not command.short_help:
            command.short_help = summary(command)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each task; commands of no task come last."""
        known = {name for names in self.tasks.values() for name in names}
        others = tuple(name for name in self.list_commands(ctx) if name not in known)
        for task, names in {**self.tasks, "Commands": others}.items():
            found = [
                (name, command) for name in names if (command := self.get_command(ctx, name)) is not None
            ]
            rows = [(name, summary(command)) for name, command in found if not command.hidden]
            if rows:
                with formatter.section(task):
                    formatter.write_dl(rows)


class ByTask(Whole):
    """The group of all commands."""

    tasks = TASKS


def summary(command: Any) -> str:
    """Return the first sentence of a command's help, whole."""
    return str(command.get_short_help_str(limit=10_000))


app = typer.Typer(
    name="tunesmith",
    help="Tune the evaluation of a game-playing agent by self-play, and prove whether it got stronger.",
    cls=ByTask,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
COMMANDS = (
    study,
    status,
    play,
    fit,
    dataset,
    games,
    show,
    agent,
    gauntlet,
    verify,
    dashboard,
    engines,
)
GROUPS = {"weights": weights.app, "stats": stats.app}  # a group has commands of its own below its name

for commands in COMMANDS:
    commands.register(app)
for name, group in GROUPS.items():
    app.add_typer(group, name=name, cls=Whole)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"tunesmith {version('tunesmith')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""
