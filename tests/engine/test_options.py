"""Every switch of the search: names, defaults, ranges, and the order in which compiled code reads them."""

import dataclasses
from typing import Any

import pytest

from tunesmith.engine import options
from tunesmith.engine.options import SearchOptions
from tunesmith.games.errors import InputError


def test_inexact_switches_are_off_in_exact_and_plain_options() -> None:
    for made in (SearchOptions.exact(), SearchOptions.plain()):
        assert (made.table_reuse, made.path_free) == ("equal", False)


def test_indices_name_the_fields_in_their_order() -> None:
    """Compiled code reads numbers: each stands where its constant says."""
    encoded = SearchOptions(algorithm="uct", exploration=77, leaves=9, joint_width=5, max_depth=3).encode()
    assert len(encoded) == options.N_OPTIONS == len(dataclasses.fields(SearchOptions))
    assert encoded[[options.EXPLORATION, options.LEAVES, options.JOINT_WIDTH]].tolist() == [77, 9, 5]
    assert encoded[options.ALGORITHM] == options.UCT and encoded[options.GREATEST_DEPTH] == 3


def test_changes_are_what_differs_and_lead_back() -> None:
    made = SearchOptions(sort=2, pvs=False, replacement="lru")
    assert made.changes() == {"pvs": False, "replacement": "lru", "sort": 2}
    assert SearchOptions.from_mapping(made.changes()) == made
    assert SearchOptions().changes() == {}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"quiesence": 3}, "file: unknown search option 'quiesence'; did you mean 'quiescence'?"),
        ({"objective": "win"}, "file: objective: expected one of result, margin, found 'win'"),
        ({"pvs": 1}, "file: pvs: expected true or false, found 1"),
        ({"sort": True}, "file: sort: expected a whole number of 0 or more, found True"),
        ({"sort": -1}, "file: sort: expected a whole number of 0 or more, found -1"),
        ({"joint_width": 65}, "file: joint_width: expected a whole number from 1 to 64, found 65"),
    ],
)
def test_wrong_options_are_refused_with_their_name(values: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        SearchOptions.from_mapping(values, "file")
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("changes", "kind", "draws"),
    [
        ({}, "alphabeta", False),
        ({"algorithm": "uct"}, "uct", False),
        ({"algorithm": "uct", "rollouts": 10}, "uct", True),
        ({"algorithm": "random"}, "random", True),
        ({"joint": "matrix"}, "matrix", True),
    ],
)
def test_which_search_is_asked_for_and_whether_it_draws(
    changes: dict[str, Any], kind: str, draws: bool
) -> None:
    made = SearchOptions(**changes)
    assert (made.kind, made.draws) == (kind, draws)
