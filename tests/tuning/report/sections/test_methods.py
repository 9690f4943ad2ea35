"""Every setting, seed and version, as a method section has it."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page
from tests.support.report_fixture import page_of

pytestmark = pytest.mark.pages


def test_methods_name_settings_seeds_and_versions(page: Page) -> None:
    """The text to copy has every number filled in."""
    text = page.section("methods")
    for words in (
        "Games began with 8 random plies", "Each move was searched with the limit nodes:400",
        "2 generations of self-play gave 1,400 games (700 pairs, 1,397 distinct games)", "24 features in 2 stages",
        "the seed 1", fixture.BASELINE, fixture.CANDIDATE, "ab12" * 16, "numba 0.68.0", "20 % of the pairs",
        "H0 0, H1 20, normalized Elo; α 0.05, β 0.05 without its limit of pairs; limit nodes:400",
    ):  # fmt: skip
        assert words in text
    assert "not recorded" not in text
    assert ["play.noise_plies", "30"] in page.table_rows("methods")
    assert ["code of the game", "ab1d134d39bd433a"] in page.table_rows("methods")


def test_flat_settings_serve_too(tmp_path: Path) -> None:
    """Settings may be stored by dotted names, and beside the fingerprint instead of below `config`."""
    files = fixture.study()
    files["study.json"] = {"name": "x", "game": "kalah", "play.limit": "nodes:123", "seed": 7}
    text = page_of(tmp_path, files).section("methods")
    assert "the limit nodes:123" in text
    assert "the seed 7" in text


def test_where_the_game_lies_is_not_told(tmp_path: Path) -> None:
    """The same study made elsewhere gives the same page."""
    files = fixture.study()
    settings = {"game": "/elsewhere/mine/game.py:first=9", "baseline": "/elsewhere/mine/weights/old.json"}
    files["study.json"] = {"name": "x", "config": settings}
    page = page_of(tmp_path, files)
    assert ["game", "game.py:first=9"] in page.table_rows("methods")
    assert ["baseline", "old.json"] in page.table_rows("methods")
    assert "for the game game.py:first=9 was tuned" in page.section("methods")
    assert "/elsewhere" not in page.section("methods")
