"""What do all parts of the report have in common? Sections, tables, legends, and how a run is named.

Tables carry the heading of each cell with it (`data-label`), so that a phone can show rows as cards. Whoever
draws a figure says below it how many games it rests on.
"""

from collections.abc import Sequence

from tunesmith.tuning.documents.fit import SIDES
from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.numbers import (
    ABSENT,
    Format,
    Number,
    clip,
    column_format,
    counted,
    interval,
    percent,
)
from tunesmith.tuning.report.reading import Record

Column = tuple[str, bool]  # heading, is it a column of numbers
OUTCOMES = ("LL", "LD", "DD+WL", "WD", "WW")
ENOUGH_DISTINCT = 0.95  # share of distinct games below which statistics are too sure of themselves


def side_of(fit: Record) -> str:
    """Return whose view features, scores and results of a fit are."""
    return SIDES["first" if fit.text("table", "seen_from") == "first" else "mover"]


def section(name: str, title: str, *content: Content) -> Markup:
    """Return a section that the contents at the top can jump to."""
    return el("section", el("h2", title), content, id=name)


def figure(title: Content, *content: Content, caption: Content = None) -> Markup:
    """Return a chart under its title, with what has to be known to read it."""
    below = None if caption is None else el("p", caption, class_="caption")
    return el("figure", el("figcaption", title), content, below)


def nothing(what: str) -> Markup:
    """Say that a part of the study is not there."""
    return el("p", what, class_="absent")


def table(columns: Sequence[Column], rows: Sequence[Sequence[Content]], class_: str = "stack") -> Markup:
    """Return a table whose first column names the rows."""
    heads = [el("th", name, class_="n" if is_number else None, scope="col") for name, is_number in columns]
    body = [el("tr", _cells(columns, row)) for row in rows]
    return el("table", el("thead", el("tr", heads)), el("tbody", body), class_=class_)


def _cells(columns: Sequence[Column], row: Sequence[Content]) -> list[Markup]:
    first, *others = row
    cells = [el("th", first, scope="row")]
    for (name, is_number), value in zip(columns[1:], others, strict=True):
        shown = el("span", value) if name and value is not None else value
        cells.append(el("td", shown, class_="n" if is_number else None, data_label=name or None))
    return cells


def legend(*entries: tuple[str, str]) -> Markup:
    """Explain marks: (kind, words), the kind being one of `_sample`."""
    return el("div", [el("span", _sample(kind), words) for kind, words in entries], class_="legend")


def _sample(kind: str) -> Markup:
    bar = el("line", x1=1, y1=8, x2=24, y2=8, class_="whisker")
    marks = {
        "before": el("circle", cx=12, cy=8, r=4, class_="before"),
        "after": join(bar, el("circle", cx=12, cy=8, r=4.5, class_="after")),
        "kept": el("circle", cx=12, cy=8, r=4.5, class_="kept"),
    }
    box = el("rect", x=4, y=2, width=14, height=12, class_=kind)
    return el("svg", marks.get(kind, box), height=16, aria_hidden="true")


# Runs: what a match was, and how it came out


def games_of(run: Record) -> Number:
    """Return the number of games of a run: as recorded, or two a pair."""
    games, pairs = run.number("games"), pairs_of(run)
    return games if games is not None or pairs is None else 2 * pairs


def pairs_of(run: Record) -> Number:
    """Return the number of pairs of a run: as recorded, or the sum of its counts."""
    counts = counts_of(run)
    pairs = run.number("pairs")
    return pairs if pairs is not None or counts is None else sum(counts)


def group_of(fit: Record) -> str:
    """Return what positions that share their luck come from: a pair of games, or a game of somebody's table."""
    return "game" if fit.items("table") else "pair"


def basis(fit: Record) -> Markup:
    """Say on how many games, pairs and positions a fit rests."""
    pairs, positions = learnt_pairs(fit), counted(fit.number("rows"), "position")
    told = None if pairs is None else join(" (", counted(pairs, "pair"), ")")
    return join(counted(fit.number("games"), "game"), told, ", ", positions)


def learnt_pairs(fit: Record) -> Number:
    """Return the number of pairs that a fit learnt from: as recorded, or the sum over its sources."""
    pairs = [source.number("pairs") for source in fit.rows("sources")]
    found = [n for n in pairs if n is not None]
    recorded = fit.number("pairs")
    return sum(found) if recorded is None and found and len(found) == len(pairs) else recorded


