"""Where a search keeps its trials: a journal file by default, or any Optuna storage by its address.

A killed process may leave a last line cut in two, to which the next record would be glued; a lock file without
an owner; trials that seem to run for ever. `open_journal` mends the first two before anything is written. The
caller holds the lock of the study's folder, so no other process is at work on its journal."""

from __future__ import annotations

import contextlib
import functools
import logging
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.extras import missing
from tunesmith.tuning.files import cut_tail
from tunesmith.tuning.passwords import redacted, redacted_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from optuna.storages import BaseStorage, RDBStorage
    from optuna.study import Study
    from optuna.trial import FrozenTrial
    from sqlalchemy.engine import Engine

logger = logging.getLogger("tunesmith.tuning")
T = TypeVar("T")

JOURNAL = "journal.log"  # the storage of a search that no other machine shares
PATIENCE = 2.0  # seconds that another process (a dashboard that writes a note) may hold the lock
BEAT = 30  # seconds between two signs of life of a trial that is played
SILENCE = 300  # seconds without one after which a trial of another controller is given up
ABSENCE, PAUSE = 60.0, 1.0  # seconds that a database may be away while a search goes on; between two tries
MAKING = 10.0  # seconds that another process may take to make the tables of an empty database
# Of a storage, beside what it is asked for: what is the same when it is written twice.
_MAY_COME_TWICE = {
    "_get_trials",
    "record_heartbeat",
    "set_study_system_attr",
    "set_study_user_attr",
    "set_trial_system_attr",
    "set_trial_user_attr",
}
GRACE = 10  # seconds after which a lock that appears later counts as dead


class LostStorageError(StudyError):
    """A database went away and did not come back."""

    is_break = True


class BrokenEntryError(LostStorageError):
    """A database went away in the middle of an entry: whether it was written, nobody knows."""


@dataclass(frozen=True)
class TrialStore:
    """Where a search keeps its trials.

    Attributes
    ----------
    folder
        Settings, games and a plain log of the trials.
    name
        Of the Optuna study.
    address
        Of an Optuna storage that machines share; None: the journal file in the folder.
    """

    folder: Path
    name: str
    address: str | None = field(default=None, repr=False)

    @property
    def has_journal(self) -> bool:
        """Whether trials lie in a file of the folder."""
        return self.address is None and self._journal.is_file()

    @property
    def _journal(self) -> Path:
        return self.folder / JOURNAL

    def open(self) -> BaseStorage:
        """Return the Optuna storage."""
        return open_journal(self._journal) if self.address is None else open_address(self.address)


def open_journal(path: Path) -> BaseStorage:
    """Return the storage in a journal file, mended if a killed process left it broken.

    Raises
    ------
    StudyError
        The file is damaged before its last line, or cannot be written.
    """
    path = path.resolve()  # the lock's name must not depend on where we are
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        free_lock(path)
        mend(path)
        return _storage(path)
    except OSError as error:
        raise StudyError(f"{path}: cannot be written: {error.strerror or error}") from error
    except (ValueError, KeyError, AssertionError) as error:
        raise StudyError(f"{path}: damaged: {type(error).__name__}: {error}") from error


def _storage(path: Path) -> BaseStorage:
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock

    return JournalStorage(JournalFileBackend(str(path), JournalFileOpenLock(str(path), GRACE)))


def free_lock(path: Path) -> None:
    """Remove the lock of a process that is dead; wait a moment for one that may be alive."""
    lock = Path(f"{path}.lock")
    until = time.monotonic() + PATIENCE
    while lock.exists() and time.monotonic() < until:
        time.sleep(0.05)
    if lock.exists():
        logger.warning("%s: left behind by a process that was killed, removed", lock)
        lock.unlink(missing_ok=True)


def mend(path: Path) -> bool:
    """Move a last line that is cut to `<path>.cut`, under the journal's lock; return whether there was one."""
    from optuna.storages.journal import JournalFileOpenLock

    if not path.exists() or path.stat().st_size == 0:
        return False
    lock = JournalFileOpenLock(str(path), GRACE)
    lock.acquire()
    try:
        return cut_tail(path)
    finally:
        lock.release()


