"""A study is one folder: what is in it, and when it may be continued.

`study.json` pins everything that decides the numbers: the settings, the code of the game, the digests of the
weights it starts from. A study is continued only if none of it has changed: `require_same` compares what is
stored with what is now, here and for every other folder that is continued. How files are written: `files`."""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.matches import Generations
from tunesmith.tuning.documents.search import SearchResult
from tunesmith.tuning.documents.status import Stage, StudyFile
from tunesmith.tuning.files import append_lines, is_unused, read_json, read_lines, write_json
from tunesmith.tuning.settings_file import differences, flatten

CANDIDATE = "digest of the candidate"  # pinned by a proof of weights that no study has made
MADE = "history.jsonl"  # when each weight file was written
STAGES = ("openings", "play", "fit", "search", "verify", "report")


@dataclass(frozen=True)
class Study:
    """A study's folder and its settings; `listen` is called with each stage that begins, and its facts."""

    root: Path
    config: StudyConfig
    listen: Callable[..., None] | None = None

    def path(self, *parts: str) -> Path:
        """Return a path below the study's folder; its parent folder exists."""
        found = self.root.joinpath(*parts)
        found.parent.mkdir(parents=True, exist_ok=True)
        return found

    def read(self, *parts: str) -> Any:
        """Return the content of a JSON file of the study, None where there is none."""
        return read_json(self.root.joinpath(*parts))

    def write(self, content: Any, *parts: str) -> None:
        """Write a JSON file of the study."""
        write_json(self.path(*parts), content)

    def note_weights(self, name: str, digest: str) -> None:
        """Record when weights were written, unless these were before: no copy of the folder changes that."""
        path = self.path(MADE)
        if not any(row.get("name") == name and row.get("digest") == digest for row in read_lines(path)):
            now = datetime.now(UTC).isoformat(timespec="seconds")
            append_lines(path, [{"name": name, "digest": digest, "written": now}])

    def note_stage(self, stage: str, **facts: Any) -> None:
        """Record how far the study is, for `status`."""
        Stage(stage=stage, **facts).write(self.path("status.json"))
        if self.listen is not None:
            self.listen(stage, **facts)


def open_study(root: Path, config: StudyConfig, pinned: dict[str, str], *, has_proof: bool = True) -> Study:
    """Make a study's folder, or continue the one that is there.

    What nothing in the folder depends on yet may be another: before its proof begins, the terms of the proof and
    the number of trials.

    Parameters
    ----------
    pinned
        What decides the numbers besides the settings: digests of code and weights by name.
    has_proof
        Whether the caller's part of the study may come to its proof; if not, other terms of one are no matter.

    Raises
    ------
    StudyError
        The folder cannot be written, holds something else, or a study with other settings (listed).
    """
    stored = StudyFile.find(root / "study.json")
    if stored is None:
        if not is_unused(root):
            raise StudyError(f"{root}: holds files but no study.json; choose another folder with --out")
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StudyError(f"{root}: cannot be made: {error.strerror}") from error
        _write(root, config, pinned)
        return Study(root, config)
    return Study(root, _continued(root, stored, config, pinned, has_proof))


def _continued(
    root: Path, stored: StudyFile, config: StudyConfig, pinned: dict[str, str], has_proof: bool
) -> StudyConfig:
    """Return the settings to go on with; refuse other ones, but for what nothing depends on yet."""
    first = {"openings.edition": 1}  # of what was stored before there were others
    before, now = {**first, **flatten(stored.config), **stored.pinned}, {**config.flat(), **pinned}
    is_proved = (root / "verify").exists() or (root / "openings" / "verify.json").exists()
    free = set[str]()
    if not (is_proved and has_proof):
        free |= names_of_proof(before) | names_of_proof(now)
    if not is_proved and before.get("search.trials") and now.get("search.trials"):
        free |= {"search.trials"} - set(config.search.fixed)
    require_same(root, _without(before, free), _without(now, free), why=config.search.fixed)
    if before == now:
        return config
    if is_proved:
        return stored_config(root)
    _write(root, config, pinned)
    return config


def names_of_proof(settings: Mapping[str, Any]) -> set[str]:
    """Return which settings and pins, by their dotted names, decide about nothing but the proof of a study."""
    used = {str(mate["weights"]) for mate in settings.get("play.opponents", ())}
    others = set(map(str, settings.get("verify.opponents", ()))) - used
    return {name for name in settings if name.startswith("verify.")} | {
        f"digest of {name}" for name in others
    }


