"""Which weights moved, how far, and how sure is each? Before and after, per stage and where positions usually are.

Weights are in Elo per unit of the feature, mover's view; `error` is the standard error of the posterior, whiskers
are its 95 % intervals, and beside it stands the error by the data alone. A change of sign counts as one beyond two
errors; a move is big where the fit says so in its notes, or where the change times the feature's usual size is above
100 Elo.
"""

import math
from statistics import median, quantiles

from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.parts import (
    basis,
    figure,
    group_of,
    legend,
    nothing,
    section,
    side_of,
)
from tunesmith.tuning.report.reading import Record, StudyFiles

_BIG_MOVE = 100.0  # Elo of usual effect
_MOST_DIGITS = 4
_SAME = 0.005  # a scale so near to 1 needs no explanation
_TEMPO = "tempo"  # the column that a fit adds to a table
_USUAL = "usual mix"
_WIDE = 10  # a range so many times the typical size needs a bent axis
_WHY = {
    "fixed": "the study keeps it",
    "dependent": "the data cannot tell it from others, so it keeps its old value",
    "rare": "too few positions show it, so it keeps its old value",
    "silent": "it is zero in every position and keeps its old value",
    "near label": "it is nearly the result, so it keeps its old value",
    "at bound": "the fit stopped at its bound",
}
_TIED = "it was fitted as one number with the others that are tied to it"


def weights(study: StudyFiles) -> Markup | None:
    """Return the section of weights, None for a study that fits nothing."""
    if not study.learns:
        return None
    fit = study.fit
    rows = fit.rows("weights")
    if not rows:
        return section("weights", "Weights", nothing("No fitted weights are recorded."))
    notes = fit.texts("notes")
    stages = list(dict.fromkeys(_stage(row) for row in rows))
    seen = [status for status in _WHY if any(row.text("status") == status for row in rows)]
    usual = fit.at("usual") if len(stages) > 1 else Record()
    caption = [
        f"Elo per unit of the feature, seen from the {side_of(fit)}. Open circles are the old weights"
        f"{', those that played these games' if study.learns_from_newest else ''}, dots the "
        "new ones, bars 95 % intervals of the posterior: of data and prior together, if the changes of the weights are "
        "of the size that the ridge expects. By data: standard error by the data alone, without the ridge. ",
        "The axis is even around zero and logarithmic further out. " if _scale(rows).kind == "bent" else None,
        _usual_words(usual),
        "Fitted to ", basis(fit), ". ",
        *(f"{status.capitalize()}: {_WHY[status]}. " for status in seen),
        f"Tied: {_TIED}. " if any(map(_is_tied, rows)) else None,
    ]  # fmt: skip
    picture = _table(rows, notes, len(stages) > 1, usual)
    kept = [("kept", "kept as it was")] if any(not _is_moved(row) for row in rows) else []
    marks = legend(("before", "old weight"), ("after", "new weight, 95 % interval"), *kept)
    return section(
        "weights",
        "Weights before and after",
        _summary(fit, rows, notes),
        _unit_words(study, rows),
        figure(None, marks, picture, caption=caption),
    )


def _unit_words(study: StudyFiles, rows: list[Record]) -> Markup | None:
    """Say why an old weight is another number here than in its file."""
    fit, moved = study.fit, [row for row in rows if row.number("before")]
    scale = fit.number("scale_before")
    if fit.items("table"):
        scale, where = fit.number("unit"), "the weights that were given"
    else:
        where = "the file of the old weights"
    if not scale or not moved or abs(scale - 1) < _SAME:
        return None
    row = max(moved, key=lambda row: abs(row.number("before") or 0.0))
    before = row.number("before") or 0.0
    return el(
        "p",
        f"Old weights are in Elo here, and so are not the numbers of {where}: by the results of these games, one unit "
        "of theirs is worth ", num.significant(scale), " Elo. So ", num.name(_name(row)), ", ",
        num.significant(before / scale), " there, stands here as ", num.significant(before), " Elo. All old weights "
        "are multiplied by this one number; what they say of each other stays as it was.",
    )  # fmt: skip


def _usual_words(usual: Record) -> str | None:
    """Say what the third row of a feature is."""
    parts = list(
        zip(usual.texts("stages"), *(usual.numbers(key) for key in ("shares", "low", "high")), strict=False)
    )
    known = [(stage, *map(_percent, numbers)) for stage, *numbers in parts if None not in numbers]
    if not known:
        return None
    means = ", ".join(f"{num.clip(stage, 30)} {share}" for stage, share, _, _ in known)
    stage, _, low, high = known[0]
    return (
        f"{_USUAL.capitalize()}: what a unit is worth at the mean shares of the stages in these positions ({means}); "
        f"half of them have a share of {num.clip(stage, 30)} from {low} to {high}. Positions that are all one stage "
        "may be rare or absent: its weights then are the ends of a line through what was seen. "
    )


