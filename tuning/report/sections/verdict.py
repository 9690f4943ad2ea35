"""What is the answer, in one screen? The verdict, the gain and where it was measured, and how to repeat it.

The gain is that of a fixed number of games, never that of a stopped test; Elo is the candidate's, against the
named opponent. Where the verdict is missing the page says so first.
"""

from tunesmith.games.registry import without_folder
from tunesmith.tuning.report import charts
from tunesmith.tuning.report import numbers as num
from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.parts import (
    elo_format,
    elo_interval,
    elo_of,
    figure,
    games_of,
    opponent_of,
    stop_words,
)
from tunesmith.tuning.report.reading import Record, StudyFiles

_SHORT = 110  # letters of a sentence that may be set large
_OUTCOMES = {"stronger": "good", "weaker": "bad", "not shown": "warn"}


def head(study: StudyFiles) -> Markup:
    """Return the first screen."""
    game = study.setting("game") or study.fit.text("game")
    title = join(
        "Tunesmith report · ",
        num.clip(without_folder(game), 60) if game else "game not recorded",
        " · study ",
    )
    parts: list[Content] = [
        el("p", title, el("strong", num.clip(study.name, 60)), class_="eyebrow"),
        _outcome(study.verdict),
        el("h1", sentence(study), class_="lengthy" if len(sentence(study)) > _SHORT else None),
        _reason(study.verdict),
        _problems(study),
        _figures(study),
        _command(study),
        _forest(study),
    ]
    return el("header", parts)


def sentence(study: StudyFiles) -> str:
    """Return the verdict in words."""
    found = num.clip(study.verdict.text("sentence") or "This study has not come to a verdict yet.", 600)
    return found.replace(" ± ", "\u00a0±\u00a0").replace(" Elo", "\u00a0Elo")


def _reason(verdict: Record) -> Markup | None:
    """Return why nothing was shown, and the command that comes next."""
    why, command = (verdict.text("reason", key) for key in ("sentence", "command"))
    if not why:
        return None
    words = num.clip(f"{why[:1].upper()}{why[1:]}.", 400)
    return el(
        "p",
        words,
        *([" Next, with this study's folder as STUDY: ", num.command(command)] if command else []),
    )


def _outcome(verdict: Record) -> Markup:
    outcome = verdict.text("outcome")
    kind = _OUTCOMES.get(outcome or "", "")
    words = num.clip(outcome, 40) if outcome else "no verdict"
    chip = el("span", words[:1].upper() + words[1:], class_=f"chip outcome {kind}".strip())
    return el("p", chip, class_="verdict")


def _figures(study: StudyFiles) -> Markup:
    entries = [_gain(study), _opponents(study), _games(study)]
    return el("dl", [el("div", el("dt", name), el("dd", body)) for name, body in entries], class_="figures")


def _gain(study: StudyFiles) -> tuple[str, Content]:
    """Return the size of the gain: as the verdict says, else that of the main measurement."""
    gain = study.verdict.at("gain")
    run = _run_of(gain, study)
    found = gain if gain.number("elo") is not None else run.at("estimate")
    elo = found.number("elo")
    if elo is None:
        return "Gain", _entry(el("span", "not measured", class_="absent"))
    limit = gain.text("limit") or run.text("limit")
    games = games_of(gain) if games_of(gain) is not None else games_of(run)
    below = join(num.percent(num.expected(elo)), " of the points; 95 % interval, measured at ", num.code(limit, 40),
                 " over ", num.counted(games, "game"))  # fmt: skip
    return _gain_words(study.verdict), _entry(elo_interval(found, "Elo"), below)


def _gain_words(verdict: Record) -> str:
    """Return what the measured difference is, as the verdict sees it."""
    return {
        "weaker": "Loss against the old weights",
        "not shown": "Difference to the old weights: no gain is shown",
    }.get(verdict.text("outcome") or "", "Gain over the old weights")


def _run_of(gain: Record, study: StudyFiles) -> Record:
    """Find the run that a gain was measured in: by its name, its figure, or its role."""
    name = gain.text("run") or gain.text("name")
    elo = gain.number("elo")
    for run in study.measurements:
        if (name and run.text("name") == name) or (not name and elo == run.number("estimate", "elo")):
            return run
    return study.main_run if elo is None else Record()


def _opponents(study: StudyFiles) -> tuple[str, Content]:
    names = list(dict.fromkeys(run.text("opponent", "name") or "not recorded" for run in study.runs))
    limits = list(dict.fromkeys(run.text("limit") or "not recorded" for run in study.runs))
    shown = [num.clip(name, 60) for name in names[:6]] + (["…"] if len(names) > 6 else [])
    below = [join(", " if i else "", num.code(limit, 40)) for i, limit in enumerate(limits[:4])]
    if not shown:
        return "Opponents", _entry(el("span", "none yet", class_="absent"))
    return "Opponents", _entry(", ".join(shown), join("search limits: ", below), len(", ".join(shown)) < 22)


