"""Openings of a purpose come from a user's file if there is one, in the order of the seed, and never twice."""

from pathlib import Path

import pytest

from tests.support.small_matches import hand, kalah
from tunesmith.tuning.config import Openings
from tunesmith.tuning.play.openings import choose_openings, pick
from tunesmith.tuning.play.openings.file import ALL, OpeningFile, read
from tunesmith.tuning.play.openings.opening import SHARES, TooFewOpenings


@pytest.fixture
def file(tmp_path: Path) -> OpeningFile:
    path = tmp_path / "mine.txt"
    path.write_text("".join(f"{a} {b}\n" for a in range(1, 7) for b in range(1, 7)))
    return read(kalah(), path)


def test_the_file_is_taken_where_there_is_one(file: OpeningFile) -> None:
    found = choose_openings(kalah(), hand(), Openings(plies=2), count=3, purpose=ALL, seed=1, file=file)
    assert found == pick(file, ALL, 3, 1)
    made = choose_openings(
        kalah(), hand(), Openings(plies=4, max_score=400.0), count=3, purpose="train", seed=1
    )
    assert [len(one.moves) for one in made] == [4, 4, 4]


def test_each_opening_has_one_purpose_and_all_take_part(file: OpeningFile) -> None:
    whole = pick(file, ALL, len(file.openings), 1)
    assert sorted(one.text for one in whole) == sorted(one.text for one in file.openings.values())
    parts = [{one.text for one in pick(file, purpose, file.count(purpose), 1)} for purpose in SHARES]
    assert sum(map(len, parts)) == len(whole) == len(set().union(*parts))


def test_a_file_serves_another_proof_with_what_the_first_has_left(file: OpeningFile) -> None:
    first, second = (
        {one.text for one in pick(file, "verify", file.count("verify", edition), 1, edition)}
        for edition in (1, 2)
    )
    assert first and second and not first & second
    assert file.facts(2).purposes["verify"] == len(second)
    with pytest.raises(TooFewOpenings, match="train 59 %, search 18 %, verify 23 % apart"):
        pick(file, "verify", 100, 1, 2)


def test_another_seed_gives_another_order_and_a_longer_list_begins_alike(file: OpeningFile) -> None:
    few, many, others = pick(file, ALL, 5, 1), pick(file, ALL, 12, 1), pick(file, ALL, 12, 2)
    assert many[:5] == few and many != others


def test_more_than_there_are_is_refused(file: OpeningFile) -> None:
    n = file.count("search")
    with pytest.raises(
        TooFewOpenings, match=rf"mine\.txt: holds {n} openings for 'search' .*, and {n + 1} pairs"
    ) as refusal:
        pick(file, "search", n + 1, 1)
    assert refusal.value.found == pick(file, "search", n, 1)
