"""What does a study folder say, however much of it is there?

A report must be possible for an interrupted study, for files of an older version and for files that somebody
edited. So nothing here fails on content: a `Record` answers None for what is absent, of another type or not
finite, and what is missing or unreadable becomes a sentence in `problems`. Units and points of view are those
of the files: weights and evaluations in Elo, counts worst first, the candidate's view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.games.errors import StudyError, TunesmithError
from tunesmith.games.texts import parse_json
from tunesmith.tuning import manifest
from tunesmith.tuning.documents.document import wrong_estimate
from tunesmith.tuning.files import read_lines
from tunesmith.tuning.report.numbers import Number
from tunesmith.tuning.study import CANDIDATE, chosen_weights

_LARGEST = 1e15


@dataclass(frozen=True)
class Record:
    """A value read from JSON, asked by keys; a dotted key (`play.pairs`) may also stand in one piece."""

    value: Any = None

    def at(self, *keys: str) -> Record:
        """Return what lies below the keys, or an empty record."""
        here = self.value
        for key in keys:
            here = here.get(key) if isinstance(here, dict) else None
        return Record(here)

    def number(self, *keys: str) -> Number:
        """Return a finite number, or None."""
        return as_number(self.at(*keys).value)

    def text(self, *keys: str) -> str | None:
        """Return a text that is not blank, or None; a number is a text too."""
        value = self.at(*keys).value
        if isinstance(value, str):
            return value if value.strip() else None
        number = as_number(value)
        return None if number is None else f"{number:g}" if isinstance(value, float) else str(value)[:40]

    def rows(self, *keys: str) -> list[Record]:
        """Return the records of a list; whatever else it holds is left out."""
        return [Record(row) for row in self._list(*keys) if isinstance(row, dict)]

    def numbers(self, *keys: str) -> list[Number]:
        """Return a list of numbers, None where there is none."""
        return [as_number(value) for value in self._list(*keys)]

    def texts(self, *keys: str) -> list[str]:
        """Return the texts of a list."""
        return [value for value in self._list(*keys) if isinstance(value, str) and value.strip()]

    def points(self, *keys: str) -> list[tuple[float, float]]:
        """Return a list of pairs of numbers; other entries are left out."""
        pairs = [Record(pair).numbers() for pair in self._list(*keys)]
        return [(p[0], p[1]) for p in pairs if len(p) == 2 and p[0] is not None and p[1] is not None]

    def items(self, *keys: str) -> list[tuple[str, Record]]:
        """Return the entries of an object in their order."""
        value = self.at(*keys).value
        return [(str(key), Record(inner)) for key, inner in value.items()] if isinstance(value, dict) else []

    def leaves(self, prefix: str = "", depth: int = 6) -> Iterator[tuple[str, Record]]:
        """Yield every value below this one by its dotted name; what lies deeper stays in one piece."""
        if not isinstance(self.value, dict) or not self.value or not depth:
            yield prefix, self
            return
        for key, inner in self.items():
            yield from inner.leaves(f"{prefix}.{key}" if prefix else key, depth - 1)

    def _list(self, *keys: str) -> list[Any]:
        value = self.at(*keys).value
        return value if isinstance(value, list) else []


def as_number(value: Any) -> Number:
    """Return a number as float; None for anything else, also for true and false, and for what no study counts."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= _LARGEST else None  # also false for NaN


class Absent(str):
    """A problem that may be that the study has not come so far: something is absent, nothing is damaged."""


