"""What is laid over a study in optuna-dashboard: notes in Markdown, plots, and files to take away.

All of it is told from the study's folder, through the same reading as the report, so that a damaged or
unfinished study is shown as far as it goes. Text of a study is escaped: it can neither become markup nor a
link. Scores are the candidate's, in Elo."""

from __future__ import annotations

import json
import mimetypes
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tunesmith.tuning.documents.history import EloInterval
from tunesmith.tuning.optuna_private import id_of
from tunesmith.tuning.report.numbers import clip, without_folders
from tunesmith.tuning.report.reading import Absent, Record, StudyFiles, read_record
from tunesmith.tuning.stats.elo import Z95, estimate
from tunesmith.tuning.stats.words import elo_words, interval_words

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

METRIC_NAMES = "study:metric_names"  # of Optuna: what axes are called
_PIECE = 2045  # the dashboard keeps texts in pieces of this many characters
_LONGEST = 400  # characters of a text of the study in a note
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$&^:@/])")

GLOSSARY = "/tunesmith/glossary"  # a page of the dashboard (`overlay`)

Attributes = dict[str, Any]


@dataclass(frozen=True)
class File:
    """Something to take away: a name in a study's folder, and what answers its bytes when somebody asks."""

    folder: Path
    name: str
    content: Callable[[], bytes]

    @property
    def id(self) -> str:
        """A name that addresses may hold."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.folder.resolve()}/{self.name}"))


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(without_folders(text).split())[:_LONGEST])


# --- notes


HEADS = ("match", "against", "limit", "games", "Elo", "test")  # of a table of matches
NUMBERS = ("games", "Elo")


class Told(NamedTuple):
    """What is known of a study, in plain words: the note in Markdown and the card on top of its page say the same.

    runs: a match each, as `HEADS` names its cells. attributes: what is asked first, by name.
    """

    headline: str
    attributes: dict[str, str]
    runs: list[tuple[str, ...]]
    reason: str
    following: str  # the command that comes next
    paragraphs: list[str]
    problems: list[str]
    command: str


def told(study: StudyFiles) -> Told:
    """Return what is known of a study."""
    is_over = bool(study.verdict.items())
    searched, why = _search_words(study), study.verdict.text("reason", "sentence")
    return Told(
        headline=without_folders(_headline(study)),
        attributes=attributes_of(study),
        runs=[_run_cells(run) for run in study.runs],
        reason=f"Why, most likely: {why}." if why else "",
        following=study.verdict.text("reason", "command") or "",
        paragraphs=[searched] if searched else [],
        problems=[without_folders(one) for one in study.problems if is_over or not isinstance(one, Absent)],
        command=without_folders(study.verdict.text("command") or ""),
    )


def study_note(study: StudyFiles) -> str:
    """Return the note of a study in Markdown: what is known of it, in words and one table."""
    facts = told(study)
    parts = [f"**{escaped(facts.headline)}**", _table(facts)]
    next_ = f"Next: {facts.following}" if facts.following else ""
    parts += [escaped(f"{facts.reason} {next_}".strip()), *map(escaped, facts.paragraphs)]
    parts += [f"- {escaped(one)}" for one in facts.problems]
    parts += [f"Repeat it: {escaped(facts.command)}"] if facts.command else []
    return "\n\n".join([*(part for part in parts if part), f"[What the words mean]({GLOSSARY})"])


def attributes_of(study: StudyFiles) -> dict[str, str]:
    """Return what is asked of a study first: a few names and numbers."""
    gain, run = study.verdict.at("gain"), study.main_run
    found = {
        "outcome": study.verdict.text("outcome"),
        "game": study.setting("game"),
        "old weights": study.baseline,
        "Elo over the old weights": _gain(Record({"estimate": gain.value}))
        if gain.items()
        else _gain(run) or None,
        "measured at": gain.text("limit") or run.text("limit"),
        "games measured": None if run.number("games") is None else f"{run.number('games'):,.0f}",
        "new weights": (study.candidate or "")[:12] or None,
    }
    return {name: clip(value, 80) for name, value in found.items() if value}


def metric_name(study: StudyFiles) -> str:
    """Return what a trial is judged by."""
    rivals = study.search.texts("opponents") or study.settings.texts("search", "opponents") or ["baseline"]
    names = [study.baseline or name if name == "baseline" else name for name in rivals]
    return f"score against {', '.join(clip(name, 30) for name in names[:3])}"


def _headline(study: StudyFiles) -> str:
    stage = read_record(study.folder, "status.json", [], "").text("stage") or "not started"
    return study.verdict.text("sentence") or f"No verdict yet; the study's stage: {stage}."


def _table(facts: Told) -> str:
    if not facts.runs:
        return ""
    rows = [f"| {' | '.join(escaped(cell) for cell in run)} |" for run in facts.runs]
    line = "|".join("---:" if name in NUMBERS else "---" for name in HEADS)
    return "\n".join([f"| {' | '.join(HEADS)} |", f"|{line}|", *rows])


def _run_cells(run: Record) -> tuple[str, ...]:
    names = [run.text("name"), run.text("opponent", "name"), run.text("limit")]
    words = [clip(name or "", 80) for name in names]
    decision = {"H1": "gain accepted", "H0": "gain rejected", "inconclusive": "undecided"}
    return (
        *words,
        f"{run.number('games') or 0:,.0f}",
        _gain(run),
        decision.get(run.text("decision") or "", ""),
    )


def _gain(run: Record) -> str:
    """Return the Elo of a run with its interval, as far as it is recorded."""
    names = ("elo", "elo_low", "elo_high", "elo_half_width")
    elo, low, high, half = (run.number("estimate", name) for name in names)
    if elo is None:
        return ""
    if low is not None and high is not None:
        return interval_words(EloInterval(elo=elo, elo_low=low, elo_high=high))
    return f"{elo:+z.1f} (no interval)" if half is None else f"{elo:+z.1f} ± {half:.1f}"


def _search_words(study: StudyFiles) -> str:
    setting = study.search.items("setting")
    if not setting:
        return ""
    told = ", ".join(f"{name} = {value.text() or str(value.value)}" for name, value in setting)
    elo = study.search.number("estimate", "elo")
    low, high = study.search.number("estimate", "elo_low"), study.search.number("estimate", "elo_high")
    sure = (
        ""
        if None in (elo, low, high)
        else f": {elo:+z.0f} Elo ({low:+z.0f} to {high:+z.0f}) by a model of all games"
    )
    return f"Search recommends {told}{sure}. The best observed trial is no recommendation: it has luck in it."


def trial_note(row: Record) -> str:
    """Return the note of a trial, from its line in `search/trials.jsonl`."""
    counts = _counts(row)
    lines = [f"**{escaped(row.text('state') or 'no state')}**"]
    if len(counts) == 5 and any(counts):
        found = estimate(counts)
        lines.append(f"{elo_words(found)} in {sum(counts):,} pairs {counts}, worst first")
    for name, _ in row.items("opponents"):
        lines.append(f"against {escaped(name)}: {_counts(row, 'opponents', name)}")
    for key in ("sampler", "digest", "error"):
        if row.text(key):
            lines.append(f"{key}: {escaped(row.text(key) or '')}")
    return "\n\n".join(lines)


def _counts(row: Record, *keys: str) -> list[int]:
    return [int(count or 0) for count in row.numbers(*(keys or ("counts",)))]


# --- plots


def plots(study: StudyFiles) -> Iterator[tuple[str, Any]]:
    """Yield the plots of a study as (name, plotly figure); those without data are left out."""
    for name, make in (
        ("sequential-test", _sequential),
        ("weights", _weights),
        ("calibration", _calibration),
    ):
        figure = make(study)
        if figure is not None and figure.data:
            yield name, figure


def _figure(title: str, x: str, y: str) -> Any:
    import plotly.graph_objects as go

    return go.Figure(
        layout={"title": {"text": title}, "xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}
    )


def _sequential(study: StudyFiles) -> Any:
    figure = _figure(
        "Sequential test between its bounds", "pairs, in the order of their numbers", "log-likelihood ratio"
    )
    for run in study.sequential:
        path = run.points("path")
        if not path:
            continue
        xs, ys = zip(*path, strict=True)
        figure.add_scatter(x=xs, y=ys, mode="lines", name=_plain(run.text("name") or "test"))
        for bound in ("lower", "upper"):
            level = run.number("sprt", bound)
            if level is not None:
                figure.add_scatter(
                    x=[0, xs[-1]],
                    y=[level, level],
                    mode="lines",
                    name=f"{bound} bound",
                    line={"dash": "dash"},
                )
    return figure


def _weights(study: StudyFiles) -> Any:
    figure = _figure("Weights before and after, with standard errors", "", "Elo per unit of the feature")
    rows = [row for row in study.fit.rows("weights") if row.number("after") is not None]
    for stage in dict.fromkeys(row.text("stage") or "" for row in rows):
        own = [row for row in rows if (row.text("stage") or "") == stage]
        names = [_plain(row.text("feature") or "") for row in own]
        figure.add_scatter(
            x=names,
            y=[row.number("after") for row in own],
            error_y={"type": "data", "array": [row.number("error") or 0 for row in own]},
            mode="markers",
            name=f"after, {_plain(stage)}",
        )
        before = [row.number("before") for row in own]
        figure.add_scatter(
            x=names,
            y=before,
            mode="markers",
            marker={"symbol": "x-thin-open"},
            name=f"before, {_plain(stage)}",
        )
    return figure


def _calibration(study: StudyFiles) -> Any:
    figure = _figure("Predicted and actual results", "predicted score", "actual score")
    rows = [row for row in study.fit.rows("calibration") if row.text("stage") == "all"]
    rows = [row for row in rows if row.number("predicted") is not None and row.number("actual") is not None]
    if rows:
        figure.add_scatter(
            x=[row.number("predicted") for row in rows],
            y=[row.number("actual") for row in rows],
            error_y={"type": "data", "array": [Z95 * (row.number("error") or 0) for row in rows]},
            mode="markers",
            name="held-out pairs",
        )
        figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", name="perfect", line={"dash": "dash"})
    return figure


def _plain(text: str) -> str:
    """Return a name that plotly shows as it is: it reads tags."""
    return text.replace("<", "‹").replace(">", "›").replace("&", "＆")[:80]


# --- files


def study_files(study: StudyFiles) -> list[File]:
    """Return what a study has to take away: report, verdict, weights, and a game of each match."""
    names = ["report.html", "verdict.json", "search/result.json", "search/trials.jsonl"]
    names += sorted(f"weights/{path.name}" for path in (study.folder / "weights").glob("*.json"))
    files = [
        File(study.folder, name, (study.folder / name).read_bytes)
        for name in names
        if (study.folder / name).is_file()
    ]
    game = study.setting("game")
    folders = [path for path in sorted((study.folder / "verify").glob("*")) if path.is_dir()]
    return files + [
        File(study.folder, f"game of {folder.name}.html", _game_page(game, folder))
        for folder in folders
        if game is not None
    ]


def trial_files(study: StudyFiles, row: Record) -> list[File]:
    """Return a game of a trial, if its games are there."""
    digest, game = row.text("digest"), study.setting("game")
    first = row.number("from")
    if not digest or game is None or first is None:
        return []
    folder = study.folder / "search" / "games" / digest[:24] / str(int(first)) / "0"
    if not folder.is_dir():
        return []
    return [File(study.folder, f"game of trial {digest[:12]}.html", _game_page(game, folder))]


def _game_page(spec: str, folder: Path) -> Callable[[], bytes]:
    def made() -> bytes:
        from tunesmith import games
        from tunesmith.tuning.report import game_page, game_source

        return game_page.render(game_source.from_folder(games.load(spec), folder, 0, 0)).encode()

    return made


# --- as the dashboard stores them


def attributes(
    study: StudyFiles, trials: Sequence[FrozenTrial], broken: str = ""
) -> tuple[Attributes, list[File]]:
    """Return the dashboard's attributes of a study, and the files that they speak of.

    `broken` says why there are no trials.
    """
    files = study_files(study)
    said = [escaped(broken)] if broken else []
    found = {**_note("\n\n".join([*said, study_note(study)]), "dashboard:note_"), **_plot_pieces(study)}
    found[METRIC_NAMES] = [metric_name(study)]
    found.update((f"artifacts:{file.id}", _meta(file)) for file in files)
    rows = {int(number): row for row in study.trials if (number := row.number("number")) is not None}
    for trial in trials:
        row = rows.get(trial.number)
        if row is None:
            continue
        found.update(_note(trial_note(row), f"dashboard:{id_of(trial)}:note_"))
        for file in trial_files(study, row):
            found[f"dashboard:artifacts:{id_of(trial)}:{file.id}"] = _meta(file)
            files.append(file)
    return found, files


def unreadable(why: str) -> Attributes:
    """Return the dashboard's attributes of a study that cannot be read."""
    return _note(escaped(why), "dashboard:note_")


def _note(text: str, prefix: str) -> Attributes:
    return {f"{prefix}ver": 1, **_pieces(text, f"{prefix}str:")}


def _plot_pieces(study: StudyFiles) -> Attributes:
    found: Attributes = {}
    for name, figure in plots(study):
        found.update(_pieces(figure.to_json(), f"dashboard:plot_data:{name}:"))
    return found


def _pieces(text: str, prefix: str) -> Attributes:
    return {f"{prefix}{i}": text[at : at + _PIECE] for i, at in enumerate(range(0, len(text), _PIECE))}


def _meta(file: File) -> str:
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return json.dumps({"artifact_id": file.id, "filename": file.name, "mimetype": kind, "encoding": None})
