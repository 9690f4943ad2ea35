"""Searches by playing, on made-up pairs: totals, openings, pooling, kills, changed settings, recommendation."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests import IMPORTS
from tests.support.made_up import HAND, MadeUpMatches, search, space
from tunesmith.experiments.proofs._made_up_search import Luck
from tunesmith.games.errors import FaultError, StudyError
from tunesmith.tuning.config import Range
from tunesmith.tuning.files import read_lines
from tunesmith.tuning.search import storage
from tunesmith.tuning.search.standings import Standings

ROOT = Path(__file__).parents[3]


def log(folder: Path) -> list[dict]:
    return read_lines(folder / "trials.jsonl")


# --- the loop


def test_a_search_plays_its_trials_and_recommends_near_the_best_setting(tmp_path):
    one = search(tmp_path, trials=40, pairs=100, sampler="clop")
    trials = one.run()
    result = one.result()
    assert len(trials) == 40
    assert abs(result.setting["aspiration"] - 60) <= 30
    at = result.estimate
    assert at.elo_low < at.elo < at.elo_high
    assert result.gain.better > 0.8
    assert result.games == sum(row["games"] for row in log(tmp_path))


# The Gaussian process needs torch, an extra of some gigabytes that `make test` does not install.
WITH_TORCH = [pytest.param("gp", marks=pytest.mark.slow)] if find_spec("torch") else []


@pytest.mark.parametrize("sampler", ["random", "qmc", "tpe", "cma-es", "spsa", "clop", *WITH_TORCH])
def test_every_sampler_searches(tmp_path, sampler):
    own = space(aspiration=Range(low=0, high=200), scale=Range(), pvs=Range())
    one = search(tmp_path, own=own, sampler=sampler, trials=14)
    assert {t.state.name for t in one.run()} == {"COMPLETE"}
    assert [row["sampler"] for row in log(tmp_path)] == ["given"] + [sampler] * 13
    assert one.result().setting.keys() == {"aspiration", "scale", "pvs"}


def test_the_start_is_trial_nought_and_is_not_played_against_itself(tmp_path):
    matches = MadeUpMatches()
    search(tmp_path, matches, trials=1).run()
    (first,) = log(tmp_path)
    assert first["setting"] == {"aspiration": 0}
    assert first["digest"] == HAND.digest
    assert first["games"] == 0
    assert first["score"] == 0.5


def test_the_total_is_a_total_over_restarts(tmp_path):
    search(tmp_path, trials=10).run()
    again = MadeUpMatches()
    assert len(search(tmp_path, again, trials=10).run()) == 10
    assert again.played == []


def test_trials_do_not_depend_on_who_plays_them(tmp_path):
    """The same search twice writes the same log."""
    for name in "ab":
        search(tmp_path / name, sampler="clop", trials=15).run()
    assert (tmp_path / "a" / "trials.jsonl").read_bytes() == (tmp_path / "b" / "trials.jsonl").read_bytes()


def test_every_trial_plays_openings_of_its_own(tmp_path):
    one = search(tmp_path, trials=12)
    one.run()
    assert [row["from"] for row in log(tmp_path)] == [32 * number for number in range(12)]
    played = np.concatenate([setting.openings for setting in one.seen()])
    assert sorted(played) == list(range(12 * 32))


def test_equal_settings_pool_their_games(tmp_path):
    """Three settings, twelve trials: a repeated one plays further openings and counts once (FIELD E6)."""
    one = search(tmp_path, own=space(aspiration=Range(low=0, high=200, step=100)), trials=12)
    one.run()
    assert len({row["digest"] for row in log(tmp_path)}) == 3
    seen = one.seen()
    assert len(seen) == 3
    assert sum(sum(setting.counts) for setting in seen) == 12 * 32


def test_a_finished_trial_is_read_once_however_long_the_search(tmp_path, monkeypatch):
    """Otherwise every trial costs as much as all before it (FIELD G7)."""
    taken = []
    take = Standings._take
    monkeypatch.setattr(
        Standings, "_take", lambda self, trial: (taken.append(trial.number), take(self, trial))
    )
    search(tmp_path, trials=40).run()
    assert taken == list(range(40))


def test_when_openings_run_out_they_come_again_and_the_model_hears_of_it(tmp_path):
    """What it makes of it: `test_recommend`, `test_noise`."""
    one = search(tmp_path, MadeUpMatches(40), trials=12)
    one.run()
    assert {row["openings"] for row in log(tmp_path)} == {40}
    met = np.concatenate([setting.openings for setting in one.seen()])
    assert len(met) == 12 * 32 and sorted(set(met)) == list(range(40))


def test_a_fault_of_the_game_fails_its_trial_alone(tmp_path):
    one = search(tmp_path, MadeUpMatches(faults=1), trials=6)
    one.run()
    rows = log(tmp_path)
    assert [row["state"] for row in rows].count("FAIL") == 1
    assert "made up" in rows[0]["reason"]
    assert one.result().trials["fail"] == 1


def test_a_search_in_which_everything_fails_says_why(tmp_path):
    """With the first failure's message and exit code (FIELD E20)."""
    with pytest.raises(FaultError, match="no trial was finished; the first: .*made up") as error:
        search(tmp_path, MadeUpMatches(faults=99)).run()
    assert error.value.exit_code == 1


