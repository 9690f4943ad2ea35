"""How well do the new weights predict results, on games the fit saw and on games it did not?

Losses are means over positions: nats for cross-entropy, squared error on request. Predicted and actual are
results from 0 to 1, the mover's view; residual = actual - predicted. Errors in the files are standard errors
clustered by pair; bars are 95 % intervals.
"""

import math

from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.parts import (
    basis,
    figure,
    group_of,
    judged,
    nothing,
    section,
    side_of,
    table,
)
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.report.sections.calibration import calibration
from tunesmith.tuning.report.sections.fit_limits import honest

_MOST_NOTES = 60
_OPEN_NOTES = 8  # shown at once: the most serious come first


def fit(study: StudyFiles) -> Markup | None:
    """Return the section of the fit, None for a study that fits nothing."""
    if not study.learns:
        return None
    if not study.fits:
        return section("fit", "The fit", nothing("No fit is recorded."))
    last = study.fit
    return section(
        "fit",
        "The fit",
        el("div", el("div", _losses(study)), _ridge(last), class_="pair"),
        _blend(last),
        _generations(study),
        calibration(last),
        _residuals(last),
        honest(last),
        _notes(last),
    )


def _losses(study: StudyFiles) -> Content:
    fit = study.fit
    unit = "squared error" if study.setting("fit.loss") == "squared-error" else "nats per position"
    groups = f"{group_of(fit)}s"
    rows = [_loss_row(name.format(groups), fit.at("loss", key)) for key, name in _PARTS]
    columns = [("Positions", False), ("Old weights", True), ("New weights", True), ("Fall", True)]
    return join(
        el("h3", "Loss"),
        el("p", _gain(fit)),
        table(columns, rows, class_="short"),
        el(
            "p",
            f"Mean loss in {unit}; lower is better. ",
            "Rests on ",
            basis(fit),
            ". ",
            _scale_of(study),
            class_="caption",
        ),
        _draws(fit),
        _rounding(fit),
    )


def _draws(fit: Record) -> Content:
    """Say how wide a draw is, where draws are an outcome of their own."""
    margin = fit.number("draw_margin")
    if margin is None:
        return None
    return el(
        "p", "Draws were fitted as an outcome of their own: above ", num.fixed(margin, 0), " Elo a win is likelier "
        "than draw and loss together.",
    )  # fmt: skip


def _rounding(fit: Record) -> Content:
    """Say what rounding cost, and which weights it gave back their old number."""
    step = fit.number("rounding", "step")
    if step is None:
        return None
    before, nearest, repaired = (fit.number("rounding", "loss", k) for k in ("before", "rounded", "repaired"))
    moved, gone = fit.texts("rounding", "repaired"), fit.texts("rounding", "vanished")
    return el(
        "p", "Written in multiples of ", num.significant(step), ": training loss ", num.fixed(before, 6),
        " before rounding, ", num.fixed(nearest, 6), " after it, ", num.fixed(repaired, 6), " with ",
        num.counted(len(moved), "weight"), " rounded the other way. Back at their old number: ",
        num.clip(", ".join(gone), 400) if gone else "none", ".",
    )  # fmt: skip


_PARTS = (("training", "Training {}"), ("held_out", "Held-out {}"))


def _loss_row(name: str, loss: Record) -> list[Content]:
    before, after = loss.number("prior"), loss.number("fit")
    fall = None if before is None or after is None else before - after
    return [name, *(num.fixed(value, 5) for value in (before, after)), num.fixed(fall, 5, sign=True)]


def _scale_of(study: StudyFiles) -> Content:
    """Say what one unit of the old weights was worth, and how far the size of scores moved."""
    fit = study.fit
    scale = fit.number("scale_before")
    moved = fit.numbers("mean_abs_score")
    size = None
    if len(moved) == 2:
        size = join(
            " The mean size of a score went from ",
            num.fixed(moved[0], 0),
            " to ",
            num.fixed(moved[1], 0),
            " Elo.",
        )
    if fit.items("table"):
        return join(_table_unit(fit), size)
    if study.setting("fit.anchor") == "elo":
        return join("The old weights count in Elo as their file says.", size)
    return join(
        "On these games one unit of the old score is worth ", num.significant(scale, 4), " Elo.", size
    )


