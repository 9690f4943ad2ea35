"""`tunesmith stats` on odd input: one line and code 2, or finite figures."""

import json
import math

import pytest

from tunesmith.tuning.cli import run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("elo 1 2", "expected 3 counts (L D W) or 5"),
        ("elo 1 2 3 4", "expected 3 counts (L D W) or 5"),
        ("elo 1 2 3 4 5 6", "expected 3 counts (L D W) or 5"),
        ("elo -- -1 2 3", "finite and not negative, found [-1.0, 2.0, 3.0]"),
        ("elo nan 1 2", "finite and not negative"),
        ("elo inf 1 2", "finite and not negative"),
        ("elo 1.5 2 3", "expected whole numbers up to 1,000,000,000,000,000, found 1.5"),
        ("elo 1e300 1 1", "expected whole numbers up to"),
        ("elo a b c", "valid number"),
        ("sprt 1 2 3.5 --bounds 0 5", "expected whole numbers"),
        ("sprt 1e300 1e300 1e308 --bounds 0 5", "expected whole numbers"),
        ("sprt 1 2 3 --bounds 5 0", "elo0 must be below elo1"),
        ("sprt 1 2 3", "--bounds"),
        ("sprt 1 2 3 --bounds 0 5 --model elo", "--model: expected one of normalized, logistic, bayesian"),
        ("sprt 1 2 3 --bounds 0 5 --alpha 0.6 --beta 0.5", "positive with a sum below 1"),
        ("length --bounds 0 0", "elo0 must be below elo1"),
        ("length --bounds 0 1e-300", "elo0 must be below elo1 by at least 1e-06"),
        ("length --bounds 0 1e9", "must lie within -1000 and 1000"),
        ("length --bounds 0 5 --model logistic", "--draws: expected the share of draws for logistic bounds"),
        ("length --bounds 0 5 --model bayesian --draws 2", "a draw rate lies in [0, 1), found 2.0"),
    ],
)
def test_wrong_input_is_one_line(arguments: str, words: str, capsys) -> None:
    assert run(["stats", *arguments.split()]) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and said.out == ""


@pytest.mark.parametrize(
    "counts", ["0 0 0", "0 0 0 0 0", "5 0 0", "0 0 7", "0 9 0", "0 0 0 0 40", "1 0 0 0 0", f"{10**15} 1 1"]
)
def test_extreme_counts_have_finite_figures(counts: str, capsys) -> None:
    assert run(["stats", "elo", *counts.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(math.isfinite(found[name]) for name in ("score", "elo", "elo_half_width", "nelo", "los"))
    for model in ("normalized", "logistic", "bayesian"):
        assert run(["stats", "sprt", *counts.split(), "--bounds", "0", "5", "--model", model, "--json"]) == 0
        assert math.isfinite(json.loads(capsys.readouterr().out)["llr"])


@pytest.mark.parametrize(
    ("counts", "said"),
    [("34 54 63 64 75", "+55.58 ± 27.65"), ("1 3 9", "+249.30 (+42.01 .. +550.50)")],
)
def test_an_interval_with_unlike_sides_is_printed_with_its_ends(counts: str, said: str, capsys) -> None:
    assert run(["stats", "elo", *counts.split()]) == 0
    assert f"Elo     {said}\n" in capsys.readouterr().out


@pytest.mark.parametrize("draws", ["0", "0.5", "0.95"])
@pytest.mark.parametrize("model", ["logistic", "bayesian"])
def test_lengths_at_every_share_of_draws(model: str, draws: str, capsys) -> None:
    assert run(["stats", "length", "--bounds", "0", "5", "--model", model, "--draws", draws, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["lengths"]) == 9 and found["worst"]["expected_games"] > 1000


def test_lengths_stay_within_reach(capsys) -> None:
    assert run(["stats", "length", "--bounds", "995", "1000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert max(row["elo"] for row in found["lengths"]) == 1000
