"""The proof of what a search loses, tiny: instances are moved hills, and cells make one page."""

import json

import numpy as np
import pytest

from tunesmith.experiments.clop_problems import PROBLEMS, problem
from tunesmith.experiments.proofs.search_regret import (
    JUDGED,
    TUNING,
    Column,
    Instance,
    half_width,
    main,
    page,
    ratio_interval,
    verdicts,
)


@pytest.mark.parametrize("hill", PROBLEMS, ids=lambda hill: hill.name)
def test_an_instance_has_its_best_place_inside_and_is_best_there(hill):
    one = Instance.drawn(hill, 5)
    assert np.all(np.abs(one.best) <= 1)
    others = np.random.default_rng(1).uniform(-1, 1, (200, hill.n))
    assert one.log_odds(one.best) == pytest.approx(float(hill.log_odds(np.array(hill.best))))
    assert all(one.score(x) <= one.score(one.best) + 1e-12 for x in others)


def test_instances_differ_by_seed_and_are_turned_and_stretched():
    one, other = (Instance.drawn(problem("LOG", 2), seed) for seed in (1, 2))
    assert not np.allclose(one.best, other.best)
    square = one.shape @ one.shape.T  # of the stretches, on its diagonal
    assert square == pytest.approx(np.diag(square.diagonal()), abs=1e-12)
    assert np.all((square.diagonal() >= 0.7**2) & (square.diagonal() <= 1.4**2))
    assert not np.allclose(one.shape, np.diag(one.shape.diagonal()))


def test_the_start_scores_one_half():
    assert Instance.drawn(problem("LOG", 2), 1).score(np.zeros(2)) == 0.5


def test_no_search_gains_what_is_not_there():
    assert Column("clop", 16).regret(problem("LOG", 1), 7, games=640) >= 0


def test_cells_make_one_page(tmp_path, capsys):
    out = tmp_path / "regret.json"
    for column in ("random,16", "auto"):
        call = ["--repetitions", "2", "--games", "160", "--problems", "LOG 1", "--columns", column]
        assert main([*call, "--out", str(out)]) == 0
    assert [*json.loads(out.read_text())["LOG 1"]] == ["random, 16", "auto"]
    assert "| problem | random, 16 | auto |" in out.with_suffix(".md").read_text()
    assert "LOG 1: auto: 0." in capsys.readouterr().out


def test_instances_to_choose_by_are_others_and_are_not_stored(tmp_path, capsys):
    out, seen = tmp_path / "regret.json", {}
    call = ["--repetitions", "2", "--games", "160", "--problems", "LOG 1", "--columns", "random,16"]
    for more in ([], ["--tuning"]):
        assert main([*call, *more, "--out", str(tmp_path / f"{len(more)}.json")]) == 0
        seen[len(more)] = capsys.readouterr().out
    assert seen[0] != seen[1] and not (tmp_path / "1.json").exists()
    assert TUNING + 900_000 < JUDGED and not out.exists()


def test_the_page_judges_by_its_own_figures_and_lists_what_is_missing():
    def cell(*regrets):
        return {"regrets": list(regrets), "seconds": 0.5}

    cells = {
        "LOG 1": {"auto": cell(0.004, 0.004), "tpe, 64": cell(0.002, 0.002), "spsa, 10": cell(0.1, 0.1)},
        "ANGLE 1": {"auto": cell(0.02, 0.02)},
        "FLAT 5": {"auto": cell(0.02, 0.03), "random, 10": cell(0.03, 0.04)},
    }
    assert verdicts(cells) == [
        "LOG 1: 2.00 times the least (tpe, 64; 2.00 to 2.00): above the goal of 1.5.",
        "ANGLE 1: 0.0200: within the goal of 0.022.",
        "FLAT 5: -0.0100 ± 0.0000 against random, 10, instance by instance: not shown to be worse.",
    ]
    text = page(cells, "command")
    assert "Not measured: STEP 1." in text and "spsa, 10 on ANGLE 1" in text and "cma-es" in text


def test_a_ratio_of_few_instances_leaves_its_goal_open():
    """The mean of one sampler rests on a single instance: resampled, the ratio is anything."""
    lost = {"auto": [0.001] * 9 + [0.02], "random, 10": [0.002] * 10}
    row = {name: {"regrets": regrets, "seconds": 0.5} for name, regrets in lost.items()}
    low, high = ratio_interval(lost["auto"], lost["random, 10"])
    assert low == pytest.approx(0.5) and high > 1.5
    assert verdicts({"LOG 1": row})[0].endswith("within the goal of 1.5, which its interval leaves open.")
    assert ratio_interval([0.3, 0.1], [0.6, 0.2]) == pytest.approx((0.5, 0.5))  # instance by instance


def test_intervals_are_students():
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.302653 * 1.0 / 3**0.5)


@pytest.mark.parametrize("call", [["--columns", "tpee"], ["--columns", "clop,x"], ["--columns", "clop-own"]])
def test_what_is_no_column_is_an_error(call, capsys):
    with pytest.raises(SystemExit):
        main(call)
    assert "--c" in capsys.readouterr().err
