"""From what do the games come: which weights played each generation, and which openings a file held?

Elo is seen from the weights that a generation made, against those that had played it."""

from __future__ import annotations

from tuning.markup import Content, Markup, el, join
from tuning.report_data import Record, Study
from tuning.report_numbers import clip, count, counted, interval
from tuning.report_parts import nothing, table

_MOST = 40


def path(study: Study) -> Markup | None:
    """Return how weights followed each other; None where a single generation was played."""
    steps = study.path.rows("path")
    if len(steps) < 2:
        return None
    columns = [("Generation", False), ("Played by", False), ("Weights made", False), ("Pairs", True),
               ("Elo against those that played", True), ("", False)]  # fmt: skip
    chosen = clip(study.path.text("chosen") or "weights that are not recorded", 40)
    has_checks = any(step.items("check") for step in steps)
    told = (
        "After each fit a short match, on openings that no generation plays, compared the new weights with those "
        "that had played. They are kept if they scored more than half: a guard against steps back, no proof. "
        if has_checks
        else "Generations were not compared with each other. "
    )
    return join(
        el("h3", "The path of the weights"),
        table(columns, [_step(step) for step in steps[:_MOST]]),
        el("p", told, f"The study went on with {chosen}.", class_="caption"),
    )


def _step(step: Record) -> list[Content]:
    check = step.at("check")
    kept = "kept" if step.at("is_kept").value is True else "not better, not kept"
    elo = interval(check.number("estimate", "elo"), check.number("estimate", "elo_half_width"))
    return [
        count(step.number("generation")),
        clip(step.text("player") or "", 40),
        clip(step.text("made") or "", 40),
        count(check.number("pairs")) if check.items() else "no check",
        elo if check.items() else None,
        kept if check.items() else None,
    ]


def openings(study: Study) -> Markup | None:
    """Return what the user's file of openings held; None where there is no such file."""
    facts = study.openings
    if not facts.items():
        return None
    purposes = ", ".join(f"{clip(purpose, 20)} {n.text()}" for purpose, n in facts.items("purposes"))
    head = el(
        "p",
        "Games begin as a file says: ",
        counted(facts.number("openings"), "distinct opening"),
        f" ({clip(purposes, 200)}), of which none serves two purposes.",
    )
    lost = facts.items("left_out")
    if not lost:
        return join(el("h3", "Openings"), head, nothing("Every line of the file is an opening of its own."))
    rows: list[list[Content]] = [
        [
            clip(reason, 60),
            count(len(numbers.value) if isinstance(numbers.value, list) else None),
            clip(facts.text("examples", reason) or "", 160),
        ]
        for reason, numbers in lost[:_MOST]
    ]
    return join(
        el("h3", "Openings"),
        head,
        table([("Lines left out because", False), ("Number", True), ("The first of them", False)], rows),
    )
