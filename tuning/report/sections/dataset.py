"""What do the positions that teach the weights look like? A section of the report, and a page of its own.

Counts of positions are weighted: a position that came up three times counts three times. Results of positions are
those of the side to move, results of games the first player's."""

from pathlib import Path

from tunesmith.engine import files
from tunesmith.games.errors import InputError
from tunesmith.tuning.documents.data import DatasetFacts
from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.glossary import FITS, GAMES, glossary
from tunesmith.tuning.report.html import Content, Markup, el, join, page
from tunesmith.tuning.report.parts import figure, first_share, legend, nothing, section, table
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.report.sections.selfplay import selection

_MOST = 400  # rows of a table
_MOST_NOTES = 40
_BAR = 0.5  # of the page: the column of a bar (`.results` in page.css)
_KINDS = (("won", "p4"), ("drawn", "p2"), ("mixed", "p3"), ("lost", "p0"))


def dataset(study: StudyFiles) -> Markup | None:
    """Return the section of a study's report, None for a study that fits nothing."""
    if not study.learns:
        return None
    found = study.fit.at("dataset")
    if not found.items():
        return section("data", "Training positions", nothing("The positions are not described."))
    return section("data", "Training positions", *_body(found))


def write_page(target: Path, facts: DatasetFacts) -> None:
    """Write one self-contained HTML file about a dataset."""
    files.write(target, render(facts), InputError)


def render(facts: DatasetFacts) -> str:
    """Return the page."""
    content = facts.content()
    found = Record(content)
    spec = num.clip(found.text("game") or "a game", 200)
    game = spec.partition(":")[0]
    first = found.at("games")
    told = join(
        num.counted(found.number("positions"), "position"), " (", num.count(found.number("rows")), " different) from ",
        *_of_games(found), ". The first player scored ", num.percent(first.number("first_player_share")),
        " of the points.",
    )  # fmt: skip
    parts = [
        section("notes", "What to know", _notes(found)),
        section("sources", "Sources of the games", _sources(found)),
        section("selection", "Selection", selection(Record({**content, "games": first.number("with_result")}))),
        section("data", "The positions", *_body(found)),
        glossary(GAMES, FITS),
    ]  # fmt: skip
    body = el(
        "main",
        el("p", "Dataset", class_="eyebrow"),
        el("h1", game),
        el("p", num.code(spec, 200)),
        el("p", told),
        parts,
    )
    return page(f"{game}: dataset", body)


def _of_games(found: Record) -> list[Content]:
    """Say of how many games, and of which pairs if only some were looked at."""
    games = num.counted(found.at("games").number("with_result"), "game")
    pairs, of_pairs = num.counted(found.number("pairs"), "pair"), found.number("of_pairs")
    if of_pairs is None:
        return [games, " (", pairs, ")"]
    return [pairs, ", chosen from ", num.count(of_pairs), " with ", games]


def _body(found: Record) -> list[Content]:
    return [_lengths(found), _balance(found), _coverage(found), _by_stage(found)]


def _notes(found: Record) -> Content:
    notes = [*found.texts("notes"), *(w for s in found.rows("sources") for w in s.texts("warnings"))]
    if not notes:
        return el("p", "Nothing is odd about these positions.")
    shown = el("ul", [el("li", num.clip(text, 400)) for text in notes[:_MOST_NOTES]])
    more = len(notes) - _MOST_NOTES
    return join(shown, el("p", f"and {more} more in the data") if more > 0 else None)


# Games


def _lengths(found: Record) -> Markup:
    lengths = found.at("games", "length")
    bins = _bins(lengths)
    if not bins:
        return figure("Length of games", nothing("Lengths are not recorded."))
    x = charts.linear([bins[0][0], bins[-1][1]], pad=0.0)
    quartiles = lengths.numbers("quartiles")
    words = "games by length: " + "; ".join(
        f"{num.plain(low)} to {num.plain(high)}: {num.plain(n)}" for low, high, n in bins
    )
    picture = charts.histogram(x, bins, titles=("moves", "games"), words=words)
    half = None if len(quartiles) != 5 else join(
        " From ", num.count(quartiles[0]), " to ", num.count(quartiles[4]), ", half of them between ",
        num.count(quartiles[1]), " and ", num.count(quartiles[3]), "; ",
    )  # fmt: skip
    per_game = found.numbers("per_game", "quartiles")
    each = (
        f"{num.plain(per_game[2])} positions of a game are taken in the middle."
        if len(per_game) == 5
        else None
    )
    caption = join(
        "Moves of both sides, opening included.",
        half,
        "mean ",
        num.fixed(lengths.number("mean"), 1),
        ". ",
        each,
    )
    return figure("Length of games", picture, caption=caption)


