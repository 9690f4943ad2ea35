"""The proof of what a search loses, tiny: instances are moved hills, and cells make one page."""

import json

import numpy as np
import pytest

from tunesmith.experiments.clop_problems import PROBLEMS, problem
from tunesmith.experiments.proofs.search_regret import Instance, main, regret


@pytest.mark.parametrize("hill", PROBLEMS, ids=lambda hill: hill.name)
def test_an_instance_has_its_best_place_inside_and_is_best_there(hill):
    one = Instance.drawn(hill, 5)
    assert np.all(np.abs(one.best) <= 1)
    others = np.random.default_rng(1).uniform(-1, 1, (200, hill.n))
    assert one.log_odds(one.best) == pytest.approx(float(hill.log_odds(np.array(hill.best))))
    assert all(one.score(x) <= one.score(one.best) + 1e-12 for x in others)


def test_instances_differ_by_seed_and_are_turned():
    one, other = (Instance.drawn(problem("LOG", 2), seed) for seed in (1, 2))
    assert not np.allclose(one.best, other.best)
    assert one.rotation @ one.rotation.T == pytest.approx(np.eye(2))


def test_the_start_scores_one_half():
    assert Instance.drawn(problem("LOG", 2), 1).score(np.zeros(2)) == 0.5


def test_no_search_gains_what_is_not_there():
    assert regret("clop", problem("LOG", 1), 16, 7, games=640) >= 0


def test_cells_make_one_page(tmp_path, capsys):
    out = tmp_path / "regret.json"
    for sampler in ("random", "spsa"):
        call = ["--repetitions", "2", "--games", "320", "--pairs", "16", "--problems", "LOG 1"]
        assert main([*call, "--samplers", sampler, "--out", str(out)]) == 0
    assert [*json.loads(out.read_text())["LOG 1"]] == ["random, 16", "spsa, 16"]
    assert "| problem | random, 16 | spsa, 16 |" in out.with_suffix(".md").read_text()
    assert "LOG 1: spsa, 16 pairs" in capsys.readouterr().out
