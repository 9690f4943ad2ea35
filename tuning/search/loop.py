"""Search by playing: ask a sampler for a setting, let it play pairs, tell what came out, until all trials are done.

One controller owns the Optuna study; workers only play. A few trials are in flight at once, so that workers have
something to play when one comes to its end (`tuning.search.runner`). Trials are told in the order of their numbers, and
trial n is asked for when all below n - `at_once` + 1 have been told. So a search without a break has the same
trials and games for any number of workers; after a break other settings may be asked for, but the games of a
trial still depend on nothing but its setting and its openings. Every trial has openings of its own, in the order of
trials, so that settings share no luck. The number of trials is a total over restarts and machines: trials that a
killed process left open are closed as failed, their settings asked for again on the same openings (their games
are still there) and not counted. What is recommended comes from a model of all trials, and not before all are told:
a controller waits for those of the others (`tuning.search.controllers`).

The storage is Optuna's, without checksums of ours. A search is continued only if the figures of its trials are those of
their counts, and the counts those of their games where these are kept. The plain log is made anew from the storage."""

from __future__ import annotations

import logging
import socket
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.engine.weights import Weights
from tunesmith.games.errors import FaultError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import Search
from tunesmith.tuning.documents.search import PLACE, Recommendation, SearchFound
from tunesmith.tuning.files import append_lines, finite, read_object, write_json
from tunesmith.tuning.optuna_private import id_of, storage_of, tell_once
from tunesmith.tuning.passwords import redacted_address
from tunesmith.tuning.search import storage
from tunesmith.tuning.search.controllers import Controllers, SignOfLife
from tunesmith.tuning.search.matches import KeepsGames, TrialMatches
from tunesmith.tuning.search.outcome import Outcome
from tunesmith.tuning.search.recommend import Seen, recommend
from tunesmith.tuning.search.runner import Runner, runner_for
from tunesmith.tuning.search.space import Space, WeightSpace
from tunesmith.tuning.search.standings import GHOST, SURPLUS, Standings, counts, figures
from tunesmith.tuning.search.storage import TrialStore
from tunesmith.tuning.search.trial_log import LOG, SLICE, line_of, rebuild, row_of
from tunesmith.tuning.search.watched_sampler import make_sampler, sampler_of
from tunesmith.tuning.study import require_same

if TYPE_CHECKING:
    from collections.abc import Callable

    from optuna.trial import FrozenTrial, Trial

logger = logging.getLogger("tunesmith.tuning")

HOPELESS = 5  # failed trials at the start after which a search is given up

Asker = dict[str, str | list[str]]  # `sampler`, and `at_random`: parameters that it left to chance


@dataclass(eq=False)
class RunningTrial:
    """A trial, its setting, which sampler made it, its pairs of the search, and what came of them."""

    trial: Trial
    weights: Weights
    asker: Asker
    pairs: range
    outcome: Outcome | FaultError | None = None

    @property
    def number(self) -> int:
        """Number of the trial."""
        return int(self.trial.number)


