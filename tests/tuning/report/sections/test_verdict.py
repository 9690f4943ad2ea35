"""The first screen: sentence, gain, games."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page, tidy
from tests.support.report_fixture import page_of

pytestmark = pytest.mark.pages


def test_first_screen(page: Page) -> None:
    """Sentence, gain with interval, limit, opponents, games and command stand before everything else."""
    verdict = fixture.study()["verdict.json"]
    gain, head = verdict["gain"], page.section("header")
    assert tidy(verdict["sentence"]) in head
    assert f"{gain['elo']:+.0f} ± {gain['elo_half_width']:.0f} Elo" in head
    assert "95 % interval, measured at nodes:400 over 1,000 games" in head
    assert "hand, hand-1" in head
    assert fixture.COMMAND in head
    assert head.startswith("Tunesmith report · kalah · study kalah-quick Stronger")
    assert fixture.CANDIDATE[:12] in head
    assert fixture.BASELINE[:12] in head


def test_games_of_matches_are_added(page: Page) -> None:
    """The first screen counts the games of all matches, and those that were learnt from."""
    files = fixture.study()
    total = sum(run["games"] for name, run in files.items() if name.startswith("verify/"))
    assert f"{total:,} games in matches; fitted to 1,400 games of self-play" in page.section("header")


def test_a_search_without_a_fit_counts_its_own_games(tmp_path: Path) -> None:
    """No fit is spoken of where there was none."""
    files = {name: content for name, content in fixture.study().items() if not name.startswith("fit/")}
    files |= {"search/result.json": {"games": 5312}, "search/trials.jsonl": '{"number": 0}'}
    told = page_of(tmp_path, files).section("header")
    assert "in matches; searched with 5,312 games" in told
    assert "fitted to" not in told
