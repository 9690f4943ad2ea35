"""A gauntlet as a page: ratings with intervals, all pairings, who is stronger than whom, circles, notes."""

from collections.abc import Sequence
from pathlib import Path

from tunesmith.engine.files import write
from tunesmith.games.registry import without_folder
from tunesmith.tuning.documents.tournaments import Entry, GauntletResult, Rated
from tunesmith.tuning.play import rating
from tunesmith.tuning.report import charts
from tunesmith.tuning.report.glossary import GAMES, STRENGTH, glossary
from tunesmith.tuning.report.html import Content, Markup, el, join, page
from tunesmith.tuning.report.numbers import clip, code, counted, fixed, percent
from tunesmith.tuning.report.parts import figure, section, table
from tunesmith.tuning.stats.elo import judge

_NAME = 60  # characters of a name


def write_page(target: Path, found: GauntletResult) -> Path:
    """Write the page and return its path."""
    write(target, render(found))
    return target


def render(found: GauntletResult) -> str:
    """Return the page of a gauntlet (the content of `gauntlet.json`)."""
    terms = found.terms
    games = sum(row.games for row in found.pairings)
    game = clip(without_folder(found.game).partition(":")[0], _NAME)
    told = join(
        code(without_folder(found.game), 200), ": ", counted(len(found.players), "player"), ", ", terms.pairings, ", ",
        counted(terms.pairs, "opening"), " common to all pairings, each played from both sides; ",
        counted(games, "game"), " at ", code(terms.limit, 40), ".",
    )  # fmt: skip
    body = el(
        "main",
        el("h1", f"Gauntlet: {game}"),
        el("p", told),
        tables(found),
        glossary(GAMES, STRENGTH),
    )
    return page(f"Gauntlet: {game}", body, "gauntlet.css")


def tables(found: Rated) -> list[Content]:
    """Return the sections of all that is said of rated players, for whatever page tells of them."""
    return [
        _ratings(found),
        _pairings(found),
        _cross(found),
        _superior(found),
        _circles(found),
        _notes(found),
    ]


def _ratings(found: Rated) -> Markup:
    players = found.players
    scale = charts.linear([end for one in players for end in (one.low, one.high)], include=(0.0,))
    numbers = ("Score", "Games", "Won", "Drawn", "Lost")
    head = el(
        "tr",
        el("th", "Player", scope="col"),
        el("th", charts.row_axis(scale), class_="chart", scope="col"),
        [el("th", name, class_="n", scope="col") for name in ("Elo", *numbers)],
    )
    rows = [_rating(one, scale, numbers) for one in players]
    first = found.first_move
    zero = "mean of all players" if not found.anchor else found.anchor[0]
    caption = join(
        f"Intervals: {_level(found)}, bootstrap over pairs, {found.resamples:,} resampled tournaments. Zero: ",
        clip(zero, _NAME) if not found.anchor else join(clip(zero, _NAME), f" at {found.anchor[1]:g}"),
        ". A difference of ratings is Elo: 1 / (1 + 10^(−d/400)) is the expected score; moving first is worth ",
        fixed(first.elo, 0, sign=True), " ", _between(first.low, first.high), " Elo.",
    )  # fmt: skip
    return section(
        "ratings",
        "Ratings",
        figure(
            "Bradley-Terry ratings",
            el("table", el("thead", head), el("tbody", rows), class_="stack forest"),
            caption=caption,
        ),
    )


def _level(found: Rated) -> str:
    return f"{100 * found.level:g}\u202f%"


def _rating(one: Entry, scale: charts.Scale, numbers: tuple[str, ...]) -> Markup:
    ends = one.low, one.high
    words = f"{clip(one.name, _NAME)}: {one.elo:+z.0f} Elo, {ends[0]:+z.0f} to {ends[1]:+z.0f}"
    counts = (fixed(count, 0) for count in (one.games, one.wins, one.draws, one.losses))
    elo = join(fixed(one.elo, 0, sign=True), " ", _between(*ends))
    cells = zip(("Elo", *numbers), (elo, percent(one.score), *counts), strict=True)
    return el(
        "tr",
        el("th", _name(one), scope="row"),
        el("td", charts.row_marks(scale, None, one.elo, ends, words), class_="chart"),
        [el("td", el("span", value), class_="n", data_label=name) for name, value in cells],
    )


def _name(one: Entry) -> Markup:
    return join(clip(one.name, _NAME), el("br"), el("small", code(one.digest[:12], 12), " ", one.limit))


def _between(low: float, high: float) -> Markup:
    return join("(", fixed(low, 0, sign=True), " to ", fixed(high, 0, sign=True), ")")


def _pairings(found: Rated) -> Markup:
    columns = [
        ("Player", False), ("Against", False), ("Score", True), ("Elo", True), ("Shown", False), ("Drawn", True),
        ("Games", True), ("Distinct", True), ("LL LD DD+WL WD WW", True),
    ]  # fmt: skip
    rows: list[list[Content]] = [
        [
            clip(row.first, _NAME),
            clip(row.second, _NAME),
            percent(row.score),
            join(fixed(row.elo, 0, sign=True), " ", _between(row.elo_low, row.elo_high)),
            judge(row.elo_low, row.elo_high),
            percent(row.draws, 0),
            fixed(row.games, 0),
            fixed(row.distinct, 0),
            " ".join(map(str, row.counts)),
        ]
        for row in found.pairings
    ]
    caption = f"Each pairing alone, seen from the player named first; {_level(found)} intervals."
    return section("pairings", "All pairings", table(columns, rows), el("p", caption, class_="caption"))


def _matrix(found: Rated, head: str, cells: Sequence[Sequence[Content]]) -> Markup:
    """Return a table of all players against all, numbered by their places."""
    columns = [(head, False), *((str(at), True) for at in range(1, len(cells) + 1))]
    names = [f"{at} {clip(one.name, 24)}" for at, one in enumerate(found.players, 1)]
    rows: list[list[Content]] = [[name, *row] for name, row in zip(names, cells, strict=True)]
    return el("div", table(columns, rows, class_="wide"), class_="scroll")


def _cross(found: Rated) -> Markup:
    cells = [
        ["" if met is None else f"{met[0]:g} / {met[1]}" for met in row] for row in rating.cross_table(found)
    ]
    caption = "Points of the player of the row against that of the column, of so many games; a draw is half a point."
    return section(
        "cross", "Cross table", _matrix(found, "Points of", cells), el("p", caption, class_="caption")
    )


def _superior(found: Rated) -> Markup:
    cells: list[list[Content]] = [
        ["" if i == j else "–" if share is None else percent(share, 0) for j, share in enumerate(row)]
        for i, row in enumerate(found.superior)
    ]
    caption = "Share of the resampled tournaments in which the player of the row is stronger than that of the column."
    return section(
        "superior", "Likelihood of superiority", _matrix(found, "Stronger than", cells),
        el("p", caption, class_="caption"),
    )  # fmt: skip


def _circles(found: Rated) -> Markup:
    if not found.cycles:
        words: Content = f"None in which each link is shown at {_level(found)}: one order fits all pairings."
        return section("circles", "Circles", el("p", words))
    lines = [el("li", " beats ".join(clip(name, _NAME) for name in [*one, one[0]])) for one in found.cycles]
    told = f"Each link is shown at {_level(found)}: no single order is true of these players."
    return section("circles", "Circles", el("p", told), el("ul", lines))


def _notes(found: Rated) -> Content:
    if not found.notes:
        return None
    return section("notes", "What the ratings cannot say", el("ul", [el("li", text) for text in found.notes]))