@dataclass(frozen=True)
class StudyFiles:
    """All that the report reads. `fits` are (generation, record), oldest first; `runs` in order of reading.

    `search` is `search/result.json`, `trials` the lines of `search/trials.jsonl`, `pilot` the rows of
    `search/pilot.json`, `path` is `generations.json`, `openings` is `openings/file.json`. `chosen` is the
    digest of the weights that the study is about, None while that is open; runs and a verdict of others are left out.
    """

    folder: Path
    settings: Record
    study: Record
    fits: tuple[tuple[int, Record], ...]
    runs: tuple[Record, ...]
    verdict: Record
    problems: tuple[str, ...]
    search: Record = Record()
    trials: tuple[Record, ...] = ()
    pilot: tuple[Record, ...] = ()
    path: Record = Record()
    openings: Record = Record()
    chosen: str | None = None

    @property
    def searches(self) -> bool:
        """Whether a search by playing belongs to the study."""
        return bool(self.search.items() or self.trials or (self.settings.number("search", "trials") or 0) > 0)

    @property
    def learns(self) -> bool:
        """Whether weights are fitted in this study: not where a search begins at the baseline, nor in a bare proof."""
        return bool(self.fits) or not (_starts_at_baseline(self.settings) or _is_proof(self.study))

    @property
    def fit(self) -> Record:
        """The fit that the study went on with, the last one if nothing else is known, or an empty record."""
        chosen = self.path.text("chosen")
        known = [fit for number, fit in self.fits if chosen in (None, f"gen-{number}")]
        return (known or [Record()])[-1]

    @property
    def name(self) -> str:
        """The study's name, or that of its folder."""
        return self.setting("name") or self.folder.resolve().name

    def setting(self, name: str) -> str | None:
        """Return a setting as text, by its dotted name."""
        found = self.settings.text(*name.split("."))
        return found if found is not None else self.settings.text(name)

    @property
    def sequential(self) -> list[Record]:
        """The sequential tests."""
        return [run for run in self.runs if run.text("kind") == "sequential"]

    @property
    def measurements(self) -> list[Record]:
        """The runs with a fixed number of pairs."""
        return [run for run in self.runs if run.text("kind") == "fixed"]

    @property
    def learns_from_newest(self) -> bool:
        """Whether the last fit's old weights are those that played its games, not the study's baseline."""
        return self.setting("play.learn_from") == "newest" and len(self.fits) > 1

    @property
    def baseline(self) -> str | None:
        """The name of the weights to beat."""
        return self.verdict.text("baseline", "name") or self.setting("baseline")

    @property
    def candidate(self) -> str | None:
        """The digest of the new weights: those that the study has chosen."""
        tested = (run.text("candidate", "digest") for run in self.runs)
        return (
            self.chosen
            or self.verdict.text("candidate")
            or next((digest for digest in tested if digest), None)
        )

    @property
    def main_run(self) -> Record:
        """The measurement that gives the size of the gain: against the baseline, at the test's limit."""
        limit = self.setting("verify.limit")
        tests = [(run.text("opponent", "name"), run.text("limit")) for run in self.sequential]
        wanted = [*tests, (self.baseline, limit)]
        for run in self.measurements:
            if (run.text("opponent", "name"), run.text("limit")) in wanted:
                return run
        return Record()


def read_study(folder: Path) -> StudyFiles:
    """Read a study folder.

    Raises
    ------
    StudyError
        `folder` is not a folder, or a file of it is not what was written. Nothing else is an error.
    """
    if not folder.is_dir():
        raise StudyError(f"{folder}: expected the folder of a study, found {_kind(folder)}")
    problems: list[str] = []
    study = read_record(folder, "study.json", problems, "the settings, seeds and versions are not known")
    fits = _fits(folder, problems)
    runs = _runs(folder, problems)
    verdict = read_record(folder, "verdict.json", problems, "the study has not come to its end")
    settings = next((study.at(key) for key in ("config", "settings", "study") if study.items(key)), study)
    if _starts_at_baseline(settings) or _is_proof(study):
        problems = [problem for problem in problems if not problem.startswith("fit/gen-1.json")]
    chosen = _chosen(folder, problems)
    runs = tuple(
        run
        for run in runs
        if _is_of(chosen, run.text("candidate", "digest"), f"verify/{run.text('name')}.json", problems)
    )
    if not _is_of(chosen, verdict.text("candidate"), "verdict.json", problems):
        verdict = Record()
    found = StudyFiles(folder, settings, study, fits, runs, verdict, (), chosen=chosen)
    found = replace(found, trials=read_trials(folder, problems), pilot=_pilot(folder))
    if (folder / "generations.json").is_file():
        path = read_record(folder, "generations.json", problems, "which weights played is not known")
        found = replace(found, path=path)
    if (folder / "openings" / "file.json").is_file():
        held = read_record(
            folder, "openings/file.json", problems, "what the file of openings held is not known"
        )
        found = replace(found, openings=held)
    if found.searches:
        result = read_record(folder, "search/result.json", problems, "the search has not come to its end")
        found = replace(found, search=result)
    return replace(found, problems=tuple(problems))


def _starts_at_baseline(settings: Record) -> bool:
    return (settings.number("search", "trials") or 0) > 0 and settings.text("search", "start") == "baseline"


def _is_proof(study: Record) -> bool:
    """Whether a folder holds a proof of weights that somebody already had."""
    return study.at("pinned", CANDIDATE).value is not None