def _bins(record: Record) -> list[tuple[float, float, float]]:
    """Return (from, to, amount) of a histogram."""
    low, high = record.number("bins", "low"), record.number("bins", "high")
    counts = [n for n in record.numbers("bins", "counts") if n is not None and n >= 0][:_MOST]
    if low is None or high is None or not counts or not low <= high:
        return []
    width = (high - low) / len(counts)
    return [(low + at * width, low + (at + 1) * width, n) for at, n in enumerate(counts)]


def _sources(found: Record) -> Content:
    rows = found.rows("sources")[:_MOST]
    if not rows:
        return nothing("Who played is not recorded.")
    return join([_source(row) for row in rows])


def _source(row: Record) -> Markup:
    generation = row.number("generation")
    plies, noise = row.numbers("opening_plies"), row.number("noise")
    limits = list(dict.fromkeys(row.texts("limits")))
    reach = " to ".join(num.plain(n) for n in dict.fromkeys(plies))
    told = [
        ("Players (first, second)", _players(row)),
        ("Pairs by opponent", _opponents(row)),
        ("Limit of a move", join([join(", " if i else "", num.code(limit, 40)) for i, limit in enumerate(limits)])),
        ("Games", join(num.count(row.number("games")), ", ", num.count(row.number("distinct_games")), " distinct, ",
                       num.counted(row.number("pairs"), "pair"))),
        ("Openings", join(num.count(row.number("openings")), " different, ", reach, " moves")),
        ("Random moves", "none" if not noise else join(num.percent(noise), " of the first ",
                                                        num.count(row.number("noise_plies")), " moves")),
        ("First player's share", num.percent(first_share(row, "results"))),
        ("Capped, faults", join(num.count(row.number("capped")), ", ", num.count(row.number("faults")))),
        ("Ends", ", ".join(f"{num.clip(why, 40)} {num.plain(n.number())}" for why, n in row.items("ends")[:12])),
        ("Seed, version", join(num.code(row.text("seed"), 30), ", ", num.code(row.text("version"), 30))),
    ]  # fmt: skip
    title = None if generation is None else el("h3", f"Set {generation:.0f}")
    return join(
        title,
        table([("What", False), ("", False)], [[what, value] for what, value in told], class_="short two"),
    )


def _players(row: Record) -> Content:
    pairs = row.at("players").value
    shown: list[Content] = []
    for pair in pairs[:12] if isinstance(pairs, list) else ():
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(digest, str) for digest in pair):
            shown.append(el("div", num.short(pair[0]), " against ", num.short(pair[1])))
    return join(shown) if shown else num.DASH


def _opponents(row: Record) -> Content:
    found = [(digest, n.number()) for digest, n in row.items("opponents")[:12]]
    in_all = row.number("pairs")
    shown = [
        el("div", num.short(digest), " ", num.count(n), ", ", num.percent(n / in_all))
        for digest, n in found
        if n and in_all
    ]
    return join(shown) if shown else num.DASH


# Results


def _balance(found: Record) -> Markup:
    stages = [(_stage(row), row) for row in found.rows("balance")[:_MOST]]
    plies = [(f"move {_span(row)}", row) for row in found.rows("by_ply")[:_MOST]]
    if not stages:
        return figure("Results of the side to move", nothing("Results are not recorded."))
    words = {"mixed": "mixed: came up in games with different results"}
    keys = legend(*((kind, words.get(what, what)) for what, kind in _KINDS))
    columns = [("Positions", False), ("Number", True), ("Results", False), ("Mean result", True)]
    parts = [
        el("h3", "Results of the side to move"),
        keys,
        table(columns, [_result_row(title, row) for title, row in stages], class_="stack results"),
        el("h3", "By how far the game had gone") if plies else None,
        table(columns, [_result_row(title, row) for title, row in plies], class_="stack results")
        if plies
        else None,
        el(
            "p",
            "Counts are weighted by how often a position came up and by its share of the stage.",
            class_="caption",
        ),
    ]
    return join(parts)


def _stage(row: Record) -> str:
    stage = num.clip(row.text("stage") or "all", 40)
    return "all" if stage == "all" else f"stage {stage}"


def _span(row: Record) -> str:
    low, high = row.number("from"), row.number("to")
    return num.plain(low) if low == high else f"{num.plain(low)} to {num.plain(high)}"