class SearchLoop:
    """A search in a folder.

    Parameters
    ----------
    settings
        What decides the numbers besides the space: a difference to what the folder holds is refused.
    tell
        Called with a line for people whenever there is something to say.
    """

    def __init__(
        self,
        where: TrialStore,
        config: Search,
        space: Space[Any],
        matches: TrialMatches,
        settings: Mapping[str, Any],
        seed: int,
        tell: Callable[[str], None],
    ) -> None:
        self._config, self._space, self._matches, self._seed = config, space, matches, seed
        folder, address = where.folder, where.address
        self._tell, self._address = tell, address
        self._log = folder / LOG
        self._place = f"{socket.gethostname()}:{folder.resolve()}"
        now = pin_settings(folder, space, settings)
        storage.hush_optuna()
        self._sampler = make_sampler(config, space, seed)
        self._study = storage.open_optuna(where.open(), where.name, self._sampler)
        self._where = redacted_address(address) if address else str(folder / storage.JOURNAL)
        stored = self._study.user_attrs.get("settings")
        _require_same(self._where if address else folder, stored, now)
        if stored is None:
            self._study.set_user_attr("settings", now)
        rebuild(
            self._log, self._study.get_trials(deepcopy=False), space, None if address is None else self._place
        )
        self._standings = Standings(self._study, self._where)
        self._controllers = Controllers(self._study, self._place, address is not None)

    def run(self) -> list[FrozenTrial]:
        """Play trials until the total is reached; return those that count."""
        trials = self._study.get_trials(deepcopy=False)
        self._sampler = self._study.sampler = make_sampler(
            self._config, self._space, self._seed + len(trials)
        )
        self._require_counts()
        self._close_ghosts(is_start=True)
        if not trials:
            self._study.enqueue_trial(self._space.params(self._space.start))
        runner = runner_for(self._matches)
        try:
            with SignOfLife(self._study) as life:
                self._play(runner, life)
        finally:
            runner.close()
        self._give_up_if_hopeless()
        return self._counted()

    def play_again(self) -> None:
        """Play what is missing of the games of all complete trials of this folder: damaged files are set aside."""
        for trial in self._complete():
            if trial.user_attrs.get(PLACE, self._place) == self._place:
                self._matches.play(*self._played(trial))

    def _require_counts(self) -> None:
        """Refuse trials whose counts are not those of their games, where these are kept."""
        for trial in self._complete() if isinstance(self._matches, KeepsGames) else ():
            told = figures(trial, self._where).opponents
            for name, kept in self._matches.counts_there(*self._played(trial)).items():
                if told.get(name) != kept:
                    raise StudyError(
                        f"{self._where}: trial {trial.number}: counts against {name}: expected {kept}, by its "
                        f"games, found {told.get(name)}; put a copy of it back, or search in another folder"
                    )

    def _played(self, trial: FrozenTrial) -> tuple[Weights, range]:
        """Return the weights and the pairs of a complete trial."""
        told = figures(trial, self._where)
        pairs = range(told.first, told.first + len(told.scores))
        return self._space.apply(self._space.setting(trial.params)), pairs

    def _play(self, runner: Runner, life: SignOfLife) -> None:
        running: deque[RunningTrial] = deque()
        launch = partial(self._launch, running, runner, life)
        # A trial that was being asked for when the database went away is nobody's, and given up in time.
        while storage.again(launch) or storage.again(self._waits):
            if not running:
                continue
            while running[0].outcome is None:
                number, outcome = runner.next()
                next(own for own in running if own.number == number).outcome = outcome
            self._finish(running[0])
            storage.again(self._give_up_if_hopeless)
            runner.leave(running.popleft().number)

    def _launch(self, running: deque[RunningTrial], runner: Runner, life: SignOfLife) -> bool:
        """Ask for as many trials as may run at once, and let them begin; return whether there is any."""
        self._standings.update()
        life.of(own.trial for own in running)
        at_once = (
            self._config.at_once if self._standings.states["COMPLETE"] else 1
        )  # samplers learn the space
        while len(running) < at_once and not self._is_full(len(running)):
            trial = self._study.ask(self._space.distributions())
            if self._address is not None and len(self._counted(trial.number)) >= self._config.trials:
                self._end(trial, "FAIL", {SURPLUS: True})
                break
            life.of([*(own.trial for own in running), trial])
            trial.set_user_attr(PLACE, self._place)
            weights = self._space.apply(self._space.setting(trial.params))
            running.append(RunningTrial(trial, weights, self._asker(trial), self._pairs_of(trial)))
            runner.begin(trial.number, weights, running[-1].pairs)
        return bool(running)

    def _waits(self) -> bool:
        """Wait for trials that others play, and take over those of players that are gone; False: all are told."""
        if self._standings.update().n >= self._config.trials:
            return False
        self._close_ghosts()
        line = self._controllers.waits()
        if line is not None:
            self._tell(line)
        return True

    def _is_full(self, in_flight: int) -> bool:
        """Whether all trials have begun."""
        own = self._standings.n + in_flight
        return (own if self._address is None else len(self._counted())) >= self._config.trials

    # --- one trial

    def _pairs_of(self, trial: Trial) -> range:
        """Return the pairs of the search that a trial plays: those after the pairs of the trials before it."""
        own = self._slice(trial)
        return range(own * self._config.pairs, (own + 1) * self._config.pairs)

    def _slice(self, trial: Trial | FrozenTrial) -> int:
        """Return which slice of the pairs is a trial's: its number, less the trials before it that were asked again."""
        if SLICE in trial.user_attrs:
            return int(trial.user_attrs[SLICE])
        before = self._study.get_trials(deepcopy=False)[: trial.number]
        return trial.number - sum(SLICE in other.user_attrs for other in before)

    def _finish(self, one: RunningTrial) -> None:
        """Tell what came of a trial."""
        facts: dict[str, object] = {"digest": one.weights.digest, **one.asker, "from": one.pairs.start}
        outcome = one.outcome
        if not isinstance(outcome, Outcome):
            self._end(one.trial, "FAIL", {**facts, "reason": str(outcome)})
            return
        facts |= {
            "openings": len(self._matches.openings),
            "scores": outcome.by_opening(),
            "counts": outcome.counts(),
            "wdl": outcome.results(),
            "opponents": outcome.by_opponent(),
            "games": self._games_of(one.weights, outcome),
        }
        self._end(one.trial, "COMPLETE", facts, outcome.score)

    def _games_of(self, weights: Weights, own: Outcome) -> int:
        """Return how many games were played: none against an opponent that is the setting itself."""
        opponents = [other.digest for _, other in self._matches.opponents]
        return sum(2 * sum(own.counts(at)) for at, digest in enumerate(opponents) if digest != weights.digest)

    def _end(
        self, trial: Trial | FrozenTrial, state: str, facts: Mapping[str, Any], score: float | None = None
    ) -> bool:
        """Write attributes, then tell, then write the plain log, which every start makes anew from the storage.

        Returns False, and says so, if another controller has ended the trial meanwhile.
        """
        from optuna.exceptions import UpdateFinishedTrialError
        from optuna.trial import TrialState

        def write() -> None:
            for name, value in facts.items():
                storage_of(self._study).set_trial_user_attr(id_of(trial), name, value)
            tell_once(self._study, trial, score, TrialState[state])

        try:
            storage.twice(write)
        except UpdateFinishedTrialError:
            self._tell(
                f"search: another controller has ended trial {trial.number + 1}: what came of it here is left"
            )
            return False
        row = row_of(trial, state, score, facts, self._space)
        append_lines(self._log, [row])
        if SURPLUS not in facts:
            self._tell(line_of(row, len(self._counted(trial.number)) + 1, self._config.trials))
        return True

    def _asker(self, trial: Trial) -> Asker:
        """Return which sampler made a trial, and which of its values it left to chance."""
        stored = self._study.get_trials(deepcopy=False)[trial.number]
        if stored.system_attrs.get("fixed_params"):
            return {"sampler": "given"}
        at_random = self._sampler.at_random(trial.number)
        return {
            "sampler": sampler_of(self._config, self._space),
            **({"at_random": at_random} if at_random else {}),
        }

    # --- all trials

    def _counted(self, below: int | None = None) -> list[FrozenTrial]:
        """Return the trials that count (below a number): all but ghosts, those waiting, those beyond the total."""
        trials = self._study.get_trials(deepcopy=False)
        return [t for t in (trials if below is None else trials[:below]) if counts(t)]

    def _close_ghosts(self, is_start: bool = False) -> None:
        """End trials that nobody plays any more as failed, and ask for their settings again."""
        for trial in self._controllers.abandoned(is_start):
            whose = trial.user_attrs.get(PLACE, self._place)
            reason = "interrupted" if whose == self._place else f"no sign of life of {whose}"
            if self._end(trial, "FAIL", {GHOST: True, "reason": reason}):
                if set(trial.params) == set(self._space.start):
                    self._study.enqueue_trial(trial.params, user_attrs={SLICE: self._slice(trial)})

    def _give_up_if_hopeless(self) -> None:
        """End a search in which nothing but failures was played, as its first failure ended."""
        found = self._standings.update()
        if not found.games and found.states["FAIL"] >= max(1, min(HOPELESS, self._config.trials - 1)):
            raise FaultError(f"search: no trial was finished; the first: {found.first_failure}")

    def _complete(self) -> list[FrozenTrial]:
        return [trial for trial in self._counted() if trial.state.name == "COMPLETE"]

    # --- what comes of it

    def seen(self) -> list[Seen]:
        """Return all distinct settings with their pairs."""
        return self._standings.update().seen(self._space.setting)

    def result(self) -> SearchFound:
        """Return what all trials amount to (`search/result.json`)."""
        self._standings = Standings(self._study, self._where)  # by number, whoever told first
        seen, standings = self.seen(), self._standings
        return SearchFound(
            **dict(recommend(self._space, seen, self._seed)),
            sampler=sampler_of(self._config, self._space),
            limit=self._config.limit,
            opponents=[name for name, _ in self._matches.opponents],
            trials={state.lower(): n for state, n in standings.states.items()},
            settings=len(seen),
            games=standings.games,
            at_random=standings.at_random,
            space=self._space.describe(),
        )


def pin_settings(folder: Path, space: Space[Any], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what decides a search, written to its folder; refuse a folder that holds another search."""
    folder.mkdir(parents=True, exist_ok=True)
    now: Mapping[str, Any] = finite(
        {**settings, "space": [dimension.content() for dimension in space.describe()]}
    )
    _require_same(folder, read_object(folder / "settings.json"), now)
    write_json(folder / "settings.json", now)
    return now


def with_provenance(weights: Weights, base: Weights, study: str, result: SearchFound) -> Weights:
    """Return recommended weights that say where they come from."""
    if weights.digest == base.digest:
        return base
    how = f"search by playing ({result.sampler}, {result.games} games at {result.limit}) from {base.digest}"
    return replace(weights, provenance={**base.provenance, "study": study, "how": how})


def recommended(space: WeightSpace, result: Recommendation, game: Game) -> Weights:
    """Return the weights of a stored result; its numbers have the types that the space gives them."""
    setting = {
        p.name: int(result.setting[p.name]) if p.is_int else result.setting[p.name] for p in space.parameters
    }
    return space.apply(setting)


def _require_same(where: Path | str, stored: Any, now: Mapping[str, Any]) -> None:
    if stored:
        require_same(where, stored, now, "another name for the search")