def _percent(share: num.Number) -> str:
    return f"{100 * (share or 0.0):.0f}\u202f%"


def _summary(fit: Record, rows: list[Record], notes: list[str]) -> Markup:
    """Say how many weights moved, and name those a person should look at."""
    fitted = sum(row.text("status") == "fitted" for row in rows)
    other: dict[str, int] = {}
    for row in rows:
        status = row.text("status") or "status not recorded"
        if status != "fitted":
            other[status] = other.get(status, 0) + 1
    kept = ", ".join(f"{n} {num.clip(status, 40)}" for status, n in other.items())
    signs = [_name(row) for row in rows if changed_sign(row)]
    far = [_name(row) for row in rows if moved_far(row, notes)]
    return el(
        "ul",
        el("li", f"{fitted} of {len(rows)} weights were fitted", f"; {kept}." if kept else "."),
        el("li", _amount(fit)),
        el("li", "Changed sign beyond two standard errors: ", _names(signs), "."),
        el("li", f"Moved by more than {_BIG_MOVE:.0f} Elo of usual effect: ", _names(far), "."),
    )


def _amount(fit: Record) -> Content:
    """Say how much there is to learn each weight from."""
    pairs, rows = fit.number("groups_per_weight"), fit.number("rows_per_weight")
    return join(
        "Training data per fitted weight: ",
        num.counted(pairs, group_of(fit)),
        ", ",
        num.counted(rows, "position"),
        ".",
    )


def _names(names: list[str]) -> Content:
    if not names:
        return "none"
    shown = [join(", " if i else "", num.name(text)) for i, text in enumerate(names[:12])]
    return join(shown, f" and {len(names) - 12} more" if len(names) > 12 else None)


def changed_sign(row: Record) -> bool:
    """Tell whether a weight changed its sign by more than chance: beyond two standard errors."""
    before, after, error = row.number("before"), row.number("after"), row.number("error")
    if before is None or after is None or error is None:
        return False
    return before * after < 0 and abs(after) > 2 * error


def moved_far(row: Record, notes: list[str]) -> bool:
    """Tell whether a weight's usual effect moved by more than 100 Elo, from its size or the fit's notes."""
    before, after, size = row.number("before"), row.number("after"), row.number("size")
    if before is not None and after is not None and size is not None:
        return abs(after - before) * size > _BIG_MOVE
    names = (f"{_name(row)} moved far", f"{row.text('feature')} moved far")
    return any(note.startswith(names) for note in notes)


def _stage(row: Record) -> str:
    return row.text("stage") or "all"


def _name(row: Record) -> str:
    feature = row.text("feature") or "unnamed"
    return feature if _stage(row) == "all" else f"{_stage(row)}.{feature}"


def _scale(rows: list[Record]) -> charts.Scale:
    """Return one axis for all weights; bent where one giant would flatten the others."""
    values = [row.number(key) for row in rows for key in ("before", "after")]
    reach: list[num.Number] = [*values]
    for row in rows:
        reach += num.both_ends(row.number("after"), num.half_width(row.number("error"))) or ()
    sizes = [abs(v) for v in values if v]
    if len(sizes) > 1 and max(sizes) > _WIDE * median(sizes):
        return charts.bent(reach, quantiles(sizes, n=4)[0])
    return charts.linear(reach, include=(0.0,))


def _table(rows: list[Record], notes: list[str], has_stages: bool, usual: Record) -> Markup:
    """Return the table: features in the order of the file, the stages of each below one another, then their mix."""
    mixed = {row.text("feature"): row for row in usual.rows("weights")}
    digits = _digits([error for row in rows if (error := row.number("error") or 0.0) > 0])
    scale = _scale(rows)
    by_feature: dict[str, list[Record]] = {}
    for row in rows:
        by_feature.setdefault(row.text("feature") or "unnamed", []).append(row)
    heads = [
        el("th", "Feature", scope="col", class_="feature"),
        el("th", "Stage", scope="col") if has_stages else None,
        *(el("th", head, class_="n", scope="col") for head in ("Before", "After", "Std. error", "By data")),
        el("th", charts.row_axis(scale), class_="chart", scope="col"),
        el("th", "Status", scope="col", class_="status"),
    ]
    bodies = []
    for feature, (first, *others) in by_feature.items():
        mix = mixed.get(feature)
        span = _feature(feature, first, 1 + len(others) + (mix is not None))
        lines = [(span, first), *((None, row) for row in others)]
        shown = [_row(scale, name, row, notes, digits, has_stages) for name, row in lines]
        bodies.append(el("tbody", shown, None if mix is None else _mixed_row(scale, mix, digits)))
    class_ = "weights" if has_stages else "weights one-stage"
    return el("table", el("thead", el("tr", heads)), bodies, class_=class_)


