"""Gains by games played: the cells are those of a study with defaults, are made once, and are held to goals."""

import json
from pathlib import Path
from typing import Any

import pytest

from tunesmith.experiments.proofs import learning_curves as curves
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.study import chosen_weights

TERMS = curves.Terms("kalah", "nodes:20", 4)
ALONE = Resources(1, "threads")


def cells(**elo: list[float]) -> dict[str, dict[str, Any]]:
    """Return the cells of one number of games: gains by way, a seed each."""
    return {
        way.replace("_", " "): {str(seed): {"elo": value} for seed, value in enumerate(values, 1)}
        for way, values in elo.items()
    }


def test_the_weights_are_those_of_a_study_with_defaults(tmp_path: Path) -> None:
    """Though its games are the first ones of a longer row of games: a run loses nothing of what its fit has gained."""
    expected, _ = curves.weights_of(TERMS, 60, 3, curves.RUN, tmp_path, ALONE)
    curves.weights_of(TERMS, 72, 3, curves.RESULTS, tmp_path, ALONE)
    found, facts = curves.weights_of(TERMS, 60, 3, curves.DEFAULTS, tmp_path, ALONE)
    assert found.digest == expected.digest and facts["rows"] > 0
    assert facts["blend"] < 1  # chosen, as there are pairs enough
    chosen = chosen_weights(tmp_path / "3-60-1")
    assert chosen is not None and chosen.digest == expected.digest


def test_games_of_checks_are_counted() -> None:
    play = TERMS.study(640, 1, 2).play
    assert 2 * (2 * play.pairs + 2 * play.check_pairs) == 640 and play.has_checks
    assert TERMS.study(640, 1).play.openings == 320


def test_cells_are_made_once_and_added_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[tuple[object, ...]] = []

    def made_up(_: object, games: int, seed: int, way: str, *__: object) -> dict[str, float]:
        made.append((games, seed, way))
        return {"elo": games + 10.0 * seed + (5 if way == curves.DEFAULTS else 0), "seconds": 2.0}

    monkeypatch.setattr(curves, "cell", made_up)
    out = tmp_path / "curves.json"
    words = ["--games", "80", "--pairs", "4", "--out", str(out)]
    assert curves.main([*words, "--seeds", "1", "2"]) == 1  # 100 Elo, where 125 are the goal
    assert curves.main([*words, "--seeds", "1", "2", "3", "--ways", "defaults", "one ridge"]) == 1
    assert len(made) == len(set(made)) == 2 * 2 + 4
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    assert "| 80 | 3 | +105 ± 25 | +125 | +95 ± 64 | +5 ± 0 |" in page
    assert "| one ridge | 80 | 3 | +5 ± 0 | 2.0 | 2.0 |" in page
    assert "the goal is +125" in page
    assert set(json.loads(out.read_text(encoding="utf-8"))["kalah"]["cells"]["80"]) == {
        "defaults", "as before", "one ridge",
    }  # fmt: skip
    with pytest.raises(SystemExit):
        curves.main(["--pairs", "5", "--out", str(out)])
    assert "holds cells of" in capsys.readouterr().err


def test_generations_whose_checks_take_more_games_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def made_up(_: object, games: int, *__: object) -> dict[str, float]:
        made.append(games)
        return {"elo": 200.0}

    monkeypatch.setattr(curves, "cell", made_up)
    words = ["--games", "80", "640", "--seeds", "1", "--ways", "two generations"]
    assert curves.main([*words, "--out", str(tmp_path / "curves.json")]) == 0
    assert made == [640]


def test_other_games_are_held_to_as_before_of_four_times_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gains = {(20, "defaults"): 30.0, (80, "as before"): 25.0}
    monkeypatch.setattr(curves, "cell", lambda _, games, seed, way, *__: {"elo": gains[games, way]})
    words = ["--game", "pentago", "--games", "80", "--seeds", "1", "2"]
    assert curves.main(words) == 0
    gains[20, "defaults"] = 24.0
    assert curves.main(words) == 1


def test_options_are_those_of_both_sides_in_play_and_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = curves.Terms("ropasci360", options="joint=matrix")
    assert matrix.study(80, 1).options == {"joint": "matrix"} and TERMS.study(80, 1).options == {}
    assert curves.context.load_players(matrix.study(80, 1)).baseline.options["joint"] == "matrix"
    monkeypatch.setattr(curves, "cell", lambda *_: {"elo": 30.0})
    words = ["--game", "ropasci360", "--games", "80", "--seeds", "1", "--options", "joint=matrix"]
    out = tmp_path / "curves.json"
    assert curves.main([*words, "--out", str(out)]) == 0
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    assert "## ropasci360, joint=matrix" in page and "--limit nodes:400 --options joint=matrix" in page


def test_the_page_says_why_what_shows_nothing_stays() -> None:
    some = cells(defaults=[130.0, 150.0, 140.0], one_ridge=[131.0, 149.0, 141.0], run=[130.0, 150.0, 140.0])
    found = {"80": some, "640": cells(defaults=[1.0, 1.0], one_ridge=[2.0, -2.0])}
    assert [line.split(":")[0] for line in curves.nothing(found)] == ["- `one ridge`", "- `run`"]
    found["640"] = cells(defaults=[1.0, 2.0], one_ridge=[11.0, 12.0])
    assert [line.split(":")[0] for line in curves.nothing(found)] == ["- `run`"]


def test_a_gain_that_its_seeds_do_not_show_is_missed() -> None:
    enough = {"80": cells(defaults=[130.0, 150.0, 140.0], as_before=[70.0, 75.0, 80.0])}
    assert curves.misses("kalah", enough) == []
    doubtful = {"80": cells(defaults=[130.0, 150.0, 140.0], as_before=[150.0, 75.0, 80.0])}
    assert [one for one in curves.misses("kalah", doubtful) if "is not above zero" in one]
