"""A study in the time that somebody has: numbers of pairs are chosen once, by measured speed, and then fixed."""

from pathlib import Path
from typing import Any

import pytest

from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.files import is_unused
from tunesmith.tuning.pipeline import budget as budgets
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.study import open_study

SPEED = {"nodes:1000": 0.1, "nodes:4000": 0.4}  # seconds a pair


def config(**changes: Any) -> StudyConfig:
    return StudyConfig.model_validate({"name": "s", "game": "kalah", **changes})


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1800), ("1h30m", 5400), ("0.5h", 1800)])
def test_times_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert budgets.seconds_in(text) == seconds


@pytest.mark.parametrize("text", ["30", "m", "", "-5m", "30m!", "1d", "m30"])
def test_anything_else_is_no_time(text: str) -> None:
    with pytest.raises(InputError, match="--budget: expected a time such as 90s"):
        budgets.seconds_in(text)


@pytest.mark.parametrize("search", [{}, {"trials": 100}, {"trials": 100, "start": "baseline"}])
@pytest.mark.parametrize("seconds", [600.0, 7200.0])
def test_games_fill_nine_tenths_of_the_time_in_the_shares_of_the_study_file(
    search: Any, seconds: float
) -> None:
    settings = config(search=search, verify={"opponents": ["hand-1"]})
    chosen = budgets.choose(settings, seconds, SPEED)
    now = settings.flat()
    wanted = budgets.asked(settings)
    taken = {name: chosen[name] / now[name] * pairs * SPEED[limit] for name, (pairs, limit) in wanted.items()}
    assert sum(taken.values()) == pytest.approx(0.9 * seconds, rel=0.02)
    shares = {chosen[name] / now[name] for name in wanted if chosen[name] > budgets.LEAST[name]}
    assert max(shares) - min(shares) < 0.01
    assert ("play.pairs" in chosen) == (search.get("start") != "baseline")
    assert ("search.trials" in chosen) == bool(search)


def test_twice_the_speed_is_twice_the_pairs() -> None:
    slow, fast = (
        budgets.choose(config(), 3600.0, {limit: taken / factor for limit, taken in SPEED.items()})
        for factor in (1, 2)
    )
    assert fast["play.pairs"] == pytest.approx(2 * slow["play.pairs"], rel=0.01)


def test_a_time_in_which_nothing_can_be_said_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"--budget 5s: this study's least numbers of pairs take about \d+ s here"
    ):
        budgets.choose(config(), 5.0, SPEED, "5s")


def test_nodes_are_measured_once_and_scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(budgets, "_seconds_a_pair", lambda config, limit, *_: asked.append(limit) or 0.1)
    speed = budgets.measure(config(verify={"second_limit": "nodes:4000"}), Resources(), 1.0)
    assert asked == ["nodes:1000"] and speed == pytest.approx(SPEED)
    speed = budgets.measure(config(verify={"second_limit": "depth:3"}), Resources(), 1.0)
    assert sorted(asked[1:]) == ["depth:3", "nodes:1000"] and speed == {"depth:3": 0.1, "nodes:1000": 0.1}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study file; its study opens the folder and goes no further."""
    path = tmp_path / "s.toml"
    path.write_text('game = "kalah"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(budgets, "measure", lambda *_: SPEED)

    def begin(config: StudyConfig, root: Path, *_: Any) -> None:
        began.append(open_study(root, config, {}).config)
        raise StudyError("stopped")

    began: list[StudyConfig] = []
    monkeypatch.setattr("tunesmith.tuning.pipeline.study.run_study", begin)
    monkeypatch.setattr(budgets, "began", began, raising=False)
    return path


def test_a_study_goes_on_with_the_numbers_that_were_chosen(file: Path, monkeypatch: Any, capsys: Any) -> None:
    """Without the option, and on a machine of another speed: the settings are those of the beginning."""
    assert run(["run", str(file), "--budget", "30m"]) == 2
    assert run(["run", str(file)]) == 2
    monkeypatch.setattr(budgets, "measure", lambda *_: {limit: 9 * taken for limit, taken in SPEED.items()})
    assert run(["run", str(file), "--budget", "30m"]) == 2
    first, *others = budgets.began  # type: ignore[attr-defined]
    assert others == [first, first]
    assert first.play.pairs not in (0, config().play.pairs)
    capsys.readouterr()
    assert run(["run", str(file), "--budget", "2h"]) == 2
    assert "began with --budget 30m" in capsys.readouterr().err


def test_a_study_that_began_without_a_budget_gets_none(file: Path, capsys: Any) -> None:
    assert run(["run", str(file)]) == 2
    capsys.readouterr()
    assert run(["run", str(file), "--budget", "30m"]) == 2
    assert "began without a budget" in capsys.readouterr().err


def test_a_folder_with_nothing_but_a_budget_is_unused(tmp_path: Path) -> None:
    (tmp_path / "budget.json").write_text("{}")
    assert is_unused(tmp_path)
