"""What all parts of a report share: tables, and how a run is read however little of it is there."""

from typing import Any

import pytest

from tests.support.pages import Page
from tunesmith.tuning.report.html import el, page
from tunesmith.tuning.report.parts import (
    counts_of,
    decision_chip,
    few_distinct,
    first_share,
    games_of,
    learnt_pairs,
    pairs_of,
    result_shares,
    section,
    table,
)
from tunesmith.tuning.report.reading import Record


def test_cells_carry_the_heading_of_their_column() -> None:
    content = section("s", "Title", table([("Name", False), ("Games", True)], [["<b>", "12"]]))
    read = Page(page("x", el("main", content)))
    assert read.defects == []
    assert read.table_rows("s") == [["Name", "Games"], ["<b>", "12"]]
    (cell,) = [attributes for tag, attributes in read.tags if tag == "td"]
    assert (cell["class"], cell["data-label"]) == ("n", "Games")


@pytest.mark.parametrize(
    ("run", "pairs", "games"),
    [
        ({"pairs": 7, "games": 13, "counts": [1, 1, 1, 1, 1]}, 7, 13),
        ({"counts": [1, 2, 3, 4, 5]}, 15, 30),
        ({"counts": [1, 2, 3]}, None, None),
        ({"counts": [1, 2, 3, 4, -5]}, None, None),
        ({}, None, None),
    ],
)
def test_sizes_are_as_recorded_or_follow_from_the_counts(run: dict[str, Any], pairs: Any, games: Any) -> None:
    assert (pairs_of(Record(run)), games_of(Record(run))) == (pairs, games)


def test_pairs_of_sources_add_up_only_if_all_are_known() -> None:
    assert learnt_pairs(Record({"sources": [{"pairs": 3}, {"pairs": 4}]})) == 7
    assert learnt_pairs(Record({"sources": [{"pairs": 3}, {}]})) is None
    assert learnt_pairs(Record({"pairs": 9, "sources": [{"pairs": 3}]})) == 9


@pytest.mark.parametrize(("distinct", "is_few"), [(94, True), (95, False), (100, False), (None, False)])
def test_few_distinct_games_are_fewer_than_95_in_100(distinct: int | None, is_few: bool) -> None:
    assert few_distinct(Record({"games": 100, "distinct_games": distinct})) is is_few


def test_shares_of_results_come_from_numbers_by_name_or_in_order() -> None:
    named = Record({"results": {"first": 6, "draw": 2, "second": 2}})
    assert (
        result_shares(named, "results")
        == result_shares(Record({"results": [6, 2, 2]}), "results")
        == [0.6, 0.2, 0.2]
    )
    assert first_share(named, "results") == pytest.approx(0.7)
    for bad in ({"first": 6}, [6, 2], {"first": -1, "draw": 2, "second": 3}, [0, 0, 0]):
        assert result_shares(Record({"results": bad}), "results") == [None, None, None]


def test_a_decision_is_told_in_words() -> None:
    said = {
        name: str(decision_chip(Record({"decision": name}))) for name in ("H1", "H0", "inconclusive", "x")
    }
    assert "accepted H1: stronger" in said["H1"] and "no such gain" in said["H0"]
    assert "undecided" in said["inconclusive"] and "not decided" in said["x"]


def test_counts_that_are_short_or_below_nothing_are_none() -> None:
    assert counts_of(Record({"counts": [1, 2, 3, 4, 5]})) == [1, 2, 3, 4, 5]
    for bad in ([1, 2, 3], [1, 2, 3, 4, -5], [1, 2, 3, 4, None], "12345"):
        assert counts_of(Record({"counts": bad})) is None
