"""The calibration chart: do the results that the fitted weights predict happen?"""

import math

from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.html import Markup, el, join
from tunesmith.tuning.report.parts import basis, figure, judged, nothing, side_of
from tunesmith.tuning.report.reading import Record

_MOST_NOTES = 60


def calibration(fit: Record) -> Markup:
    """Draw predicted against actual results, a chart for each stage."""
    by_stage: dict[str, list[Record]] = {}
    for row in fit.rows("calibration"):
        if row.number("predicted") is not None and row.number("actual") is not None:
            by_stage.setdefault(row.text("stage") or "all", []).append(row)
    if not by_stage:
        return figure("Calibration", nothing("Calibration is not recorded."))
    pictures = [_reliability(stage, rows) for stage, rows in list(by_stage.items())[:6]]
    return join(
        el("h3", "Calibration: do the predicted results happen?"),
        el("div", pictures, class_="trio"),
        el("p", f"Mean actual result of positions with about the same predicted result, {side_of(fit)}; bars are "
           "95 % intervals, larger dots hold more positions. On the dashed line predictions are right. ",
           "Rests on ", basis(fit), ".", judged(fit), class_="caption"),
    )  # fmt: skip


def _reliability(stage: str, rows: list[Record]) -> Markup:
    most = max((row.number("n") or 0.0 for row in rows), default=0.0)
    points = [_bin(row, most) for row in rows[:60]]
    unit = charts.Scale(0.0, 1.0, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    total = sum(row.number("n") or 0.0 for row in rows) or None
    words = f"calibration, stage {num.clip(stage, 40)}: " + "; ".join(text for *_, text in points[:12])
    picture = charts.dots(unit, unit, points, titles=("predicted result", "actual result"), words=words)
    title = "all stages" if stage == "all" else num.clip(stage, 40)
    return figure(join(title, el("span", " · ", num.counted(total, "position"), class_="soft")), picture)


def _bin(row: Record, most: float) -> tuple[float, float, num.Number, float, str]:
    n, predicted, actual = row.number("n"), row.number("predicted") or 0.0, row.number("actual") or 0.0
    radius = 2.5 + 4 * math.sqrt(max(n or 0.0, 0.0) / most) if most > 0 else 4.0
    half = num.half_width(row.number("error"))
    words = f"predicted {predicted:.3f}, actual {actual:.3f}, {num.plain(n)} positions"
    return predicted, actual, half, radius, words
