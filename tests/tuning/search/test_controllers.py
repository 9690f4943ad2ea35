"""Several controllers at one search: one total, trials waited for and taken over, one recommendation."""

import threading
from pathlib import Path

import pytest
from optuna.storages import InMemoryStorage

from tests.support.made_up import MadeUpMatches, search, space
from tunesmith.tuning.files import read_lines
from tunesmith.tuning.optuna_private import id_of, show_life
from tunesmith.tuning.search import controllers, storage
from tunesmith.tuning.search.loop import RunningTrial


def log(folder: Path) -> list[dict]:
    return read_lines(folder / "trials.jsonl")


def test_controllers_that_share_a_storage_share_the_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Three at once on one study: exactly the trials asked for, not each its own (FIELD E12)."""
    shared = InMemoryStorage()
    monkeypatch.setattr(storage, "open_address", lambda address: shared)
    three = [search(tmp_path / n, MadeUpMatches(seconds=0.02), trials=10, address="shared://") for n in "abc"]
    threads = [threading.Thread(target=one.run) for one in three]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = three[0]._counted()
    assert len(counted) == 10
    assert {t.state.name for t in counted} == {"COMPLETE"}
    rows = [row for name in "abc" for row in log(tmp_path / name) if not row.get("surplus")]
    assert sorted(row["number"] for row in rows) == sorted(t.number for t in counted)
    assert len({t.user_attrs["place"] for t in counted}) == 3


def test_trials_of_others_are_waited_for_and_taken_over_when_nobody_shows_life_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Nothing is recommended before all trials are told; what is recommended is the same in every folder."""
    monkeypatch.setattr(controllers, "WAIT", 0.0)
    silent: set[int] = set()
    monkeypatch.setattr(controllers, "silent_trials", lambda _: silent)
    address = f"sqlite:///{tmp_path / 'shared.db'}"
    one = search(tmp_path / "a", trials=4, address=address)
    mine, slow, dead = (one._study.ask(space().distributions()) for _ in range(3))
    for trial, place in ((mine, one._place), (slow, "elsewhere:search"), (dead, "elsewhere:killed")):
        show_life(one._study, trial)
        trial.set_user_attr("place", place)
    other = search(tmp_path / "b", trials=4, address=address)
    running = RunningTrial(
        slow, space().apply(space().setting(slow.params)), {"sampler": "random"}, range(32, 64)
    )
    running.outcome = MadeUpMatches().play(running.weights, running.pairs)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "waiting for 2" in line:
            other._finish(running)
            silent.add(id_of(dead))

    again = search(tmp_path / "a", trials=4, address=address, say=say)
    again.run()
    states = [t.state.name for t in again._study.trials]
    assert [states[t.number] for t in (mine, slow, dead)] == ["FAIL", "COMPLETE", "FAIL"]
    assert [t.state.name for t in again._counted()] == ["COMPLETE"] * 4
    taken = next(t for t in again._study.trials if t.system_attrs.get("fixed_params") == dead.params)
    assert taken.state.name == "COMPLETE" and taken.user_attrs["place"] == again._place
    assert "waiting for 2 that others play (1 of elsewhere:killed, 1 of elsewhere:search)" in "".join(said)
    assert again.result() == other.result()


def test_a_trial_that_was_taken_over_is_told_once(tmp_path: Path):
    """A controller that was away for long finds its trial ended, says so and goes on."""
    address = f"sqlite:///{tmp_path / 'shared.db'}"
    said: list[str] = []
    one = search(tmp_path / "a", trials=4, address=address, say=said.append)
    trial = one._study.ask(space().distributions())
    assert one._end(trial, "FAIL", {"ghost": True, "reason": "no sign of life"})
    assert not one._end(trial, "COMPLETE", {}, 0.5)
    assert said[-1] == "search: another controller has ended trial 1: what came of it here is left"