def _chosen(folder: Path, problems: list[str]) -> str | None:
    try:
        chosen = chosen_weights(folder)
    except (TunesmithError, RecursionError):
        problems.append("Which weights the study has chosen is not known.")
        return None
    return None if chosen is None else chosen.digest


def _is_of(chosen: str | None, digest: str | None, name: str, problems: list[str]) -> bool:
    """Whether a file may speak of the chosen weights; one of other weights becomes a problem."""
    if chosen is None or digest is None or digest == chosen:
        return True
    problems.append(
        f"{name} is of other weights ({digest[:12]}) than those that the study has chosen ({chosen[:12]}): "
        "it is left out."
    )
    return False


def read_trials(folder: Path, problems: list[str]) -> tuple[Record, ...]:
    """Return the lines of the search's log; the last one may be cut."""
    try:
        return tuple(map(Record, read_lines(folder / "search" / "trials.jsonl")))
    except manifest.DamagedError:
        raise
    except StudyError as error:
        told = str(error).removeprefix(f"{folder}/")
        problems.append(f"{told}: the trials are left out.")
        return ()


def _pilot(folder: Path) -> tuple[Record, ...]:
    try:
        rows = parse_json(manifest.read(folder / "search" / "pilot.json")[0].decode())
    except (OSError, ValueError):
        return ()  # a pilot is an extra: the search stands without it
    return tuple(Record(row) for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()


def _kind(path: Path) -> str:
    return "a file" if path.exists() else "nothing there"


def read_record(folder: Path, name: str, problems: list[str], loss: str) -> Record:
    """Read a JSON object of a study; what is wrong with it goes to `problems`, with what is lost thereby."""
    path = folder / name
    if not path.is_file():
        problems.append(Absent(f"{name} is missing: {loss}."))
        return Record()
    try:
        value = parse_json(manifest.read(path)[0].decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        problems.append(f"{name} cannot be read ({type(error).__name__}): {loss}.")
        return Record()
    if not isinstance(value, dict):
        problems.append(f"{name} does not hold a JSON object: {loss}.")
        return Record()
    return Record(value)


def _fits(folder: Path, problems: list[str]) -> tuple[tuple[int, Record], ...]:
    found = []
    for path in (folder / "fit").glob("gen-*.json"):
        number = re.fullmatch(r"gen-(\d{1,9})", path.stem)
        if number:
            found.append((int(number[1]), f"fit/{path.name}"))
    if not found:
        problems.append(Absent("fit/gen-1.json is missing: no weights have been fitted."))
    fits = [(n, read_record(folder, name, problems, "this fit is left out")) for n, name in sorted(found)]
    return tuple((n, fit) for n, fit in fits if fit.items())


def _runs(folder: Path, problems: list[str]) -> tuple[Record, ...]:
    names = sorted(f"verify/{path.name}" for path in (folder / "verify").glob("*.json"))
    if not names:
        problems.append(Absent("verify/ holds no result: nothing has been proved."))
    runs = [read_record(folder, name, problems, "this verification is left out") for name in names]
    named = [
        Record({"name": Path(name).stem, **run.value})
        for name, run in zip(names, runs, strict=True)
        if run.items()
    ]
    named = [run for run in named if _is_consistent(run, problems)]
    kinds = {run.text("kind") for run in named}
    if names and "sequential" not in kinds:
        what = "verify/ holds no sequential test: whether the new weights are stronger is not decided."
        problems.append(Absent(what))
    if names and "fixed" not in kinds:
        what = "verify/ holds no match of fixed length: the size of the gain is not measured."
        problems.append(Absent(what))
    # tests before measurements, then by name; the order of the files' dates would depend on copying
    return tuple(sorted(named, key=lambda run: run.text("kind") != "sequential"))


def _is_consistent(run: Record, problems: list[str]) -> bool:
    """Whether score and Elo of a run are those of its counts; if not, that becomes a problem."""
    counts = [int(count) for count in run.numbers("counts") if count is not None]
    score, elo = run.number("estimate", "score"), run.number("estimate", "elo")
    if len(counts) != 5 or score is None or elo is None:
        return True
    wrong = wrong_estimate(counts, {"estimate.score": score, "estimate.elo": elo})
    if wrong is not None:
        problems.append(f"verify/{run.text('name')}.json: {wrong}: this verification is left out.")
    return wrong is None
