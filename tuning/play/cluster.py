"""A Dask cluster as a place to play: is it there, has it our code, and what if it goes away?

joblib's backend for Dask waits for ever for a task that the cluster gives up, and for a cluster that is gone;
`Backend` makes errors of both. Before the first batch every worker is asked for its code of the game and of the
engine, because equal files come from equal code only. This module imports distributed, so it is itself
imported only where a cluster is asked for."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

from distributed import Client, get_worker
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.comm.registry import backends
from distributed.config import config
from distributed.scheduler import KilledWorker
from joblib._dask import DaskDistributedBackend

from tunesmith.engine.source import code_digest, engine_digest
from tunesmith.games import registry
from tunesmith.games.errors import InputError, StudyError, TunesmithError
from tunesmith.tuning.play import isolated, matchup
from tunesmith.tuning.play import worker as batches

CONNECT = 5.0  # seconds to reach a scheduler
FIRST_WORKER = 30.0  # seconds until a cluster has a worker
LOST = 30.0  # seconds without a scheduler, or without a worker, after which a cluster is given up
DEATHS = (isolated.WorkerDiedError, KilledWorker)  # what a batch raises that killed its worker
GONE = (
    "the Dask cluster is gone, or has no worker any more; finished games are kept, the same command continues"
)
HOW = "start one with 'dask scheduler' and 'dask worker ADDRESS'"

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


def from_anywhere(spec: str) -> str:
    """Return a game's spec for a process in another folder: a path becomes absolute."""
    head, dot, variant = spec.partition(".py")
    return f"{Path(head).absolute()}{dot}{variant}" if dot else spec


def check_workers(client: Any, spec: str) -> None:
    """Refuse a cluster with a worker that has other code of the game, or of the engine, than this machine."""
    ours = look(spec)
    new = [worker for worker in client.nthreads() if (worker, spec, ours) not in _checked]
    if not new:
        return
    for worker, theirs in client.run(look, spec, workers=new, on_error="return").items():
        if theirs != ours:
            raise InputError(f"worker {worker}: {_complaint(theirs, spec)}")
        _checked.add((worker, spec, ours))


def n_threads(client: Any) -> int:
    """Return how many batches the cluster plays at a time."""
    return max(1, sum(map(int, client.nthreads().values())))


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
    files = Path(batches.__file__), Path(matchup.__file__)
    playing = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return " ".join((code_digest(registry.load(spec)), engine_digest(), playing))


class Failed:
    """Stands for the result of a task that has none."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Backend(DaskDistributedBackend):  # type: ignore[misc]
    """joblib's backend for Dask, whose calls end when tasks or the whole cluster are lost."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        """Return the number of tasks at a time, more than one: joblib would do a single job in this process."""
        return int(max(2, super().effective_n_jobs(n_jobs)))

    def submit(self, func: Any, callback: Callable[[Any], None] | None = None) -> Any:
        """Send a task; `callback` gets its result, or `Failed`."""
        future = super().submit(func, callback)

        def tell_failure(done: Any) -> None:
            error = done.exception()
            if error is not None and callback is not None:
                callback(Failed(error))

        future.add_done_callback(tell_failure)
        with self._lock:
            self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        """Return a task's result, or raise its error."""
        error = out.error if isinstance(out, Failed) else out
        if isinstance(error, futures.CancelledError):
            raise StudyError(GONE)
        if isinstance(out, Failed):
            raise out.error
        return super().retrieve_result_callback(out)

    def start_call(self) -> None:
        """Begin a call of joblib: from now on the cluster is watched."""
        self._pending: set[Any] = set()
        self._lock = threading.Lock()
        self._over = threading.Event()
        super().start_call()
        threading.Thread(target=self._watch, daemon=True).start()

    def stop_call(self) -> None:
        """End a call."""
        self._over.set()
        super().stop_call()

    def _watch(self) -> None:
        seen = time.monotonic()
        while not self._over.wait(1.0):
            if self._is_alive():
                seen = time.monotonic()
            elif time.monotonic() - seen > LOST:
                self._give_up()
                return

    def _is_alive(self) -> bool:
        try:
            return self.client.status == "running" and bool(self.client.nthreads())
        except Exception:  # whatever a connection that breaks just now may raise
            return False

    def _give_up(self) -> None:
        with self._lock:
            pending = list(self._pending)
        for future in pending:
            if not future.done():
                future.set_exception(StudyError(GONE))


def play(matchup: matchup.Matchup, batch: matchup.Batch) -> matchup.Answer:
    """Play a batch on a worker of the cluster; errors of the game's code name the worker."""
    try:
        return isolated.play_apart(matchup, batch)
    except TunesmithError as error:
        raise type(error)(f"worker {get_worker().address}: {error}") from error
