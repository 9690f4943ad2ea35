"""The glossary on a page: the text of the guide, part by part, folded."""

import pytest

from tests import ROOT
from tests.support.pages import Page, tidy
from tunesmith.tuning.report import glossary

pytestmark = pytest.mark.pages

GUIDE = (ROOT / "experiments" / "guides" / "glossary.md").read_text(encoding="utf-8")


def test_every_term_of_the_guide_is_an_entry_of_its_part() -> None:
    found = glossary.entries()
    assert sum(map(len, found.values())) == sum(line.startswith("**") for line in GUIDE.splitlines())
    assert {glossary.GAMES, glossary.STRENGTH, glossary.TESTS, glossary.FITS, glossary.SEARCH} < set(found)
    assert found[glossary.STRENGTH]["Interval, ±"].endswith("are like those you care about.")


def test_a_page_carries_the_parts_that_it_needs_folded() -> None:
    page = Page(f"<html>{glossary.glossary(glossary.GAMES, glossary.TESTS)}</html>")
    text = page.section("glossary")
    assert page.defects == [] and "details" in page.texts
    assert "α (alpha), β (beta)" in text and "Opening" in text and "Calibration" not in text
    assert "`" not in text and "<code>nodes:1000</code>" in glossary.glossary(glossary.GAMES)


def test_a_page_of_its_own_has_all() -> None:
    text = tidy(Page(glossary.whole_page()).text)
    for terms in glossary.entries().values():
        assert all(term in text for term in terms)
