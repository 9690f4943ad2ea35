"""`tunesmith dashboard`: optuna-dashboard on one or more studies, with our notes, plots and files.

It reads and never writes, so it may be opened and closed while a study runs. Who may ask it: `report.server`."""

from __future__ import annotations

import html
import io
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from tunesmith.games.errors import InputError, StudyError, TunesmithError
from tunesmith.tuning.extras import extra
from tunesmith.tuning.passwords import redacted, redacted_address
from tunesmith.tuning.report.dashboard import notes, overlay
from tunesmith.tuning.report.dashboard.answers import only_looking
from tunesmith.tuning.report.dashboard.overlay import overlaid
from tunesmith.tuning.report.reading import StudyFiles, read_study

FRESH = 2.0  # seconds for which what was read from a folder is shown again

Reader = Callable[[Path], StudyFiles]
ReaderOf = Callable[[Path], Reader | None]


def study_reader(folder: Path) -> Reader | None:
    """Return what reads a folder, if it is that of a study of a game."""
    return read_study if (folder / "study.json").is_file() else None


def make_dashboard(
    folders: Sequence[Path], storage: str | None = None, readers: Sequence[ReaderOf] = (study_reader,)
) -> Any:
    """Return the WSGI application that shows the studies in `folders`.

    Parameters
    ----------
    storage
        Address of the Optuna storage of the studies' searches, if not their own journals.
    readers
        Each is asked in turn what reads a folder; None from it is: not a study that it knows.

    Raises
    ------
    InputError, StudyError
        No folder can be read as a study, the storage cannot be read, or optuna-dashboard is not installed. A damaged
        study beside others is shown with a line that says so.
    """
    with extra("dashboard", "dashboard"):
        import plotly  # noqa: F401  each study's charts are drawn when somebody looks at them
        from optuna_dashboard import wsgi  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from tunesmith.tuning.report.dashboard.storage import ReadOnlyStorage

    cases = [_Case(folder, storage, readers) for folder in folders]
    if all(case.error for case in cases):
        raise next(case.error for case in cases if case.error)
    names = _distinct([case.name for case in cases], folders)
    studies = ReadOnlyStorage([case.shown(name) for case, name in zip(cases, names, strict=True)])
    own = wsgi(studies, artifact_store=_Files(cases))
    return only_looking(overlaid(own, lambda number: _card(studies, cases, number), len(cases)))


def _card(studies: Any, cases: Sequence[_Case], number: int) -> tuple[str, int]:
    """Return the card of a study, and the number of its trials."""
    trials = studies.get_all_trials(number, deepcopy=False)
    return cases[number].card(trials), len(trials)


class _Case:
    """One study folder, read again when it is asked for and `FRESH` seconds have passed.

    What cannot be read becomes a line of its note; `error` is why nothing could be read when it was opened.
    """

    def __init__(self, folder: Path, storage: str | None, readers: Sequence[ReaderOf]) -> None:
        self.folder = folder
        self.files: dict[str, notes.File] = {}
        self.error: TunesmithError | None = None
        self._readers = readers
        try:
            self.name = self._read().name
        except TunesmithError as error:
            self.name, self.error = folder.resolve().name, error
        self._storage = storage
        self._source: tuple[Any, int] = (None, 0)
        if storage is not None and self.error is None:
            self._source = _source(folder, self.name, storage)
        self._broken = ""  # why there are no trials
        self._read_at = -FRESH
        self._found: notes.Attributes = {}
        self._card = ""
        self._facts: dict[str, str] = {}
        self._lock = threading.Lock()

    def shown(self, name: str) -> Any:
        from tunesmith.tuning.report.dashboard.storage import ShownStudy

        return ShownStudy(name, self._find, self._attributes, self._named)

    def card(self, trials: Sequence[Any]) -> str:
        """Return what is known of the study in HTML."""
        self._attributes(trials)
        return self._card

    def _named(self) -> dict[str, str]:
        """Return what is asked of the study first, by name, as of its attributes."""
        return self._facts

    def _read(self) -> StudyFiles:
        read = next((found for reader_of in self._readers if (found := reader_of(self.folder))), None)
        if read is None:
            raise StudyError(f"{self.folder}: expected the folder of a study, found no study.json")
        return read(self.folder)

    def _find(self) -> tuple[Any, int]:
        """Return where the trials are, if by now there are any."""
        if self._source[0] is None:
            try:
                self._source, self._broken = _source(self.folder, self.name, self._storage), ""
            except StudyError as error:
                self._broken = str(error)
        return self._source

    def _attributes(self, trials: Sequence[Any]) -> notes.Attributes:
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH:
                try:
                    study = self._read()
                    self._found, files = notes.attributes(study, trials, self._broken)
                    self._card, self._facts = overlay.card_of(study, self._broken), notes.attributes_of(study)
                except (TunesmithError, OSError) as error:
                    self._found, files = notes.unreadable(str(error)), []
                    self._card, self._facts = overlay.unreadable_card(self.name, str(error)), {}
                self.files = {file.id: file for file in files}
                self._read_at = time.monotonic()
            return self._found


def _source(folder: Path, name: str, address: str | None) -> tuple[Any, int]:
    """Return the storage of a study's search and its id there; (None, 0) if there is no search."""
    journal = folder / "search" / "journal.log"
    try:
        if address is not None:
            from optuna.storages import RDBStorage

            storage: Any = RDBStorage(address, skip_table_creation=True)
        elif journal.is_file():
            from optuna.storages import JournalStorage
            from optuna.storages.journal import JournalFileBackend

            storage = JournalStorage(JournalFileBackend(str(journal.resolve())))
        elif (folder / "search" / "trials.jsonl").is_file():
            raise StudyError(f"{journal} is missing: trials in a database are shown with --storage")
        else:
            return None, 0
        return storage, storage.get_study_id_from_name(name)
    except StudyError:
        raise
    except KeyError:
        if address is None:  # damaged, or made a moment ago
            raise StudyError(f"{journal}: holds no study {name!r}: no trials are shown") from None
        raise InputError(f"--storage: no study {name!r} there") from None
    except Exception as error:  # whatever a database driver says, or a journal that is damaged
        cause = error.__cause__ or error
        line = (str(cause).splitlines() or [type(cause).__name__])[0]
        where = journal if address is None else f"--storage: {redacted_address(address)}"
        raise StudyError(f"{where}: cannot be read: {redacted(line, address or '')[:200]}") from None


def _distinct(names: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Return the names, with the folder where two studies have the same one."""
    return [
        name if names.count(name) == 1 else f"{name} ({os.fspath(folder)})"
        for name, folder in zip(names, folders, strict=True)
    ]


class _Files:
    """The dashboard's artifact store: the studies' own files, and pages of games made when asked for."""

    def __init__(self, cases: Sequence[_Case]) -> None:
        self._cases = cases

    def open_reader(self, artifact_id: str) -> BinaryIO:
        from optuna.artifacts.exceptions import ArtifactNotFound

        for case in self._cases:
            if artifact_id in case.files:
                return io.BytesIO(_content(case.files[artifact_id]))
        raise ArtifactNotFound(artifact_id)

    def write(self, artifact_id: str, content_body: BinaryIO) -> None:
        raise PermissionError("a dashboard only shows")

    def remove(self, artifact_id: str) -> None:
        raise PermissionError("a dashboard only shows")


def _content(file: notes.File) -> bytes:
    """Return what is in a file, or a line that says why it is not there."""
    try:
        return file.content()
    except (TunesmithError, OSError) as error:
        return html.escape(str(error)).encode()
