"""Exported weights, compiled by the real tools, evaluate as the engine does, bit for bit, whatever the names."""

from fractions import Fraction

import pytest

from tests.support import exported
from tunesmith.tuning import export
from tunesmith.tuning.cli import run

# --- the engine's evaluation in every language


def test_the_cases_are_worth_it():
    """They hold ties, clipped scores, thousands of values, every hostile name."""
    assert len(exported.expected()) > 700
    assert {-export.constants.LARGEST, export.constants.LARGEST} <= set(exported.expected())
    names = {name for made in exported.cases() for name in made.table.features}
    assert set(exported.HOSTILE) <= names
    ties = exported.cases()[-2]
    exact = [100 * sum(Fraction(w) * Fraction(v) for w, v in zip(ties.table.rows[0], values, strict=True))
             for values in ties.features.tolist()]  # fmt: skip
    assert sum(2 * x % 2 == 1 for x in exact) >= 3


# --- the command


def test_a_file_is_written_and_named(tmp_path, capsys):
    target = tmp_path / "Weights.java"
    arguments = ["weights", "export", "kalah/hand", "--to", "java", "--name", "Mine", "--out", str(target)]
    assert run(arguments) == 0
    assert "final class Mine {" in target.read_text() and str(target) in capsys.readouterr().out


def test_a_file_that_is_there_is_replaced_by_force_alone(tmp_path, capsys):
    target = tmp_path / "weights.py"
    target.write_text("mine")
    arguments = ["weights", "export", "kalah/hand", "--to", "python", "--out", str(target)]
    assert run(arguments) == 2 and target.read_text() == "mine"
    assert "weights.py is there already; --force replaces it" in capsys.readouterr().err
    assert run([*arguments, "--force"]) == 0 and target.read_text() != "mine"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--to", "cobol"], "--to: expected one of json, python, c, java"),
        (["--to", "java", "--name", "class"], "'class' means something in that language"),
        (["--to", "rust", "--name", "std"], "'std' means something"),
        (["--to", "c", "--name", "a b"], "--name: expected a letter, then letters"),
        (["--to", "haskell", "--name", "weights"], "begins with a capital letter"),
        (["--to", "c", "--out", "no/such/folder/w.c"], "no/such/folder/w.c: cannot be written"),
        ([], "Missing option '--to'"),
    ],
)
def test_wrong_input_is_one_line(options, words, capsys):
    assert run(["weights", "export", "kalah/hand", *options]) == 2
    message = capsys.readouterr().err.strip()
    assert words in message and len(message.splitlines()) == 1


def test_wrong_lengths_are_an_error_and_no_score():
    space: dict = {}
    exec(export.source(exported.table([[1.0, 2.0]]), "python", "w"), space)
    with pytest.raises(ValueError, match="expected 2 features and 1 shares"):
        space["w_evaluate"]([1.0], [1.0])