def _table_unit(fit: Record) -> Content:
    """Say what a fit to a table started from."""
    if not any(row.number("before") for row in fit.rows("weights")):
        return "There were no old weights: before the fit every position counts as even."
    return join(
        "One unit of the weights that were given is worth ", num.significant(fit.number("unit"), 4), " Elo."
    )


def _gain(fit: Record) -> Content:
    """Say whether the gain on games that the fit has not seen exceeds its error."""
    mean, error = fit.number("gain_held_out", "mean"), fit.number("gain_held_out", "error")
    if mean is None:
        return join(f"Gain on held-out {group_of(fit)}s: ", num.ABSENT, ".")
    if not error:
        return join(
            f"On held-out {group_of(fit)}s the loss falls by ",
            num.fixed(mean, 5),
            "; its error is ",
            num.ABSENT,
            ".",
        )
    ratio = mean / error
    digits = num.decimals(error, most=6)
    words = (
        "more than chance explains" if ratio > 2
        else "the new weights predict worse there" if ratio < -2
        else "no more than chance explains"
    )  # fmt: skip
    sizes = join(num.fixed(mean, digits), " (standard error ", num.fixed(error, digits), ")")
    moves = "falls by" if mean >= 0 else "rises:"
    return join(f"On {group_of(fit)}s that the fit never saw, the loss {moves} ", num.no_break(sizes), ": ",
                num.fixed(ratio, 1), " standard errors, ", words, ".")  # fmt: skip


def _generations(study: StudyFiles) -> Markup | None:
    if len(study.fits) < 2:
        return None
    columns = [
        ("Generation", False), ("Games", True), ("Positions", True), ("Held-out loss before", True),
        ("Held-out loss after", True), ("Gain there", True), ("Std. error", True), ("Ridge", True),
        ("Result in labels", True),
    ]  # fmt: skip
    digits = num.column_digits([fit.number("ridge") for _, fit in study.fits], most=6)
    rows = [_generation(number, fit, digits) for number, fit in study.fits]
    return join(el("h3", "Generation by generation"), table(columns, rows))


def _generation(number: int, fit: Record, digits: int) -> list[Content]:
    """Return the line of a generation; `digits` are those of the ridge."""
    mean, error = fit.number("gain_held_out", "mean"), fit.number("gain_held_out", "error")
    return [
        f"Generation {number}",
        num.count(fit.number("games")),
        num.count(fit.number("rows")),
        num.fixed(fit.number("loss", "held_out", "prior"), 5),
        num.fixed(fit.number("loss", "held_out", "fit"), 5),
        num.fixed(mean, 5, sign=True),
        num.fixed(error, 5),
        num.fixed(fit.number("ridge"), digits),
        num.fixed(fit.number("blend"), 2),
    ]


def _ridge(fit: Record) -> Markup:
    """Draw the loss on left-out games for each strength of the pull towards the old weights."""
    grid, losses = fit.numbers("ridge_path", "grid"), fit.numbers("ridge_path", "losses")
    points = sorted(
        (g, loss)
        for g, loss in zip(grid, losses, strict=False)
        if g is not None and g > 0 and loss is not None
    )
    chosen = fit.number("ridge")
    title = join("Ridge: how firmly the weights are held (chosen: ", num.significant(chosen), ")")
    if len(points) < 2:
        return figure(title, nothing("This strength was given: no other was tried."))
    x, y = charts.logarithmic([*(g for g, _ in points), chosen]), charts.linear([v for _, v in points], n=4)
    words = "cross-validated loss by ridge: " + "; ".join(f"{num.plain(g)}: {v:.5f}" for g, v in points[:12])
    marks = [p for p in points if chosen is not None and math.isclose(p[0], chosen, rel_tol=1e-6)]
    picture = charts.lines(
        x, y, [("curve", points)], titles=("ridge (right: firmer)", f"loss on left-out {group_of(fit)}s"),
        words=words, marks=marks, height=220,
    )  # fmt: skip
    return figure(
        title, picture,
        caption=join(f"Cross-validation over {group_of(fit)}s; the dot is the chosen strength. Far right the old "
                     "weights stay, far left only the games speak. ", "Rests on ", basis(fit), "."),
    )  # fmt: skip