def _digits(errors: list[float]) -> int:
    """Return the decimals of all weights: they round finer than a tenth of the smallest error."""
    if not errors:
        return 1
    return min(_MOST_DIGITS, max(0, math.ceil(math.log10(5 / max(min(errors), 1e-9)))))


def _row(
    scale: charts.Scale, head: Content, row: Record, notes: list[str], digits: int, has_stages: bool
) -> Markup:
    before, after, error = row.number("before"), row.number("after"), row.number("error")
    return el(
        "tr",
        head,
        el("td", num.words(_stage(row), 30), class_="stage") if has_stages else None,
        el("td", num.fixed(before, digits), class_="n"),
        el("td", num.fixed(after, digits), class_="n"),
        el("td", _error(error, digits, row.text("status") == "fitted"), class_="n"),
        el("td", _by_data(row, digits), class_="n"),
        el("td", _marks(scale, row, before, after, error), class_="chart"),
        el("td", _status(row, notes), class_="status"),
    )


def _mixed_row(scale: charts.Scale, row: Record, digits: int) -> Markup:
    """Return the line of a feature where positions usually are."""
    before, after, error = row.number("before"), row.number("after"), row.number("error")
    words = f"{num.clip(row.text('feature') or 'unnamed', 60)}, {_USUAL}: {num.plain(before)} to {num.plain(after)}"
    marks = charts.row_marks(
        scale, before, after, num.both_ends(after, num.half_width(error)), words, strong=error is not None
    )
    return el(
        "tr",
        el("td", _USUAL, class_="stage"),
        el("td", num.fixed(before, digits), class_="n"),
        el("td", num.fixed(after, digits), class_="n"),
        el("td", _error(error, digits, False), class_="n"),
        el("td", num.DASH, class_="n"),
        el("td", marks, class_="chart"),
        el("td", class_="status"),
        class_="usual",
    )


def _feature(feature: str, row: Record, n_rows: int) -> Markup:
    below = el("div", _meaning(row), class_="meaning")
    span = str(n_rows) if n_rows > 1 else None
    return el("th", num.name(feature), below, scope="rowgroup", rowspan=span)


def _meaning(row: Record) -> Content:
    """Return what a feature means; where nobody said it, what its weight does to an even position."""
    meaning, after = row.text("meaning"), row.number("after")
    if meaning:
        return num.clip(meaning, 160)
    if row.text("feature") == _TEMPO:
        return "what having the move is worth"
    if after is None or row.text("status") not in ("fitted", "at bound"):
        return None
    return join("one more, else even: ", num.percent(num.expected(after), 0), " of the points expected")


def _error(error: num.Number, digits: int, is_fitted: bool) -> Content:
    if error is None:
        return num.ABSENT if is_fitted else num.DASH
    return num.fixed(error, digits)


def _by_data(row: Record, digits: int) -> Content:
    """Say how sure the data alone are of a weight that was fitted."""
    if row.text("status") != "fitted":
        return num.DASH
    error = row.number("data", "error")
    return "not determined" if error is None else num.fixed(error, digits)


def _marks(
    scale: charts.Scale, row: Record, before: num.Number, after: num.Number, error: num.Number
) -> Markup:
    shown = f"{num.clip(_name(row), 60)}: {num.plain(before)} to {num.plain(after)}, standard error {num.plain(error)}"
    is_moved = _is_moved(row)
    return charts.row_marks(
        scale,
        before if is_moved else None,
        after,
        num.both_ends(after, num.half_width(error)),
        shown,
        strong=is_moved,
    )


def _is_moved(row: Record) -> bool:
    return row.text("status") not in ("fixed", "dependent", "rare", "silent")


def _is_tied(row: Record) -> bool:
    return row.at("tied").value is True


def _status(row: Record, notes: list[str]) -> Content:
    status = row.text("status")
    chips: list[Content] = []
    if changed_sign(row):
        chips.append(el("span", "sign changed", class_="chip warn"))
    if moved_far(row, notes):
        chips.append(el("span", "moved far", class_="chip warn"))
    if _is_tied(row):
        chips.append(el("span", "tied", class_="soft", title=_TIED))
    if status is None:
        chips.append(num.ABSENT)
    elif status != "fitted":
        chips.append(el("span", num.words(status, 40), class_="soft", title=_WHY.get(status)))
    return join(chips) if chips else None
