"""From what do the games come: which weights played each generation, and which openings a file held?

Elo is seen from the weights that a generation made, against those that had played it."""

from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.numbers import clip, count, counted, fixed, percent, significant
from tunesmith.tuning.report.parts import elo_interval, nothing, table
from tunesmith.tuning.report.reading import Record, StudyFiles

_MOST = 40


def path(study: StudyFiles) -> Markup | None:
    """Return how weights followed each other; None where a single generation was played."""
    steps, stopped = study.path.rows("path"), study.path.text("stopped")
    if len(steps) < 2 and stopped is None:
        return None
    columns = [("Generation", False), ("Played by", False), ("Weights made", False), ("Pairs", True),
               ("Elo against those that played", True), ("With the held-out loss", True), ("", False)]  # fmt: skip
    chosen = clip(study.path.text("chosen") or "weights that are not recorded", 40)
    has_checks = any(step.items("check") for step in steps)
    told = (
        "After each fit a short match, on openings that no generation plays, compared the new weights with those "
        "that had played. They are dropped only if it shows them to be worse; of the others the strongest is taken, by "
        "these matches and by the loss on games that no fit saw: a guard against steps back, no proof. "
        if has_checks
        else "Generations were not compared with each other. "
    )
    return join(
        el("h3", "The path of the weights"),
        table(columns, [_step(step) for step in steps[:_MOST]]),
        el(
            "p",
            told,
            f"The study went on with {chosen}.",
            f" Of the generations, {clip(stopped, 300)}." if stopped else "",
            class_="caption",
        ),
    )


def _step(step: Record) -> list[Content]:
    check = step.at("check")
    kept = "kept" if step.at("is_kept").value is True else "shown to be worse, dropped"
    elo = elo_interval(check.at("estimate"))
    return [
        count(step.number("generation")),
        clip(step.text("player") or "", 40),
        clip(step.text("made") or "", 40),
        count(check.number("pairs")) if check.items() else "no check",
        elo if check.items() else None,
        fixed(step.number("step"), 0, sign=True) if check.items() else None,
        kept if check.items() else None,
    ]


def audits(study: StudyFiles) -> Markup | None:
    """Return how often adjudicated games were decided wrongly; None where no game was adjudicated by rule."""
    rows = study.fit.rows("audits")
    if not rows:
        return None
    columns = [("Generation", True), ("Rule", False), ("Games", True), ("Adjudicated", True), ("Played on", True),
               ("Drawn", True), ("Lost", True), ("Wrong", True), ("95 % interval", True)]  # fmt: skip
    return join(
        el("h3", "Games decided by scores"),
        table(columns, [_audit(at, row) for at, row in enumerate(rows[:_MOST], 1)]),
        el(
            "p",
            "A game was decided once both players saw the same side ahead by that score for so many plies each. A "
            "sample was played on to the end by the same players; recorded results stayed as they were. A decision was "
            "wrong if that side did not win.",
            class_="caption",
        ),
    )


def _audit(generation: int, row: Record) -> list[Content]:
    low, high = row.number("low"), row.number("high")
    plies = counted(row.number("plies"), "ply", "plies")
    return [
        count(generation),
        join(significant(row.number("score")), " Elo, ", plies),
        count(row.number("games")),
        count(row.number("adjudicated")),
        count(row.number("played")),
        count(row.number("drawn")),
        count(row.number("reversed")),
        percent(row.number("share")),
        join(percent(low), " to ", percent(high)),
    ]


def openings(study: StudyFiles) -> Markup | None:
    """Return what the user's file of openings held; None where there is no such file."""
    facts = study.openings
    if not facts.items():
        return None
    purposes = ", ".join(f"{clip(purpose, 20)} {n.text()}" for purpose, n in facts.items("purposes"))
    head = el(
        "p",
        "Games begin as a file says: ",
        counted(facts.number("openings"), "distinct opening"),
        f" ({clip(purposes, 200)}), each used for one purpose only.",
    )
    lost = facts.items("left_out")
    if not lost:
        return join(el("h3", "Openings"), head, nothing("Every line of the file is an opening of its own."))
    rows: list[list[Content]] = [
        [
            el("span", clip(reason, 60), class_="long"),
            count(len(numbers.value) if isinstance(numbers.value, list) else None),
            el("span", clip(facts.text("examples", reason) or "", 160), class_="long"),
        ]
        for reason, numbers in lost[:_MOST]
    ]
    return join(
        el("h3", "Openings"),
        head,
        table([("Lines left out because", False), ("Number", True), ("The first of them", False)], rows),
    )
