"""Questions: every file holds what it asks, and a tiny question of every kind is answered from real games."""

import json
from pathlib import Path

import pytest

from tunesmith.engine import weights as weight_files
from tunesmith.experiments.questions import ask, played
from tunesmith.experiments.questions.terms import Question
from tunesmith.games import registry
from tunesmith.tuning.config import load
from tunesmith.tuning.settings_file import load_as

FILES = sorted(ask.QUESTIONS.glob("*.toml"))
TINY = """
question = "Which is better?"
game = "kalah"
openings.plies = 6
match = [
    { name = "a match", first = { without = ["tempo"], options = { quiescence = 2 } }, second = { weights = "hand-1" },
      limits = ["nodes:50", "nodes:60", "time:0.001"], pairs = 4, timed_pairs = 2 },
]
gauntlet = [{ name = "all", players = ["hand", "hand-1", "hand-2@quiescence=2"], limits = ["nodes:50"], pairs = 2 }]
techniques = [{ name = "order", depth = 3, rung = [{ name = "plain" }, { name = "hints", options = { hints = true } }] }]
squash = [{ name = "squash", depth = 2 }]
foresight = [
    { name = "known", second = { weights = "hand-1" }, models = ["hand", "hand-1"], depth = 2, second_depth = 1, pairs = 2 },
]
""".replace("\n      limits", " limits").replace('[\n    { name = "known"', '[{ name = "known"')


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_question_names_things_that_exist(path: Path) -> None:
    question = load_as(Question, path)
    game = registry.load(question.game)
    assert question.question.endswith("?")
    assert (
        question.match
        or question.gauntlet
        or question.techniques
        or question.squash
        or question.foresight
        or question.study
    )
    for part in question.match:
        own = registry.load(part.game) if part.game else game
        for side in (part.first, part.second):
            assert played.player(own, side).game == own.name
    for several in question.gauntlet:
        for name in several.players:
            assert weight_files.load(name.partition("@")[0], game)
    for study in question.study:
        for run in study.run:
            assert load(ask.HERE.parents[1] / study.file, study.preset, [*study.changes, *run.changes])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answer a question of every kind but studies; return the folder."""
    folder = tmp_path_factory.mktemp("questions")
    (folder / "tiny.toml").write_text(TINY)
    assert ask_for(folder) == 0
    return folder


def ask_for(folder: Path, *more: str) -> int:
    places = ["--games", str(folder / "games"), "--out", str(folder / "out")]
    return ask.main([str(folder / "tiny.toml"), *places, "--jobs", "1", *more])


def test_an_answer_holds_every_part_with_its_figures(tiny: Path) -> None:
    found = json.loads((tiny / "out" / "tiny.json").read_text())
    match, gauntlet, techniques, squash, foresight = found["parts"]
    assert [row["limit"] for row in match["figures"]] == ["nodes:50", "nodes:60", "time:0.001"]
    assert [sum(row["counts"]) for row in match["figures"]] == [4, 4, 2]
    assert ["load" in row for row in match["figures"]] == [False, False, True]
    assert match["figures"][2]["load"]["games"] == match["figures"][2]["played_now"] == 4
    assert {one["name"] for one in gauntlet["figures"][0]["players"]} == {
        "hand",
        "hand-1",
        "hand-2@quiescence=2",
    }
    plain, hints = techniques["figures"]
    assert plain["values"] == hints["values"] and hints["nodes"] < plain["nodes"]
    assert [(row["model"], sum(row["counts"])) for row in foresight["figures"]] == [
        ("hand", 2),
        ("hand-1", 2),
    ]
    assert squash["figures"] == {"positions": 5, "depth": 2, "same_move": 5, "same_nodes": 5}


def test_asked_again_nothing_is_played_twice(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = json.loads((tiny / "out" / "tiny.json").read_text())
    monkeypatch.setattr(
        "tunesmith.tuning.play.selfplay.play_all", lambda *_: pytest.fail("a game was played again")
    )
    assert ask_for(tiny) == 0
    after = json.loads((tiny / "out" / "tiny.json").read_text())
    assert before["parts"][0]["figures"][2].pop("played_now") == 4
    assert after["parts"][0]["figures"][2].pop("played_now") == 0
    assert after["parts"][:2] == before["parts"][:2]


def test_an_unknown_question_lists_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask.main(["kalah-nothing"]) == 2
    assert "kalah-patterns" in capsys.readouterr().err


def test_files_are_named_as_from_this_folder() -> None:
    here = Path.cwd()
    found = played._from_here({"sentence": f"stronger than {here}/a/b.json", "elo": 3.5})
    assert found == {"sentence": "stronger than a/b.json", "elo": 3.5}
