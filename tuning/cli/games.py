"""Commands about games and engines: games, perft, probe, check, new-game, play, bench, compile."""

import shlex
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.options import given
from tunesmith.tuning.cli.printing import print_grid, print_json


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(list_games)
    app.registered_commands[-1].name = "games"
    for name, command in (
        ("perft", perft),
        ("probe", probe),
        ("check", check),
        ("new-game", new_game),
        ("play", play),
        ("bench", bench),
        ("compile", compile_game),
    ):
        app.command(name)(command)


def list_games(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help=f"{option.GAME} Prints everything about it.")
    ] = None,
    as_json: option.Json = False,
) -> None:
    """List the games, or show one: variants, features, stages, weights."""
    from tunesmith import games

    found = [_describe(games.load(spec)) for spec in ([game] if game else games.names())]
    if as_json:
        print_json({"games": [facts._asdict() for facts in found]})
        return
    rows = []
    for facts in found:
        variant = ", ".join(f"{k}={v}" for k, v in facts.variant.items())
        rows.append([facts.name, variant, str(len(facts.features)), ", ".join(facts.weights)])
    print_grid(rows, ["game", "variant", "features", "weights"])
    if game:
        print(f"stages: {', '.join(found[0].stages)}")
        print_grid(list(found[0].features.items()), ["feature", "meaning"])
        print(found[0].about)


class GameFacts(NamedTuple):
    """A game as the command shows it; `features`: meanings by name."""

    name: str
    variant: dict[str, object]
    features: dict[str, str]
    stages: list[str]
    weights: list[str]
    about: str


def _describe(game: Any) -> GameFacts:
    import sys

    weights = sorted(file.stem for file in (game.folder / "weights").glob("*.json")) if game.folder else []
    module = sys.modules.get(f"games.{game.name}")
    return GameFacts(
        name=game.name,
        variant=dict(game.variant),
        features=dict(zip(game.feature_names, game.feature_meanings, strict=True)),
        stages=list(game.stage_names),
        weights=weights,
        about=(module.__doc__ or "").strip() if module else "",
    )


def perft(
    game: option.Game,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Number of moves.")],
    state: option.State = None,
    by_move: Annotated[bool, typer.Option("--divide", help="Split by the first move.")] = False,
    as_json: option.Json = False,
) -> None:
    """Count the move sequences of a length: the test of a move generator."""
    from tunesmith import games
    from tunesmith.engine.perft import divide, perft

    loaded = games.load(game)
    if by_move:
        parts = divide(loaded, depth, state)
        if as_json:
            print_json({"depth": depth, "nodes": sum(parts.values()), "divide": parts})
            return
        for move, nodes in parts.items():
            print(f"{move}: {nodes}")
        print(sum(parts.values()))
        return
    nodes = perft(loaded, depth, state)
    if as_json:
        print_json({"depth": depth, "nodes": nodes})
    else:
        print(nodes)


def probe(
    game: option.Game,
    weights: option.Player = "hand",
    state: option.State = None,
    limit: option.Limit = "nodes:5000",
    options: option.Options = "",
    hash_mb: option.Hash = None,
    allow_variant: option.Variant = False,
    as_json: option.Json = False,
) -> None:
    """Evaluate a position feature by feature, and search it for the best move."""
    from tunesmith import games
    from tunesmith.engine import weights as weight_files
    from tunesmith.engine.board import Board
    from tunesmith.engine.limits import parse_limit
    from tunesmith.engine.player import Player, evaluation_parts
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.play.player import read_player

    loaded = games.load(game)
    stop = str(parse_limit(limit, "--limit"))
    who = read_player(
        weights, loaded, stop, parse_options(options), allow_variant=allow_variant, keep_simple=False
    )
    found = who.weights
    board = Board(loaded, state)
    if board.is_over:
        raise InputError(f"position {board.text!r}: the game is over ({board.reason})")
    score, parts = evaluation_parts(loaded, found, board.state)
    player = Player(loaded, found, parse_limit(who.limit), **given(hash_mb=hash_mb))
    player.spare_compiling()
    if who.book is not None:
        player.use_book(who.book)
    analysis = player.analyse(board)
    answer = {
        "game": loaded.spec,
        "state": board.text,
        "score": score / 100,
        "features": {n: {"value": p.value, "weight": p.weight, "part": p.elo} for n, p in parts.items()},
        "best_move": analysis.move,
        "search": {
            "score": analysis.score / 100,
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "simulations": analysis.simulations,
            "line": list(analysis.line),
            "forced": analysis.forced,
        },
        "digest": found.digest,
        "weights": who.name if found.is_simple else str(weight_files.find(who.name, loaded)),
    }
    if as_json:
        print_json(answer)
        return
    print(loaded.draw_text(board.state))
    rows = [[n, f"{p.value:.4g}", f"{p.weight:.4g}", f"{p.elo:+z.2f}"] for n, p in parts.items() if p.elo]
    print_grid(rows, ["feature", "value", "weight", "Elo"])
    print(
        f"evaluation {score / 100:+z.2f} Elo for the side to move; weights {weights}, digest {found.digest}"
    )
    made = f", {analysis.simulations:,} simulations" if analysis.simulations else ""
    print(
        f"best move  {analysis.move}  ({_score_text(analysis)}, depth {analysis.depth}, {analysis.nodes:,} nodes{made})"
    )
    print(f"line       {' '.join(analysis.line)}")


