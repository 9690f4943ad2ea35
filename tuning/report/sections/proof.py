"""Is it proved? The sequential test, the match of fixed length that measures the gain, and all other matches.

Everything is the candidate's view; counts of pairs run from worst (LL) to best (WW). The test decides; its
plain figure is named as what it is, the figure of a test that stopped because it was extreme.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.html import Content, Markup, el, fill, join
from tunesmith.tuning.report.parts import (
    OUTCOMES,
    counts_of,
    decision_chip,
    elo_format,
    elo_interval,
    elo_of,
    few_distinct,
    figure,
    first_share,
    games_of,
    nelo_format,
    nelo_of,
    nothing,
    opponent_of,
    pairs_of,
    rests_on,
    score_of,
    section,
    stop_words,
    table,
)
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.stats.elo import games_needed, judge

if TYPE_CHECKING:
    from tunesmith.tuning.stats.sprt import Sprt

_MOST_RUNS = 60
_UNITS = {"normalized": "normalised Elo", "logistic": "Elo", "bayesian": "BayesElo"}


def proof(study: StudyFiles) -> Markup:
    """Return the section of the sequential test and of the measurement that follows it."""
    title = "Proof: the sequential test, then the measurement"
    if not study.sequential:
        return section("proof", title, nothing("No sequential test is recorded."), _measurement(study))
    tests = [_one_test(run) for run in study.sequential[:6]]
    return section("proof", title, tests, _measurement(study))


def _one_test(run: Record) -> Markup:
    against = join("Against ", opponent_of(run), " at ", num.code(run.text("limit"), 40))
    return join(
        el("h3", against, " ", decision_chip(run)),
        el("p", _hypotheses(run)),
        _path(run),
        _counts(run),
        _stopped(run),
    )


def _hypotheses(run: Record) -> Content:
    sprt = run.at("sprt")
    unit = _UNITS.get(sprt.text("model") or "", "Elo, model not recorded")
    length = sprt.number("expected_pairs")
    expected = (
        None
        if length is None
        else join(" Expected before the first game: ", num.counted(length, "pair"), ".")
    )
    accepted = sprt.number("accepted")
    within = (
        None
        if accepted is None
        else join(" Within that limit a gain as of H1 had a chance of ", num.chance(accepted), " to pass.")
    )
    return join(
        "H0: a gain of ", num.significant(sprt.number("elo0")), "; H1: a gain of ",
        num.significant(sprt.number("elo1")), f" ({unit}). Without a limit of pairs it passes at H0 in ",
        num.percent(sprt.number("alpha"), 0), " of tests, and fails at H1 in ", num.percent(sprt.number("beta"), 0),
        "; at most ", num.counted(sprt.number("max_pairs"), "pair"), ".", within, expected,
    )  # fmt: skip


def _path(run: Record) -> Markup:
    points = [(0.0, 0.0), *run.points("path")]
    title = "Log-likelihood ratio, pair by pair"
    if len(points) < 2:
        return figure(title, nothing("The path of the test is not recorded."))
    lower, upper = run.number("sprt", "lower"), run.number("sprt", "upper")
    levels = [
        (v, name) for v, name in ((upper, "H1: stronger"), (lower, "H0: no such gain")) if v is not None
    ]
    x = charts.linear([p for p, _ in points], include=(0.0,), pad=0.0, n=5)
    y = charts.linear([*(v for _, v in points), *(v for v, _ in levels)], include=(0.0,), n=5)
    bounds = f"{num.plain(lower)} and {num.plain(upper)}"
    words = f"from 0 to {points[-1][1]:.2f} after {points[-1][0]:.0f} pairs; bounds {bounds}"
    picture = charts.lines(
        x, y, [("curve", points)], titles=("pairs played", "log-likelihood ratio"), words=words,
        levels=levels, marks=points[-1:], height=260,
    )  # fmt: skip
    caption = join(_end_words(run), " (", num.fixed(lower, 2), " or ", num.fixed(upper, 2),
                   "). Pairs count in the order of their number. Rests on ", rests_on(run), ".")  # fmt: skip
    return figure(title, picture, caption=caption)


def _end_words(run: Record) -> str:
    """Say where the line ends."""
    return {
        "H1": "The line met the upper bound, and the test accepted the gain: it stops where a bound is met",
        "H0": "The line met the lower bound, and the test rejected the gain: it stops where a bound is met",
        "inconclusive": "The line met no bound before the limit of pairs: the test is undecided",
    }.get(run.text("decision") or "", "The test stops where the line meets a bound")


def _counts(run: Record) -> Markup:
    counts = counts_of(run)
    title = "Pairs by result"
    if counts is None:
        return figure(title, nothing("The counts are not recorded."))
    parts = [(name, n, f"p{i}") for i, (name, n) in enumerate(zip(OUTCOMES, counts, strict=True))]
    words = ", ".join(f"{name} {n:.0f}" for name, n, _ in parts)
    total = sum(counts)
    columns = [("", False), *((name, True) for name in OUTCOMES)]
    rows: list[list[Content]] = [
        ["Pairs", *(num.count(n) for n in counts)],
        ["Share", *(num.percent(n / total if total else None) for n in counts)],
    ]
    return figure(
        title,
        charts.share_bar(parts, words),
        table(columns, rows, class_="counts"),
        caption=join("A pair is two games from one opening with sides swapped; L, D, W are the candidate's losses, "
                     "draws and wins. ", rests_on(run), "."),
    )  # fmt: skip


def _stopped(run: Record) -> Markup:
    """Show the plain figure of the test and, where it can be had, the one without the stop's bias."""
    words = fill(
        """Plain figure of the sequential test: {elo}, {nelo} normalised, over {games}. {warning}: {why}.""",
        elo=elo_of(run),
        nelo=nelo_of(run),
        games=rests_on(run),
        warning=el("strong", "It is not the size of the gain"),
        why=stop_words(run),
    )
    return join(el("p", words), _unbiased(run))


