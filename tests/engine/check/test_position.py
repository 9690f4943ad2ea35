"""Rules of a single position: a look at it, and what each rule says of one that breaks it."""

import random
from typing import Any

import pytest

from tests.support.toys import START, piles
from tunesmith.engine.check import position
from tunesmith.engine.check.asking import Asker, Stopped
from tunesmith.games.game import ONGOING


def look(**changes: Any) -> tuple[Asker, position.Seen]:
    asker = Asker(piles(**changes))
    return asker, position.look(asker, START, random.Random(1))


def test_a_position_is_seen_with_its_mover_and_moves() -> None:
    _, seen = look()
    assert (seen.state, seen.mover, seen.outcome, seen.moves) == (START, 0, ONGOING, [0, 1, 2, 3])
    assert sorted(seen.few) == [0, 1, 2, 3]


def test_a_finished_position_has_no_moves() -> None:
    assert position.look(Asker(piles()), (0, 0, 1, 4), random.Random(1)).moves == []


@pytest.mark.parametrize("rule", position.UNFINISHED, ids=lambda rule: rule.__name__)
def test_a_sound_position_breaks_no_rule(rule: Any) -> None:
    asker, seen = look()
    rule(asker, seen)
    assert asker.problems == []


@pytest.mark.parametrize(
    ("moves", "rule"), [([], "no-moves"), ([3, -1], "move-number"), ([2, 2, 0], "duplicate-moves")]
)
def test_legal_moves_are_there_not_negative_and_different(moves: list[int], rule: str) -> None:
    asker = Asker(piles())
    if rule == "duplicate-moves":
        position.check_moves(asker, START, moves)
    else:
        with pytest.raises(Stopped):
            position.check_moves(asker, START, moves)
    assert [p.rule for p in asker.problems] == [rule]


@pytest.mark.parametrize(
    ("check", "changes", "what"),
    [
        (position.check_pass, {"pass_turn": lambda state: state}, "the same player has the move"),
        (position.check_counters, {"plies": lambda state: 5}, "5 before a move, 5 after"),
        (position.check_open_part, {"open_margin": lambda state: -1}, "negative"),
        (position.check_history_key, {"history_key": lambda state: -1}, "expected an int from 0 to 2**63 - 1, found -1 (int)"),
        (position.check_features, {"features": lambda state, out: out.fill(float("nan"))}, "'tempo' is nan, not a finite number"),
        (position.check_stages, {"stages": lambda state, out: out.fill(0.75)}, "expected shares of 0 or more that sum to 1, found {'full': 0.75, 'empty': 0.75}"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_noted_with_what_was_found(check: Any, changes: dict[str, Any], what: str) -> None:
    asker, seen = look(**changes)
    check(asker, seen)
    assert asker.problems[0].what == what and asker.problems[0].state == START


def test_the_margin_of_a_finished_game_has_the_winners_sign() -> None:
    asker = Asker(piles(final_margin=lambda state: -2))
    position.check_end(asker, position.look(asker, (0, 0, 1, 4), random.Random(1)))
    assert [p.what for p in asker.problems] == ["margin -2 of the first player, but the outcome is 1"]
