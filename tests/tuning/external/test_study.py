"""Studies of chess engines: resuming, and a search over options that is proved."""

from pathlib import Path

from tests.support.pages import Page
from tests.support.uci_study import SHORT, TUNE, engine, games, study
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


def test_the_proof_is_foretold_with_its_own_openings(study):
    """Of 29 openings the search has 15, the proof 14."""
    Path("odd.epd").write_text("".join(f"{board} w - - 94 80\n" for board in SHORT[:29]))
    text = TUNE.replace("short.epd", "odd.epd").replace("max_pairs = 6", "elo1 = 300.0\nmax_pairs = 400")
    code, found, said = study(text)
    assert code == 0 and found["verify"]["sprt"]["max_pairs"] == 14
    assert "sequential test [0, 300] normalised Elo, at most 14 pairs" in said
    assert (
        "the test ends after 14 pairs, not 400 (test.max_pairs): each pair needs an opening of its own"
        in said
    )
    assert "odd.epd: 29 openings, 0 repeated" in said


def test_capped_games_of_a_pilot_against_oneself_are_no_counts_of_a_trial(study):
    """They lie where those of trial nought would lie; a search that goes on is not refused for them."""
    text = TUNE.replace("pairs = 3", "pairs = 3\npilot = 3").replace("Style = {}\n", "")
    code, found, _ = study(text, "--set", "move_cap=3")
    assert code == 0
    mirrors = [row for path in Path("out/search/games").glob("*/0/0") for row in games(str(path))
               if row["white"] == row["black"]]  # fmt: skip
    assert len(mirrors) == 6 and {row["end_reason"] for row in mirrors} == {"capped"}
    assert study(text, "--set", "move_cap=3")[:2] == (0, found)
