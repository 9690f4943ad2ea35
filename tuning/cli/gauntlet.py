"""The command `tunesmith gauntlet`: several players, all pairings, ratings."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.options import asked, require_file, resources_of
from tunesmith.tuning.cli.printing import print_grid, print_json

if TYPE_CHECKING:
    from tunesmith.tuning.documents.tournaments import Rated

RATING_HEAD = ["", "player", "Elo", "interval", "score", "games", "draws"]
PAIRING_HEAD = [
    "player",
    "against",
    "score",
    "Elo",
    "interval",
    "draws",
    "games",
    "distinct",
    "LL LD DD+WL WD WW",
]


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command("gauntlet")(gauntlet)


def gauntlet(
    game: option.Game,
    players: Annotated[list[str], typer.Argument(metavar="A B C...", help=option.PLAYER)],
    first_only: Annotated[
        bool, typer.Option("--first-only", help="Only A plays the others; they do not play each other.")
    ] = False,
    pairs: option.PairsOrAll = None,
    limit: option.Nodes = None,
    seed: option.Seed = None,
    jobs: option.Jobs = None,
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    plies: option.Plies = None,
    max_score: option.Balance = None,
    openings: option.Openings = None,
    options: option.Options = "",
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER[=ELO]",
            help="Fix the rating of this player at ELO, or 0 (default: the mean is 0).",
        ),
    ] = None,
    level: Annotated[
        float, typer.Option(help="Confidence level of all intervals.", min=0.5, max=0.999)
    ] = 0.95,
    resamples: Annotated[
        int, typer.Option(help="Bootstrap samples for the intervals.", min=100, max=1_000_000)
    ] = 1000,
    draws: Annotated[
        str, typer.Option(help="half: a draw is half a win; davidson: a third result.")
    ] = "half",
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for games, gauntlet.json and gauntlet.html; more players or pairs can follow."
        ),
    ] = None,
    page: Annotated[Path | None, typer.Option(help="Write the page to this file.")] = None,
    hash_mb: option.Hash = None,
    allow_variant: option.Variant = False,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Rate several players: every pairing on the same openings, with intervals. Continues with --out."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.play.gauntlet import Terms, run
    from tunesmith.tuning.play.rating import Scale
    from tunesmith.tuning.report.gauntlet_page import write_page
    from tunesmith.tuning.stats.ratings import DRAWS

    if draws not in DRAWS:
        raise InputError(f"--draws: expected one of {', '.join(DRAWS)}, found {draws!r}")
    if page is not None:
        require_file("--page", page)
    known = _openings(game, openings)
    if pairs is None:
        pairs = 100 if known is None else max(1, known.count("verify"))
    wanted = asked(game, seed=seed, hash_mb=hash_mb, plies=plies, max_score=max_score, limit=limit)
    begin = wanted.openings
    terms = Terms(
        game,
        pairs,
        wanted.play.limit,
        wanted.seed,
        begin.plies,
        begin.max_score,
        wanted.hash_mb,
        first_only,
        allow_variant,
        parse_options(options),
    )
    scale = Scale(level, resamples, _anchor(anchor, players), draws)
    found = run(terms, players, scale, out, resources_of(jobs, backend, scheduler, quiet=quiet), known)
    pages = [write_page(target, found) for target in (page, out and out / "gauntlet.html") if target]
    if as_json:
        print_json(found)
        return
    print_ratings(found)
    for written in pages:
        print(f"page  {written}")


def _openings(game: str, path: Path | None) -> Any:
    """Return what a file of openings holds, after telling of it; None without a file."""
    if path is None:
        return None
    from tunesmith import games
    from tunesmith.tuning.play.openings import file

    known = file.read(games.load(game), path)
    for line in file.describe(known.facts()):
        say(line)
    return known


def _anchor(text: str | None, players: list[str]) -> tuple[str, float] | None:
    from tunesmith.games.errors import InputError

    if text is None:
        return None
    if text in players:
        return text, 0.0
    name, _, number = text.rpartition("=")
    try:
        elo = float(number)
    except ValueError:
        elo = math.nan
    if not math.isfinite(elo):
        raise InputError(f"--anchor: expected PLAYER or PLAYER=ELO, found {text!r}")
    return name, elo


def print_ratings(found: Rated) -> None:
    """Print ratings, all pairings, the cross table of three players or more, and what is to be said of them."""
    from tunesmith.tuning.play.rating import words

    print_grid(rating_rows(found), RATING_HEAD)
    print()
    print_grid(pairing_rows(found), PAIRING_HEAD)
    if len(found.players) > 2:
        print()
        places = [str(place) for place, _ in enumerate(found.players, 1)]
        print_grid(cross_rows(found), ["", "points of", *places])
    print("\n".join(words(found)))


def cross_rows(found: Rated) -> list[list[str]]:
    """Return the cross table: points of the player of the row against that of the column, of so many games."""
    from tunesmith.tuning.play.rating import cross_table

    return [
        [str(place), one.name, *("" if met is None else f"{met[0]:g}/{met[1]}" for met in row)]
        for place, (one, row) in enumerate(zip(found.players, cross_table(found), strict=True), 1)
    ]


def rating_rows(found: Rated) -> list[list[str]]:
    """Return the table of players, strongest first."""
    return [
        [
            str(place),
            one.name,
            f"{one.elo:+z.0f}",
            f"{one.low:+z.0f} .. {one.high:+z.0f}",
            f"{100 * one.score:.1f} %" if one.score is not None else "",
            f"{one.games:,}",
            f"{100 * one.draws / one.games:.0f} %" if one.games else "",
        ]
        for place, one in enumerate(found.players, 1)
    ]


def pairing_rows(found: Rated) -> list[list[str]]:
    """Return the table of pairings, from the view of the first-named player."""
    return [
        [
            row.first,
            row.second,
            f"{100 * row.score:.1f} %",
            f"{row.elo:+z.0f}",
            f"{row.elo_low:+z.0f} .. {row.elo_high:+z.0f}",
            f"{100 * row.draws:.0f} %",
            f"{row.games:,}",
            f"{row.distinct:,}",
            " ".join(map(str, row.counts)),
        ]
        for row in found.pairings
    ]
