"""From which games did the fit learn, and on which positions do old and new weights disagree most?

Results are shares of games by player: first, draw, second. Evaluations are in Elo, seen from the side to move;
the expected result of a score is 1 / (1 + 10 ** (-score / 400)). `before` and `after` of a part are what the
feature adds to the evaluation.
"""

from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.board import picture
from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.parts import (
    few_distinct,
    figure,
    first_share,
    learnt_pairs,
    nothing,
    result_shares,
    section,
    table,
)
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.report.sections import sources

_MOST_EXAMPLES = 12
_OPEN = 3  # positions that are shown at once; the rest is folded
_MOST_PARTS = 8
_MOST_SOURCES = 40


def selfplay(study: StudyFiles) -> Markup | None:
    """Return the section of self-play, None for a study that fits nothing."""
    if not study.learns:
        return None
    if not study.fits:
        return section("games", "Self-play", nothing("No games are recorded."))
    return section(
        "games",
        "Self-play: the games learnt from",
        _generations(study),
        sources.path(study),
        sources.audits(study),
        sources.openings(study),
        _results(study),
        _sources(study.fit),
        selection(study.fit),
    )


def _generations(study: StudyFiles) -> Markup:
    columns = [("Fit", False), ("Pairs", True), ("Games", True), ("Distinct games", True), ("Positions", True),
               ("First player's share", True)]  # fmt: skip
    rows = [_generation(number, fit) for number, fit in study.fits]
    return table(columns, rows)


def _generation(number: int, fit: Record) -> list[Content]:
    warn = el("span", "few distinct", class_="chip warn") if few_distinct(fit) else None
    return [
        f"Generation {number}",
        num.count(learnt_pairs(fit)),
        num.count(fit.number("games")),
        join(num.count(fit.number("distinct_games")), " ", warn),
        num.count(fit.number("rows")),
        num.percent(first_share(fit, "results")),
    ]


def _results(study: StudyFiles) -> Markup:
    fit = study.fit
    shares = result_shares(fit, "results")
    if None in shares:
        return figure("Results", nothing("Results are not recorded."))
    results = ("first player wins", "draw", "second player wins")
    parts = list(zip(results, shares, ("p4", "p2", "p0"), strict=True))
    words = ", ".join(f"{result} {100 * (share or 0):.1f} %" for result, share, _ in parts)
    numbers = [
        join(", " if i else "", result, " ", num.percent(share)) for i, (result, share, _) in enumerate(parts)
    ]
    return figure(
        "Results",
        charts.share_bar(parts, words),
        caption=join(numbers, ". Rests on ", num.counted(fit.number("games"), "game"), "."),
    )


def _sources(fit: Record) -> Markup:
    rows = fit.rows("sources")
    if not rows:
        return join(el("h3", "Sources"), nothing("Who played is not recorded."))
    columns = [("Games of", False), ("Limit", False), ("Pairs", True), ("Games", True), ("Distinct games", True),
               ("First player's share", True)]  # fmt: skip
    shown = [_source(row) for row in rows[:_MOST_SOURCES]]
    more = f"and {len(rows) - _MOST_SOURCES} more in the files" if len(rows) > _MOST_SOURCES else None
    return join(el("h3", "Sources of the games"), table(columns, shown), el("p", more) if more else None)


def _source(row: Record) -> list[Content]:
    """Return the line of a source: its generation, its players, or both."""
    generation = row.number("generation")
    players = [_player(row, key) for key in ("first", "second")]
    has_players = any(row.at(key).value for key in ("first", "second"))
    number = None if generation is None else f"generation {generation:.0f}"
    who = join(players[0], " against ", players[1]) if has_players or number is None else None
    return [
        join(number, ": " if number and who else None, who),
        num.code(row.text("limit"), 40),
        num.count(row.number("pairs")),
        num.count(row.number("games")),
        num.count(row.number("distinct_games")),
        num.percent(first_share(row, "results")),
    ]


def _player(row: Record, key: str) -> Content:
    """Return the name, or the digest in short, of a player."""
    player = row.text(key, "name") or row.text(key, "digest") or row.text(key)
    is_digest = player is not None and len(player) == 64 and set(player) <= set("0123456789abcdef")
    return num.short(player) if is_digest else num.code(player, 60)


def selection(fit: Record) -> Markup:
    """Return what became of games and positions, reason by reason."""
    title = "From games to positions"
    entries = fit.items("selection")
    if not entries:
        return join(el("h3", title), nothing("The selection is not recorded."))
    found = [(num.clip(reason, 80), n.number()) for reason, n in entries[:_MOST_SOURCES]]
    rows: list[list[Content]] = [[reason, num.count(n)] for reason, n in found if n != 0]
    none = ", ".join(reason for reason, n in found if n == 0)
    rest = f" Nothing was left out as: {none}." if none else None
    games = num.counted(fit.number("games"), "game")
    return join(
        el("h3", title),
        table([("Kept, or left out because", False), ("Number", True)], rows, class_="short two"),
        el("p", "From ", games, ", in the order of the tests.", rest, class_="caption"),
    )


