"""The games that the fit learnt from, and the positions on which old and new weights disagree."""

import pytest

from tests.support import report_fixture as fixture
from tests.support.pages import Page, number

pytestmark = pytest.mark.pages


def test_selfplay(page: Page) -> None:
    """Games, distinct games, shares of results and of the first player, sources and selection."""
    text = page.section("games")
    assert ["Generation 2", "700", "1,400", "1,397", "5,600", "55.0 %"] in page.table_rows("games")
    assert "first player wins 52.0 %, draw 6.0 %, second player wins 42.0 %. Rests on 1,400 games." in text
    assert ["generation 2", "nodes:400", "350", "700", "698", "55.0 %"] in page.table_rows("games")
    assert ["noisy", "5,310"] in page.table_rows("games")


def test_positions(page: Page) -> None:
    """Each position has its board, both evaluations, and the parts add up to them."""
    examples = fixture.study()["fit/gen-2.json"]["examples"]
    boards = [attributes for tag, attributes in page.tags if tag == "img"]
    assert len(boards) == len(examples) == 10
    assert all((board["src"] or "").startswith("data:image/svg+xml;base64,") for board in boards)
    rows = page.table_rows("positions")
    totals = [row for row in rows if row[0] == "Evaluation"]
    for example, total in zip(examples, totals, strict=True):
        assert [number(cell) for cell in total[2:4]] == [round(example["before"]), round(example["after"])]
    first: list[list[str]] = []
    for row in rows[1:]:
        if row[0] == "Evaluation":
            break
        first.append(row)
    for column, key in ((2, "before"), (3, "after")):
        assert sum(number(row[column]) for row in first) == pytest.approx(examples[0][key], abs=5)
