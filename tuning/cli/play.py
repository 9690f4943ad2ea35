"""Commands that play games: match, selfplay, ladder, book."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.options import asked, given, require_file, resources_of
from tunesmith.tuning.cli.printing import print_grid, print_json
from tunesmith.tuning.cli.progress import listener_for_people

if TYPE_CHECKING:
    from tunesmith.tuning.config import Adjudicate


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (match, selfplay, ladder, book):
        app.command()(command)


def ladder(
    file: Annotated[Path, typer.Argument(metavar="LADDER.toml", help="The ladder file.")],
    out: option.Folder = None,
    jobs: option.Jobs = None,
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    preset: option.Preset = None,
    changes: option.Changes = None,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Play each rung of a ladder of search options against the one below. Continues an interrupted one."""
    from tunesmith.tuning.play.ladder import Ladder, climb, grid
    from tunesmith.tuning.settings_file import load_as

    settings = load_as(Ladder, file, preset, changes or [])
    root = out or Path("studies") / settings.name
    found = climb(settings, root, resources_of(jobs, backend, scheduler, quiet=quiet))
    if as_json:
        print_json(found)
        return
    print(
        f"{settings.game}, {settings.weights}: Elo over the rung below in {counted(settings.pairs, 'pair')}"
    )
    print_grid(grid(settings, found), ["techniques", *settings.limits])
    print(f"results  {root / 'ladder.json'}")