def judged(fit: Record) -> Content:
    """Say that a figure was made on held-out games, and how many positions these are."""
    positions = fit.number("rows_held_out")
    return (
        None
        if positions is None
        else join(f" On held-out {group_of(fit)}s alone: ", counted(positions, "different position"), ".")
    )


def counts_of(run: Record) -> list[float] | None:
    """Return the five counts, worst first, if they are there and sound."""
    counts = run.numbers("counts")
    sound = [n for n in counts if n is not None and n >= 0]
    return sound if len(sound) == len(counts) == len(OUTCOMES) else None


def rests_on(run: Record) -> Content:
    """Say on how many games a figure of a run rests."""
    return join(counted(games_of(run), "game"), " (", counted(pairs_of(run), "pair"), ")")


def opponent_of(run: Record) -> Content:
    """Return the name of a run's opponent."""
    name = run.text("opponent", "name")
    return ABSENT if name is None else clip(name, 60)


def elo_of(run: Record, shown: Format | None = None) -> Content:
    """Return the Elo of a run with its 95 % interval."""
    return elo_interval(run.at("estimate"), "Elo", shown)


def elo_interval(found: Record, unit: str = "", shown: Format | None = None) -> Content:
    """Return the Elo of an estimate with its 95 % interval, by itself or as its column is `shown`."""
    elo, half, ends = _estimated(found)
    return interval(elo, half, unit, ends, shown)


def elo_format(estimates: Sequence[Record]) -> Format:
    """Return how a column of `elo_interval` is shown."""
    return column_format([_estimated(found) for found in estimates])


def _estimated(found: Record) -> tuple[Number, Number, tuple[float, float] | None]:
    elo, half, low, high = (found.number(key) for key in ("elo", "elo_half_width", "elo_low", "elo_high"))
    return elo, half, None if low is None or high is None else (low, high)


def decision_chip(run: Record) -> Markup:
    """Return the decision of a sequential test in words."""
    words = {
        "H1": ("accepted H1: stronger", "good"),
        "H0": ("accepted H0: no such gain", "bad"),
        "inconclusive": ("undecided at the limit of pairs", "warn"),
    }
    text, kind = words.get(run.text("decision") or "", ("not decided", ""))
    return el("span", text, class_=f"chip {kind}".strip())


def stop_words(run: Record) -> str:
    """Say why the plain figure of a sequential test is no measurement."""
    ends = {
        "H1": "a test that accepts a gain stops because its result is high",
        "H0": "a test that rejects a gain stops because its result is low",
        "inconclusive": "this test ended undecided at its limit, but would have stopped at an extreme result",
    }
    return ends.get(run.text("decision") or "", "a test stops because its result is extreme")


def few_distinct(record: Record) -> bool:
    """Tell whether so many games were the same that errors are larger than stated."""
    games, distinct = games_of(record), record.number("distinct_games")
    return games is not None and distinct is not None and distinct < ENOUGH_DISTINCT * games


def result_shares(record: Record, key: str) -> list[Number]:
    """Return the shares of (first wins, draws, second wins) from numbers of games or from shares."""
    names = ("first", "draw", "second")
    amounts = [record.number(key, name) for name in names]
    if all(amount is None for amount in amounts) and len(listed := record.numbers(key)) == len(names):
        amounts = listed
    if any(amount is None or amount < 0 for amount in amounts):
        return [None, None, None]
    whole = sum(amount for amount in amounts if amount is not None)
    return [amount / whole if amount is not None and whole > 0 else None for amount in amounts]


def first_share(record: Record, key: str) -> Number:
    """Return the share of the points that the first player made: as recorded, or from the results."""
    recorded = record.number("first_player_share")
    wins, draws, _ = result_shares(record, key)
    return recorded if recorded is not None or wins is None or draws is None else wins + draws / 2


def nelo_of(run: Record, shown: Format | None = None) -> Content:
    """Return the normalised Elo of a run with its 95 % interval."""
    return interval(*_nelo(run), shown=shown)


def nelo_format(runs: Sequence[Record]) -> Format:
    """Return how a column of `nelo_of` is shown."""
    return column_format([(*_nelo(run), None) for run in runs])


def _nelo(run: Record) -> tuple[Number, Number]:
    return run.number("estimate", "nelo"), run.number("estimate", "nelo_half_width")


def score_of(run: Record) -> Content:
    """Return points per game in percent."""
    return percent(run.number("estimate", "score"))