def _blend(fit: Record) -> Markup | None:
    """Draw the loss on left-out results for each share of the result in the labels; nothing where none was tried."""
    tried = zip(fit.numbers("blend_path", "grid"), fit.numbers("blend_path", "losses"), strict=False)
    points = sorted((share, loss) for share, loss in tried if share is not None and loss is not None)
    if len(points) < 2:
        return None
    x, y = charts.linear([share for share, _ in points]), charts.linear([loss for _, loss in points], n=4)
    words = "loss on left-out results by share: " + "; ".join(f"{num.plain(s)}: {v:.5f}" for s, v in points)
    picture = charts.lines(
        x, y, [("curve", points)], titles=("share of the result", f"loss on left-out {group_of(fit)}s"),
        words=words, height=220,
    )  # fmt: skip
    return figure(
        join("Labels: the result, or what the search expected? (share of the result: ",
             num.significant(fit.number("blend")), ")"),
        picture,
        caption=join("Cross-validation on plain results, each share with its own ridge. Shares that predict as well as "
                     "the best, to the error, are averaged. Rests on ", basis(fit), "."),
    )  # fmt: skip


def _residuals(fit: Record) -> Markup:
    rows = fit.rows("residuals")[:20]
    if not rows:
        return figure("Residuals by stage", nothing("Residuals are not recorded."))
    reach: list[num.Number] = []
    for row in rows:
        found = num.both_ends(row.number("mean"), num.half_width(row.number("error") or 0.0))
        reach += [100 * end for end in found or ()]
    scale = charts.linear(reach, include=(0.0,), n=4)
    heads = [el("th", "Stage"), el("th", charts.row_axis(scale), class_="chart"), el("th", "Residual", class_="n"),
             el("th", "Std. error", class_="n"), el("th", "Positions", class_="n")]  # fmt: skip
    body = [_residual(scale, row) for row in rows]
    return join(
        el("h3", "Residuals by stage"),
        el("table", el("thead", el("tr", heads)), el("tbody", body), class_="stack"),
        el("p", f"Actual minus predicted result of the {side_of(fit)}, in percentage points (a win is 100); bars "
           "are 95 % intervals. ", _residual_words(rows, side_of(fit)), "Rests on ", basis(fit), ".",
           judged(fit), class_="caption"),
    )  # fmt: skip


def _residual_words(rows: list[Record], side: str) -> str:
    """Say in which stages the evaluation is wrong on average."""
    apart = [(row.text("stage") or "all", num.both_ends(row.number("mean"), num.half_width(row.number("error"))))
             for row in rows]  # fmt: skip
    modest = [num.clip(stage, 40) for stage, ends in apart if ends is not None and ends[0] > 0]
    sure = [num.clip(stage, 40) for stage, ends in apart if ends is not None and ends[1] < 0]
    if not modest and not sure:
        return "Every bar holds zero: on average no stage is judged too high or too low. "
    told = [f"too low for the {side}: {', '.join(modest)}"] if modest else []
    told += [f"too high for the {side}: {', '.join(sure)}"] if sure else []
    return f"A bar clear of zero: the evaluation is, on average, {'; '.join(told)}. "


def _residual(scale: charts.Scale, row: Record) -> Markup:
    stage = num.clip(row.text("stage") or "all", 40)
    mean, error = (None if v is None else 100 * v for v in (row.number("mean"), row.number("error")))
    words = f"{stage}: {num.plain(mean)} points, standard error {num.plain(error)}"
    cells = [
        ("Residual", num.fixed(mean, 2, sign=True)),
        ("Std. error", num.fixed(error, 2)),
        ("Positions", num.count(row.number("n"))),
    ]
    return el(
        "tr",
        el("th", stage, scope="row"),
        el(
            "td",
            charts.row_marks(scale, None, mean, num.both_ends(mean, num.half_width(error)), words),
            class_="chart",
        ),
        [el("td", el("span", value), class_="n", data_label=name) for name, value in cells],
    )


def _notes(fit: Record) -> Markup:
    notes = fit.texts("notes")
    if not notes:
        return join(el("h3", "Notes"), el("p", "The fit has nothing to remark."))
    shown = [el("li", num.clip(note, 400)) for note in notes[:_MOST_NOTES]]
    first, rest = shown[:_OPEN_NOTES], shown[_OPEN_NOTES:]
    more = el("p", f"and {len(notes) - _MOST_NOTES} more in the files") if len(notes) > _MOST_NOTES else None
    folded = (
        el("details", el("summary", num.counted(len(rest), "more note")), el("ul", rest), more)
        if rest
        else None
    )
    return join(el("h3", "What to know before trusting it"), el("ul", first), folded)
