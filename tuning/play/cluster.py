"""A Dask cluster as a place to play: is it there, has it our code, and what if it goes away?

Equal files come from equal code only: before the first batch every worker is asked for its code of the game and of
the engine, and one with other code is refused. One that joins later is asked as well, and left out; before each batch
the worker looks once more. Batches that a lost scheduler had are sent again when it is back, with any workers; a
cluster that stays away becomes an error. This module imports distributed, so it is itself imported only where a
cluster is asked for."""

import atexit
import contextlib
import hashlib
import logging
import queue
import socket
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from distributed import Client, get_worker
from distributed.client import ClosedClientError
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.comm.registry import backends
from distributed.config import config
from distributed.scheduler import KilledWorker

from tunesmith.engine.source import code_digest, engine_digest
from tunesmith.games import registry
from tunesmith.games.errors import InputError, StudyError, TunesmithError
from tunesmith.games.texts import counted
from tunesmith.tuning.play import isolated, matchup, worker
from tunesmith.tuning.play.backends import Backend
from tunesmith.tuning.play.matchup import Answer, Batch, Matchup
from tunesmith.tuning.play.sandbox.process import current_folder_on_path

logger = logging.getLogger("tunesmith.tuning")
CONNECT = 5.0  # seconds to reach a scheduler
FIRST_WORKER = 30.0  # seconds until a cluster has a worker
LOST = 60.0  # seconds without a scheduler, or without a worker, after which a cluster is given up
LOOK = 1.0  # seconds between two looks at who is there
DEATHS = (isolated.WorkerDiedError, KilledWorker)  # what a batch raises that killed its worker
GONE = (
    "the Dask cluster is gone, or has no worker any more; finished games are kept, the same command continues"
)
HOW = "start one with 'dask scheduler' and 'dask worker ADDRESS'"


class OtherCodeError(Exception):
    """A worker has other code than the command; `address` is the worker's."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


_clients: dict[str, Any] = {}
_checked: set[tuple[Any, str, str]] = set()


def connect(address: str | None) -> Any:
    """Return a client of the scheduler at `address` (by default where Dask's own settings say).

    Raises
    ------
    InputError
        There is no scheduler at the address, or no worker on it.
    """
    address = address or config.get("scheduler_address") or config.get("scheduler-address")
    if not address:
        raise InputError(f"--scheduler: expected the address of a Dask scheduler for --backend dask; {HOW}")
    client = _clients.get(address)
    if client is None or client.status != "running":
        client = _clients[address] = _connect(address)
    return client


@atexit.register
def _leave() -> None:
    """Take leave of schedulers: a client's thread that still hears of them when Python ends may abort the process."""
    for client in _clients.values():
        with contextlib.suppress(Exception):  # of a scheduler that is gone
            client.close(timeout=CONNECT)


def from_anywhere(spec: str) -> str:
    """Return a game's spec for a process in another folder: a path becomes absolute."""
    head, dot, variant = spec.partition(".py")
    return f"{Path(head).absolute()}{dot}{variant}" if dot else spec


def check_workers(client: Any, spec: str) -> None:
    """Refuse a cluster with a worker whose code, of game or engine, is not this machine's, or may be anybody's."""
    for address, complaint in complaints(client, spec).items():
        raise InputError(f"worker {address}: {complaint}")


def complaints(client: Any, spec: str) -> dict[str, str]:
    """Return, by address, why workers of a cluster that have not been looked at before may not play."""
    ours = look(spec)
    new = [address for address in client.nthreads() if (address, spec, ours) not in _checked]
    if not new:
        return {}
    found = {}
    for address, entry in client.run(current_folder_on_path, workers=new, on_error="return").items():
        if isinstance(entry, str) and entry:
            found[address] = (
                f"looks for modules in its current folder ({entry}), where any file may shadow "
                "Python's own; start it by 'dask worker', or by 'python -P -m dask worker'"
            )
    for address, theirs in client.run(look, spec, workers=new, on_error="return").items():
        if theirs != ours:
            found.setdefault(address, _complaint(theirs, spec))
    _checked.update((address, spec, ours) for address in new if address not in found)
    return found


def _connect(address: str) -> Any:
    client = Client.__new__(Client)
    try:
        _knock(address)
        client.__init__(address, timeout=CONNECT, set_as_default=False)  # type: ignore[misc]
    except (OSError, ValueError, TypeError) as error:
        client.status = "closed"  # or it would still try to take leave of nobody when it is collected
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"--scheduler: no Dask scheduler at {address!r} ({why}); {HOW}") from error
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER)
    except TimeoutError:
        raise InputError(f"--scheduler: {address} has no worker; start one: dask worker {address}") from None
    return client


def _knock(address: str) -> None:
    """Raise OSError or ValueError at once where a client would try for long."""
    scheme, _ = parse_address(address)
    if scheme not in backends:
        raise ValueError(f"expected one of {', '.join(sorted(backends))}")
    if scheme in ("tcp", "tls"):
        socket.create_connection(parse_host_port(address), timeout=CONNECT).close()


def _complaint(found: object, spec: str) -> str:
    if isinstance(found, ModuleNotFoundError):
        return f"tunesmith cannot be imported there ({found}); install the same version"
    if isinstance(found, TunesmithError):
        return f"{found} (a game of one's own must lie at the same path on every worker)"
    if isinstance(found, Exception):
        return f"{type(found).__name__}: {found}"
    return f"has other code of {spec} or of tunesmith: equal games need equal code on all machines"


