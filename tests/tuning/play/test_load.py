"""The load of the machine: kept beside games under a time limit, without their own workers, over interruptions."""

import os
from pathlib import Path

import pytest

from tests.support import small_matches
from tests.support.listening import Listening
from tunesmith.tuning.documents.matches import MachineLoad
from tunesmith.tuning.play import load, selfplay
from tunesmith.tuning.play.load import LoadWatch, crowding, together, words
from tunesmith.tuning.play.matchup import FolderMatch
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.contest import Contest, measure

TIMED = small_matches.matchup("time:0.001")


def busy(monkeypatch: pytest.MonkeyPatch, *loads: float) -> None:
    """Let the machine say these one-minute averages, one after the other, and the last ever after."""
    left = list(loads)
    monkeypatch.setattr(os, "getloadavg", lambda: (left.pop(0) if len(left) > 1 else left[0], 0.0, 0.0))


def watched(folder: Path, looks: int, games: int, resources: Resources, matchup: object = TIMED) -> None:
    watch = LoadWatch(matchup, resources)  # type: ignore[arg-type]
    for _ in range(looks):
        watch.look()
    watch.keep(folder, games)


def test_workers_of_these_games_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy(monkeypatch, 5.0, 3.0, 1.0)
    watched(tmp_path, 3, 20, Resources(jobs=2))
    found = load.find(tmp_path)
    assert found is not None and found.workers == 2 and found.games == 20
    assert found.mean == pytest.approx((3.0 + 1.0 + 0.0) / 3)
    assert found.cores == os.cpu_count()


def test_a_run_that_goes_on_adds_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy(monkeypatch, 11.0, 2.0)
    watched(tmp_path, 1, 10, Resources(jobs=1))
    watched(tmp_path, 1, 30, Resources(jobs=1))
    found = load.find(tmp_path)
    assert found is not None and found.games == 40 and found.mean == pytest.approx((10 * 10 + 30 * 1) / 40)


def test_what_does_not_depend_on_the_clock_or_on_this_machine_has_no_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy(monkeypatch, 5.0)
    watched(tmp_path, 3, 20, Resources(jobs=2), small_matches.matchup("nodes:40"))
    watched(tmp_path, 3, 20, Resources(jobs=2, backend="dask:tcp://elsewhere:8786"))
    watched(tmp_path, 3, 0, Resources(jobs=2))
    assert not list(tmp_path.iterdir())
    assert load.find(tmp_path) is None and words(None) == "not recorded"


@pytest.mark.parametrize(
    ("policy", "said"), [("SCHED_FIFO", "4.2 on 2 cores, a core reserved"), ("SCHED_OTHER", "4.2 on 2 cores")]
)
def test_a_reserved_core_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str, said: str
) -> None:
    busy(monkeypatch, 5.2)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "sched_getscheduler", lambda _: getattr(os, policy))
    watched(tmp_path, 1, 20, Resources(jobs=1))
    assert words(load.find(tmp_path)) == said


def test_a_core_counts_as_reserved_only_if_it_always_was() -> None:
    one = MachineLoad(games=10, mean=1.0, cores=2, workers=1, reserved=True)
    two = one.model_copy(update={"reserved": False})
    assert together([None]) is None
    found = together([one, None, two])
    assert found is not None and not found.reserved and found.games == 20


@pytest.mark.parametrize("limit", ["time:0.001", "nodes:20"])
def test_a_match_of_a_proof_has_its_load_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """What is kept with its games stands in the run; a second look at finished games changes nothing."""
    busy(monkeypatch, 3.0)
    contest = Contest(
        "measure", small_matches.matchup(limit), "hand", small_matches.openings()[:2], tmp_path, Resources(1, "threads")
    )  # fmt: skip
    run, again = measure(contest), measure(contest)
    assert run.load == again.load
    if limit.startswith("nodes"):
        assert run.load is None and "load" not in run.content()
    else:
        assert run.load is not None and (run.load.games, run.load.mean) == (4, 2.0)


@pytest.mark.parametrize(
    ("thinking", "others", "said"),
    [
        (2, 0.3, None),
        (1, 1.2, None),
        (
            3,
            0.0,
            "3 threads will think at once and this machine has 2 cores: under a time limit moves are worse",
        ),
        (1, 4.2, "the machine is busy (load 4.2, 2 cores) and 1 thread more will think at once"),
    ],
)
def test_threads_without_a_core_of_their_own_are_warned_of(
    monkeypatch: pytest.MonkeyPatch, thinking: int, others: float, said: str | None
) -> None:
    busy(monkeypatch, others)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    found = crowding(thinking)
    assert (found is None) == (said is None) and (said or "") in (found or "")


@pytest.mark.parametrize(("limit", "warned"), [("time:0.001", 1), ("nodes:40", 0)])
def test_a_match_by_the_clock_on_too_few_cores_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, warned: int
) -> None:
    busy(monkeypatch, 0.0)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    notes: list[str] = []
    listener = Listening(lambda what, done, total: None)
    monkeypatch.setattr(listener, "note", notes.append)
    match = FolderMatch(small_matches.matchup(limit), small_matches.openings(), range(2), tmp_path / "m")
    selfplay.play_together([match], Resources(2, "threads", listener))
    assert sum("2 threads will think at once" in note for note in notes) == warned
