"""What a search says about its trials, and that hundreds of them cost what each costs alone."""

import json
import os
from pathlib import Path

from tests.support.made_up import HAND, MadeUpMatches, search, space
from tunesmith.tuning.config import Range
from tunesmith.tuning.files import read_lines
from tunesmith.tuning.pipeline.searching import words
from tunesmith.tuning.search import storage
from tunesmith.tuning.search.standings import Standings


def log(folder: Path) -> list[dict]:
    return read_lines(folder / "trials.jsonl")


def test_a_setting_that_is_the_opponent_after_rounding_is_not_played(tmp_path):
    """FIELD E8: steps below the rounding of weights change nothing."""
    value = HAND.values["opening"]["mobility"]
    own = space(**{"opening.mobility": Range(low=value - 1e-5, high=value + 1e-5)})
    one = search(tmp_path, own=own, trials=6)
    one.run()
    assert {row["games"] for row in log(tmp_path)} == {0}
    assert {row["digest"] for row in log(tmp_path)} == {HAND.digest}


def test_each_trial_says_which_sampler_made_it_and_what_was_left_to_chance(tmp_path, caplog):
    """Optuna's CMA-ES draws what it has no use for at random (FIELD E16)."""
    own = space(aspiration=Range(low=0, high=200, step=10), replacement=Range())  # three words
    one = search(tmp_path, own=own, sampler="cma-es", trials=8)
    one.run()
    first, second, *rest = log(tmp_path)
    assert first["sampler"] == "given"
    assert "at_random" not in second  # the first trial of all is drawn by design
    assert {row["sampler"] for row in rest} == {"cma-es"}
    assert all(row["at_random"] == ["replacement"] for row in rest)
    assert one.result().at_random == len(rest)
    assert len([r for r in caplog.records if "drawn at random" in r.message]) == 1


def test_a_recommendation_near_the_end_of_a_range_is_flagged(tmp_path):
    """FIELD E10: the best value lies at 60, the range ends there."""
    one = search(
        tmp_path, MadeUpMatches(slope=0.9), own=space(aspiration=Range(low=0, high=60)), trials=30, pairs=100
    )
    one.run()
    result = one.result()
    assert result.setting["aspiration"] >= 57
    assert result.at_bound == ["aspiration"]
    assert any("end of its range" in line for line in words(result))


def test_hundreds_of_trials_cost_what_each_costs_alone(tmp_path, monkeypatch):
    """Counts, not times: what is read, played, written and kept does not grow with the trials (FIELD G7)."""
    from optuna.storages import InMemoryStorage

    monkeypatch.setattr(storage.TrialStore, "open", lambda self: InMemoryStorage())
    monkeypatch.setattr(os, "fsync", lambda file: None)
    taken: list[int] = []
    take = Standings._take
    monkeypatch.setattr(
        Standings, "_take", lambda self, trial: (taken.append(trial.number), take(self, trial))
    )
    matches = MadeUpMatches()
    one = search(tmp_path, matches, own=space(scale=Range()), trials=400, pairs=8)
    one.run()
    assert taken == list(range(400))
    assert len(matches.played) == 400
    assert len(log(tmp_path)) == 400
    assert sum(one.result().trials.values()) == 400


def test_the_journal_grows_by_the_same_lines_for_each_trial(tmp_path):
    search(tmp_path, trials=40).run()
    numbers = [
        json.loads(line).get("trial_id") for line in (tmp_path / "journal.log").read_text().splitlines()
    ]
    lines = [numbers.count(number) for number in range(40)]
    assert max(lines[30:]) <= max(lines[2:10])
