"""Exported weights, compiled by the real tools, evaluate as the engine does, bit for bit, whatever the names."""

import ast
import csv
import io
import json
import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support import exported
from tunesmith.engine import weights as weight_files
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.tuning import export
from tunesmith.tuning.cli import run
from tunesmith.tuning.export import LANGUAGES
from tunesmith.tuning.export import spelling as words


def call(*command: object, cwd: Path, text: str = "") -> str:
    """Run a program in a bare locale; return its output."""
    answer = subprocess.run(
        list(map(str, command)), cwd=cwd, input=text, capture_output=True, text=True, timeout=240, check=False
    )
    assert answer.returncode == 0, answer.stderr[:4000]
    return answer.stdout


def numbers(output: str) -> list[int]:
    """Read a program's answers."""
    return list(map(int, output.split()))


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


def test_python_agrees(tmp_path):
    answers = []
    for at, (made, source) in enumerate(zip(exported.cases(), exported.sources("python"), strict=True)):
        space: dict = {}
        file = tmp_path / f"w{at}.py"
        file.write_bytes(source.encode("ascii"))
        exec(compile(file.read_bytes(), str(file), "exec"), space)
        ast.parse(source, feature_version=(3, 6))
        assert space[f"W{at}_FEATURES"] == made.table.features
        for values, shares in zip(made.features, made.shares, strict=True):
            answers.append(space[f"w{at}_evaluate"](values.tolist(), shares.tolist()))
    assert answers == exported.expected()
    assert all(type(answer) is int for answer in answers)


@pytest.mark.needs_gcc
@pytest.mark.parametrize("options", [("-std=c99", "-O2"), ("-O3", "-march=native")], ids=" ".join)
def test_c_agrees(tmp_path, options):
    (tmp_path / "main.c").write_bytes(exported.in_c(exported.sources("c")).encode("ascii"))
    strict = ("-Wall", "-Wextra", "-Werror")
    call("gcc", *options, *strict, "main.c", "-o", "main", "-lm", cwd=tmp_path)
    assert numbers(call(tmp_path / "main", cwd=tmp_path, text=exported.lines())) == exported.expected()


@pytest.mark.needs_javac
def test_java_agrees(tmp_path):
    (tmp_path / "Main.java").write_bytes(exported.in_java(exported.sources("java")).encode("ascii"))
    call("javac", "-Xlint:all", "-Werror", "Main.java", cwd=tmp_path)
    output = call("java", "-Xshare:auto", "-cp", tmp_path, "Main", cwd=tmp_path, text=exported.lines())
    assert numbers(output) == exported.expected()


@pytest.mark.needs_rustc
def test_rust_agrees(tmp_path):
    (tmp_path / "main.rs").write_bytes(exported.in_rust(exported.sources("rust")).encode("ascii"))
    call("rustc", "--edition", "2021", "-D", "warnings", "-O", "main.rs", cwd=tmp_path)
    assert numbers(call(tmp_path / "main", cwd=tmp_path, text=exported.lines())) == exported.expected()


@pytest.mark.needs_node
def test_javascript_agrees(tmp_path):
    (tmp_path / "main.js").write_bytes(exported.in_javascript(exported.sources("javascript")).encode("ascii"))
    assert numbers(call("node", "main.js", cwd=tmp_path, text=exported.lines())) == exported.expected()


@pytest.mark.needs_ghc
def test_haskell_agrees(tmp_path):
    for at, source in enumerate(exported.sources("haskell")):
        (tmp_path / f"{exported.name(at)}.hs").write_bytes(source.encode("ascii"))
    (tmp_path / "Main.hs").write_text(exported.in_haskell())
    call("ghc", "-v0", "-O0", "Main.hs", cwd=tmp_path)
    assert numbers(call(tmp_path / "Main", cwd=tmp_path, text=exported.lines())) == exported.expected()


def score(stages: list[str], rows: dict, scale: float, values: dict, shares: list[float]) -> int:
    """Evaluate by name, as a reader of the data would."""
    total = 0.0
    for stage, share in zip(stages, shares, strict=True):
        part = 0.0
        for feature, weight in rows[stage].items():
            part += weight * values[feature]
        total += share * part
    return round(max(-999_900_000.0, min(999_900_000.0, scale * total * 100.0)))


def test_json_agrees():
    for at, source in enumerate(exported.sources("json")):
        made, data = exported.cases()[at], json.loads(source)
        for values, shares, wanted in zip(made.features, made.shares, made.expected, strict=True):
            named = dict(zip(made.table.features, values.tolist(), strict=True))
            assert score(data["stages"], data["weights"], data["scale"], named, shares.tolist()) == wanted