def _result_row(title: str, row: Record) -> list[Content]:
    parts: list[tuple[str, num.Number, str]] = [(what, row.number(what), kind) for what, kind in _KINDS]
    words = f"{title}: " + ", ".join(f"{what} {num.plain(amount)}" for what, amount, _ in parts)
    return [
        title,
        num.count(row.number("positions")),
        charts.share_bar(parts, words, _BAR),
        num.percent(row.number("mean")),
    ]


# Features


def _coverage(found: Record) -> Markup:
    rows = [row for row in found.rows("features")[:_MOST] if row.text("stage") in (None, "all")]
    if not rows:
        return figure("Features", nothing("Features are not described."))
    names = [("Feature", ""), ("Not zero", "n"), ("Rows", "n"), ("Pairs", "n"), ("5\xa0%", "n"), ("Median", "n"),
             ("95\xa0%", "n"), ("Distribution", "chart"), ("With result", "n")]  # fmt: skip
    heads = [el("th", head, class_=kind or None, scope="col") for head, kind in names]
    digits = [num.column_digits([_quantile(row, at) for row in rows]) for at in (0, 2, 4)]
    body = [_feature(row, digits) for row in rows]
    return el(
        "div",
        el("h3", "Coverage of each feature"),
        el("table", el("thead", el("tr", heads)), el("tbody", body), class_="stack coverage"),
        el("p", "Share of positions in which the feature is not zero, different positions (rows) and pairs with it, "
           "quantiles over all positions, how often each value occurs from the least to the greatest, and the "
           "correlation with the result of the side to move.", class_="caption"),
        class_="screen",
    )  # fmt: skip


def _quantile(row: Record, at: int) -> num.Number:
    quantiles = row.numbers("quantiles")
    return quantiles[at] if len(quantiles) == 5 else None


def _feature(row: Record, digits: list[int]) -> Markup:
    """Return the line of a feature; `digits` are those of its quantiles."""
    meaning, bins = row.text("meaning"), _bins(row)
    least, greatest = row.number("least"), row.number("greatest")
    words = (
        f"{num.clip(row.text('feature') or 'unnamed', 40)} from {num.plain(least)} to {num.plain(greatest)}"
    )
    ends = el("div", el("span", num.significant(least)), el("span", num.significant(greatest)), class_="ends")
    cells = [
        ("Not zero", num.percent(row.number("not_zero"))),
        ("Rows", num.count(row.number("rows"))),
        ("Pairs", num.count(row.number("pairs"))),
        *(
            (head, num.fixed(_quantile(row, at), decimals))
            for head, at, decimals in zip(("5\xa0%", "Median", "95\xa0%"), (0, 2, 4), digits, strict=True)
        ),
    ]
    picture = el("td", charts.strip([n for *_, n in bins], words), ends, class_="chart")
    last = el(
        "td",
        el("span", _correlation(row)),
        class_="n",
        data_label="With result",
    )
    below = el("div", num.clip(meaning, 160), class_="meaning") if meaning else None
    shown = [el("td", el("span", value), class_="n", data_label=head) for head, value in cells]
    return el(
        "tr", el("th", num.name(row.text("feature") or "unnamed"), below, scope="row"), shown, picture, last
    )


def _correlation(row: Record) -> Content:
    """Return the correlation with the result; a feature that is the same number everywhere has none."""
    value = row.number("correlation")
    return num.DASH if value is None else num.fixed(value, 2, sign=True)


def _by_stage(found: Record) -> Markup | None:
    rows = [row for row in found.rows("features")[:_MOST] if row.text("stage") not in (None, "all")]
    if not rows:
        return None
    columns = [("Feature", False), ("Stage", False), ("Not zero", True), ("Rows", True), ("Pairs", True),
               ("Mean", True), ("Spread", True), ("With result", True)]  # fmt: skip
    mean, spread = (num.column_digits([row.number(key) for row in rows]) for key in ("mean", "spread"))
    body = [
        [
            num.name(row.text("feature") or "unnamed"),
            num.clip(row.text("stage") or "", 40),
            num.percent(row.number("not_zero")),
            num.count(row.number("rows")),
            num.count(row.number("pairs")),
            num.fixed(row.number("mean"), mean),
            num.fixed(row.number("spread"), spread),
            _correlation(row),
        ]
        for row in rows
    ]
    told = (
        "One row for each stage: of a position between two stages, each counts its share. Mean and spread are "
        "those of the feature's value there, and the correlation is with the result of the side to move."
    )
    caption = el("p", told, class_="caption")
    return el("details", el("summary", "Features in each stage"), table(columns, body), caption)