def look(spec: str) -> str:
    """Return a digest of all code that decides a game's moves, on the machine where this runs."""
    files = Path(worker.__file__), Path(matchup.__file__)
    playing = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return " ".join((code_digest(registry.load(spec)), engine_digest(), playing))


@dataclass(frozen=True, eq=False)
class _Task:
    """A batch that the cluster is to play, and the future of its answer; `code` is what `look` says here."""

    code: str
    matchup: Matchup
    batch: Batch
    found: Future[Answer] = field(default_factory=Future)
    is_second: bool = False


class Cluster(Backend):
    """The workers of a Dask cluster; a process of its own plays for each thread.

    It may grow and shrink on the way, and its scheduler may be away for a while.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = connect(address)
        self._executor = self._client.get_executor(pure=False)
        self.width = 0
        self._codes: dict[str, str] = {}
        self._known: set[str] = set()
        self._there: set[str] = set()
        self._again: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        self._seen = self._looked = time.monotonic()
        self._is_told = False
        self._complained: set[tuple[str, str]] = set()
        self._play: Callable[[str, Matchup, Batch], Answer] = play  # on a worker
        self._look()

    def submit(self, matchup: Matchup, batch: Batch) -> Future[Answer]:
        """Send a batch; a worker with other code of the game is refused."""
        spec = from_anywhere(matchup.game)
        if spec not in self._codes:
            check_workers(self._client, spec)
            self._codes[spec] = look(spec)
        task = _Task(self._codes[spec], replace(matchup, game=spec), batch)
        self._send(task)
        return task.found

    def _send(self, task: _Task) -> None:
        try:
            sent = self._executor.submit(self._play, task.code, task.matchup, task.batch)
        except ClosedClientError:
            self._again.put(task)
        else:
            sent.add_done_callback(lambda done: self._hear(done, task))

    def _hear(self, done: Future[Answer], task: _Task) -> None:
        """Let a future know what came of its batch; what was given up, or the wrong worker got, is sent again."""
        try:
            task.found.set_result(done.result())
        except CancelledError:
            self._again.put(task)
        except OtherCodeError as error:
            self._forget(error.address)
            self._again.put(task)
        except (TunesmithError, *DEATHS) as error:
            task.found.set_exception(error)
        except Exception as error:  # of Dask, or of a worker that has just joined and is not one of ours
            if task.is_second:
                task.found.set_exception(error)
            else:
                self._again.put(replace(task, is_second=True))

    def _forget(self, address: str) -> None:
        """Let a worker be looked at as if it were new."""
        self._known.discard(address)
        _checked.difference_update([one for one in _checked if one[0] == address])

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, DEATHS)

    def check(self) -> None:
        """Send again what came back unplayed; raise StudyError when the cluster has been gone for `LOST` seconds."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        if self._look():
            self._seen = now
            for _ in range(self._again.qsize()):
                self._send(self._again.get())
            self._is_told = False
        elif now - self._seen > LOST:
            raise StudyError(GONE)
        elif not self._is_told:
            self._is_told = True
            logger.warning("the Dask cluster is away; waiting for it, up to %.0f s", LOST)

    def _look(self) -> bool:
        """Count the workers, leave out new ones with other code; return whether there is any."""
        try:
            there = self._workers()
            if not there.keys() <= self._known:
                self._leave_out(
                    {a: text for spec in self._codes for a, text in complaints(self._client, spec).items()}
                )
                there = self._workers()
        except Exception:  # whatever a connection that breaks just now may raise
            return False
        self._known.update(there)
        self._tell_gone(set(there))
        self.width = max(1, sum(there.values()))
        return bool(there)

    def _workers(self) -> dict[str, int]:
        """Return the threads of each worker, by address, after a try to find a scheduler that was lost."""
        if self._client.status == "closed":
            self._client = connect(self._address)
            self._executor = self._client.get_executor(pure=False)
        return dict(self._client.nthreads()) if self._client.status == "running" else {}

    def _leave_out(self, found: dict[str, str]) -> None:
        """Let workers that joined and may not play leave the cluster, and say so."""
        for address, complaint in found.items():
            told = address.rpartition(":")[0], complaint  # one that is started again has another port
            if told not in self._complained:
                self._complained.add(told)
                logger.warning("Dask worker %s is left out: %s", address, complaint)
        if found:
            self._client.retire_workers(list(found), close_workers=True)

    def _tell_gone(self, there: set[str]) -> None:
        """Say which workers have died or left: Dask gives what they had to others without a word."""
        for address in sorted(self._there - there):
            logger.warning(
                "Dask worker %s is gone: what it had is played again (%s left)",
                address,
                counted(len(there), "worker"),
            )
        self._there = there

    def stop(self) -> None:
        """Give up what is on its way; a worker that plays it ends its batch."""
        executor, self._executor = self._executor, self._client.get_executor(pure=False)
        if self._client.status == "running":
            executor.shutdown(wait=False)

    def rest(self) -> None:
        """Leave the workers to whoever comes next."""


def play(code: str, matchup: Matchup, batch: Batch) -> Answer:
    """Play a batch on a worker of the cluster; errors of the game's code name the worker.

    Raises
    ------
    OtherCodeError
        The worker's `look` is not `code`.
    """
    if not _has(code, matchup.game):
        time.sleep(LOOK)  # or it would be the quickest of all workers, and get every batch
        raise OtherCodeError(get_worker().address)
    try:
        return isolated.play_apart(matchup, batch)
    except TunesmithError as error:
        raise type(error)(f"worker {get_worker().address}: {error}") from error


def _has(code: str, spec: str) -> bool:
    try:
        return look(spec) == code
    except TunesmithError:  # the game is not there
        return False
