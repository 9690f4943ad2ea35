"""Functions are asked with care: what they raise or answer wrongly is noted, once a kind, with its position."""

from typing import Any

import pytest

from tests.support.toys import START, piles
from tunesmith.engine.check.asking import Asker, Stopped, shown


def asked(name: str, answer: Any) -> Asker:
    """Return an asker of piles in which a function gives `answer`."""
    return Asker(piles(**{name: lambda *_: answer}))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([4, 5, 0, 0], "expected a tuple, found [4, 5, 0, 0] (list)"),
        ((4, 5, 0), "expected 4 words like the start position, found 3"),
        ((4, 5, 0, True), "word 3 is True (bool), expected an int; wrap it in int()"),
        ((4, 5, 0, 1.0), "word 3 is 1.0 (float), expected an int"),
        ((4, -5, 0, 0), "word 1 is -5: negative or beyond bit 62; mask it"),
        ((4, 1 << 63, 0, 0), "negative or beyond bit 62"),
    ],
)
def test_a_state_is_a_tuple_of_whole_numbers_of_63_bits(answer: Any, words: str) -> None:
    asker = asked("apply_move", answer)
    assert asker.state("initial") == START
    with pytest.raises(Stopped):
        asker.state("apply_move", START, 2)
    (problem,) = asker.problems
    assert (problem.rule, problem.function, problem.state, problem.move) == (
        "state",
        "apply_move",
        START,
        "b1",
    )
    assert words in problem.what


def test_the_first_of_a_kind_is_kept_and_the_rest_counted() -> None:
    asker = Asker(piles())
    for state, n in ((START, 3), ((1, 1, 0, 0), 7)):
        asker.note("facts", f"found {n} stones", "plies", state)
    asker.note("facts", "something else", "plies", START)
    assert [(p.what, p.times, p.position) for p in asker.problems] == [
        ("found 3 stones", 2, "4 5 0 0"),
        ("something else", 1, "4 5 0 0"),
    ]


def test_moves_are_read_and_the_rest_of_the_buffer_is_looked_at() -> None:
    def too_far(state: Any, out: Any) -> int:
        out[0], out[1], out[2] = 3, 1, 0
        return 2

    asker = Asker(piles(legal_moves=too_far))
    assert asker.moves("legal_moves", START) == [3, 1]
    assert [(p.rule, p.what) for p in asker.problems] == [("buffer", "returns 2, but writes out[2] too")]
    for number in (5, -1, 2.0):
        wrong = asked("legal_moves", number)
        with pytest.raises(Stopped):
            wrong.moves("legal_moves", START)
        assert wrong.problems[0].rule == "max-moves"


def test_an_index_beyond_the_buffer_is_told_from_other_exceptions() -> None:
    def runs_over(state: Any, out: Any) -> int:
        out[len(out)] = 1
        return 1

    for function, rule in ((runs_over, "buffer"), (lambda state, out: 1 // 0, "raises")):
        asker = Asker(piles(legal_moves=function))
        with pytest.raises(Stopped):
            asker.moves("legal_moves", START)
        assert [p.rule for p in asker.problems] == [rule]


def test_values_are_shown_with_their_type() -> None:
    assert shown(1.5) == "1.5 (float)"
    assert shown(piles()).endswith("Game)")
