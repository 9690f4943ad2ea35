"""All commands of `tunesmith` in one application.

Heavy modules are imported inside commands, so that `--help` is instant."""

import typer

from tunesmith.tuning.cli import (
    agent,
    dashboard,
    dataset,
    engines,
    fit,
    games,
    gauntlet,
    play,
    stats,
    status,
    study,
    verify,
    weights,
)

app = typer.Typer(
    name="tunesmith",
    help="Tune the evaluation of a game-playing agent by self-play, and prove whether it got stronger.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
# In the order of the help; a group has commands of its own below its name.
COMMANDS = (study, status, play, fit, dataset, games, agent, gauntlet, verify, dashboard, engines)
GROUPS = {"weights": weights.app, "stats": stats.app}

for commands in COMMANDS:
    commands.register(app)
for name, group in GROUPS.items():
    app.add_typer(group, name=name)