def book(
    game: option.Game,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    weights: option.PlainPlayer = "hand",
    options: option.Options = "",
    plies: Annotated[int, typer.Option(help="Plies that the book covers.", min=1, max=60)] = 6,
    games: Annotated[int, typer.Option(help="Games of self-play.", min=1)] = 400,
    limit: option.Nodes = None,
    judge: Annotated[str, typer.Option(help="Limit of the search that chooses each move.")] = "nodes:100000",
    min_games: Annotated[
        int, typer.Option(help="Number of games in which a position must have come up.", min=1)
    ] = 4,
    noise: Annotated[float, typer.Option(help="Chance of a random move.", min=0, max=1)] = 0.3,
    openings: option.Openings = None,
    seed: option.Seed = None,
    hash_mb: Annotated[
        int | None, typer.Option("--hash", help="Transposition table, MiB (default: 64).", min=1, max=65536)
    ] = None,
    allow_variant: option.Variant = False,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Build an opening book from self-play, for play and match."""
    from tunesmith import games as game_registry
    from tunesmith.engine import book as book_files
    from tunesmith.engine.book.build import BookTerms, build
    from tunesmith.tuning.config import DEFAULTS, parse_options
    from tunesmith.tuning.play.openings import file, pick
    from tunesmith.tuning.play.player import read_weights

    require_file("--out", out)
    loaded = game_registry.load(game)
    known = file.read(loaded, openings) if openings else None
    for line in file.describe(known.facts()) if known else ():
        say(line)
    first = DEFAULTS.seed if seed is None else seed
    chosen = pick(known, "train", max(1, known.count("train")), first) if known else ()
    terms = BookTerms(
        plies=plies,
        games=games,
        judge=judge,
        min_games=min_games,
        noise=noise,
        seed=first,
        **given(limit=limit, hash_mb=hash_mb),
    )
    found = build(
        loaded,
        read_weights(weights, loaded, parse_options(options), allow_variant=allow_variant, keep_simple=False),
        terms,
        [(one.moves, one.root) for one in chosen],
        listener_for_people(quiet).progress,
    )
    book_files.save(found, out)
    if as_json:
        print_json(
            {"book": str(out), "game": game, "positions": len(found.entries), "plies": plies, "games": games}
        )
        return
    print(
        f"{out}: {counted(len(found.entries), 'position')} of the first {counted(plies, 'ply', 'plies')}, "
        f"from {counted(games, 'game')}"
    )


def match(
    game: option.Game,
    first: Annotated[str, typer.Argument(metavar="A", help=option.PLAYER)],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent, written in the same way.")],
    pairs: option.PairsOrAll = None,
    limit: option.Nodes = None,
    seed: option.Seed = None,
    jobs: option.Jobs = None,
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    plies: option.Plies = None,
    max_score: option.Balance = None,
    options: option.Options = "",
    openings: option.Openings = None,
    all_openings: Annotated[
        bool,
        typer.Option(
            "--all-openings", help="Take every opening of the file, also those kept for self-play and search."
        ),
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Keep the games in this folder.")] = None,
    hash_mb: option.Hash = None,
    allow_variant: option.Variant = False,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Play A against B in pairs and say who is stronger, with intervals."""
    from tunesmith import games as game_registry
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.play.match import Beginnings, play_match, words
    from tunesmith.tuning.play.matchup import Matchup
    from tunesmith.tuning.play.openings.file import ALL
    from tunesmith.tuning.play.player import read_player

    wanted = asked(game, seed=seed, hash_mb=hash_mb, plies=plies, max_score=max_score, limit=limit)
    begin = wanted.openings
    loaded = game_registry.load(game)
    a, b = (
        read_player(text, loaded, wanted.play.limit, parse_options(options), allow_variant=allow_variant)
        for text in (first, second)
    )
    found = play_match(
        Matchup(
            game,
            a.weights,
            b.weights,
            (a.limit, b.limit),
            wanted.seed,
            hash_mb=wanted.hash_mb,
            books=(a.book, b.book),
        ),
        (a.name, b.name),
        Beginnings(pairs, begin.plies, begin.max_score, openings),
        resources_of(jobs, backend, scheduler, quiet=quiet),
        out,
        ALL if all_openings else "verify",
    )
    if as_json:
        print_json(found)
        return
    print("\n".join(words(found)))


def selfplay(
    game: option.Game,
    out: Annotated[Path, typer.Option(help="Folder for the Parquet files.")],
    pairs: option.PairsOrAll = None,
    seed: option.Seed = None,
    jobs: option.Jobs = None,
    limit: option.Nodes = None,
    weights: option.PlainPlayer = "hand",
    options: option.Options = "",
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    plies: option.Plies = None,
    max_score: option.Balance = None,
    noise: Annotated[
        float | None, typer.Option(help="Chance of a random move early on (default: 0.1).", min=0, max=1)
    ] = None,
    noise_plies: Annotated[
        int | None,
        typer.Option(help="First plies, in which such moves are played (default: 20).", min=0, max=1000),
    ] = None,
    openings: option.Openings = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:SHARE]", help="Play a share of the pairs against these weights; repeatable."
        ),
    ] = None,
    adjudicate: Annotated[
        str | None,
        typer.Option(
            metavar="SCORE:PLIES",
            help="End a game once both players see the same side ahead by SCORE Elo, for PLIES plies each.",
        ),
    ] = None,
    audit: Annotated[
        int | None, typer.Option(help="Adjudicated games to play on to the end (default: 100).", min=0)
    ] = None,
    move_cap: Annotated[
        int | None,
        typer.Option(
            help="Moves after which a game is given up, without result (default: 1000).", min=2, max=100_000
        ),
    ] = None,
    hash_mb: option.Hash = None,
    allow_variant: option.Variant = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Check the rules at each ply of each game, in plain Python.")
    ] = False,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Let a player play itself and write the games to Parquet files; continues what is there."""
    from tunesmith import games as game_registry
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.play.match import Beginnings, play_self, self_words, shares
    from tunesmith.tuning.play.matchup import Matchup, Noise, Opponent
    from tunesmith.tuning.play.player import read_weights

    if audit is not None and adjudicate is None:
        raise InputError(f"--audit {audit}: expected --adjudicate SCORE:PLIES with it, found none")
    wanted = asked(
        game,
        seed=seed,
        hash_mb=hash_mb,
        plies=plies,
        max_score=max_score,
        limit=limit,
        noise=noise,
        noise_plies=noise_plies,
        move_cap=move_cap,
    )
    own = wanted.play
    loaded = game_registry.load(game)
    common = parse_options(options)
    player = read_weights(weights, loaded, common, allow_variant=allow_variant)
    opponents = [
        Opponent(read_weights(name, loaded, common, allow_variant=allow_variant), share, name)
        for name, share in shares(opponent or [])
    ]
    names = {opponent.weights.digest: opponent.name for opponent in reversed(opponents)}
    found = play_self(
        Matchup(
            game,
            player,
            player,
            (own.limit, own.limit),
            wanted.seed,
            Noise(own.noise, own.noise_plies),
            own.move_cap,
            wanted.hash_mb,
            debug=debug,
            opponents=tuple(opponents),
            adjudicate=_rule(adjudicate, audit),
        ),
        names | {player.digest: weights},
        Beginnings(pairs, wanted.openings.plies, wanted.openings.max_score, openings),
        resources_of(jobs, backend, scheduler, quiet=quiet),
        out,
    )
    if as_json:
        print_json(found)
        return
    for line in self_words(found):
        say(line)
    plain = {key: value for key, value in found.content().items() if not isinstance(value, list | dict)}
    print(json.dumps(plain))


def _rule(text: str | None, audit: int | None) -> Adjudicate | None:
    """Return what `SCORE:PLIES` means, and how many games `audit` plays on."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.config import Adjudicate

    if text is None:
        return None
    score, _, plies = text.partition(":")
    further = {} if audit is None else {"audit": audit}
    try:
        return Adjudicate(score=float(score), plies=int(plies), **further)
    except ValueError:  # no numbers, or none that a rule may have
        raise InputError(f"--adjudicate: expected SCORE:PLIES such as 1500:6, found {text!r}") from None