def test_a_start_that_is_the_opponent_is_no_trial_that_came_to_an_end(tmp_path):
    class BrokenMatches(MadeUpMatches):
        def play(self, weights, pairs, mirrors=False):
            self.faults = int(weights.digest != HAND.digest)
            return super().play(weights, pairs, mirrors)

    with pytest.raises(FaultError, match="no trial was finished"):
        search(tmp_path, BrokenMatches(), trials=4).run()
    with pytest.raises(FaultError, match="no trial was finished"):  # also when it is asked again
        search(tmp_path, trials=4).run()


# --- kills and restarts


def kill_after(folder: Path, plays: int, total: int = 12) -> None:
    """Start a search in a process of its own and kill it in the middle of a play, after so many others."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.made_up", str(folder), str(plays), str(total)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": IMPORTS},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "waits\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_a_killed_search_goes_on_and_ends_with_exactly_its_trials(tmp_path):
    kill_after(tmp_path, 4)
    one = search(tmp_path)
    trials = one.run()
    assert len(trials) == 12
    assert not any(t.state.name in ("RUNNING", "WAITING") for t in one._study.trials)
    counted = [row for row in log(tmp_path) if not row.get("ghost")]
    assert len(counted) == 12
    assert len({row["number"] for row in counted}) == 12


def test_what_a_killed_trial_asked_for_is_asked_for_again_on_its_openings(tmp_path):
    kill_after(tmp_path, 3)
    one = search(tmp_path)
    open_trials = [t for t in one._study.trials if t.state.name == "RUNNING"]
    one.run()
    ghosts = [row for row in log(tmp_path) if row.get("ghost")]
    assert ghosts and [ghost["setting"] for ghost in ghosts] == [t.params for t in open_trials]
    rows = [row for row in log(tmp_path) if not row.get("ghost")]
    first = {(tuple(row["setting"].values()), row["from"]) for row in rows}
    assert all((tuple(ghost["setting"].values()), 32 * ghost["number"]) in first for ghost in ghosts)
    assert sorted(row["from"] for row in rows) == [32 * at for at in range(12)]


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_cut_journal_is_mended_and_loses_one_line(tmp_path, cut):
    """Optuna alone would glue the next record to the half line and never open the file again (FIELD G3)."""
    search(tmp_path, trials=6).run()
    path = tmp_path / "journal.log"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    one = search(tmp_path, trials=6)
    assert len(one.run()) == 6
    assert path.with_name("journal.log.cut").exists()
    for line in path.read_text().splitlines():
        json.loads(line)


def test_a_damaged_middle_is_an_error_that_names_the_file(tmp_path):
    search(tmp_path, trials=3).run()
    path = tmp_path / "journal.log"
    lines = path.read_text().splitlines(keepends=True)
    lines[5] = "rubbish\n"
    path.write_text("".join(lines))
    with pytest.raises(StudyError, match=r"journal\.log: damaged"):
        search(tmp_path, trials=3)


@pytest.mark.parametrize(
    ("field", "change", "told"),
    [
        ("counts", lambda counts: [counts[4], *counts[:4]], "counts: expected"),
        ("opponents", lambda own: {"hand": [32, 0, 0, 0, 0]}, "counts: expected"),
        ("scores", lambda scores: [1.0] * 32, "mean of scores: expected"),
        ("scores", lambda scores: "all", "scores: expected a valid array, found 'all'"),
        ("from", lambda first: -1, "from: expected greater than or equal to 0, found -1"),
    ],
)
def test_a_storage_whose_figures_are_not_those_of_its_counts_is_refused(tmp_path, field, change, told):
    one = search(tmp_path, trials=3)
    one.run()
    path = tmp_path / "journal.log"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    row = next(row for row in lines if row.get("trial_id") == 2 and field in row.get("user_attr", {}))
    row["user_attr"] = {field: change(row["user_attr"][field])}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(StudyError, match=rf"journal\.log: trial 2: {told}"):
        search(tmp_path, trials=3).run()


class Kept(MadeUpMatches):
    """Made-up matches whose games can be counted again, or a part of them."""

    def counts_there(self, candidate, pairs):
        return {"hand": self.play(candidate, pairs).counts()} if pairs.start else {}


def test_trials_whose_counts_are_not_those_of_their_games_are_refused(tmp_path):
    search(tmp_path, Kept(), trials=3).run()
    search(tmp_path, Kept(), trials=3).run()
    with pytest.raises(
        StudyError, match=r"journal\.log: trial \d: counts against hand: expected .*, by its games"
    ):
        search(tmp_path, Kept(luck=Luck(draws=0.1)), trials=3).run()


def test_the_lock_of_a_dead_process_does_not_stop_a_search(tmp_path, monkeypatch, caplog):
    """A killed process may leave Optuna's lock file (FIELD G4)."""
    monkeypatch.setattr(storage, "PATIENCE", 0.1)
    search(tmp_path, trials=3).run()
    (tmp_path / "journal.log.lock").touch()
    search(tmp_path, trials=3).run()
    assert "left behind by a process that was killed, removed" in caplog.text
    assert not (tmp_path / "journal.log.lock").exists()


