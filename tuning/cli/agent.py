"""`tunesmith agent`: a folder that plays without Tunesmith."""

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.options import given
from tunesmith.tuning.cli.printing import print_json


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(agent)


def agent(
    game: option.Game,
    out: Annotated[Path, typer.Option(help="The folder to write; its name is the package's.")],
    weights: option.BestKnownPlain = None,
    limit: Annotated[
        str | None,
        typer.Option(
            help="depth:N, nodes:N, simulations:N, time:SECONDS a move or game-time:SECONDS (default: game-time:60 "
            "where a course's referee plays the game, else nodes:5000)."
        ),
    ] = None,
    options: option.Options = "",
    hash_mb: option.Hash = None,
    name: Annotated[str | None, typer.Option(help="Write the package OUT/NAME instead.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
    allow_variant: option.Variant = False,
    as_json: option.Json = False,
) -> None:
    """Write a folder of plain Python that plays without Tunesmith, with the engine's moves."""
    from tunesmith import games
    from tunesmith.engine.limits import parse_limit
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.export.agent.write import default_limit, write_agent
    from tunesmith.tuning.play.player import named_or_default, read_weights

    loaded = games.load(game)
    text, any_variant = named_or_default(weights, loaded, allow_variant)
    found = read_weights(text, loaded, parse_options(options), allow_variant=any_variant, keep_simple=False)
    stop = parse_limit(limit, "--limit") if limit is not None else default_limit(loaded)
    folder = write_agent(loaded, found, out, stop, name=name, force=force, **given(hash_mb=hash_mb))
    if as_json:
        print_json({"agent": str(folder), "game": loaded.spec, "limit": str(stop), "digest": found.digest})
        return
    print(f"{folder}: an agent for {loaded.name}, {stop}, weights {found.digest[:12]}")
    print(f"{folder / 'README.md'} says how to use it")
