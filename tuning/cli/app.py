"""All commands of `tunesmith` in one application.

Heavy modules are imported inside commands, so that `--help` is instant."""

from __future__ import annotations

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
study.register(app)
status.register(app)
play.register(app)
fit.register(app)
dataset.register(app)
games.register(app)
agent.register(app)
gauntlet.register(app)
verify.register(app)
dashboard.register(app)
engines.register(app)
app.add_typer(weights.app, name="weights")
app.add_typer(stats.app, name="stats")
