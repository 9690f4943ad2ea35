"""What do processes that share a search in a database know of each other? Who plays a trial, and who shows no life.

A controller shows life of its trials while it plays them (`SignOfLife`), however long one takes. One that has nothing
left to ask for waits for the others' trials: a search is finished when all its trials are told, and what it recommends
is the same wherever it is asked. A trial of whose player there has been no sign for `storage.SILENCE` is given up, and
its setting asked for again by whoever waits. Where trials lie in a file of the folder, there is nobody else."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.search import PLACE
from tunesmith.tuning.optuna_private import id_of, show_life, silent_trials
from tunesmith.tuning.search import storage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optuna.study import Study
    from optuna.trial import FrozenTrial, Trial

WAIT = 1.0  # seconds between two looks at what others have told


class Controllers:
    """This controller and the others of a study; `place` is the folder and machine of this one."""

    def __init__(self, study: Study, place: str, is_shared: bool) -> None:
        self._study, self._place, self._is_shared = study, place, is_shared
        self._told: tuple[int, ...] = ()
        self._nameless: dict[int, float] = {}  # when trials without a place were first seen here

    def abandoned(self, is_start: bool) -> list[FrozenTrial]:
        """Return trials that run without a player; at our start these are ours too, in our own file all that run."""
        running = self._running()
        if not self._is_shared:
            return running if is_start else []
        silent = silent_trials(self._study)

        def is_abandoned(trial: FrozenTrial) -> bool:
            place = trial.user_attrs.get(PLACE)
            if place is None:  # it has just begun, or its player was killed before the first sign
                first_seen = self._nameless.setdefault(trial.number, time.monotonic())
                return time.monotonic() - first_seen > storage.SILENCE
            return id_of(trial) in silent or (is_start and place == self._place)

        return [trial for trial in running if is_abandoned(trial)]

    def waits(self) -> str | None:
        """Wait a moment; return what is waited for, in words, when it has changed."""
        others = self._running()
        numbers = tuple(trial.number for trial in others)
        if numbers == self._told or not numbers:
            time.sleep(WAIT)
            return None
        self._told = numbers
        places = Counter(
            str(trial.user_attrs.get(PLACE, "a controller that has just begun")) for trial in others
        )
        of = ", ".join(f"{n} of {place}" for place, n in sorted(places.items()))
        return (
            f"search: all trials have begun; waiting for {len(others)} that others play ({of}); a trial is taken over "
            f"when nobody has shown life of it for {storage.SILENCE} s"
        )

    def _running(self) -> list[FrozenTrial]:
        return [trial for trial in self._study.get_trials(deepcopy=False) if trial.state.name == "RUNNING"]


class SignOfLife:
    """Shows others at once, and then every `storage.BEAT` seconds, that trials are being played; a context."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._trials: list[Trial] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._show, name="sign of life", daemon=True)

    def __enter__(self) -> SignOfLife:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def of(self, trials: Iterable[Trial]) -> None:
        """Name the trials that are being played now; the new ones show life at once."""
        before, self._trials = self._trials, list(trials)
        for trial in self._trials:
            if trial not in before:
                show_life(self._study, trial)

    def _show(self) -> None:
        while not self._end.wait(storage.BEAT):
            for trial in self._trials:
                try:
                    show_life(self._study, trial)
                except StudyError:  # the controller itself finds out, and says so
                    break
