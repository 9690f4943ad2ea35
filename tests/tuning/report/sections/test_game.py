"""A game of the proof inside the report."""

import shutil

from tunesmith.tuning.report.study_page import write_report


def test_the_report_holds_a_game_of_the_proof_to_page_through(finished, tmp_path):
    from tests.support.pages import Page

    copy = shutil.copytree(finished, tmp_path / "tiny")
    page = Page(write_report(copy).read_text(encoding="utf-8"))
    assert page.defects == []
    told = page.section("game")
    assert "the first game of the match measure" in told
    steps = [
        attributes["id"] for tag, attributes in page.tags if (attributes.get("id") or "").startswith("move-")
    ]
    assert steps == [f"move-{i}" for i in range(len(steps))] and len(steps) > 10
    shutil.rmtree(copy / "verify" / "measure")
    assert "the first game of the match main" in Page(write_report(copy).read_text(encoding="utf-8")).text
