"""The benchmark of samplers in its small form, and that its committed result is one of its own tables."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tunesmith.experiments.clop_problems import PROBLEMS, problem
from tunesmith.experiments.proofs.samplers import Cell, claims, entries, half_width, main, measure, table

RESULT = Path(__file__).parents[3] / "experiments" / "results" / "samplers.md"


def test_every_sampler_spends_the_same_games():
    for entry in entries().values():
        for games in (1000, 10_000):
            assert games % entry.split(games) == 0


def test_ours_lose_less_than_random_on_a_smooth_hill():
    hill = problem("LOG", 2)
    means = {name: measure(entries()[name], hill, 1000, 4).mean for name in ("random", "SPSA", "CLOP")}
    assert means["CLOP"] < means["random"]
    assert means["SPSA"] < means["random"]


def test_intervals_are_students():
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.302653 * 1.0 / 3**0.5)


def test_the_table_marks_the_smallest_regret():
    lines = table({"LOG 1": {"SPSA": Cell((0.1, 0.3), 0.5), "CLOP": Cell((0.01, 0.01), 0.25)}})
    assert lines[-2] == "| LOG 1 | 0.2000 ± 1.2706 | **0.0100 ± 0.0000** |"
    assert lines[-1] == "| *ms a game* | 0.500 | 0.250 |"


def test_pieces_of_a_comparison_make_one_page(tmp_path):
    out = tmp_path / "samplers.json"
    for name in ("random", "QMC"):
        call = ["--repetitions", "2", "--games", "100", "--problems", "FLAT 1", "--out", str(out)]
        assert main([*call, "--samplers", name]) == 0
    assert "| problem | random | QMC |" in out.with_suffix(".md").read_text()
    assert set(json.loads(out.read_text())["100"]["FLAT 1"]) == {"random", "QMC"}


def test_it_runs_from_the_command_line(capsys):
    assert main(["--repetitions", "2", "--games", "100", "--problems", "FLAT 1"]) == 0
    assert "| FLAT 1 |" in capsys.readouterr().out


def test_the_committed_result_covers_every_problem_at_both_budgets():
    text = RESULT.read_text(encoding="utf-8")
    for hill in PROBLEMS:
        assert len(re.findall(rf"^\| {hill.name} \|", text, re.MULTILINE)) == 2
    assert "CLOP 20" in text


def test_who_loses_less_is_said_only_beyond_the_interval_of_the_difference() -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.01, 20)
    cells = {
        "1000": {
            "LOG 1": {"CLOP": [0.01], "TPE": 0.05 + noise},  # 0.04 less
            "STEP 1": {"CLOP": [0.05], "TPE": 0.01 + noise},
            "FLAT 1": {"CLOP": [0.05], "TPE": 0.05 + noise - noise.mean()},
        }
    }
    made = {
        games: {
            problem: {name: {"regrets": np.broadcast_to(lost, 20).tolist(), "cost": 1.0} for name, lost in row.items()}
            for problem, row in rows.items()
        }
        for games, rows in cells.items()
    }  # fmt: skip
    assert claims(made)[0] == (
        "- After 1,000 games CLOP loses less than TPE on LOG 1; more on STEP 1; neither is shown on FLAT 1."
    )
