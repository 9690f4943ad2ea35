"""Which weights played each generation."""

from pathlib import Path

import pytest

from tests.support import report_fixture as fixture
from tests.support.report_fixture import page_of

pytestmark = pytest.mark.pages


def test_sources_may_name_the_players(tmp_path: Path) -> None:
    """Players by name, or by the first letters of a digest."""
    files = fixture.study()
    players = {"first": "hand", "second": fixture.CANDIDATE, "limit": "depth:3", "games": 12}
    files["fit/gen-2.json"]["sources"] = [players]
    rows = page_of(tmp_path, files).table_rows("games")
    assert any(row[:2] == ["hand against c0dec0dec0de", "depth:3"] and row[3] == "12" for row in rows)
