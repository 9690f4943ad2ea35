"""Files of openings for any game, one a line."""

from pathlib import Path

import pytest

from tests.support.toys import PILES
from tunesmith.games.errors import InputError
from tunesmith.tuning.external.openings import RandomOpenings, read_lines_of
from tunesmith.tuning.external.rules import EngineOpening, EnginesAgree, OwnRules

LINES = """# how piles may begin
startpos moves a1 b2 # a comment
fen 3 4 0 3 moves a2
3 3 0 7
position startpos moves a1 b2
a2 a2
nonsense here
0 0 1 9
startpos moves a7
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "lines.txt").write_text(LINES)
    return tmp_path / "lines.txt"


def test_lines_are_checked_where_we_know_the_rules(file: Path):
    book = read_lines_of(file, OwnRules(PILES))
    assert book.openings == [
        EngineOpening("", ("a1", "b2")),
        EngineOpening("3 4 0 3", ("a2",)),
        EngineOpening("3 3 0 7"),
        EngineOpening("", ("a2", "a2")),
    ]
    assert book.duplicates == 1
    assert book.bad == {"neither a position nor legal moves": [7, 9], "game is over": [8]}


def test_lines_are_taken_as_they_are_where_only_the_engines_know(file: Path):
    book = read_lines_of(file, EnginesAgree())
    assert book.openings[:3] == [
        EngineOpening("", ("a1", "b2")), EngineOpening("3 4 0 3", ("a2",)), EngineOpening("3 3 0 7")
    ]  # fmt: skip
    assert len(book.openings) == 8 - book.duplicates and not book.bad


def test_a_file_without_an_opening_is_refused(tmp_path: Path):
    (tmp_path / "x.txt").write_text("0 0 1 9\n")
    with pytest.raises(
        InputError, match=r"expected a position or moves a line, found game is over \(line 1\)"
    ):
        read_lines_of(tmp_path / "x.txt", OwnRules(PILES))


def test_random_openings_are_distinct_and_the_same_for_a_seed():
    made = RandomOpenings(OwnRules(PILES), 3, 5).first(6)
    assert (
        made
        == RandomOpenings(OwnRules(PILES), 3, 5).first(6)
        != RandomOpenings(OwnRules(PILES), 3, 6).first(6)
    )
    assert len(set(made)) == 6 and all(len(opening.moves) == 3 for opening in made)
    assert RandomOpenings(EnginesAgree(), 3, 5).first(2) == [EngineOpening("")] * 2
