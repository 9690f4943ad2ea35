"""Engines that speak a protocol: `tunesmith engines` plays other people's, `tunesmith ugi` makes one of ours."""

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.gauntlet import print_ratings
from tunesmith.tuning.cli.options import resources_of
from tunesmith.tuning.cli.printing import print_json

SWITCH = 0.0005  # seconds: a move that has been found does not wait for the thread that tells of the search
NO_LIMIT = "nodes:1"  # of a player that is told with each `go` what ends its search


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command("engines")(engines)
    app.command("ugi")(ugi)


def engines(
    study: option.Study,
    out: option.Folder = None,
    jobs: option.Jobs = None,
    preset: option.Preset = None,
    changes: option.Changes = None,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Play two engines (UCI, UGI), rate three or more, or search an engine's options with a proof. Continues."""
    from tunesmith.tuning.documents.engines import EngineTournament
    from tunesmith.tuning.external.config import EnginesConfig
    from tunesmith.tuning.external.study import run_study
    from tunesmith.tuning.external.words import words
    from tunesmith.tuning.settings_file import load_as

    config = load_as(EnginesConfig, study, preset, changes or [])
    root = out or Path("studies") / config.name
    found = run_study(config, study.parent, root, resources_of(jobs, quiet=quiet))
    if as_json:
        print_json({**found.content(), "study": str(root)})
        return
    if isinstance(found, EngineTournament):
        print_ratings(found)
    print("\n".join(words(found)))
    print(f"games  {root}")


def ugi(
    game: option.Game,
    weights: option.BestKnown = None,
    options: option.Options = "",
    hash_mb: option.Hash = None,
    seed: Annotated[
        int | None,
        typer.Option(help="What is drawn follows from it (default: another one every time).", min=0),
    ] = None,
    allow_variant: option.Variant = False,
) -> None:
    """Be an engine that speaks UGI on standard input and output, for other programs that run matches."""
    import sys

    from tunesmith import games
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.cli.options import given
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.external.ugi import Conversation
    from tunesmith.tuning.play.player import named_or_default, read_player

    loaded = games.load(game)
    text, any_variant = named_or_default(weights, loaded, allow_variant)
    who = read_player(
        text, loaded, NO_LIMIT, parse_options(options), allow_variant=any_variant, keep_simple=False
    )
    if who.limit != NO_LIMIT:
        raise InputError(
            f"player {text!r}: a limit is told to a UGI engine with each go, found one of its own"
        )

    def say(line: str) -> None:
        print(line, flush=True)

    name = f"Tunesmith {loaded.name} {who.text}"
    talk = Conversation(loaded, who.weights, say, name, who.book, **given(hash_mb=hash_mb, seed=seed))
    sys.setswitchinterval(SWITCH)
    talk.follow(line.decode("utf-8", "replace") for line in sys.stdin.buffer)
