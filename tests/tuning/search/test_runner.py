"""Several settings at once: the games are those that each would play alone, and no trouble of one is another's."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import IMPORTS
from tests.support.made_up import MadeUpMatches, search
from tests.support.small_matches import digests, hand, openings, trial_matches
from tunesmith.games.errors import FaultError
from tunesmith.tuning.config import Range
from tunesmith.tuning.play.backends import BACKENDS, Threads
from tunesmith.tuning.play.matchup import Answer
from tunesmith.tuning.play.pool import Pool
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.selfplay import SUSPECTS, PairFolder
from tunesmith.tuning.search.matches import TrialMatches
from tunesmith.tuning.search.outcome import Outcome
from tunesmith.tuning.search.runner import ParallelRunner, SerialRunner, runner_for

ROOT = Path(__file__).parents[3]
N = 10


@pytest.fixture(name="matches")
def _matches(tmp_path: Path) -> TrialMatches:
    return trial_matches(tmp_path, 2)


def play(matches: TrialMatches, pairs: range = range(N)) -> dict[int, Outcome]:
    """Let two settings and an opponent play at once; return what came of them."""
    runner = runner_for(matches)
    found: dict[int, Outcome] = {}
    try:
        for number, candidate in enumerate((hand("hand-2"), hand("hand-3"), hand())):
            runner.begin(number, candidate, pairs)
        while len(found) < 3:
            number, outcome = runner.next()
            assert isinstance(outcome, Outcome)
            found[number] = outcome
            runner.leave(number)
    finally:
        runner.close()
    return found


def test_settings_at_once_play_the_games_that_each_plays_alone(matches: TrialMatches, tmp_path: Path) -> None:
    together = play(matches)
    apart = replace(matches, folder=tmp_path / "apart", resources=Resources(1, "threads"))
    for number, name in enumerate(("hand-2", "hand-3", "hand")):
        alone = apart.play(hand(name), range(N))
        assert np.array_equal(together[number].scores, alone.scores)
        assert np.array_equal(together[number].wdl, alone.wdl)
    for name in ("hand-2", "hand-3"):
        for at in (0, 1):
            there = digests(matches.folder_of(hand(name), range(N), at))
            assert there == digests(apart.folder_of(hand(name), range(N), at))
            assert list(there) == ["shard-00000.parquet"]


def test_games_that_are_there_are_not_played_again(
    matches: TrialMatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(matches, range(6))
    added: list[int] = []
    add = Pool.add

    def note(pool: Pool, key: Any, rank: int, matchup: Any, pairs: Any, *known: Any) -> None:
        added.extend(pair.number for pair in pairs)
        add(pool, key, rank, matchup, pairs, *known)

    monkeypatch.setattr(Pool, "add", note)
    again = play(matches, range(6))
    assert added == []
    assert all(np.array_equal(first[at].scores, again[at].scores) for at in first)
    play(matches, range(6, N))
    assert set(added) == set(range(N - 6))


def test_too_few_openings_come_again(matches: TrialMatches) -> None:
    short = replace(matches, openings=openings()[:5])
    assert {tuple(outcome.openings) for outcome in play(short, range(3, 7)).values()} == {(3, 4, 0, 1)}


@pytest.mark.parametrize("backend", BACKENDS)
def test_settings_play_at_once_on_every_backend(
    matches: TrialMatches, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tunesmith.tuning.search.runner.open_backend", lambda _, jobs: Threads(jobs))
    runner = runner_for(replace(matches, resources=Resources(2, backend)))
    assert isinstance(runner, ParallelRunner)
    runner.close()


def test_a_setting_that_failed_is_not_heard_of_again_before_its_turn(
    matches: TrialMatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its pairs are faults; those that still wait behind the first are not played for nothing."""
    taken: list[Path] = []
    take = PairFolder.take

    def refuse(games: PairFolder, answer: Answer) -> None:
        if hand("hand-2").digest[:24] in games._folder.parts:
            taken.append(games._folder)
            raise FaultError("1 of 10 pairs ended by a fault of the game")
        take(games, answer)

    monkeypatch.setattr(PairFolder, "take", refuse)
    runner = runner_for(matches)
    try:
        runner.begin(0, hand("hand-2"), range(N))
        runner.begin(1, hand("hand-3"), range(N))
        number, fault = runner.next()
        assert number == 0 and isinstance(fault, FaultError)
        number, outcome = runner.next()
        assert number == 1 and isinstance(outcome, Outcome)
    finally:
        runner.close()
    assert len(taken) == 1
    assert np.array_equal(outcome.scores, matches.play(hand("hand-3"), range(N)).scores)


