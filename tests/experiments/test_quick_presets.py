"""What quick presets take is told by stage, in rows that are added."""

import json
from pathlib import Path

import pytest

from tunesmith.experiments import quick_presets
from tunesmith.experiments.quick_presets import REST, StageClock, pairs_of
from tunesmith.tuning.config import load

TINY = (
    "play.limit=nodes:20", "play.pairs=20", "play.check_pairs=4", "verify.limit=nodes:20", "verify.max_pairs=8",
    "verify.measure_pairs=6", "verify.second_limit=nodes:40", "verify.second_pairs=2", "verify.opponents=[]",
)  # fmt: skip


def test_time_belongs_to_the_stage_that_began_last(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 2.0, 5.0, 6.0, 10.0, 11.0])
    monkeypatch.setattr(quick_presets.time, "process_time", lambda: next(times))
    clock = StageClock()
    for stage in ("openings", "play", "fit", "play", "finished"):
        clock.stage(stage, generation=1)
    assert clock.seconds == {REST: 5.0, "play": 2.0, "fit": 4.0}


def test_pairs_are_those_that_a_study_may_play() -> None:
    study = load(quick_presets.HERE / "kalah.toml", "quick", TINY)
    assert pairs_of(study) == {"play": "2 x 20", "check": "2 x 4", "search": "", "verify": "to 8, 6 + 2"}


def test_a_row_is_added_for_each_seed_and_choice_of_pairs(tmp_path: Path) -> None:
    out = tmp_path / "quick.json"
    words = ["--out", str(out), *(word for change in TINY for word in ("--set", change))]
    assert quick_presets.main(words) == 0
    (row,) = json.loads(out.read_text(encoding="utf-8"))["kalah"]
    assert row["minutes"]["play"] > 0 and row["gain"]["limit"] == "nodes:20"
    quick_presets.store(out, {"kalah": [row, row | {"seed": 7}]}, "")
    assert quick_presets.main(words) == 0
    rows = json.loads(out.read_text(encoding="utf-8"))["kalah"]
    assert [one["seed"] for one in rows] == [7, 1]
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    assert (
        "| 2 x 20 | 2 x 4 |  | to 8, 6 + 2 | 7 |" in page and "--game kalah --set play.limit=nodes:20" in page
    )
