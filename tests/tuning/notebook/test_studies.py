"""A study's folder in a notebook: finished, unfinished and damaged; and one that is run from there."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tunesmith import open_study, run_study
from tunesmith.engine import weights as weight_files
from tunesmith.games import load
from tunesmith.games.errors import InputError, StudyError, TunesmithError
from tunesmith.tuning.data.describe import describe
from tunesmith.tuning.documents.fit import GenerationFit
from tunesmith.tuning.documents.status import Stage
from tunesmith.tuning.files import as_lines
from tunesmith.tuning.play.store import read_games


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    """The finished study, to take things away from."""
    return Path(shutil.copytree(finished, tmp_path / "tiny"))


def test_the_verdict_is_the_sentence_of_the_study(finished):
    stored = json.loads((finished / "verdict.json").read_text())
    verdict = open_study(finished).verdict
    assert str(verdict) == verdict.sentence == stored["sentence"] and verdict.outcome == stored["outcome"]
    assert verdict.elo == stored["gain"]["elo"]
    assert verdict.interval == (stored["gain"]["elo_low"], stored["gain"]["elo_high"])
    study = open_study(str(finished))
    assert stored["sentence"] in repr(study) and "<table" in study._repr_html_()


def test_games_are_those_of_the_shards(finished):
    games = open_study(finished).games()
    stored = read_games(finished / "games" / "gen-2")
    own = games.loc["gen-2"]
    assert len(games) == 280 and list(games.index.names) == ["run", "pair", "game"]
    assert own["result"].fillna(2).tolist() == stored.result.tolist()
    assert own["plies"].tolist() == np.diff(stored.starts).tolist()
    kinds = {name: str(kind) for name, kind in games.dtypes.items()}
    assert kinds["result"] == "Int8" and {kinds["first"], kinds["end_reason"]} == {"category"}
    assert set(games.loc["gen-1"]["first"]) == {"baseline"}
    assert games.attrs["views"] == {"result": "the player who moves first"}


def test_games_are_shown_though_the_games_file_is_gone(copied):
    settings = json.loads((copied / "study.json").read_text())
    settings["config"]["game"] = str(copied / "moved.py")
    (copied / "study.json").write_text(json.dumps(settings))
    (copied / "SHA256SUMS").unlink(missing_ok=True)
    study = open_study(copied)
    assert len(study.games()) == 280 and set(study.games().loc["gen-1"]["first"]) == {"baseline"}
    with pytest.raises(InputError, match=r"moved\.py"):
        study.positions()


def test_games_of_every_stage_have_runs_of_their_own(finished):
    study = open_study(finished)
    assert set(study.games("check").index.levels[0]) == {"check/gen-1", "check/gen-2"}
    proof = study.games("verify")
    assert set(proof.index.levels[0]) == {
        "verify/main", "verify/measure", "verify/second-limit", "verify/opponent-1"
    }  # fmt: skip
    assert "hand-1" in set(proof.loc["verify/opponent-1"]["second"])
    assert len(study.games("search")) == 0
    with pytest.raises(InputError, match="expected one of play, check, verify, search"):
        study.games("training")


def test_a_row_leads_to_its_game_and_position(finished):
    study = open_study(finished)
    for games in (study.games(), study.games("verify")):
        row = games.iloc[3]
        board = study.board(*games.index[3])
        assert board.result == row["result"] and len(board.moves) == row["plies"]
    positions = study.positions()
    at = positions.index[40]
    board = study.board(*at)
    values = np.zeros(study.game.n_features)
    study.game.features(board.state, values)
    assert (
        len(board.moves) == at[3]
        and values.tolist() == positions.loc[at, list(study.game.feature_names)].tolist()
    )
    with pytest.raises(InputError, match="no games of that name"):
        study.board("gen-9", 0)
    with pytest.raises(InputError, match="ply: expected 0 to"):
        study.board("gen-1", 0, ply=-1)


def test_positions_are_those_that_a_fit_learns_from(finished):
    study = open_study(finished)
    positions = study.positions()
    assert len(positions) == describe(finished).rows
    assert list(positions.index.names) == ["run", "pair", "game", "ply"] and positions.index.is_unique
    assert positions["held_out"].dtype == bool and 0 < positions["held_out"].mean() < 0.5
    assert positions.filter(like="stage.").sum(axis=1).tolist() == pytest.approx([1.0] * len(positions))
    fewer = study.positions(positions_per_game=2)
    assert len(fewer) < len(positions)
    with pytest.raises(InputError, match="quiet"):
        study.positions(quiet="loud")


def test_weights_are_in_elo_with_what_the_fit_says(finished):
    study = open_study(finished)
    table = study.weights()
    game = load("kalah")
    hand = weight_files.load("hand", game)
    assert list(table.index.names) == ["stage", "feature"] and len(table) == game.n_stages * game.n_features
    assert table.loc[("opening", "bank"), "baseline"] == hand.scale * hand.values["opening"]["bank"]
    assert list(table.columns[:4]) == ["baseline", "gen-1", "gen-2", "candidate"]
    chosen = study.chosen
    fit = GenerationFit.read(finished / "fit" / f"{chosen.name}.json")
    assert table["error"].tolist() == pytest.approx(
        [np.nan if r.error is None else r.error for r in fit.weights], nan_ok=True
    )
    assert table[chosen.name].tolist() == pytest.approx([row.after for row in fit.weights], abs=1e-3)
    assert str(table["rows"].dtype) == "Int64" and str(table["status"].dtype) == "category"
    assert chosen.digest == study.verdict.document.candidate


def test_matches_are_seen_by_the_new_weights(finished):
    table = open_study(finished).matches()
    stored = json.loads((finished / "verify" / "measure.json").read_text())
    row = table.loc["verify/measure"]
    assert row["elo"] == stored["estimate"]["elo"] and row["kind"] == "fixed"
    assert [row[name] for name in ("LL", "LD", "DD+WL", "WD", "WW")] == stored["counts"]
    assert table.loc["verify/main", "decision"] in ("H0", "H1", "inconclusive")


def test_trials_are_the_lines_of_the_log(copied):
    lines = [{"number": at, "state": "COMPLETE", "setting": {"depth": at}, "score": 0.5, "counts": [0, 0, 2, 0, 0],
              "games": 4, "sampler": "clop", "digest": "d"} for at in range(3)]  # fmt: skip
    path = copied / "search" / "trials.jsonl"
    path.parent.mkdir()
    path.write_text(as_lines([*lines, {**lines[0], "number": 3, "ghost": True}]))
    trials = open_study(copied).trials()
    assert trials["depth"].tolist() == [0, 1, 2] and trials.index.name == "number"
    path.write_text(as_lines(lines).replace("COMPLETE", "COMPLETES", 1))
    with pytest.raises(StudyError, match=r"trials.jsonl:1: damaged"):
        open_study(copied).trials()
    path.write_text(as_lines([{"number": 1}]))
    with pytest.raises(StudyError, match="expected a number and a state"):
        open_study(copied).trials()


def test_an_unfinished_study_says_how_far_it_is(copied):
    (copied / "verdict.json").unlink()
    for name in ("verify", "fit", "check"):
        shutil.rmtree(copied / name)
    for name in ("generations.json", "weights/gen-1.json", "weights/gen-2.json", "weights/candidate.json"):
        (copied / name).unlink()
    shutil.rmtree(copied / "games" / "gen-2")
    Stage(stage="play", generation=2).write(copied / "status.json")
    study = open_study(copied)
    verdict = study.verdict
    assert verdict.outcome == "unfinished" and verdict.document is None and np.isnan(verdict.elo)
    assert "no verdict yet" in repr(verdict) and "0 of at most 140 games" in repr(verdict)
    assert len(study.games()) == 140 and len(study.positions()) > 100
    assert len(study.matches()) == len(study.trials()) == len(study.games("verify")) == 0
    assert study.weights()["error"].isna().all() and "baseline" in study.weights().columns
    with pytest.raises(StudyError, match="no weights are chosen yet"):
        _ = study.chosen
    assert "no verdict yet" in study._repr_html_()


def test_a_study_that_has_only_begun_has_empty_frames(copied):
    for path in copied.iterdir():
        if path.name != "study.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    study = open_study(copied)
    assert [len(study.games()), len(study.positions()), len(study.weights())] == [0, 0, 0]
    assert "bank" in study.positions().columns and "not begun" in repr(study)


DAMAGE = {
    "verdict.json": lambda study: study.verdict,
    "fit/gen-1.json": lambda study: study.weights(),
    "verify/main.json": lambda study: study.matches(),
    "games/gen-1/shard-00000.parquet": lambda study: study.games(),
    "games/gen-2/shard-00000.parquet": lambda study: study.positions(),
    "verify/measure/games/shard-00000.parquet": lambda study: study.games("verify"),
    "weights/gen-1.json": lambda study: study.weights(),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_one_line_that_names_the_file(name, copied):
    path = copied / name
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(TunesmithError, match=name.rpartition("/")[2]) as caught:
        DAMAGE[name](open_study(copied))
    assert len(str(caught.value).splitlines()) == 1
    assert isinstance(caught.value, StudyError) or name.startswith("weights/")


def test_what_is_no_study_is_said_at_once(tmp_path):
    with pytest.raises(StudyError, match="expected the folder of a study, found nothing there"):
        open_study(tmp_path / "none")
    with pytest.raises(StudyError, match="not a study"):
        open_study(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match="found a file"):
        open_study(tmp_path / "file")
    (tmp_path / "study.json").write_text('{"format": "tunesmith-study"}')
    with pytest.raises(StudyError, match=r"study.json"):
        open_study(tmp_path)


def test_a_study_is_run_and_continued_as_by_the_command(study_file, finished, tmp_path, capsys):
    """A folder that is complete is not played again; settings that differ are refused."""
    root = shutil.copytree(finished, tmp_path / "tiny")
    study = run_study(study_file, out=root, jobs=1)
    assert study.root == root and study.verdict.outcome != "unfinished" and (root / "report.html").is_file()
    assert "already finished" in capsys.readouterr().err
    with pytest.raises(StudyError, match=r"play.pairs: stored 70, now 71"):
        run_study(study_file, out=root, changes={"play.pairs": 71}, jobs=1, progress=False)
    with pytest.raises(InputError, match="no such study file"):
        run_study(tmp_path / "none.toml")
    with pytest.raises(InputError, match="did you mean 'pairs'"):
        run_study(study_file, changes={"play.pair": 5})
