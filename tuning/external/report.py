"""What did a study of engines find? Its report page, and its files as the dashboard's notes read them.

The match or the proof is a run like those of other studies: the first-named engine's view, counts worst first.
Every part may be missing or damaged; the page then says so."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.engine import files
from tunesmith.games.errors import StudyError, TunesmithError
from tunesmith.tuning.documents.engines import EngineContest, EngineMatch, EngineTournament
from tunesmith.tuning.external.words import NAME, UNCHANGED, contest_words, tournament_words
from tunesmith.tuning.report import gauntlet_page
from tunesmith.tuning.report.glossary import GAMES, SEARCH, STRENGTH, TESTS, glossary
from tunesmith.tuning.report.html import Content, Markup, el, join, page
from tunesmith.tuning.report.numbers import clip, code, count, counted, percent
from tunesmith.tuning.report.parts import OUTCOMES, counts_of, nothing, section, table
from tunesmith.tuning.report.reading import Record, StudyFiles, read_record, read_trials
from tunesmith.tuning.report.sections.search import search


def is_engines(folder: Path) -> bool:
    """Whether a folder is that of a study of engines."""
    return (folder / NAME).is_file()


def reader_of(folder: Path) -> Callable[[Path], StudyFiles] | None:
    """Return what reads a folder, if it is that of a study of engines (`dashboard.make_dashboard`)."""
    return read_study if is_engines(folder) else None


def read_study(folder: Path) -> StudyFiles:
    """Return what the folder of a study of engines says, as that of any other study is read."""
    problems: list[str] = []
    settings = read_record(folder, NAME, problems, "the settings are not known")
    found = read_record(folder, "engines.json", problems, "the study has not come to its end")
    result = found.at("search")
    if (folder / "search" / "result.json").is_file() and not result.items():
        result = read_record(folder, "search/result.json", problems, "the search's result is left out")
    played = _contest(found)
    runs = (_run(played, "match" if played is found else "proof"),) if played.items() else ()
    is_unchanged = found.text("kind") == "search" and not played.items()
    rated = _tournament(found)
    said = [UNCHANGED] if is_unchanged else tournament_words(rated)[:1] if rated else _lines(played)[:1]
    verdict = Record({"sentence": said[0]}) if said else Record()
    study = StudyFiles(folder, settings, settings, (), runs, verdict, ())
    study = replace(study, search=result, trials=read_trials(folder, problems))
    return replace(study, problems=tuple(problems))


def write_report(folder: Path) -> Path:
    """Write `report.html` into the folder and return its path; raises StudyError where it cannot be written."""
    target = folder / "report.html"
    try:
        found = read_record(folder, "engines.json", [], "")
        files.replace(target, render(read_study(folder), _contest(found), _tournament(found)))
    except OSError as error:
        raise StudyError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target


def render(study: StudyFiles, played: Record, rated: EngineTournament | None = None) -> str:
    """Return the page; `played` is the match or the proof (`engines.json`), empty where none has ended."""
    said = study.verdict.text("sentence") or "No verdict yet."
    body = el(
        "main",
        el(
            "header",
            el("p", "A study of engines", class_="eyebrow"),
            el("h1", clip(said[:1].upper() + said[1:], 300)),
        ),
        [el("p", problem) for problem in study.problems],
        _details(_lines(played) if rated is None else tournament_words(rated)),
        _counts(played),
        None if rated is None else gauntlet_page.tables(rated),
        search(study),
        _players(played),
        _settings(study),
        glossary(GAMES, STRENGTH, TESTS, *([SEARCH] if study.searches else [])),
    )
    return page(f"{clip(study.name, 60)}: Tunesmith report", body, "gauntlet.css")


def _contest(found: Record) -> Record:
    """Return the match of a study, or the proof of what its search recommends."""
    return found if found.text("kind") == "match" else found.at("verify")


def _run(played: Record, name: str) -> Record:
    """Return a contest with the names of a study's verifications (`verify/*.json`)."""
    value = dict(played.value)
    return Record(
        {
            **value,
            **(value["summary"] if isinstance(value.get("summary"), dict) else {}),
            "name": name,
            "kind": "sequential" if "sprt" in value else "fixed",
            "opponent": played.at("second").value,
            "candidate": played.at("first").value,
            "limit": played.text("first", "limit"),
        }
    )


def _tournament(found: Record) -> EngineTournament | None:
    """Return the tournament that `engines.json` holds; None of anything else, and of one that is damaged."""
    if found.text("kind") != "tournament":
        return None
    try:
        return EngineTournament.of(found.value, Path("engines.json"))
    except (TunesmithError, TypeError):
        return None


def _lines(played: Record) -> list[str]:
    """Return a contest in words; none of one that is damaged."""
    try:
        own = EngineMatch if played.text("kind") else EngineContest
        return contest_words(own.of(played.value, Path("engines.json"))) if played.items() else []
    except (TunesmithError, TypeError):
        return []


def _details(lines: Sequence[str]) -> Markup:
    if not lines:
        return section("result", "Result", nothing("No match was played, or none has come to its end."))
    told = [el("li", clip(line, 400)) for line in lines[1:]]  # the first is the headline
    return section("result", "Result", el("ul", told))


def _counts(played: Record) -> Markup | None:
    """Return the pairs of each class."""
    counts = counts_of(played)
    if counts is None:
        return None
    total = sum(counts)
    head = [("", False), *((name, True) for name in OUTCOMES)]
    rows: list[list[Content]] = [
        ["Pairs", *(count(n) for n in counts)],
        ["Share", *(percent(n / total if total else None) for n in counts)],
    ]
    told = join(
        counted(total, "pair"),
        ", each of one opening played from both sides; worst for the first engine first.",
    )
    return section(
        "counts", "Pairs by result", table(head, rows, class_="counts"), el("p", told, class_="caption")
    )


def _players(played: Record) -> Markup | None:
    """Return both engines with their options, those that differ first."""
    both = [played.at(which) for which in ("first", "second")]
    if not all(player.items() for player in both):
        return None
    options: list[dict[str, str]] = [
        {name: _option(value) for name, value in player.items("options")} for player in both
    ]
    names = sorted({*options[0], *options[1]}, key=lambda n: (options[0].get(n) == options[1].get(n), n))
    rows: list[list[Content]] = [["limit", *(code(player.text("limit"), 60) for player in both)]]
    rows += [[clip(name, 60), *(clip(own.get(name, "not offered"), 60) for own in options)] for name in names]
    head = [("Option", False), *((clip(player.text("name") or "?", 60), False) for player in both)]
    return section("engines", "Engines", table(head, rows))


def _option(value: Record) -> str:
    if isinstance(value.value, bool):
        return "on" if value.value else "off"
    return value.text() or "empty"


def _settings(study: StudyFiles) -> Markup:
    """Return the settings that were given or have a value, folded."""
    given = [(name, value) for name, value in study.settings.leaves() if value.value is not None and name]
    rows: list[list[Content]] = [[name, code(_setting(value), 80)] for name, value in given]
    told = join("The study file's settings; ", code("tunesmith engines"), " with them repeats the study.")
    shown = table([("Setting", False), ("Value", False)], rows, class_="short two")
    summary = el("summary", "All settings (", count(len(rows)), ")")
    return section("settings", "Settings", el("p", told), el("details", summary, shown))


def _setting(value: Record) -> str:
    if isinstance(value.value, list):
        names = [
            one.get("command") or one.get("name") or "…" if isinstance(one, dict) else one
            for one in value.value
        ]
        return ", ".join(str(name).rpartition("/")[2] for name in names) or "none"
    return _option(value)
