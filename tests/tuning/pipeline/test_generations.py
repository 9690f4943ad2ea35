"""Generations: each is played by the last good weights, and checked on openings of its own."""

import json
import shutil
from types import SimpleNamespace

import pytest

from tests.support.listening import Listening
from tunesmith.games.errors import InputError
from tunesmith.tuning import config
from tunesmith.tuning.cli import run
from tunesmith.tuning.documents.matches import Generations
from tunesmith.tuning.pipeline.context import load_players, pins
from tunesmith.tuning.pipeline.generations import tune
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.report.study_page import write_report
from tunesmith.tuning.stats import generations as stats
from tunesmith.tuning.stats.elo import Estimate, estimate
from tunesmith.tuning.study import open_study


def test_each_generation_is_played_by_the_last_good_weights(finished):
    path = json.loads((finished / "generations.json").read_text())
    good, at = "baseline", 0
    steps: list[stats.Step] = []
    for number, step in enumerate(path["path"], 1):
        stored = json.loads((finished / "check" / f"gen-{number}.json").read_text())
        assert step["player"] == good and step["made"] == f"gen-{number}"
        assert stored == step["check"]
        assert step["is_kept"] == (stored["estimate"]["elo_high"] >= 0)
        gain = json.loads((finished / "fit" / f"gen-{number}.json").read_text())["gain_over_player"]
        steps.append(stats.step(at, Estimate(**stored["estimate"]), gain["mean"], gain["error"]))
        assert step["step"] == pytest.approx(steps[-1].elo)
        assert sum(stored["counts"]) == 12
        players = json.loads((finished / "weights" / f"{good}.json").read_text())["digest"]
        games = read_games(finished / "games" / f"gen-{number}")
        assert games.settings["players"] == [players, players]
        source = json.loads((finished / "fit" / f"gen-{number}.json").read_text())["sources"][-1]
        assert source["first"] == {"name": good, "digest": players}
        if not all(one.is_worse for one in steps):
            at = stats.strongest(steps)
            good = f"gen-{at}"
    assert path["chosen"] == (good if good != "baseline" else "gen-2")


def test_openings_of_checks_are_played_by_no_generation(finished):
    seen = set()
    for folder in ("games/gen-1", "games/gen-2", "check/gen-1/games", "check/gen-2/games"):
        own = set(read_games(finished / folder).opening.tolist())
        assert not own & seen
        seen |= own
    assert len(seen) == 164


@pytest.mark.parametrize(
    ("counts", "kept"),
    [((2, 3, 6, 1, 0), ["gen-1", "gen-2"]), ((10, 2, 0, 0, 0), [])],
    ids=["unclear", "worse"],
)
def test_only_weights_that_are_shown_to_be_worse_do_not_play(
    study_file, finished, tmp_path, monkeypatch, counts, kept
):
    """Twelve pairs with less than half of the points show nothing: the weights stay."""

    def step(on, check, *losses):
        return stats.step(on, estimate(counts), *losses)

    monkeypatch.setattr(
        "tunesmith.tuning.pipeline.generations.stats", SimpleNamespace(**{**vars(stats), "step": step})
    )
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    shutil.rmtree(root / "check")
    shutil.rmtree(root / "games" / "gen-2")
    for name in ("verdict.json", "fit/gen-2.json", "weights/gen-2.json"):
        (root / name).unlink()
    shutil.rmtree(root / "verify")
    said: list[str] = []
    run_study(config.load(study_file), root, Resources(listener=Listening(note=said.append)))
    (end,) = [line for line in said if line.startswith("generations: ")]
    assert ("each is shown to be worse than the baseline; the proof tests the last, gen-2" in end) == (
        not kept
    )
    assert ("on with" in end) == bool(kept)
    path = json.loads((root / "generations.json").read_text())
    assert [step["made"] for step in path["path"] if step["is_kept"]] == kept
    assert [step["player"] for step in path["path"]] == ["baseline", kept[0] if kept else "baseline"]
    assert path["chosen"] in (kept or ["gen-2"])
    page = (write_report(root)).read_text()
    assert "The path of the weights" in page
    assert ("shown to be worse, dropped" in page) == (not kept)


