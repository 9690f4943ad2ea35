"""The command `tunesmith verify`: is one player stronger than another, by a test fixed before the first game?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.options import checked, given, repeated, resources_of
from tunesmith.tuning.cli.printing import print_json

TARGET = (
    "A study (folder or .toml), or GAME A B: is A stronger than B? GAME is a game or a path/to/game.py; A and B are "
    "NAME or NAME@key=value,... (search options of the player's own)."
)
Pairs = Annotated[int | None, typer.Option(min=1)]


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command("verify")(verify)


def verify(
    target: Annotated[list[str], typer.Argument(metavar="STUDY | GAME A B", help=TARGET)],
    require: Annotated[
        str | None, typer.Option(metavar="stronger", help="Exit with code 1 unless this is the verdict.")
    ] = None,
    elo0: Annotated[float | None, typer.Option(help="Gain under H0 (default: 0).")] = None,
    elo1: Annotated[float | None, typer.Option(help="Gain under H1 (default: 20).")] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Unit of --elo0 and --elo1: normalized, logistic or bayesian (default: normalized)."
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(help="Chance to accept H1 when H0 is true, with no limit of pairs (default: 0.05)."),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(help="Chance to accept H0 when H1 is true, with no limit of pairs (default: 0.05)."),
    ] = None,
    max_pairs: Annotated[
        int | None, typer.Option(help="Where the test ends undecided (default: 4000).", min=2)
    ] = None,
    measure_pairs: Annotated[
        int | None, typer.Option(help="Pairs that measure the gain (default: 500).", min=2)
    ] = None,
    limit: option.Nodes = None,
    second_limit: Annotated[
        str | None, typer.Option(help="Second limit to measure at (default: 4 x).")
    ] = None,
    second_pairs: Annotated[
        int | None, typer.Option(help="Pairs at the second limit (default: 200).", min=0)
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            help="Further opponent (as A), repeatable; strongest: of the weights that ship, but for tuned, A and B; "
            "none: no one (default: greedy and strongest)."
        ),
    ] = None,
    opponent_pairs: Annotated[
        int | None, typer.Option(help="Pairs against each of them (default: 200).", min=2)
    ] = None,
    options: option.Options = "",
    seed: option.Seed = None,
    plies: option.Plies = None,
    max_score: option.Balance = None,
    edition: option.Edition = None,
    openings: option.Openings = None,
    out: Annotated[Path | None, typer.Option(help="Folder (default: studies/verify-...).")] = None,
    jobs: option.Jobs = None,
    backend: option.Backend = "loky",
    scheduler: option.Scheduler = None,
    hash_mb: option.Hash = None,
    quiet: option.Quiet = False,
    as_json: option.Json = False,
) -> None:
    """Test, then measure, on unused openings; continues where it was interrupted. A study has terms of its own."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.config import STRONGEST, opponents_by_name, parse_options
    from tunesmith.tuning.pipeline.prove import verify_study, verify_weights

    if require not in (None, "stronger"):
        raise InputError(f"--require: expected stronger, found {require!r}")
    resources = resources_of(jobs, backend, scheduler, quiet=quiet)
    terms = given(
        elo0=elo0,
        elo1=elo1,
        model=model,
        alpha=alpha,
        beta=beta,
        max_pairs=max_pairs,
        measure_pairs=measure_pairs,
        limit=limit,
        second_limit=second_limit,
        second_pairs=second_pairs,
        opponent_pairs=opponent_pairs,
    )
    own = given(seed=seed, hash_mb=hash_mb)
    command = repeated(
        "verify",
        *target,
        **terms,
        seed=seed,
        hash=hash_mb,
        opponent=opponent,
        options=options or None,
        plies=plies,
        max_score=max_score,
        edition=edition,
        openings=openings,
        out=out,
    )
    begin = given(
        plies=plies, max_score=max_score, edition=edition, file=str(openings.resolve()) if openings else None
    )
    if len(target) == 1:
        if openings is not None:
            raise InputError("--openings: is for GAME A B; a study names its own (openings.file)")
        for name in (*terms, *own, *begin):
            raise InputError(f"--{name.replace('_', '-')}: is for GAME A B; a study has terms of its own")
        root = _folder(target[0], out)
        verdict = verify_study(root, resources, command)
    elif len(target) == 3:
        asked = ["greedy", STRONGEST] if opponent is None else [name for name in opponent if name != "none"]
        others = opponents_by_name(target[0], asked, target[1:])
        config = _config(
            target,
            {"opponents": [name for name in others if name not in target[1:]], **terms},
            options=parse_options(options),
            openings=begin,
            **own,
        )
        root = out or Path("studies") / config.name
        verdict = verify_weights(config, target[1], root, resources, command)
    else:
        raise InputError(f"verify: expected STUDY or GAME A B, found {' '.join(target)!r}")
    if as_json:
        print_json(verdict)
    else:
        print(verdict.sentence)
        for line in verdict.reason.words(root) if verdict.reason else ():
            print(line)
    if require and verdict.outcome != require:
        raise typer.Exit(1)


def _folder(text: str, out: Path | None) -> Path:
    """Return the folder of a study, named by itself or by its file."""
    from tunesmith.tuning.config import load

    path = Path(text)
    return out or Path("studies") / load(path).name if path.suffix == ".toml" else path


def _short(player: str) -> str:
    """Return a player as part of a folder's name."""
    from tunesmith.tuning.play.player import split

    name, own = split(player)
    return "-".join(filter(None, [Path(name).stem, own]))


def _config(target: list[str], terms: dict[str, Any], **settings: Any) -> Any:
    """Return the settings of a proof; what is wrong is said by the option's name."""
    from tunesmith import games
    from tunesmith.tuning.config import DEFAULTS, StudyConfig
    from tunesmith.tuning.pipeline.prove import four_times
    from tunesmith.tuning.stats.sprt import Sprt

    game = games.load(target[0])
    terms.setdefault("second_limit", four_times(terms.get("limit", DEFAULTS.verify.limit)))
    words = [game.name, *(_short(name) for name in target[1:])]
    name = "verify-" + "-".join(
        "".join(c if c.isalnum() or c in "._-" else "-" for c in word) for word in words
    )
    config = checked(
        StudyConfig,
        {"name": name[:60], "game": target[0], "baseline": target[2], "verify": terms, **settings},
    )
    v = config.verify
    Sprt(v.elo0, v.elo1, v.alpha, v.beta, v.model, v.max_pairs)  # refuses a test that could not decide
    return config