def test_csv_agrees():
    for at, source in enumerate(exported.sources("csv")):
        made, rows = exported.cases()[at], list(csv.DictReader(io.StringIO(source, newline="")))
        weights = np.array([float(row["weight"]) for row in rows]).reshape(np.shape(made.table.rows))
        assert np.array_equal(weights, made.table.rows)
        assert [row["feature"].replace("?", "\ud800") for row in rows[: weights.shape[1]]] == [
            name.replace("?", "\ud800") for name in made.table.features
        ]  # half a character is no text
        assert {float(row["scale"]) for row in rows} == {made.table.elo_per_unit}


# --- names and comments


@pytest.mark.parametrize("text", exported.HOSTILE)
def test_a_comment_is_one_line_of_ascii_that_ends_nothing(text):
    line = words.plain(text)
    assert line.isascii() and line.isprintable()
    assert not re.search(r"\\|\*/|\?\?|</|<!", line)


def test_names_that_become_the_same_word_stay_apart():
    found = words.identifiers(["a-b", "a_b", "A b", "a_b_2", "", "ß", "1"], words.capitals, "F_")
    assert found == ["F_A_B", "F_A_B_2", "F_A_B_3", "F_A_B_2_2", "F_5", "F_SS", "F_1"]


def test_long_and_many_names_are_distinct():
    names = [f"{'x' * 70}{i}" for i in range(200)]
    assert len(set(words.identifiers(names, words.capitals, "F_"))) == 200


# --- the command


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_prints_the_numbers_unit_and_digest(language, capsys):
    assert run(["weights", "export", "kalah/hand", "--to", language]) == 0
    text = capsys.readouterr().out
    digest = weight_files.load("hand", registry.load("kalah")).digest
    assert digest in text and "free_turn_by_pond_6" in text and "36.0" in text and "20.0" in text
    assert text.isascii()


def test_the_help_lists_the_languages_that_there_are(capsys):
    assert run(["weights", "export", "--help"]) == 0
    assert ", ".join(LANGUAGES) in " ".join(capsys.readouterr().out.replace("│", " ").split())


def test_a_file_is_written_and_named(tmp_path, capsys):
    target = tmp_path / "Weights.java"
    arguments = ["weights", "export", "kalah/hand", "--to", "java", "--name", "Mine", "--out", str(target)]
    assert run(arguments) == 0
    assert "final class Mine {" in target.read_text() and str(target) in capsys.readouterr().out


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


def test_a_proof_of_other_weights_is_not_quoted():
    game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    good = {"candidate": hand.digest, "sentence": "kalah: shown to be stronger, +7 ± 3 Elo."}
    proven = replace(hand, proof=[{"candidate": "0" * 64, "sentence": "of other weights"}, good, "damaged"])
    text = export.source(export.of_weights(proven, game), "c")
    assert "proof: kalah: shown to be stronger, +7 +/- 3 Elo." in text
    assert "of other weights" not in text
    assert "proof: none" in export.source(export.of_weights(hand, game), "c")


def test_the_order_is_the_games_and_not_the_files(tmp_path):
    game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    turned = replace(hand, features=tuple(reversed(hand.features)), stages=tuple(reversed(hand.stages)))
    assert export.of_weights(turned, game).features == game.feature_names
    assert export.of_weights(turned, game).rows == export.of_weights(hand, game).rows


def test_weights_of_a_table_are_exported_too(tmp_path, capsys):
    file = tmp_path / "mine.json"
    content = {"format": "tunesmith-table-weights", "version": 1, "unit": 2.5, "stages": ["all"], "features": ["pawn"],
               "weights": {"all": {"pawn": 40.0}}, "errors": {"all": {"pawn": 1.0}},
               "source": {"table": "my positions.csv", "games": 400}}  # fmt: skip
    file.write_text(json.dumps(content))
    assert run(["weights", "export", str(file), "--to", "python"]) == 0
    space: dict = {}
    exec(capsys.readouterr().out, space)
    assert space["my_positions_evaluate"]([3], [1.0]) == 2.5 * 40 * 3 * 100
    del content["weights"]["all"]["pawn"]
    file.write_text(json.dumps(content))
    assert run(["weights", "export", str(file), "--to", "python"]) == 2
    assert f"{file}: expected weights of a table" in capsys.readouterr().err


def test_more_numbers_than_a_java_class_holds_are_refused():
    with pytest.raises(InputError, match=r"at most 5,000 weights, found 5,001"):
        export.source(exported.table(np.zeros((1, 5001))), "java")


def test_wrong_lengths_are_an_error_and_no_score():
    space: dict = {}
    exec(export.source(exported.table([[1.0, 2.0]]), "python", "w"), space)
    with pytest.raises(ValueError, match="expected 2 features and 1 shares"):
        space["w_evaluate"]([1.0], [1.0])
