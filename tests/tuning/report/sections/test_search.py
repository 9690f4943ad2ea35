"""The search by playing on a page: what is recommended, every trial, and what is missing is said."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.pages import Page
from tunesmith.tuning.report.html import el, page
from tunesmith.tuning.report.reading import Record, StudyFiles
from tunesmith.tuning.report.sections.search import search


def trial(number: int, state: str = "COMPLETE", **changes: Any) -> Record:
    return Record(
        {"number": number, "state": state, "setting": {"aspiration": 10 * number}, "counts": [1, 2, 10, 3, 2],
         "games": 36, **changes}
    )  # fmt: skip


def told(study: StudyFiles) -> Page:
    content = search(study)
    assert content is not None
    read = Page(page("x", el("main", content)))
    assert read.defects == []
    return read


def study(trials: tuple[Record, ...], result: Record | None = None) -> StudyFiles:
    settings = Record({"search": {"trials": 7}})
    return StudyFiles(
        Path("s"), settings, settings, (), (), Record(), (), search=result or Record(), trials=trials
    )


def test_a_study_without_a_search_has_no_section() -> None:
    assert search(StudyFiles(Path("s"), Record(), Record(), (), (), Record(), ())) is None


def test_a_search_that_has_not_begun_or_not_ended_says_so() -> None:
    assert "No trial is recorded" in told(study(())).section("search")
    text = told(study((trial(0), trial(1)))).section("search")
    assert "has not come to its end: nothing is recommended yet" in text


@pytest.mark.parametrize(("state", "word"), [("COMPLETE", "complete"), ("FAIL", "failed")])
def test_every_trial_is_a_row_with_its_state(state: str, word: str) -> None:
    _, first, second = told(study((trial(0), trial(5, state)))).table_rows("search")
    assert first[:3] == ["1", "aspiration 0", "36"]
    assert second[:2] == ["6", "aspiration 50"] and second[-1] == word


def test_ghosts_of_killed_processes_are_no_rows() -> None:
    rows = told(study((trial(0), trial(5, "FAIL", ghost=True)))).table_rows("search")
    assert [row[0] for row in rows] == ["Trial", "1"]