def _games(study: StudyFiles) -> tuple[str, Content]:
    proof, learnt = _sum([games_of(run) for run in study.runs]), study.fit.number("games")
    if proof is None and learnt is None:
        return "Games", _entry(el("span", "none yet", class_="absent"))
    if proof is None:
        return "Games", _entry(num.counted(learnt, "game"), "of self-play; none in matches yet")
    sources = [
        join("fitted to ", num.counted(learnt, "game"), " of self-play") if study.fits else None,
        join("searched with ", num.counted(study.search.number("games"), "game"))
        if study.search.items()
        else None,
    ]
    told = [join("; ", source) for source in sources if source is not None]
    return "Games", _entry(num.counted(proof, "game"), join("in matches", told))


def _entry(figure: Content, below: Content = None, is_big: bool = True) -> Markup:
    """Return a figure with what has to be known about it in small print."""
    small = None if below is None else el("div", below, class_="sub")
    return join(el("div", figure, class_="big" if is_big else None), small)


def _sum(numbers: list[num.Number]) -> num.Number:
    found = [n for n in numbers if n is not None]
    return sum(found) if found else None


def _command(study: StudyFiles) -> Markup:
    verdict = study.verdict
    command = verdict.text("command")
    old, new = verdict.text("baseline", "digest"), study.candidate
    digests = join("old weights ", num.short(old), " · new weights ", num.short(new))
    if old is not None and old == new:
        digests = join("The study stays with the weights that it began with: ", num.short(old))
    shown: Content = el("p", "The command that repeats this study is ", num.ABSENT, ".")
    if command:
        shown = [el("span", "Repeat it with", class_="soft"), el("pre", num.command(command, 500))]
    return el("div", shown, el("p", digests, class_="caption"), class_="command")


def _problems(study: StudyFiles) -> Markup | None:
    if not study.problems:
        return None
    lines = [el("li", num.clip(problem, 200)) for problem in study.problems[:20]]
    return el("div", el("p", el("strong", "What is missing")), el("ul", lines), class_="notice", role="note")


def _forest(study: StudyFiles) -> Markup | None:
    """Draw every measurement of fixed length, and the test's plain figure in grey."""
    runs = [run for run in [*study.measurements, *study.sequential] if _elo(run) is not None][:40]
    if not runs:
        return None
    reach = [end for run in runs for end in (_elo(run), *(_interval(run) or ()))]
    scale = charts.linear(reach, include=(0.0,), n=5)
    axis = el(
        "tr",
        el("th", "Opponent, limit"),
        el("th", charts.row_axis(scale), class_="chart"),
        el("th", "Elo of the new weights", class_="n"),
        el("th", "Games", class_="n"),
    )
    shown = elo_format([run.at("estimate") for run in runs])
    rows = [_forest_row(scale, run, shown) for run in runs]
    return figure(
        "Every match of the new weights",
        el("table", el("thead", axis), el("tbody", rows), class_="stack forest"),
        caption=_forest_words(runs),
    )


def _forest_words(runs: list[Record]) -> str:
    """Say what the picture shows: on which side of zero the intervals are, and what a grey dot is."""
    found = [
        ends for run in runs if run.text("kind") != "sequential" and (ends := _interval(run)) is not None
    ]
    right, left = sum(low > 0 for low, _ in found), sum(high < 0 for _, high in found)
    each, s = (
        ("the interval", "s")
        if len(found) == 1
        else ("both intervals" if len(found) == 2 else f"all {len(found)} intervals", "")
    )
    if not found:
        told = ""
    elif right == len(found):
        told = f" Here {each} lie{s} right of zero."
    elif left == len(found):
        told = f" Here {each} lie{s} left of zero."
    elif not right and not left:
        told = f" Here {each} hold{s} zero: no difference is shown."
    else:
        told = (
            f" Of {len(found)} intervals, {right} right of zero, {left} left of it, "
            f"{len(found) - right - left} around it; an interval around zero shows no difference."
        )
    tests = [run for run in runs if run.text("kind") == "sequential"]
    grey = (
        " A grey dot is the plain figure of a sequential test, which is not the size of the gain: "
        f"{stop_words(tests[0])}."
        if tests
        else ""
    )
    return (
        "Elo of the new weights against each opponent, with 95 % intervals; right of zero they are stronger."
        f"{told}{grey}"
    )


def _elo(run: Record) -> num.Number:
    return run.number("estimate", "elo")


def _interval(run: Record) -> tuple[float, float] | None:
    """Return the ends of the 95 % interval: as recorded, or even ones."""
    low, high = run.number("estimate", "elo_low"), run.number("estimate", "elo_high")
    if low is not None and high is not None:
        return low, high
    return num.both_ends(_elo(run), run.number("estimate", "elo_half_width"))


def _forest_row(scale: charts.Scale, run: Record, shown: num.Format) -> Markup:
    is_test = run.text("kind") == "sequential"
    words = f"{run.text('opponent', 'name') or 'opponent not recorded'} at {run.text('limit') or 'limit not recorded'}"
    mark = charts.row_marks(scale, None, _elo(run), _interval(run), num.clip(words, 90), strong=not is_test)
    name = join(
        opponent_of(run),
        " ",
        num.code(run.text("limit"), 40),
        el("span", " sequential test", class_="soft") if is_test else None,
    )
    return el(
        "tr",
        el("th", name, scope="row"),
        el("td", mark, class_="chart"),
        el("td", el("span", elo_of(run, shown)), class_="n", data_label="Elo"),
        el("td", el("span", num.counted(games_of(run), "game")), class_="n", data_label="Games"),
    )