def _unbiased(run: Record) -> Markup | None:
    found = _after_test(run)
    if found is None:
        return None
    elo, low, high = found
    words = join("With the bias of stopping removed (median-unbiased estimate from the same counts): ",
                 num.fixed(elo, 1, sign=True), " Elo, 95 % interval ", num.fixed(low, 1, sign=True), " to ",
                 num.fixed(high, 1, sign=True), ".")  # fmt: skip
    return el("p", words)


def _after_test(run: Record) -> tuple[float, float, float] | None:
    """Return (Elo, low, high) of a test that has ended, None where its record is not sound."""
    from tunesmith.tuning.stats.stopped_test import estimate_stopped

    counts = counts_of(run)
    if counts is None or not sum(counts) or run.text("decision") is None:
        return None
    try:
        found = estimate_stopped(_sprt(run.at("sprt")), counts)
    except (TypeError, ValueError, LookupError, ArithmeticError):  # InputError is a ValueError
        return None
    return found.elo, found.elo_low, found.elo_high


def _sprt(record: Record) -> Sprt:
    from tunesmith.tuning.stats.sprt import Sprt

    settings: dict[str, Any] = {name: record.number(name) for name in ("elo0", "elo1", "alpha", "beta")}
    pairs = record.number("max_pairs")
    return Sprt(**settings, model=record.at("model").value, max_pairs=None if pairs is None else int(pairs))


def _measurement(study: StudyFiles) -> Markup:
    run = study.main_run
    if not run.items():
        return join(
            el("h3", "The size of the difference"),
            nothing("No match of fixed length against the old weights is recorded."),
        )
    estimate = run.at("estimate")
    title = (
        "The size of the gain"
        if study.verdict.text("outcome") == "stronger"
        else "The size of the difference"
    )
    return join(
        el("h3", title),
        el("p", "A fixed number of games on openings of its own, against ", opponent_of(run), " at ",
           num.code(run.text("limit"), 40), ": ", el("strong", elo_of(run)), " (95 % interval), ", nelo_of(run),
           " normalised, score ", score_of(run), ", likelihood of superiority ", _los(run),
           ", over ", rests_on(run), "."),
        _needed(run),
        _counts(run) if estimate.items() else None,
    )  # fmt: skip