def test_pairs_that_took_workers_along_are_remembered_until_a_setting_is_done(
    matches: TrialMatches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also over an interrupt: what hangs is not waited for from the beginning again."""
    told: list[Counter[int] | None] = []
    add = Pool.add

    def note(
        pool: Pool, key: Any, rank: int, matchup: Any, pairs: Any, deaths: Any = None, remember: Any = None
    ) -> None:
        told.append(deaths and Counter(deaths))
        add(pool, key, rank, matchup, pairs, deaths, remember)
        if remember is not None:
            remember(Counter({2: 2}))  # as when a worker dies

    monkeypatch.setattr(Pool, "add", note)
    runner = runner_for(matches)
    runner.begin(0, hand("hand-2"), range(N))
    runner.close()
    assert len(told) == 2 and not any(told)
    assert len(list(tmp_path.rglob(SUSPECTS))) == 2
    play(matches)
    assert told[2:4] == [{2: 2}, {2: 2}]
    assert not list(tmp_path.rglob(SUSPECTS))


def brittle(folder: Path, variant: str, backend: str = "loky") -> Any:
    """Seat the brittle game in a runner, in a process of its own; return the scores of both settings."""
    call = [sys.executable, "-m", "tests.support.brittle_runner", str(folder), "2", variant, backend]
    env = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": IMPORTS}
    done = subprocess.run(call, check=True, cwd=ROOT, env=env, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return brittle(tmp_path_factory.mktemp("good"), "trouble=none")


@pytest.mark.parametrize("trouble", ["raise", pytest.param("exit", marks=pytest.mark.slow)])
def test_a_bad_pair_has_no_score_and_costs_no_other(tmp_path: Path, undisturbed: Any, trouble: str) -> None:
    """Also where the game takes its worker along: what was lost with it is played again."""
    found = brittle(tmp_path, f"trouble={trouble},bad=7,last=7")
    for number in ("0", "1"):
        assert found[number][7] is None
        undisturbed[number][7] = None
    assert found == undisturbed


# --- what a search makes of it


class _Shuffled(SerialRunner):
    """Answers in an order of its own, as workers do."""

    def __init__(self, matches: Any, seed: int) -> None:
        super().__init__(matches)
        self._rng = np.random.default_rng(seed)
        self.most = 0

    def _choose(self, numbers: list[int]) -> int:
        self.most = max(self.most, len(numbers))
        return int(self._rng.choice(numbers))


class _ShuffledMatches(MadeUpMatches):
    def __init__(self, seed: int) -> None:
        super().__init__(slope=0.9)
        self.one = _Shuffled(self, seed)


@pytest.mark.parametrize("sampler", ["clop", "spsa", "tpe"])
def test_a_search_does_not_depend_on_the_order_in_which_games_come_back(
    tmp_path: Path, sampler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trials are told in the order of their numbers (FIELD E13, E21)."""
    monkeypatch.setattr("tunesmith.tuning.search.loop.runner_for", lambda matches: matches.one)
    logs = []
    for seed in range(3):
        matches = _ShuffledMatches(seed)
        search(tmp_path / str(seed), matches, sampler=sampler, trials=12, pairs=48).run()
        assert matches.one.most >= 3  # several trials in flight
        logs.append((tmp_path / str(seed) / "trials.jsonl").read_bytes())
    assert logs[0] == logs[1] == logs[2]


def test_a_setting_asked_for_twice_at_once_plays_other_openings(tmp_path: Path) -> None:
    """So that its games count once (FIELD E6)."""
    from tests.support.made_up import space

    own = space(aspiration=Range(low=0, high=200, step=200))
    search(tmp_path, _ShuffledMatches(1), own=own, trials=10, at_once=4).run()
    rows = [json.loads(line) for line in (tmp_path / "trials.jsonl").read_text().splitlines()]
    assert len({row["digest"] for row in rows}) == 2
    assert [row["from"] for row in rows] == list(range(0, 320, 32))
