"""What did the search by playing find? The recommended setting, what each parameter is worth, every trial.

Elo is the setting's, against the opponents of the search, on search openings. The recommendation comes from a
model of all trials; the best observed trial is shown as what it is, and nothing here is a proof: that is the
section on verification."""

from __future__ import annotations

from dataclasses import asdict

from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.parts import elo_interval, figure, nothing, section, table
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.stats.elo import estimate
from tunesmith.tuning.stats.words import elo_words

_MOST_TRIALS = 200
_STATES = {"COMPLETE": ("complete", None), "FAIL": ("failed", "chip bad")}


def search(study: StudyFiles) -> Markup | None:
    """Return the section, None for a study without a search."""
    if not study.searches:
        return None
    if not study.search.items() and not study.trials:
        return section("search", "Search by playing", nothing("No trial is recorded."))
    return section(
        "search", "Search by playing", _summary(study), _parameters(study), _history(study), _trials(study)
    )


def _summary(study: StudyFiles) -> Content:
    found = study.search
    if not found.items():
        return nothing("The search has not come to its end: nothing is recommended yet.")
    counts = [num.counted(found.number("trials", key), "trial") for key in ("complete", "fail")]
    better = found.number("gain", "better")
    said = el(
        "p",
        "Recommended by a model of all ",
        num.count(found.number("games")),
        " games: expected ",
        _range(found.at("estimate")),
        " against ",
        ", ".join(num.clip(name, 60) for name in found.texts("opponents")) or num.ABSENT,
        "; the start has ",
        _range(found.at("start", "estimate")),
        ". Better than the start with probability ",
        num.chance(better),
        ".",
    )
    lucky = found.at("observed_best")
    small = el(
        "p",
        join(counts[0], " complete, ", counts[1], " failed. "),
        "Best observed, which is part luck and no recommendation: ",
        _elo(_counts(lucky), "Elo"),
        ".",
        class_="caption",
    )
    return join(said, small)


def _range(believed: Record) -> Content:
    elo, low, high = (believed.number(key) for key in ("elo", "elo_low", "elo_high"))
    if elo is None or low is None or high is None:
        return num.ABSENT
    return num.no_break(
        join(
            num.fixed(elo, 0, sign=True),
            " Elo (",
            num.fixed(low, 0, sign=True),
            " to ",
            num.fixed(high, 0, sign=True),
            ")",
        )
    )


def _parameters(study: StudyFiles) -> Content:
    found = study.search
    rows = [_parameter(study, p) for p in found.rows("space")]
    if not rows:
        return None
    columns = [
        ("Parameter", False), ("Range", False), ("Start", True), ("Recommended", True), ("Worth, Elo", True),
        ("Remarks", False),
    ]  # fmt: skip
    note = (
        "Worth: expected difference between a parameter's best and worst value, the others as recommended, "
        "± 95 %. A parameter worth nothing may be left out of the next search."
    )
    return join(el("h3", "Parameters"), table(columns, rows), el("p", note, class_="caption"))


def _parameter(study: StudyFiles, parameter: Record) -> list[Content]:
    name = parameter.text("name") or "unnamed"
    effect = next((row for row in study.search.rows("effects") if row.text("name") == name), Record())
    choices = parameter.at("choices").value
    if isinstance(choices, list):
        where: Content = num.clip(", ".join(map(_word, choices)), 60)
    else:
        ends = (num.significant(parameter.number(key)) for key in ("low", "high"))
        where = join(
            next(ends), " to ", next(ends), ", logarithmic" if parameter.at("log").value is True else None
        )
    return [
        el("code", num.clip(name, 60)),
        where,
        _shown(parameter.at("start")),
        _shown(study.search.at("setting", name)),
        num.interval(effect.number("elo"), effect.number("elo_half_width")),
        _remarks(study, name),
    ]


