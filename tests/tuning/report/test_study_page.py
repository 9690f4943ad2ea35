"""The report of a study: every number of the files is on the page, with its unit and its games."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page
from tests.support.report_fixture import html_of
from tunesmith.tuning.report import study_page
from tunesmith.tuning.report.reading import read_study
from tunesmith.tuning.report.sections import SECTIONS

pytestmark = pytest.mark.pages

# Of a study without a search, and whose games are not there.
SHOWN = [*(anchor for anchor in SECTIONS if anchor not in ("search", "game")), "glossary"]
USUAL = 500_000  # bytes


# --- what the page is


def test_balanced_and_free_of_scripts(page: Page) -> None:
    """Everything that opens closes; there is nothing to run."""
    assert page.defects == []
    assert "script" not in {tag for tag, _ in page.tags}
    assert [name for _, attributes in page.tags for name in attributes if name.startswith("on")] == []


def test_no_address_is_referred_to(html: str, page: Page) -> None:
    """One file: no link, image, font or style from elsewhere."""
    references = [
        value for _, attributes in page.tags for name, value in attributes.items()
        if name in ("src", "href", "srcset", "action", "data", "xlink:href")
    ]  # fmt: skip
    assert all((value or "").startswith(("#", "data:image/svg+xml;base64,")) for value in references)
    assert "://" not in html
    assert "@import" not in html
    assert "url(" not in html
    assert "link" not in {tag for tag, _ in page.tags}


def test_size(html: str) -> None:
    """A usual study stays below half a megabyte."""
    assert len(html.encode()) < USUAL


def test_contents_lead_to_sections(page: Page) -> None:
    """Links at the top have their targets, and ids are unique."""
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert ids == SHOWN
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert links == [f"#{name}" for name in (*SHOWN, "glossary")]  # once more at the end


def test_the_end_names_the_glossary(html: str) -> None:
    """Who reads a word for the first time is told where it is defined."""
    assert 'href="#glossary"' in html.partition("<footer>")[2]
    assert "made in this way, 95 intervals in a hundred hold the true value" in html


def test_same_files_give_the_same_bytes(tmp_path: Path, html: str) -> None:
    """Nothing depends on the clock or on the order of a directory."""
    folder = tmp_path / Path("study")
    folder.mkdir()
    again = html_of(folder)
    assert again.partition("<footer>")[0] == html.partition("<footer>")[0]


def test_existing_report_is_replaced(tmp_path: Path) -> None:
    """Writing again leaves one file and no temporary one."""
    fixture.write(tmp_path)
    target = tmp_path / "report.html"
    target.write_text("old")
    assert study_page.write_report(tmp_path) == target
    assert "old weights" in target.read_text(encoding="utf-8")
    assert list(tmp_path.glob("*.tmp")) + list(tmp_path.glob(".*")) == []


def test_reading_does_not_need_order(tmp_path: Path) -> None:
    """The last generation counts, by number and not by name."""
    files = fixture.study()
    files["fit/gen-10.json"] = {**files["fit/gen-2.json"], "games": 123_456}
    del files["generations.json"]
    study = read_study(fixture.write(tmp_path, files))
    assert [n for n, _ in study.fits] == [1, 2, 10]
    assert study.fit.number("games") == 123_456
