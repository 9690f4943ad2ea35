"""Who judges games of two engines: our rules, or the engines themselves, which must agree."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.ugi_study import BOOK, PILES, engine, games, study
from tunesmith.engine.board import Board
from tunesmith.games import registry
from tunesmith.tuning.external.rules import EngineOpening, EnginesAgree
from tunesmith.tuning.play.ugi_lines import RESULTS

__all__ = ["study"]  # fixtures


class Told:
    """An engine that is asked for nothing but what it says of a board."""

    name, complaint = "told", ""

    def __init__(self, board: Board) -> None:
        self.board = board

    def set_position(self, fen: str, moves: object) -> None:
        pass

    def ask(self, question: str, answers: object) -> str:
        if question == "result":
            return RESULTS[self.board.result]
        return str(self.board.is_over if question == "gameover" else self.board.mover == 0).lower()


@pytest.mark.parametrize("rules", ["", PILES])
def test_a_match_without_and_with_our_rules_has_the_same_games(study, rules: str):
    code, found, _ = study(
        rules + "pairs = 5\n" + engine(skill=2, name="A") + engine(skill=0, name="B") + BOOK
    )
    assert code == 0 and found["pairs"] == 5 and found["summary"]["faults"] == 0
    rows = games()
    assert [(row["fen"], row["opening"]) for row in rows[::2]] == [
        ("", ["a1"]), ("", ["a2"]), ("3 5 0 1", []), ("4 4 1 1", []), ("", ["b1", "b1"]),
    ]  # fmt: skip
    for row in rows:
        start = [int(word) for word in row["fen"].split()[:3]] or [4, 5, 0]
        moves = [*row["opening"], *row["moves"]]
        assert sum(int(move[1]) for move in moves) == sum(start[:2])
        last = (start[2] + len(moves) - 1) % 2
        assert row["result"] == (1 if last == 0 else -1)
    assert found["counts"] == [0, 0, sum(found["counts"]), 0, 0] or sum(found["counts"]) == 5


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("crash", "crash", "out of luck"),
        ("hang", "hang", "no answer to 'go nodes 9' in 1 s"),
        ("flood", "flood", "no answer"),
        ("gush", "flood", "no answer"),
        ("none", "illegal move", "no move in a position where the game goes on"),
        ("empty", "illegal move", "no move in a position where the game goes on"),
        ("garbage", "illegal move", "says: illegal move"),
        ("illegal", "illegal move", "c7: Heap 1.0 says: illegal move c7"),
        ("turn", "disagreement", "p1 to move"),
        ("over", "disagreement", "over"),
        ("loser", "disagreement", "over, p1win"),
        ("babble", "nonsense", "'maybe' to 'query gameover', expected one of true, false"),
    ],
)
def test_faults_are_recorded_with_the_moves_and_in_no_score(study, how: str, reason: str, detail: str):
    code, found, _ = study("pairs = 1\n" + engine(name="A") + engine(how, name="B"),
                           "--set", "patience=1.0" if how == "hang" else "seed=1")  # fmt: skip
    assert code == 0
    faults = found["faults"]
    assert len(faults) == 2 and found["counts"] == [0] * 5 and found["summary"]["faults"] == 2
    for row in faults:
        assert row["end_reason"] == reason, row
        assert row["fault"] == (2 if reason == "disagreement" else row["names"].index("B"))
        assert row["moves"] or how == "babble"
    assert any(detail in row["detail"] for row in faults)


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("illegal", "illegal move", "c7 in "),
        ("none", "illegal move", "(none) in "),
        ("empty", "illegal move", "(none) in "),
        ("garbage", "illegal move", " in "),
        ("crash", "crash", "out of luck"),
        ("hang", "hang", "no answer to 'go nodes 9' in 1 s"),
        ("flood", "flood", "no answer"),
        ("gush", "flood", "no answer"),
    ],
)
def test_our_rules_name_the_engine_that_breaks_them(study, how: str, reason: str, detail: str):
    text = PILES + "pairs = 1\n" + engine(name="A") + engine(how, name="B") + BOOK
    code, found, _ = study(text, "--set", "patience=1.0" if how == "hang" else "seed=1")
    assert code == 0 and found["counts"] == [0] * 5
    assert [row["end_reason"] for row in found["faults"]] == [reason] * 2
    assert [row["names"][row["fault"]] for row in found["faults"]] == ["B", "B"]
    assert any(detail in row["detail"] for row in found["faults"])


def test_what_both_engines_let_pass_is_judged_by_our_rules(study):
    """And where nobody else knows the rules, it is a fault of both once one side moves on and on."""
    both = "pairs = 1\n" + engine("lax", name="A") + engine("lax", skill=3, name="B")
    _, found, _ = study(PILES + both + BOOK)
    assert [row["end_reason"] for row in found["faults"]] == ["illegal move"] * 2
    assert all("c7 in " in row["detail"] for row in found["faults"])
    Path("out").rename("before")
    code, found, _ = study(both)
    assert code == 0 and found["counts"] == [0] * 5 and len(found["faults"]) == 2
    for row in found["faults"]:
        assert (row["end_reason"], row["fault"]) == ("no progress", 2)
        assert "3 times in a row, and both engines say that it is its turn again" in row["detail"]
        assert row["moves"].count("c7") >= 1 and len(row["moves"]) < 10


def test_extra_turns_are_no_fault_of_anybody():
    """In Kalah whoever ends in the own store moves again."""
    game = registry.load("kalah")
    board = Board(game)
    engines: Any = (Told(board), Told(board))
    position = EnginesAgree().begin(EngineOpening(""), engines)
    rows = Counter[int]()
    while not board.is_over:
        move = board.legal()[-1]
        rows[board.mover] += 1
        board.push(move)
        position.push(move)
        assert position.end() == (None if not board.is_over else ("finished", board.result))
    assert sum(rows.values()) > 20


def test_an_engine_that_cannot_be_started_again_is_at_fault_in_each_game(study, tmp_path):
    once = f"once={tmp_path / 'started'}"
    code, found, _ = study("pairs = 1\n" + engine(name="A") + engine(once, name="B"))
    assert code == 0 and found["counts"] == [0] * 5
    assert [(row["end_reason"], row["names"][row["fault"]]) for row in found["faults"]] == [
        ("crash", "B")
    ] * 2
    assert "no licence" in found["faults"][0]["detail"]


def test_an_engine_that_ends_at_its_start_is_refused_before_the_first_game(study):
    code, _, said = study("pairs = 1\n" + engine("stillborn") + engine())
    assert code == 2 and "crash: ended with code 4" in said and "it wrote: no licence" in said
    assert not Path("out").exists()


def test_random_openings_are_for_games_whose_rules_we_know(study):
    _, found, _ = study(PILES + "pairs = 4\n[openings]\nplies = 2\n" + engine() + engine(skill=3))
    assert len({tuple(row["opening"]) for row in games()}) == 4 == found["pairs"]
    assert all(len(row["opening"]) == 2 for row in games())


def test_the_same_game_again_counts_once(study):
    _, found, _ = study("pairs = 4\n" + engine(skill=2) + engine(skill=0))
    assert {row["fen"] for row in games()} == {""} and len(games()) == 8
    assert found["pairs"] == 1 and found["summary"]["distinct_games"] <= 2


def test_an_engine_of_an_unknown_game_must_be_one_that_can_be_asked(study):
    code, _, said = study(engine() + engine().replace("options", 'protocol = "uci"\noptions'))
    assert code == 2 and "protocol: expected ugi, as nobody else knows the rules" in said


def test_an_engine_that_says_nothing_is_refused(study):
    code, _, said = study("pairs = 1\n" + engine("mute") + engine(), "--set", "patience=0.5")
    assert code == 2 and "hang: no answer to 'ugi' in 0.5 s" in said


def test_a_move_that_comes_too_late_is_a_loss_on_time_and_no_move_of_the_next_game(study):
    limit = 'limit = "movetime:20"\nmargin = 2.0\n'
    _, found, _ = study(limit + PILES + "pairs = 1\n" + engine(name="A") + engine("late", name="B") + BOOK)
    assert [(row["end_reason"], row["names"][row["fault"]]) for row in found["faults"]] == [
        ("time loss", "B")
    ] * 2
    assert found["counts"] == [0] * 5
    for row in games():
        board = Board(registry.load("tests.support.toys:PILES"))
        for move in [*row["opening"], *row["moves"]]:
            board.push(move)  # all of them legal where they were played
