"""The page of a study of engines, and what a dashboard shows of one."""

import json
from pathlib import Path

from tests.support.pages import Page
from tests.support.uci_study import BOOK, engine, study
from tunesmith.tuning.cli import run
from tunesmith.tuning.documents.engines import EngineMatch
from tunesmith.tuning.external import report
from tunesmith.tuning.external.words import contest_words
from tunesmith.tuning.files import write_json
from tunesmith.tuning.report.dashboard import app

__all__ = ["study"]  # fixtures


def test_report_and_dashboard_show_a_match_and_a_search(study, tmp_path, capsys):
    assert study("pairs = 2\n" + engine(skill=100) + engine(skill=0) + BOOK)[0] == 0
    assert run(["report", "out"]) == 0
    page = Page(Path("out/report.html").read_text())
    assert page.defects == []
    found = json.loads(Path("out/engines.json").read_text())
    assert page.table_rows("counts")[1] == ["Pairs", *map(str, found["counts"])]
    said = contest_words(EngineMatch.read(Path("out/engines.json")))[0]
    assert page.section("h1") == said[:1].upper() + said[1:]
    assert "not recorded" not in page.section("settings") and "What the words mean" in page.section(
        "glossary"
    )
    assert ["Own Skill", "100", "0"] in page.table_rows("engines")
    assert ["seed", "1"] in page.table_rows("settings")
    case = app._Case(Path("out"), None, [report.reader_of])
    assert said[:20] in json.dumps(case.shown("x").attributes([]))
    assert run(["report", "out", "--csv", "x"]) == 2


def test_a_result_that_says_nothing_of_a_match_is_reported_and_a_changed_one_refused(study, tmp_path, capsys):
    assert study("pairs = 2\n" + engine(skill=100) + engine(skill=0) + BOOK)[0] == 0
    path = Path("out/engines.json")
    write_json(path, {"kind": "match", "counts": 3})  # entered: as it was written
    assert run(["report", "out"]) == 0
    page = Path("out/report.html").read_text()
    assert "No match was played, or none has come to its end." in Page(page).text
    path.write_text('{"kind": "match", "counts": 4}')
    assert run(["report", "out"]) == 2
    assert "out/engines.json: damaged: its SHA-256 is" in capsys.readouterr().err
    assert Path("out/report.html").read_text() == page


def test_a_search_that_recommends_its_start_is_told_as_the_command_tells_it(study, tmp_path):
    """In the report and in the dashboard."""
    assert study("pairs = 2\n" + engine(skill=100) + engine(skill=0) + BOOK)[0] == 0
    write_json(Path("out/engines.json"), {"kind": "search", "verify": None})
    assert run(["report", "out"]) == 0
    page = Page(Path("out/report.html").read_text())
    assert page.section("h1") == "The setting it started from is recommended: nothing to prove"
    assert "No verdict yet" not in page.text
    case = app._Case(Path("out"), None, [report.reader_of])
    assert "nothing to prove" in json.dumps(case.shown("x").attributes([]))
