"""What lines of UGI say."""

import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.play.ugi_lines import Go, read_go, read_position


def asked(text: str, mover: int) -> dict[str, object]:
    return vars(read_go(text, mover))


def test_clocks_are_the_movers():
    text = "p1time 8000 p2time 3000 p1inc 80 p2inc 50"
    assert asked(text, 0) == vars(Go(8.0, 0.08)) and asked(text, 1) == vars(Go(3.0, 0.05))
    assert asked("movetime 250", 0) == vars(Go(seconds=0.25))
    assert asked("infinite", 1) == vars(Go()) == asked("", 0)
    with pytest.raises(InputError):
        read_go("p1time", 0)


def test_a_position_is_a_line_of_the_games_notation_with_moves_behind_it():
    assert read_position("startpos") == ("", []) == read_position("startpos moves")
    assert read_position("fen [[1, 2], [3]] moves a b") == ("[[1, 2], [3]]", ["a", "b"])
    for wrong in ("", "fen", "fen moves a", "startpos a", "moves a"):
        with pytest.raises(InputError):
            read_position(wrong)