def test_generations_end_once_those_to_come_are_worth_less_than_asked(
    study_file, tmp_path, monkeypatch, capsys
):
    """Status, page and the study itself say why; whoever calls it again plays no more."""
    monkeypatch.setattr(stats, "left", lambda *_: 3.0)
    asked = config.load(study_file, changes=["play.generations=3", "play.pairs=30", "play.stop_below=5"])
    players, root, said = load_players(asked), tmp_path / "tiny", list[str]()
    for _ in range(2):
        study = open_study(root, asked, pins(players))
        assert tune(study, players, Resources(listener=Listening(note=said.append))).digest
    assert [path.name for path in sorted((root / "games").iterdir())] == ["gen-1"]
    assert 0 < json.loads((root / "fit" / "gen-1.json").read_text())["unlearnt"] < 0.2
    path = json.loads((root / "generations.json").read_text())
    assert path["chosen"] == "gen-1" and [step["left"] for step in path["path"]] == [3.0]
    why = (
        "no more are played after 1 of 3: the other 2 are expected to bring 3.0 Elo, and play.stop_below is 5"
    )
    assert path["stopped"] == why and f"generations: {why}" in said
    assert run(["status", str(root)]) == 0 and f"generations: {why}" in capsys.readouterr().out
    assert why in write_report(root).read_text()


def test_a_generation_may_learn_from_its_own_games_alone_and_start_from_who_played_them(
    study_file, finished, tmp_path
):
    asked = config.load(study_file, changes=["play.learn_from='newest'", "play.pairs=30"])
    players, root, said = load_players(asked), tmp_path / "tiny", list[str]()
    study = open_study(root, asked, pins(players))
    assert tune(study, players, Resources(listener=Listening(note=said.append))).digest
    first, second = (json.loads((root / "fit" / f"gen-{n}.json").read_text()) for n in (1, 2))
    assert first["games"] == second["games"] == 60
    assert [source["generation"] for source in second["sources"]] == [2]
    path = json.loads((root / "generations.json").read_text())
    assert path["path"][1]["player"] == "gen-1"
    made = [row["after"] for row in first["weights"]]
    assert [row["before"] for row in second["weights"]] == pytest.approx(
        [second["scale_before"] * weight for weight in made], abs=1e-3
    )
    assert any("Elo per unit of the baseline" in line for line in said if line.startswith("fit 1"))
    assert any("Elo per unit of gen-1" in line for line in said if line.startswith("fit 2"))
    page = write_report(root).read_text()
    assert "in the last, which alone was learnt from, 60 games" in page
    assert "a ridge towards the playing weights" in page and "those that played these games" in page
    Generations.read(root / "generations.json").model_copy(update={"chosen": "gen-1"}).write(
        study.path("generations.json")
    )
    assert "in one before the last, which alone was learnt from, 60 games" in write_report(root).read_text()
    told = write_report(finished).read_text()
    assert "a ridge towards the old weights" in told and "those that played these games" not in told


def test_a_study_that_does_not_ask_plays_all_generations(finished):
    path = json.loads((finished / "generations.json").read_text())
    assert path["stopped"] is None and [step["left"] for step in path["path"]] == [None, None]
    assert json.loads((finished / "fit" / "gen-2.json").read_text())["unlearnt"] is None


@pytest.mark.parametrize("change", ["play.generations=1", "play.check_pairs=0"])
def test_what_is_counted_in_the_elo_of_checks_needs_checks(study_file, change):
    with pytest.raises(InputError, match="stop_below reckons with fits to all games so far"):
        config.load(study_file, changes=["play.stop_below=5", "play.learn_from='newest'"])
    with pytest.raises(InputError, match="stop_below counts in the Elo of the checks"):
        config.load(study_file, changes=["play.stop_below=5", change])


def test_random_moves_are_for_play_alone_and_on_record(finished):
    for folder in ("verify/main/games", "verify/measure/games", "check/gen-1/games"):
        assert read_games(finished / folder).settings["noise"] == [0, 0]
    games = read_games(finished / "games" / "gen-1")
    assert games.settings["noise"] == [100, 20]


def test_a_single_generation_is_not_checked(study_file, tmp_path):
    study = config.load(study_file, changes=["play.generations=1"])
    assert study.play.openings == 70 and not study.play.has_checks
    assert config.load(study_file, changes=["play.check_pairs=0"]).play.openings == 140