def _score_text(analysis: Any) -> str:
    if analysis.forced is None:
        return f"{analysis.score / 100:+z.2f} Elo"
    return f"{'wins' if analysis.forced > 0 else 'loses'} in {counted(abs(analysis.forced), 'ply', 'plies')}"


def check(
    game: option.Game,
    positions: Annotated[int, typer.Option(help="Random positions to try.", min=1)] = 2000,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    as_json: option.Json = False,
) -> None:
    """Check a game against the contract; exit 1 if something is wrong, said in words with the position."""
    from tunesmith.tuning.play.sandbox.contract import check_spec

    problems, unchecked = check_spec(game, positions, seed)
    if as_json:
        told = [str(problem) for problem in problems]
        print_json({"game": game, "positions": positions, "problems": told, "not_checked": list(unchecked)})
    else:
        for problem in problems:
            print(problem)
        for what in unchecked:
            print(f"not checked: {what}")
        found = counted(len(problems), "problem") if problems else "ok"
        print(f"{game}: {found} ({counted(positions, 'position')})")
    if problems:
        raise typer.Exit(1)


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and of its folder.")],
    out: Annotated[Path, typer.Option(help="Folder to make it in.")] = Path(),
    full: Annotated[
        bool, typer.Option("--full", help="Connect Four with stages, quiet positions and symmetries.")
    ] = False,
    as_json: option.Json = False,
) -> None:
    """Write a small complete game (four in a row) with a test, weights and a study, to start one's own from."""
    from tunesmith.tuning.cli.new_game import write_game

    paths = write_game(name, out, full)
    if as_json:
        print_json({"written": [str(path) for path in paths]})
        return
    for path in paths:
        print(path)
    print(f"next: tunesmith check {shlex.quote(str(paths[0]))}")


def play(
    game: option.Game,
    weights: option.BestKnown = None,
    limit: option.Limit = "time:1",
    options: option.Options = "",
    side: Annotated[int, typer.Option(help="You are player 0 or 1.", min=0, max=1)] = 0,
    state: option.State = None,
    allow_variant: option.Variant = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="On a board in the browser, at an address of this machine.")
    ] = False,
    port: Annotated[
        int | None, typer.Option(help="Port for --browser (default: any free one).", min=0, max=65535)
    ] = None,
) -> None:
    """Play against the engine, in the terminal or in the browser."""
    import io
    import secrets
    import sys

    from tunesmith import games
    from tunesmith.engine.limits import parse_limit
    from tunesmith.engine.player import Player
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.cli import browser as browser_play
    from tunesmith.tuning.cli import human
    from tunesmith.tuning.config import parse_options
    from tunesmith.tuning.play.player import named_or_default, read_player
    from tunesmith.tuning.report.play_page.game import BrowserGame

    if port is not None and not browser:
        raise InputError(f"--port {port}: expected --browser with it, found none")
    loaded = games.load(game)
    stop = str(parse_limit(limit, "--limit"))
    text, any_variant = named_or_default(weights, loaded, allow_variant)
    who = read_player(
        text, loaded, stop, parse_options(options), allow_variant=any_variant, keep_simple=False
    )
    if isinstance(sys.stdin, io.TextIOWrapper):  # a line that is no text is answered like any other
        sys.stdin.reconfigure(errors="replace")
    ends, seed = parse_limit(who.limit), secrets.randbits(62)

    def new_player() -> Player:
        player = Player(loaded, who.weights, ends, seed=seed)
        if who.book is not None:
            player.use_book(who.book)
        return player

    about = f"{who.text} at {ends}"
    if browser:
        game_page = BrowserGame(loaded, who.weights, new_player, side, state, about)
        browser_play.play(game_page, loaded.name, port or 0)
        return
    human.play(new_player, side, state, against=about)


