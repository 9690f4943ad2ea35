"""The command `tunesmith fit`: what it prints and writes, and one line for wrong input."""

import json

import pytest

from tests.support.fitted_tables import csv_file
from tunesmith.engine import weights as weight_files
from tunesmith.games.registry import load
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.pipeline import table_weights
from tunesmith.tuning.pipeline.context import load_players


def test_the_command_prints_and_writes(tmp_path, capsys):
    source, made = csv_file(tmp_path), [tmp_path / "w.json", tmp_path / "w.csv", tmp_path / "w.html"]
    command = ["fit", str(source), "--ridge", "0.001", "--round", "1", "--no-compare"]
    assert run([*command, *(part for path in made for part in ("--out", str(path)))]) == 0
    shown = capsys.readouterr().out
    assert "mine.csv: CSV separated by comma, results of the side to move: 1,600 rows, 400 games" in shown
    assert "rounded to 1: loss" in shown and "material" in shown
    assert "mean size of a score: 0 before, " in shown
    written = json.loads(made[0].read_text())
    assert written["weights"]["all"]["material"] == pytest.approx(120, abs=25)
    assert table_weights.read_numbers(made[0]) == table_weights.read_numbers(made[1])
    page = made[2].read_text()
    assert (
        "material" in page and "Calibration" in page and "http" not in page.replace("http://www.w3.org", "")
    )
    assert run([*command, "--prior", str(made[0]), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["unit"] == pytest.approx(1, abs=0.1)


def test_wrong_input_is_one_line(tmp_path, capsys):
    source = csv_file(tmp_path)
    for options in (
        ["--fixed", "x"],
        ["--out", "x.txt"],
        ["--loss", "hinge"],
        ["--prior", "none.json"],
        ["--perspective", "white"],
    ):
        assert run(["fit", str(source), *options]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("result", "words"),
    [("1", "every one is a win"), ("0", "every one is a loss"), ("0.5", "every one is a draw")],
)
@pytest.mark.parametrize("prior", [True, False])
def test_a_table_in_which_all_games_end_alike_is_refused_in_one_line(result, words, prior, tmp_path, capsys):
    rows = "".join(f"{n % 5},{n % 3},{result},g{n // 4}\n" for n in range(200))
    (tmp_path / "t.csv").write_text(f"a,b,result_mover,game\n{rows}")
    (tmp_path / "p.json").write_text('{"a": 10, "b": -5}')
    options = ["--prior", str(tmp_path / "p.json")] if prior else []
    assert run(["fit", str(tmp_path / "t.csv"), "--no-compare", *options]) == 2
    said = capsys.readouterr().err
    assert words in said and len(said.splitlines()) == 1


@pytest.mark.parametrize("cell", ["1e300", "-1e160", "1e999"])
def test_numbers_whose_products_overflow_are_left_out_and_told(cell, tmp_path, capsys):
    rows = [f"{n % 5},{n % 3},{n % 2},g{n // 4}" for n in range(200)]
    rows[17] = f"{cell},1,1,g4"
    (tmp_path / "t.csv").write_text("\n".join(["a,b,result_mover,game", *rows]) + "\n")
    assert run(["fit", str(tmp_path / "t.csv"), "--no-compare", "--ridge", "0.01"]) == 0
    said = capsys.readouterr().out
    assert "199 rows" in said and "1 left out: a feature" in said and "line 19" in said


def test_predict_prints_rows_writes_files_and_sums_up_in_json(tmp_path, capsys):
    source = csv_file(tmp_path)
    (tmp_path / "w.json").write_text('{"material": 120, "mobility": -45, "king": 20}')
    command = ["predict", str(tmp_path / "w.json"), str(source)]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert shown.split()[:5] == ["line", "score", "probability", "result", "loss"]
    assert "and 1,590 more rows" in shown and "in 1,600 rows with a result" in shown
    targets = [tmp_path / "p.csv", tmp_path / "p.parquet"]
    assert run([*command, "--json", *(part for path in targets for part in ("--out", str(path)))]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["written"] == [str(path) for path in targets] and all(path.exists() for path in targets)
    assert told["results"]["loss"] < told["results"]["loss_of_mean"]
    assert run([*command, "--out", "p.txt"]) == 2
    assert "--out: expected a name that ends with .csv or .parquet" in capsys.readouterr().err


def test_predict_takes_the_weights_of_a_game_by_name(tmp_path, capsys):
    hand = weight_files.load("hand", load("kalah"))
    features = list(hand.features)
    (tmp_path / "t.csv").write_text(
        ",".join([*features, "stage"]) + "\n" + "1," * len(features) + "opening\n"
    )
    assert run(["predict", "kalah/hand", str(tmp_path / "t.csv"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["unit"] == hand.scale
    expected = hand.scale * sum(hand.values["opening"].values())
    assert told["mean_abs_score"] == pytest.approx(abs(expected))
    assert run(["predict", "hand", str(tmp_path / "t.csv")]) == 2
    assert "GAME/NAME such as kalah/hand" in capsys.readouterr().err


def whites_table(folder, mover=False):
    """The table of made-up positions with results of White, in which White moves everywhere."""
    lines = csv_file(folder).read_text().replace("result_mover", "result_white").splitlines()
    ends = [",mover" if mover else "", *([",white" if mover else ""] * (len(lines) - 1))]
    path = folder / "white.csv"
    path.write_text("".join(f"{line}{end}\n" for line, end in zip(lines, ends, strict=True)))
    return path


@pytest.mark.parametrize(("mover", "side"), [(False, "first player"), (True, "side to move")])
@pytest.mark.parametrize("name", ["w.json", "w.csv"])
def test_weights_say_whose_view_the_features_are_and_exports_and_page_say_so(
    name, mover, side, tmp_path, capsys
):
    source, made, page = whites_table(tmp_path, mover), tmp_path / name, tmp_path / "w.html"
    command = ["fit", str(source), "--no-compare", "--ridge", "0.001", "--out", str(made), "--out", str(page)]
    assert run(command) == 0
    other = {"first player": "side to move", "side to move": "first player"}[side]
    assert table_weights.read_weights(made).seen_from == ("mover" if mover else "first")
    shown = page.read_text()
    assert f"seen from the {side}" in shown and f"seen from the {other}" not in shown
    assert ("what having the move is worth" in shown) == mover
    assert f"predicted result, {side}" in shown and f"result of the {side}, in percentage" in shown
    for language in ("c", "haskell", "java", "javascript", "json", "python", "rust"):
        capsys.readouterr()
        assert run(["weights", "export", str(made), "--to", language]) == 0
        text = capsys.readouterr().out
        assert side in text and other not in text, language


def test_predict_says_so_where_the_table_is_seen_from_another_side(tmp_path, capsys):
    made = tmp_path / "w.json"
    assert (
        run(["fit", str(whites_table(tmp_path)), "--no-compare", "--ridge", "0.001", "--out", str(made)]) == 0
    )
    capsys.readouterr()
    assert run(["predict", str(made), str(csv_file(tmp_path))]) == 0
    assert "weights are for features seen from the first player, the table's" in capsys.readouterr().out
    assert run(["predict", str(made), str(tmp_path / "white.csv")]) == 0
    assert "seen from" not in capsys.readouterr().out


def test_games_of_a_variant_are_fitted_and_described_from_the_weights_of_another(tmp_path, capsys):
    games, out = tmp_path / "games", tmp_path / "w.json"
    words = ["--allow-variant", "--pairs", "40", "--limit", "nodes:20", "--jobs", "1"]
    assert run(["selfplay", "kalah:seeds=4", *words, "--out", str(games)]) == 0
    assert run(["fit", str(games), "--out", str(out)]) == 0
    assert "rows  pairs" in capsys.readouterr().out
    assert run(["fit", str(games), "--out", "page.html"]) == 2
    assert "expected a name that ends with .json, found 'page.html'" in capsys.readouterr().err
    assert json.loads(out.read_text())["variant"]["seeds"] == 4
    assert run(["dataset", str(games), "--out", str(tmp_path / "page.html")]) == 0
    capsys.readouterr()


def test_studies_of_a_variant_start_from_the_weights_of_another():
    players = load_players(StudyConfig(name="four", game="kalah:seeds=4"))
    assert (
        players.baseline.variant == players.game.variant == {"ponds": 6, "seeds": 4, "empty_capture": False}
    )