def open_address(address: str) -> BaseStorage:
    """Return an Optuna storage by its address; several machines may work on one study there."""
    from optuna.storages import RDBStorage

    hush_optuna()
    if "://" not in address:
        found = redacted_address(address)
        raise InputError(f"--storage: expected an address such as postgresql://host/name, found {found!r}")
    look_first = {"pool_pre_ping": True}  # at a connection that may have ended meanwhile

    def open_it() -> RDBStorage:
        return RDBStorage(address, engine_kwargs=look_first, heartbeat_interval=BEAT, grace_period=SILENCE)

    try:
        storage = when_tables_are_made(open_it)
    except ImportError as error:
        kind = address.partition("://")[0]
        if kind.startswith("postgres"):
            raise missing("postgres", f"--storage {kind}://", "psycopg") from error
        raise InputError(f"--storage: {kind}: a package is missing: {error}") from None
    except Exception as error:  # whatever a database driver says
        line = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"--storage: cannot be opened: {redacted(line, address)[:200]}") from None
    be_patient(storage.engine, address)
    ask_again(storage)
    return storage


def when_tables_are_made(open_it: Callable[[], T]) -> T:
    """Open an empty database, again and again while another command is making its tables."""
    from sqlalchemy.exc import IntegrityError, SQLAlchemyError

    began = time.monotonic()
    while True:
        try:
            return open_it()
        except SQLAlchemyError as error:
            is_other = isinstance(error, IntegrityError) or "already exists" in str(error)
            if not is_other or time.monotonic() - began >= MAKING:
                raise
        time.sleep(0.2)


def be_patient(engine: Engine, address: str) -> None:
    """Let a database that was there before be away for a while: whoever asks for a connection waits for it."""
    from sqlalchemy import event

    where = f"--storage: {redacted_address(address)}"

    def connect(dialect: Any, record: Any, arguments: Any, options: Any) -> Any:
        began, is_told = time.monotonic(), False
        while True:
            try:
                return dialect.connect(*arguments, **options)
            except dialect.loaded_dbapi.Error as error:
                line = redacted((str(error).splitlines() or [type(error).__name__])[0], address)[:200]
            if time.monotonic() - began >= ABSENCE:
                raise LostStorageError(f"{where}: away for {ABSENCE:.0f} s: {line}")
            if not is_told:
                logger.warning("%s: away (%s); waiting for it, up to %.0f s", where, line, ABSENCE)
                is_told = True
            time.sleep(PAUSE)

    def give_up(context: Any) -> None:
        if context.is_disconnect and not context.is_pre_ping:
            raise BrokenEntryError(f"{where}: went away in the middle of an entry")

    event.listen(engine, "do_connect", connect)
    event.listen(engine, "handle_error", give_up)


def ask_again(storage: RDBStorage) -> None:
    """Let whatever may be asked or written twice be so when the database goes away in the middle of it."""
    for name in dir(storage):
        if name in _MAY_COME_TWICE or name.startswith("get_"):
            setattr(storage, name, _repeated(getattr(storage, name)))


def _repeated(act: Callable[..., T]) -> Callable[..., T]:
    @functools.wraps(act)
    def repeated(*arguments: Any, **options: Any) -> T:
        return again(lambda: act(*arguments, **options))

    return repeated


def again(act: Callable[[], T]) -> T:
    """Do something, once more if the database went away meanwhile: what the first try wrote may be there too."""
    try:
        return act()
    except BrokenEntryError:
        return act()


def twice(write: Callable[[], None]) -> None:
    """Write what ends a trial, once more if the database went away meanwhile: that it is there is no fault then.

    Raises
    ------
    optuna.exceptions.UpdateFinishedTrialError
        Somebody else has ended the trial.
    """
    from optuna.exceptions import UpdateFinishedTrialError

    try:
        write()
    except BrokenEntryError:
        with contextlib.suppress(UpdateFinishedTrialError):
            write()


def open_optuna(storage: BaseStorage, name: str, sampler: Any) -> Study:
    """Return the Optuna study of a name, made on the first call; a study being made elsewhere is waited for."""
    import optuna
    from optuna.exceptions import DuplicatedStudyError

    for attempt in range(5):
        try:
            return optuna.create_study(
                storage=storage, study_name=name, sampler=sampler, direction="maximize", load_if_exists=True
            )
        except DuplicatedStudyError:
            time.sleep(0.2 * (attempt + 1))
    raise StudyError(f"{name}: another process is making this study and does not come to an end")


def stored_trials(storage: BaseStorage, name: str) -> list[FrozenTrial]:
    """Return all trials of the Optuna study of a name; writes nothing."""
    return storage.get_all_trials(storage.get_study_id_from_name(name), deepcopy=False)


def hush_optuna() -> None:
    """Keep to ourselves what Optuna says of every trial, and of parts of it that may still change."""
    import warnings

    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    warnings.filterwarnings(
        "ignore", message="Heartbeat of storage is supposed"
    )  # optuna_private.show_life does it
