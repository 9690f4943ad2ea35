"""All commands of `tunesmith` in one application.

Heavy modules are imported inside commands, so that `--help` is instant."""

from __future__ import annotations

import typer

from tuning import (
    cli_agent,
    cli_dashboard,
    cli_dataset,
    cli_fit,
    cli_games,
    cli_gauntlet,
    cli_play,
    cli_stats,
    cli_status,
    cli_study,
    cli_uci,
    cli_verify,
    cli_weights,
)

app = typer.Typer(
    name="tunesmith",
    help="Tune the evaluation of a game-playing agent by self-play, and prove whether it got stronger.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
cli_study.register(app)
cli_status.register(app)
cli_play.register(app)
cli_fit.register(app)
cli_dataset.register(app)
cli_games.register(app)
cli_agent.register(app)
cli_gauntlet.register(app)
cli_verify.register(app)
cli_dashboard.register(app)
cli_uci.register(app)
app.add_typer(cli_weights.app, name="weights")
app.add_typer(cli_stats.app, name="stats")
