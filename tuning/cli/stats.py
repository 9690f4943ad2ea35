"""`tunesmith stats elo|sprt|length`: statistics of anybody's match, from its counts alone.

Counts are ordered worst first: three (losses, draws, wins) or five (pairs LL, LD, DD+WL, WD, WW)."""

from typing import Annotated

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.printing import print_grid, print_json

MOST = 10**15

app = typer.Typer(help="Elo, sequential tests and their length, from counts.", no_args_is_help=True)

Counts = Annotated[
    list[float], typer.Argument(metavar="N...", help="L D W, or LL LD DD+WL WD WW: worst first.")
]
Bounds = Annotated[tuple[float, float], typer.Option(help="Elo of H0 and of H1.")]
Model = Annotated[str, typer.Option(help="normalized, logistic or bayesian: the unit of the bounds.")]
Alpha = Annotated[float, typer.Option(help="Chance to accept H1 when H0 is true.")]
Beta = Annotated[float, typer.Option(help="Chance to accept H0 when H1 is true.")]


@app.command()
def elo(counts: Counts, as_json: option.Json = False) -> None:
    """Score, Elo, normalised Elo and likelihood of superiority, with 95 % intervals."""
    from tunesmith.tuning.stats.elo import estimate, games_needed
    from tunesmith.tuning.stats.words import claim, interval_words

    found = estimate(_whole(counts))
    if as_json:
        print_json({**vars(found), "games_needed": games_needed(counts)})
        return
    print(f"score   {found.score:.4f} in {counted(int(found.games), 'game')}")
    print(f"Elo     {interval_words(found, 2)}")
    print(f"nElo    {found.nelo:+z.2f} ± {found.nelo_half_width:.2f}")
    print(f"LOS     {100 * found.los:.2f} %")
    print(claim("the first", "the second", found, games_needed(counts)))


@app.command()
def sprt(
    counts: Counts,
    bounds: Bounds,
    model: Model = "normalized",
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    as_json: option.Json = False,
) -> None:
    """Log-likelihood ratio of a sequential test and what it decides."""
    from tunesmith.tuning.stats.likelihood import MODELS
    from tunesmith.tuning.stats.sprt import Sprt

    test = Sprt(bounds[0], bounds[1], alpha, beta, _one_of(model, MODELS))  # type: ignore[arg-type]
    found = test.decide(_whole(counts))
    if as_json:
        print_json(vars(found))
        return
    print(f"LLR {found.llr:+z.4f} between {found.lower:.4f} and {found.upper:.4f}: {found.decision}")


@app.command()
def length(
    bounds: Bounds,
    model: Model = "normalized",
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    max_pairs: Annotated[
        int | None, typer.Option(help="Limit of pairs: how tests end within it.", min=1)
    ] = None,
    draws: Annotated[
        float | None, typer.Option(help="Share of draws; needed unless the bounds are normalized.")
    ] = None,
    as_json: option.Json = False,
) -> None:
    """Expected number of games and chance to pass, for true differences around the bounds."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.stats.elo import drawelo_of_draw_rate
    from tunesmith.tuning.stats.likelihood import MODELS, REACH
    from tunesmith.tuning.stats.sprt import Sprt, ends_within, expected_length, pairs_to_resolve, worst_length

    test = Sprt(bounds[0], bounds[1], alpha, beta, _one_of(model, MODELS))  # type: ignore[arg-type]
    if draws is None and test.model != "normalized":
        raise InputError(f"--draws: expected the share of draws for {test.model} bounds, found none")
    drawelo = None if draws is None else drawelo_of_draw_rate(draws)
    step = (test.elo1 - test.elo0) / 2
    places = [test.elo0 + step * i for i in range(-2, 7)]
    rows = [expected_length(test, elo, drawelo) for elo in places if abs(elo) <= REACH]
    worst, enough = worst_length(test, drawelo), pairs_to_resolve(test, drawelo)
    ends = [ends_within(test, max_pairs, row.elo, drawelo) for row in rows] if max_pairs else []
    if as_json:
        limited = {"ends": [vars(row) for row in ends], "max_pairs": max_pairs} if ends else {}
        print_json(
            {
                "lengths": [vars(row) for row in rows],
                "worst": vars(worst),
                "pairs_to_resolve": enough,
                **limited,
            }
        )
        return
    cells = [[f"{r.elo:g}", f"{r.pass_probability:.4f}", f"{r.expected_games:,.0f}"] for r in rows]
    headings = ["true Elo", "passes", "games"]
    if max_pairs:
        more = [[f"{r.accepted:.4f}", f"{r.rejected:.4f}", f"{r.undecided:.4f}"] for r in ends]
        cells = [row + others for row, others in zip(cells, more, strict=True)]
        headings += [f"passes within {max_pairs:,} pairs", "fails", "undecided"]
    print_grid(cells, headings)
    print(f"longest near {worst.elo:g}: {worst.expected_games:,.0f} games on average")
    if enough:
        print(f"a limit of {enough:,} pairs lets a gain of {test.elo1:g} pass in 90 % of tests")


def _whole(counts: list[float]) -> list[float]:
    """Return counts that people can have counted: whole numbers, not so large that digits are lost."""
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.stats.elo import check_counts

    for count in check_counts(counts):
        if count != int(count) or count > MOST:
            raise InputError(f"counts: expected whole numbers up to {MOST:,}, found {count:g}")
    return counts


def _one_of(value: str, known: object) -> str:
    from tunesmith.games.errors import InputError

    names = list(known)  # type: ignore[call-overload]
    if value not in names:
        raise InputError(f"--model: expected one of {', '.join(names)}, found {value!r}")
    return value