# Positions


def positions(study: StudyFiles) -> Markup | None:
    """Return the positions on which old and new weights differ most, None for a study that fits nothing."""
    if not study.learns:
        return None
    title = "Where old and new weights disagree"
    examples = study.fit.rows("examples")
    if not examples:
        return section("positions", title, nothing("No positions are recorded."))
    intro = el(
        "p", "Positions of the games on which the two evaluations are furthest apart, in Elo for the side to move. "
        "In percent: the result that the evaluation expects. Circles are the old weights, dots the new ones. ",
        "Chosen from ", num.counted(study.fit.number("games"), "game"), ".",
    )  # fmt: skip
    shown = [_position(i, example) for i, example in enumerate(examples[:_MOST_EXAMPLES], start=1)]
    first, rest = shown[:_OPEN], shown[_OPEN:]
    more = el("details", el("summary", num.counted(len(rest), "more position")), rest) if rest else None
    return section("positions", title, intro, first, more)


def _position(number: int, example: Record) -> Markup:
    before, after = example.number("before"), example.number("after")
    head = join(f"{number}. ", _score(before), " before, ", _score(after), " after", _result(example))
    return el(
        "article",
        el("h3", head),
        el(
            "div",
            picture(example.text("svg"), example.text("board_text") or example.text("text")),
            _text(example),
        ),
        _parts(example, before, after),
        class_="position",
    )


def _text(example: Record) -> Markup | None:
    text = example.text("text")
    return el("p", el("code", num.clip(text, 300)), class_="caption") if text else None


def _result(example: Record) -> Content:
    """Say how the game ended for the side to move, where that is recorded."""
    result = example.number("result")
    if result is None:
        return None
    words = {1.0: "won", 0.5: "drawn", 0.0: "lost"}.get(result, f"scored {result:.2f}")
    return el(
        "span", f" · the side to move {words}" if result != 0.5 else " · the game was drawn", class_="soft"
    )


def _score(elo: num.Number) -> Content:
    if elo is None:
        return num.ABSENT
    return el(
        "span", num.fixed(elo, 0, sign=True), " Elo (", num.chance(num.expected(elo)), ")", class_="value"
    )


def _parts(example: Record, before: num.Number, after: num.Number) -> Markup:
    """Return the evaluation feature by feature, the largest changes first, the rest as one line."""
    parts = [part for part in example.rows("parts") if part.number("before") or part.number("after")]
    if not parts:
        return nothing("The evaluation feature by feature is not recorded.")
    parts.sort(key=lambda part: -abs((part.number("after") or 0.0) - (part.number("before") or 0.0)))
    shown, rest = parts[:_MOST_PARTS], parts[_MOST_PARTS:]
    values = [part.number(key) for part in shown for key in ("before", "after")]
    scale = charts.linear(values, include=(0.0,), n=3)
    names = [("Feature", None), ("Value", "n"), ("Before", "n"), ("After", "n")]
    heads = [el("th", head, class_=kind) for head, kind in names]
    heads.append(el("th", charts.row_axis(scale), class_="chart"))
    digits = num.column_digits([part.number("value") for part in shown])
    rows = [_part(scale, part, digits) for part in shown]
    if rest:
        rows.append(_rest(rest))
    total = el("tr", el("th", "Evaluation"), el("td"), _elo_cell(before), _elo_cell(after), el("td"))
    return el("table", el("thead", el("tr", heads)), el("tbody", rows), el("tfoot", total))


def _part(scale: charts.Scale, part: Record, digits: int) -> Markup:
    feature, before, after = part.text("feature") or "unnamed", part.number("before"), part.number("after")
    words = f"{num.clip(feature, 40)}: {num.plain(before)} to {num.plain(after)} Elo"
    return el(
        "tr",
        el("th", num.name(feature, 40), scope="row"),
        el("td", num.fixed(part.number("value"), digits), class_="n"),
        _elo_cell(before),
        _elo_cell(after),
        el("td", charts.row_marks(scale, before, after, None, words), class_="chart"),
    )


def _rest(parts: list[Record]) -> Markup:
    sums = [sum(part.number(key) or 0.0 for part in parts) for key in ("before", "after")]
    names = ", ".join(num.clip(part.text("feature") or "unnamed", 40) for part in parts[:40])
    words = el("span", num.counted(len(parts), "more feature"), title=names)
    return el(
        "tr",
        el("th", words, scope="row"),
        el("td", num.DASH, class_="n"),
        *(_elo_cell(s) for s in sums),
        el("td"),
    )


def _elo_cell(elo: num.Number) -> Markup:
    return el("td", num.fixed(elo, 0, sign=True), class_="n")