def test_another_working_folder_finds_the_same_journal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    search(Path("here"), trials=3).run()
    monkeypatch.chdir(tmp_path / "here")
    assert len(search(tmp_path / "here", trials=3).run()) == 3


def test_changed_settings_are_refused_with_a_list(tmp_path):
    search(tmp_path, trials=3).run()
    with pytest.raises(StudyError) as error:
        search(tmp_path, trials=4, pairs=16)
    assert "search.pairs: stored 32, now 16" in str(error.value)
    assert "search.trials: stored 3, now 4" in str(error.value)


def test_changed_ranges_are_refused_too(tmp_path):
    """Optuna itself accepts them in silence (FIELD E15)."""
    search(tmp_path, trials=3).run()
    with pytest.raises(StudyError, match="space"):
        search(tmp_path, own=space(aspiration=Range(low=0, high=100, step=10)), trials=3)


def test_the_storage_refuses_what_the_folder_forgot(tmp_path):
    search(tmp_path, trials=3).run()
    (tmp_path / "settings.json").unlink()
    with pytest.raises(StudyError, match=r"search\.pairs: stored 32, now 64"):
        search(tmp_path, trials=3, pairs=64)


JOIN = """
import sys
from pathlib import Path
from tunesmith.tuning.search import storage as journal
from optuna.samplers import RandomSampler
study = journal.open_optuna(journal.open_journal(Path(sys.argv[1])), "shared", RandomSampler())
for _ in range(3):
    trial = study.ask()
    study.tell(trial, trial.suggest_float("x", 0, 1))
"""


def test_six_processes_that_start_at_once_share_one_study(tmp_path):
    """One study, no record lost, nobody dies (FIELD G1)."""
    path = tmp_path / "journal.log"
    call = [sys.executable, "-c", JOIN, str(path)]
    env = {**os.environ, "PYTHONPATH": IMPORTS}
    processes = [subprocess.Popen(call, env=env, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    complaints = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 6, complaints
    import optuna

    study = optuna.load_study(study_name="shared", storage=storage.open_journal(path))
    assert [t.number for t in study.trials] == list(range(18))
    assert all(t.state.name == "COMPLETE" for t in study.trials)