def _remarks(study: StudyFiles, name: str) -> Content:
    chips: list[Content] = []
    if name in study.search.texts("at_bound"):
        chips.append(el("span", "at the end of its range", class_="chip warn"))
    pilot = next((row for row in study.pilot if row.text("name") == name), Record())
    if pilot.at("dead").value is True:
        chips.append(el("span", "dead: no move changes", class_="chip bad"))
    for end in pilot.rows("ends"):
        shown = join("pilot at ", _shown(end.at("value")), ": ", _range(end), " ")
        chips.append(el("span", shown, class_="soft"))
    return join(*([chip, " "] for chip in chips)) if chips else None


def _history(study: StudyFiles) -> Content:
    points = [found for trial in study.trials[:_MOST_TRIALS] if (found := _point(trial)) is not None]
    if len(points) < 2:
        return None
    x = charts.linear([p[0] for p in points])
    reach = [
        end for _, elo, half, _, _ in points for end in (elo - min(half or 0, 400), elo + min(half or 0, 400))
    ]
    levels = []
    for name, believed in (
        ("recommended", study.search.at("estimate")),
        ("start", study.search.at("start", "estimate")),
    ):
        elo = believed.number("elo")
        if elo is not None:
            levels.append((elo, name))
    y = charts.linear([*reach, *(level for level, _ in levels)], include=(0.0,))
    picture = charts.history(
        x,
        y,
        points,
        titles=("trial", "Elo"),
        words=f"{len(points)} trials in the order they were asked for, with 95 % intervals",
        levels=levels,
    )
    return figure(
        "All trials",
        picture,
        caption="Elo against the opponents of the search with 95 % intervals.",
    )


def _counts(trial: Record) -> list[float] | None:
    counts = [n for n in trial.numbers("counts") if n is not None and n >= 0]
    return counts if len(counts) == 5 and sum(counts) > 0 else None


def _point(trial: Record) -> tuple[float, float, num.Number, str, str] | None:
    number, counts = trial.number("number"), _counts(trial)
    if number is None or counts is None:
        return None
    facts = estimate(counts)
    text = f"trial {number + 1:.0f}: {elo_words(facts)}, {_setting(trial)}"
    return number + 1, facts.elo, facts.elo_half_width, "after", text


def _trials(study: StudyFiles) -> Content:
    rows = [_trial(trial) for trial in study.trials[:_MOST_TRIALS] if trial.at("ghost").value is not True]
    if not rows:
        return None
    columns = [("Trial", False), ("Setting", False), ("Games", True), ("Elo", True), ("End", False)]
    more = len(study.trials) - _MOST_TRIALS
    shown = el("details", el("summary", "Every trial"), table(columns, rows))
    return join(shown, el("p", f"and {more} more in search/trials.jsonl") if more > 0 else None)


def _trial(trial: Record) -> list[Content]:
    number, counts = trial.number("number"), _counts(trial)
    state, kind = _STATES.get(trial.text("state") or "", (num.clip(trial.text("state") or "", 20), None))
    reason = trial.text("reason")
    return [
        num.ABSENT if number is None else num.fixed(number + 1, 0),
        num.words(_setting(trial), 300),
        num.count(trial.number("games")) if counts else None,
        _elo(counts) if counts else None,
        join(el("span", state, class_=kind), f" {num.clip(reason, 120)}" if reason else None),
    ]


def _elo(counts: list[float] | None, unit: str = "") -> Content:
    return elo_interval(Record(asdict(estimate(counts)) if counts else {}), unit)


def _setting(trial: Record) -> str:
    return ", ".join(
        f"{num.clip(name, 40)} {_word(value.value)}" for name, value in trial.items("setting")[:40]
    )


def _shown(value: Record) -> Content:
    number = value.number()
    if number is not None:
        return num.significant(number)
    return num.ABSENT if value.value is None else num.clip(_word(value.value), 40)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:.4g}" if isinstance(value, float) else num.clip(str(value), 40)