def _without(settings: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in names}


def _write(root: Path, config: StudyConfig, pinned: dict[str, str]) -> None:
    StudyFile(
        format="tunesmith-study",
        version=1,
        config=config.model_dump(mode="json"),
        pinned=pinned,
        fingerprint=_fingerprint({**config.flat(), **pinned}),
        versions=versions(),
    ).write(root / "study.json")


def require_same(
    where: Path | str,
    stored: Mapping[str, Any],
    now: Mapping[str, Any],
    other: str = "another --out",
    why: Mapping[str, str] | None = None,
) -> None:
    """Refuse to continue what was made with other settings or other code, with a list of what is stored and now.

    `other` is what to choose where the settings shall stay as they are now; `why` explains single ones by name.
    """
    changed = differences(stored, now)
    if changed:
        reasons = {name: f" ({reason})" for name, reason in (why or {}).items()}
        listed = (f"{line}{reasons.get(line.partition(':')[0], '')}" for line in changed)
        raise StudyError(f"{where}: made with other settings; use them again, or {other}:", *listed)


def _fingerprint(settings: Mapping[str, Any]) -> str:
    text = json.dumps(settings, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def stored_config(root: Path) -> StudyConfig:
    """Return the settings that a folder's study.json holds; refuse what is none."""
    try:
        return StudyConfig.model_validate(require(root).config)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(("config", *map(str, first["loc"])))
        raise StudyError(f"{root}/study.json: {where}: {first['msg']}") from None


def versions() -> dict[str, str]:
    """Return the versions that a report names."""
    found = {"python": sys.version.split()[0]}
    for name in ("tunesmith", "numpy", "scipy", "numba"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def require(root: Path) -> StudyFile:
    """Return a folder's study.json; refuse a folder without one."""
    stored = StudyFile.find(root / "study.json")
    if stored is None:
        raise StudyError(f"{root}: not a study (no study.json){_what_else(root)}")
    return stored


def _what_else(root: Path) -> str:
    """Return what a folder holds that is no study, and the command for it; nothing if nobody knows."""
    if any(root.glob("shard-*.parquet")):
        return f", but games: tunesmith dataset {root} describes them, tunesmith show GAME --study {root} shows one"
    if (root / "gauntlet.json").is_file():
        return ", but a gauntlet: gauntlet.html tells of it, and the command that played it goes on with it"
    if (root / "ladder.json").is_file():
        return ", but a ladder: the command that played it tells of it and goes on with it"
    if (root / "engines-study.json").is_file():
        return f", but a study of engines: tunesmith report {root} tells of it"
    if any(root.glob("*/study.json")):
        return f", but a folder of studies: tunesmith studies {root} lists them"
    return ""


@dataclass(frozen=True)
class Chosen:
    """Weights that a study has settled on: their file is `weights/<name>.json`."""

    name: str
    digest: str

    def load(self, root: Path, game: Game) -> Weights:
        """Return the weights from a study's folder; refuse others under their name."""
        path = root / "weights" / f"{self.name}.json"
        found = weight_files.load(path, game)
        if found.digest != self.digest:
            raise StudyError(
                f"{path}: digest: expected {self.digest[:12]}, what the study chose, found {found.digest[:12]}; "
                "without this file `tunesmith run` makes it again"
            )
        return found


def fitted_weights(root: Path) -> Chosen | None:
    """Return what the fits of a study came to; None before the last generation is through its check."""
    stored = Generations.find(root / "generations.json")
    return None if stored is None else Chosen(stored.chosen, stored.digest)


def chosen_weights(root: Path) -> Chosen | None:
    """Return which weights a study is about: what it proves, reports and promotes; None while it still tunes.

    A proof of weights from anywhere is about these; a study with a search about the recommended ones, any other
    about those of the strongest generation.
    """
    stored = require(root)
    if CANDIDATE in stored.pinned:
        return Chosen("candidate", stored.pinned[CANDIDATE])
    if not flatten(stored.config).get("search.trials"):
        return fitted_weights(root)
    found = SearchResult.find(root / "search" / "result.json")
    return None if found is None else Chosen(found.weights, found.digest)