def bench(
    game: option.Game,
    features: Annotated[
        bool, typer.Option("--features", help="Nodes/s without this feature, for each feature.")
    ] = False,
    techniques: Annotated[
        bool, typer.Option("--techniques", help="Nodes to a fixed depth, technique by technique.")
    ] = False,
    depth: Annotated[int | None, typer.Option(help="Depth for --techniques (default: what fits).")] = None,
    weights: Annotated[str, typer.Option(help="Weights for --techniques: a file or a name.")] = "hand",
    seconds: Annotated[float, typer.Option(help="Time for each figure.", min=0.01)] = 2.0,
    as_json: option.Json = False,
) -> None:
    """Measure perft, evaluation, search and games per second, import, compilation and loading."""
    from tunesmith.tuning.cli.interrupt import say
    from tunesmith.tuning.play import bench

    if techniques:
        _bench_techniques(game, weights, depth, seconds, as_json)
        return
    rows: list[bench.Row] = []
    try:
        for row in bench.bench(game, seconds, features, say):
            rows.append(row)
    finally:  # what was measured before something failed is shown
        if rows and not as_json:
            shown = [[r.name, f"{r.value:,.4g}", r.unit, r.work] for r in rows]
            print_grid(shown, ["what", "figure", "unit", "work"])
    if as_json:
        print_json({"game": game, "rows": [vars(row) for row in rows]})
    elif not features:
        print(f"which feature is slow: tunesmith bench {shlex.quote(game)} --features")


def compile_game(
    game: option.Game,
    weights: Annotated[
        str, typer.Option(help="Weights whose search is compiled: a file or a name.")
    ] = "hand",
    as_json: option.Json = False,
) -> None:
    """Compile a game's search now, so that no later command waits for it; print the seconds of each part."""
    from tunesmith.tuning.play.precompile import precompile

    parts = []
    for part in precompile(game, weights):
        parts.append(part)
        if not as_json:
            how = "was compiled already" if part.was_stored else f"compiled in {part.seconds:.1f} s"
            print(f"{part.name}: {how}", flush=True)
    if as_json:
        print_json({"game": game, "parts": [part._asdict() for part in parts]})


def _bench_techniques(spec: str, weights: str, depth: int | None, seconds: float, as_json: bool) -> None:
    from tunesmith import games
    from tunesmith.engine import weights as weight_files
    from tunesmith.tuning.play.bench_techniques import measure

    game = games.load(spec)
    depth, n_positions, techniques = measure(game, weight_files.load(weights, game), depth, seconds)
    if as_json:
        rows = [vars(one) for one in techniques]
        print_json(
            {"game": spec, "weights": weights, "depth": depth, "positions": n_positions, "techniques": rows}
        )
        return
    print(f"{spec}, {weights}: {n_positions} positions to depth {depth}")
    print_grid(
        [
            [
                one.name,
                f"{'' if one.finished else '> '}{one.nodes:,}",
                f"{one.nodes / max(one.seconds, 1e-9):,.3g}",
                f"{one.seconds:.3f}",
                f"{one.first_cuts:.1%}" if one.first_cuts == one.first_cuts else "-",
                ("exact" if one.exact else f"{one.same} of {n_positions}") if one.finished else "unfinished",
            ]
            for one in techniques
        ],
        ["techniques", "nodes", "nodes/s", "CPU s", "cut at 1st", "values"],
    )
