"""What would more games bring, where is the fit wrong, and what can a weighted sum not say?

Losses are nats a position on held-out pairs, residuals percentage points of the side the rows are seen from.
Fits of an older version hold none of this; then there is nothing to show.
"""

from tunesmith.tuning.report import charts
from tunesmith.tuning.report.html import Content, el, join
from tunesmith.tuning.report.numbers import Number, clip, count, fixed, half_width, plain, significant
from tunesmith.tuning.report.parts import basis, figure, group_of, judged, table
from tunesmith.tuning.report.reading import Record

_MOST = 20


def honest(fit: Record) -> Content:
    """Return the parts that a fit recorded."""
    remarks = [el("li", clip(text, 400)) for text in fit.texts("remarks")[:_MOST]]
    by_score, curve, bends, products = _by_score(fit), _curve(fit), _bends(fit), _products(fit)
    more = [el("ul", remarks) if remarks else None, curve, bends, products]
    head = el("h3", "What more games, or another form of evaluation, could bring") if any(more) else None
    return join(by_score, head, *more)


def _by_score(fit: Record) -> Content:
    rows = fit.rows("residuals_by_score")[:_MOST]
    if not rows:
        return None
    columns = [("Score (Elo)", False), ("Positions", True), ("Predicted", True), ("Actual", True),
               ("Residual", True), ("Std. error", True)]  # fmt: skip
    body = [[_range(row), count(row.number("n")), *(_percent(row, key) for key in ("predicted", "actual")),
             _percent(row, "residual", sign=True), _percent(row, "error")] for row in rows]  # fmt: skip
    return join(
        el("h3", "Residuals by score"),
        table(columns, body),
        el("p", "Actual minus predicted result in percentage points, by the new weights' own score. ",
           "Rests on ", basis(fit), ".", judged(fit), class_="caption"),
    )  # fmt: skip


def _range(row: Record) -> Content:
    low, high = row.number("from"), row.number("to")
    if low is None:
        return join("below ", fixed(high, 0))
    return join("above ", fixed(low, 0)) if high is None else join(fixed(low, 0), " to ", fixed(high, 0))


def _percent(row: Record, key: str, sign: bool = False) -> Content:
    value = row.number(key)
    return fixed(None if value is None else 100 * value, 2, sign=sign)


def _curve(fit: Record) -> Content:
    known = _curve_points(fit)
    if len({n for n, _, _ in known}) < 2:
        return None
    groups = f"{group_of(fit)}s"
    reach = [end for _, loss, half in known for end in (loss - (half or 0.0), loss + (half or 0.0))]
    x, y = charts.logarithmic([n for n, _, _ in known]), charts.linear(reach, n=4)
    told = [f"{plain(n)}: {loss:.5f}" + (f" ± {half:.5f}" if half else "") for n, loss, half in known]
    points = [(n, loss, half, "after", text) for (n, loss, half), text in zip(known, told, strict=True)]
    picture = charts.history(
        x, y, points, titles=(f"{groups} that were fitted", f"loss on held-out {groups}"),
        words=f"held-out loss by {groups}: {'; '.join(told)}", height=220, joined=True,
    )  # fmt: skip
    return figure(
        "Learning curve", picture,
        caption=join(f"Fits to parts of the {groups}, judged on the same held-out {groups}. Bars are 95 % intervals of "
                     "the distance to the last dot, which has none: what all of them are unsure of together moves the "
                     f"whole curve. ", "Rests on ", basis(fit), "."),
    )  # fmt: skip


def _curve_points(fit: Record) -> list[tuple[float, float, Number]]:
    """Return (pairs or games, loss, half width), smallest first."""
    rows = fit.rows("learning_curve", "parts")
    found = [(row.number("pairs"), row.number("loss"), half_width(row.number("error"))) for row in rows]
    known = [
        (n, loss, half or None) for n, loss, half in found if n is not None and n > 0 and loss is not None
    ]
    return sorted(known, key=lambda point: point[:2])[:_MOST]


def _bends(fit: Record) -> Content:
    rows = fit.rows("bends")[:_MOST]
    if not rows:
        return None
    columns = [("Feature, and where", False), ("One more is worth, up to there (Elo)", True),
               ("And beyond", True), ("Held-out loss it would save", True), ("Std. error", True),
               ("By luck", True)]  # fmt: skip
    body = [[_place(row), *(significant(row.number(key)) for key in ("before", "after")),
             *(fixed(row.number(key), 5) for key in ("fall", "error")), fixed(row.number("chance"), 3)]
            for row in rows]  # fmt: skip
    return join(
        el("h3", "Features that bend"),
        table(columns, body),
        el("p", "Where one more of a feature is worth more or less than before: max(0, feature - place) would be one "
           "more feature (± bends alike on both sides of 0). The last column is the chance that the best of all places "
           "tried looks as good where nothing bends. Each is judged on top of those above it. ",
           "Rests on ", basis(fit), ".", judged(fit), class_="caption"),
    )  # fmt: skip


def _place(row: Record) -> Content:
    sign = " ±" if row.at("odd").value is True else " "
    return join(clip(row.text("feature") or "?", 40), sign, significant(row.number("knot")))


def _products(fit: Record) -> Content:
    rows = fit.rows("interactions")[:_MOST]
    if not rows:
        return None
    columns = [("Product", False), ("Loss it would save", True), ("z", True)]
    body = [[_pair(row), fixed(row.number("fall"), 5), fixed(row.number("z"), 1, sign=True)] for row in rows]
    return join(
        el("h3", "Features that belong together"),
        table(columns, body, class_="short"),
        el("p", "What the product of two features would save as one more feature, to second order, on what was "
           f"fitted; z is its significance. {_tried(fit)}, so that one below 4 means little.",
           class_="caption"),
    )  # fmt: skip


def _tried(fit: Record) -> str:
    """Say of how many products these are the best."""
    n = len({row.text("feature") for row in fit.rows("weights")})
    return f"They are the best of {n * (n - 1) // 2:,}" if n else "They are the best of many"


def _pair(row: Record) -> Content:
    return " × ".join(clip(row.text(key) or "?", 40) for key in ("first", "second"))
