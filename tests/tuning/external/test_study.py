"""Studies of chess engines: resuming, and a search over options that is proved."""

from pathlib import Path

from tests.support.pages import Page
from tests.support.uci_study import TUNE, engine, games, study
from tunesmith.tuning.cli import run
from tunesmith.tuning.external import report
from tunesmith.tuning.report.dashboard import app

__all__ = ["study"]  # fixtures


def test_other_settings_are_refused_in_the_same_folder(study):
    study("pairs = 1\n" + engine() + engine(skill=0))
    code, _, said = study("pairs = 1\nseed = 2\n" + engine() + engine(skill=0))
    assert code == 2
    assert "seed: stored 1, now 2" in said


def test_a_search_over_options_recommends_and_proves_on_other_openings(study):
    code, found, said = study(TUNE)
    assert code == 0 and "trial 10 of 10" in said
    search = found["search"]
    assert sum(search["trials"].values()) == 10
    assert {row["name"] for row in search["space"]} == {"Own Skill", "Style"}
    assert search["start"]["setting"] == {"Own Skill": 10, "Style": "Calm"}
    used = {
        row["fen"] for path in Path("out/search/games").rglob("games.jsonl") for row in games(path.parent)
    }
    proof = {row["fen"] for path in Path("out/verify").iterdir() for row in games(str(path))}
    assert len(used) >= 3 and len(proof) == 6 and not proof & used
    assert search["setting"]["Own Skill"] >= 50
    assert found["verify"]["first"]["options"]["Own Skill"] == search["setting"]["Own Skill"]
    assert found["verify"]["counts"] == [0, 0, 0, 6, 0]
    before = {path: path.read_bytes() for path in Path("out").rglob("games.jsonl")}
    again = study(TUNE)[1]
    assert again == found
    assert {path: path.read_bytes() for path in Path("out").rglob("games.jsonl")} == before
    assert run(["report", "out"]) == 0
    page = Page(Path("out/report.html").read_text())
    assert page.defects == [] and "Own Skill" in page.section("search")
    shown = app._Case(Path("out"), None, [report.reader_of]).shown("x")
    assert len(shown.source.get_all_trials(shown.source_id)) == 10
