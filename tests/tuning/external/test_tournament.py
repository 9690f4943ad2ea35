"""Three engines and more: all pairings, ratings, cross table, page; adding engines later; what is refused."""

import json
from pathlib import Path

from tests.support.pages import Page
from tests.support.ugi_study import BOOK, PILES, engine, games, study
from tunesmith.tuning.cli import run
from tunesmith.tuning.documents.engines import EngineTournament
from tunesmith.tuning.external import report
from tunesmith.tuning.report.dashboard import app

__all__ = ["study"]  # fixtures

THREE = engine(skill=2, name="A") + engine(skill=0, name="B") + engine(skill=5, name="C")
QUICK = "[ratings]\nresamples = 100\n"


def test_everybody_meets_everybody_on_the_same_openings_and_is_rated(study):
    code, found, said = study("pairs = 5\n" + THREE + BOOK + QUICK)
    assert code == 0 and found["kind"] == "tournament" and "3 players, 30 games" in said
    assert [(row["first"], row["second"]) for row in found["pairings"]] == [
        ("A", "B"),
        ("A", "C"),
        ("B", "C"),
    ]
    folders = sorted(Path("out/games").iterdir())
    rows = [games(str(folder)) for folder in folders]
    assert len(folders) == 3
    assert len({json.dumps([[row["fen"], row["opening"]] for row in one]) for one in rows}) == 1
    by_name = {one["name"]: one for one in found["players"]}
    played = [row for one in rows for row in one]
    won = [row["names"][(1 - row["result"]) // 2] for row in played]
    assert {name: one["wins"] for name, one in by_name.items()} == {name: won.count(name) for name in "ABC"}
    assert all(one["low"] <= one["elo"] <= one["high"] and one["games"] == 20 for one in by_name.values())
    assert EngineTournament.read(Path("out/engines.json")).content() == {
        name: value for name, value in found.items() if name != "study"
    }


def test_engines_and_pairs_may_be_added_and_only_what_is_missing_is_played(study):
    study("pairs = 2\n" + THREE + BOOK + QUICK)
    before = {path: path.read_bytes() for path in Path("out").rglob("games.jsonl")}
    more = THREE + engine(skill=7, name="D") + BOOK + QUICK
    code, found, _ = study("pairs = 2\n" + more)
    assert code == 0 and len(found["players"]) == 4 and len(found["pairings"]) == 6
    assert {path: path.read_bytes() for path in before} == before
    code, found, _ = study("pairs = 3\n" + more)
    assert code == 0 and all(row["pairs"] == 3 for row in found["pairings"])
    assert all(path.read_bytes().startswith(content) for path, content in before.items())
    code, _, said = study("seed = 2\npairs = 3\n" + more)
    assert code == 2 and "seed: stored 1, now 2" in said


def test_a_match_that_was_stopped_goes_on_with_the_same_numbers(study):
    whole = study("pairs = 3\n" + THREE + BOOK + QUICK)[1]
    files = sorted(Path("out/games").rglob("games.jsonl"))
    files[0].unlink()
    lines = files[1].read_text().splitlines(keepends=True)
    files[1].write_text("".join(lines[:3]) + lines[3][:40])  # a pair, half a pair, half a line
    assert study("pairs = 3\n" + THREE + BOOK + QUICK)[1] == whole


def test_the_first_may_meet_all_others_alone_and_one_of_them_be_held(study):
    text = PILES + "pairs = 2\n[openings]\nplies = 2\n" + THREE
    _, found, _ = study(text + QUICK + 'first_only = true\nanchor = "B"\nanchor_elo = 1500\n')
    assert found["meetings"] == "first against all" and len(found["pairings"]) == 2
    assert next(one["elo"] for one in found["players"] if one["name"] == "B") == 1500


def test_the_command_prints_tables_and_the_report_has_them(study, capsys):
    assert study("pairs = 5\n" + THREE + BOOK + QUICK)[0] == 0
    assert run(["engines", "s.toml", "--out", "out", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "LL LD DD+WL WD WW" in said and "points of" in said and "comes first of 3 engines" in said
    assert run(["report", "out"]) == 0
    page = Page(Path("out/report.html").read_text())
    assert page.defects == [] and len(page.table_rows("pairings")) == 4 and len(page.table_rows("cross")) == 4
    assert "comes first of 3 engines" in page.section("h1")
    assert "comes first of 3" in json.dumps(
        app._Case(Path("out"), None, [report.reader_of]).shown("x").attributes([])
    )


def test_faults_are_told_and_in_no_rating(study):
    text = "pairs = 2\n" + engine(name="A") + engine(skill=0, name="B") + engine("crash", skill=5, name="C")
    code, found, _ = study(text + BOOK + QUICK)
    assert code == 0
    assert {row["names"][row["fault"]] for row in found["faults"]} == {"C"}
    faulty = {(row["first"], row["second"]): row["faults"] for row in found["pairings"]}
    assert faulty["A", "B"] == 0 and sum(faulty.values()) == len(found["faults"])


def test_a_pairing_of_nothing_but_faults_is_given_up_and_the_others_are_rated(study):
    text = (
        PILES
        + "pairs = 9\n"
        + "[openings]\nplies = 2\n"
        + engine(skill=2, name="A")
        + engine(skill=0, name="B")
    )
    code, found, _ = study(text + engine("illegal", skill=5, name="C") + QUICK)
    assert code == 0
    by_name = {one["name"]: one for one in found["players"]}
    assert (by_name["A"]["games"], by_name["B"]["games"], by_name["C"]["games"]) == (18, 18, 0)
    assert {row["names"][row["fault"]] for row in found["faults"]} == {"C"}
    notes = "\n".join(found["notes"])
    assert "cannot be compared, no games connect them: " in notes
    assert "A - C: given up, and in no rating: " in notes and "C: illegal move: c7 in " in notes
    assert study(text + engine("illegal", skill=5, name="C") + QUICK)[1] == found


def test_repeated_games_count_once_and_a_note_says_so(study):
    _, found, _ = study("pairs = 4\n" + THREE + QUICK)
    assert all(row["pairs"] == 1 for row in found["pairings"])
    assert any(
        "a pair that repeats another counts for nothing: 1 of 4 pairs count" in note
        for note in found["notes"]
    )


def test_what_cannot_be_rated_is_refused_in_one_line(study):
    for text, words in (
        (THREE + "[test]\n", "test: expected one or two [[engine]] tables beside it, found 3"),
        (THREE + "[search]\n", "search: expected one or two [[engine]] tables beside it, found 3"),
        (
            engine() + engine(skill=3) + QUICK,
            "ratings: expected three or more [[engine]] tables beside it, found 2",
        ),
        (engine(name="A") + engine(name="B") + engine(skill=3), "'A' and 'B' are the same player"),
        (engine() + engine(skill=2) + engine(skill=3), "two are called 'Heap 1.0'"),
        (THREE + QUICK + 'anchor = "Z"\n', "anchor: expected one of A, B, C, found 'Z'"),
    ):
        code, _, said = study(text)
        assert code == 2 and words in said and said.count("\n") == 1, said
