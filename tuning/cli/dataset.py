"""`tunesmith import` makes a folder of games; `tunesmith dataset` describes the positions that a fit would see."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.games.texts import counted
from tunesmith.tuning.cli import options as option
from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.printing import print_grid, print_json

if TYPE_CHECKING:
    from tunesmith.tuning.documents.data import DescribedDataset

ENDINGS = (".html", ".json", ".csv")
SHOWN_WRONG = 20  # lines of files to import that are named one by one


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command("import")(import_games)
    app.command("dataset")(dataset)


def import_games(
    game: option.Game,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="A game a line: its moves, then 1-0, 0-1, 1/2-1/2 or *."),
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of games to write.")],
    max_bad: Annotated[
        float, typer.Option(help="Largest share of lines that may be no games.", min=0, max=1)
    ] = 0.1,
    as_json: option.Json = False,
) -> None:
    """Make a folder of games of move lists with results, for `dataset` and `fit`."""
    from tunesmith import games
    from tunesmith.tuning.data.imported import import_games

    found = import_games(games.load(game), files, out, max_bad)
    if as_json:
        print_json({"out": str(out), **dataclasses.asdict(found)})
        return
    for line in found.wrong[:SHOWN_WRONG]:
        say(f"left out: {line}")
    if len(found.wrong) > SHOWN_WRONG:
        say(f"left out: {len(found.wrong) - SHOWN_WRONG:,} more")
    without = f", {found.without_result:,} without a result left out" if found.without_result else ""
    print(f"{out}: {found.games:,} games{without}")
    print(f"next: tunesmith dataset {out}; tunesmith fit {out} --out weights.json")


def dataset(
    where: Annotated[Path, typer.Argument(metavar="STUDY|DIR", help="A study's folder, or one of games.")],
    out: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="FILE.html, FILE.json or FILE.csv (default: dataset.html there)."),
    ] = None,
    changes: option.Changes = None,
    weights: Annotated[
        str | None, typer.Option(help="Weights that judge positions (default: the baseline, or hand).")
    ] = None,
    game: option.OwnGame = None,
    as_json: option.Json = False,
) -> None:
    """Describe the positions that a fit learns from; --set quiet=resolve and the like choose others."""
    from tunesmith.engine import files
    from tunesmith.games.errors import InputError
    from tunesmith.tuning.cli.fit import targets_of
    from tunesmith.tuning.data.describe import as_text, describe
    from tunesmith.tuning.report.sections.dataset import write_page

    targets = targets_of(out, ENDINGS)
    facts = describe(where, changes or (), weights, game)
    if not targets and not as_json:
        targets = [where / "dataset.html"]
    for target in targets:
        if target.suffix == ".html":
            write_page(target, facts)
        else:
            files.write(target, as_text(facts, target.suffix), InputError)
    if as_json:
        print_json({**facts.content(), "written": [str(target) for target in targets]})
        return
    _print(facts)
    for target in targets:
        print(f"written {target}")


def _print(facts: DescribedDataset) -> None:
    games = facts.games
    share = "none" if games.first_player_share is None else f"{games.first_player_share:.1%}"
    pairs = counted(facts.pairs, "pair")
    of_games = f"of {counted(games.with_result, 'game')}, {pairs}; the"
    if facts.of_pairs is not None:
        of_games = f"of {pairs}, chosen from {facts.of_pairs:,}; {counted(games.with_result, 'game')}, whose"
    print(
        f"{facts.game}: {facts.positions:,.0f} positions ({facts.rows:,} different) {of_games} first player scored "
        f"{share} of the points"
    )
    for source in facts.sources:
        if len(source.opponents) > 1:
            shown = ", ".join(f"{name[:12]} {n:,}" for name, n in source.opponents.items())
            print(f"pairs of set {source.generation} by opponent: {shown}")
    print("; ".join(f"{reason} {number:,}" for reason, number in facts.selection.items() if number))
    cells = [
        [
            row.feature, f"{row.not_zero:.1%}", f"{row.rows:,}", f"{row.pairs:,}",
            *(f"{row.quantiles[at]:.4g}" for at in (0, 2, 4)),
            "" if row.correlation is None else f"{row.correlation:+z.2f}",
        ]
        for row in facts.features if row.stage == "all" and row.quantiles is not None
    ]  # fmt: skip
    print_grid(cells, ["feature", "not zero", "rows", "pairs", "5 %", "median", "95 %", "with result"])
    for note in [*facts.notes, *(text for source in facts.sources for text in source.warnings)]:
        print(f"note: {note}")
