"""The command `tunesmith`.

Exit codes: 0 done, whatever the verdict; 1 a check failed; 2 wrong input (one line on standard error);
130 interrupted. Results go to standard output, progress and logs to standard error; `--json` prints one JSON
object. Heavy modules are imported inside commands, so that `--help` is instant."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

import typer

from tuning import (
    cli_agent,
    cli_dashboard,
    cli_dataset,
    cli_fit,
    cli_games,
    cli_gauntlet,
    cli_search,
    cli_stats,
    cli_status,
    cli_study,
    cli_uci,
    cli_verify,
    cli_weights,
    interrupt,
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
cli_search.register(app)
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


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="tunesmith: %(message)s")
    given = sys.argv[1:] if arguments is None else arguments
    interrupt.listen(given)
    try:
        code = run(given)
    except KeyboardInterrupt:  # one more, while the first was being answered
        code = 130
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run the command line; return the exit code."""
    from games.errors import TunesmithError

    try:
        code: Any = app(arguments, standalone_mode=False)
    except TunesmithError as error:
        print(f"tunesmith: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return _interrupted(arguments)
    except BrokenPipeError:  # the reader of our output has gone: not our failure, and nothing to say to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if not hasattr(error, "exit_code") or not hasattr(error, "format_message"):
            raise
        message = error.format_message()  # wrong options, told by the command line's own library
        if message:
            print(f"tunesmith: {message}", file=sys.stderr)
        return int(error.exit_code)
    if code == interrupt.CODE:  # the command line's library has caught it
        return _interrupted(arguments)
    return code if isinstance(code, int) else 0


def _interrupted(arguments: list[str]) -> int:
    words = interrupt.advice(arguments)
    if words:
        interrupt.say(f"interrupted; {words}")
    return interrupt.CODE


if __name__ == "__main__":
    main()