def _needed(run: Record) -> Markup | None:
    """Where the interval holds zero, say how many games the seen difference would take."""
    low, high = run.number("estimate", "elo_low"), run.number("estimate", "elo_high")
    counts = counts_of(run)
    if low is None or high is None or counts is None or judge(low, high) != "not shown":
        return None
    needed = games_needed(counts)
    if needed is None:
        return el("p", "The interval holds zero, and no difference was seen at all.")
    return el("p", "The interval holds zero. If the difference seen is the true one, ", num.counted(needed, "game"),
              " would show it (95 % level, 80 % power).")  # fmt: skip


def _los(run: Record) -> Content:
    return num.chance(run.number("estimate", "los"))


# All matches


def matches(study: StudyFiles) -> Markup:
    """Return the section with a row for every match."""
    if not study.runs:
        return section("matches", "All matches", nothing("No match is recorded."))
    columns = [
        ("Opponent", False), ("Limit", False), ("Pairs", True), ("Games", True),
        ("Score", True), ("Elo", True), ("nElo", True), ("LOS", True), ("First player", True), ("Decision", False),
    ]  # fmt: skip
    runs = study.runs[:_MOST_RUNS]
    shown = elo_format([run.at("estimate") for run in runs]), nelo_format(runs)
    rows = [_match(run, shown) for run in runs]
    more = len(study.runs) - _MOST_RUNS
    return section(
        "matches",
        "All matches",
        table(columns, rows, class_="stack runs"),
        el("p", f"and {more} more in the files") if more > 0 else None,
        el("p", "Score, Elo, normalised Elo (nElo) and likelihood of superiority (LOS) of the new weights; ± is a 95 % "
           "interval. First player: share of the points made by whoever moves first, whichever weights it has. "
           "Figures of sequential tests are those at the stop, see above.", class_="caption"),
    )  # fmt: skip


def _match(run: Record, shown: tuple[num.Format, num.Format]) -> list[Content]:
    digest = run.text("opponent", "digest")
    return [
        join(opponent_of(run), el("span", " ", num.short(digest), class_="meaning") if digest else None),
        num.code(run.text("limit"), 40),
        num.count(pairs_of(run)),
        num.count(games_of(run)),
        score_of(run),
        elo_interval(run.at("estimate"), shown=shown[0]),
        nelo_of(run, shown[1]),
        _los(run),
        num.percent(first_share(run, "result_shares")),
        _remarks(run),
    ]


def _remarks(run: Record) -> Content:
    """Return the decision, and what is wrong with the games."""
    faults = run.number("faults")
    kind = run.text("kind")
    words = {None: num.ABSENT, "fixed": "fixed length"}.get(kind, num.clip(kind or "", 30))
    chips: list[Content] = [decision_chip(run) if kind == "sequential" else words]
    if (load := run.number("load", "mean")) is not None:  # of a limit in time
        cores = num.counted(run.number("load", "cores"), "core")
        chips.append(el("span", "load ", num.fixed(load, 1), " on ", cores, class_="soft"))
    if faults:
        chips.append(el("span", num.counted(faults, "faulty game"), class_="chip bad"))
    if few_distinct(run):
        words = join("only ", num.count(run.number("distinct_games")), " distinct games: errors are larger")
        chips.append(el("span", words, class_="chip warn"))
    elif run.number("distinct_games") is not None:
        chips.append(el("span", num.count(run.number("distinct_games")), " distinct", class_="soft"))
    return join(*([chip, " "] for chip in chips))
