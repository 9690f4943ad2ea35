"""One game: whose turn, clocks, adjudication, ends and faults."""

import os
from typing import Any

import pytest

from tests.support.fake_engines import engines
from tests.support.toys import PILES
from tests.support.ugi_study import BOOK, engine, games, study
from tunesmith.tuning.external import chess_rules
from tunesmith.tuning.external.engine import LOST, Answer, Clocks, Engine
from tunesmith.tuning.external.limits import GoLimit
from tunesmith.tuning.external.playing import Adjudication, play_game
from tunesmith.tuning.external.programs import find_program
from tunesmith.tuning.external.rules import EngineOpening, OwnRules

__all__ = ["engines", "study"]  # fixtures

NODES = GoLimit("nodes", 100)


def play(engines, limits, move_cap: int):
    opening = EngineOpening(chess_rules.START)
    return play_game(engines, limits, opening, chess_rules.ChessRules(), move_cap, Adjudication())


@pytest.mark.parametrize(
    ("how", "reason"),
    [("crash", "crash"), ("hang", "hang"), ("illegal", "illegal move"), ("deaf", "ignores nodes")],
)
def test_a_failing_engine_ends_the_game_as_a_fault_of_its_side(engines, how, reason):
    good, bad = (
        engines(patience=60.0),
        engines(how, patience=60.0),
    )  # on a busy machine it takes a while to start
    if how == "hang":
        bad._patience = 2.0
    game = play((good, bad), (NODES, NODES), 100)
    assert (game.end_reason, game.fault, game.result) == (reason, 1, None)
    assert game.detail


def test_a_move_that_takes_too_long_is_a_time_loss(engines):
    slow = engines("slow", margin=0.1)
    game = play((slow, slow), (GoLimit("movetime", 20),) * 2, 10)
    assert (game.end_reason, game.fault) == ("time loss", 0)


def test_an_engine_whose_nodes_are_used_up_without_a_move_is_asked_for_depth_1(engines):
    engine = engines("none")
    game = play((engine, engine), (NODES, NODES), 12)
    assert (game.end_reason, game.asked_again) == ("capped", 4)
    assert len(game.moves) == 12


@pytest.mark.needs_glaurung
@pytest.mark.needs_toga2
def test_real_engines_play_a_game_to_its_end_the_same_way_twice():
    games = []
    for _ in range(2):
        pair = [Engine((find_program(name),)) for name in ("glaurung", "toga2")]
        for one in pair:
            one.configure(one.defaults(4), "options")
        limits = GoLimit("nodes", 5000), GoLimit("depth", 2)
        games.append(play(pair, limits, 300))
        for one in pair:
            one.close()
    assert games[0] == games[1]
    assert games[0].fault is None and games[0].moves


def told(*scores: int | None) -> list[tuple[int, int | None]]:
    return [(ply % 2, score) for ply, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("scores", "decision"),
    [
        ((500, -500, 500, -500), ("adjudicated win", 1)),
        ((-500, 500, LOST, -LOST), ("adjudicated win", -1)),
        ((500, -500, 500, -399), None),  # one of them does not say so
        ((500, -500, None, -500), None),
        ((500, -500), None),  # too soon
        ((0, 5, -5, 0), None),
        ((300, 0, 0, 5, -5, 0), ("adjudicated draw", 0)),
        ((300, 0, 0, 5, -5, 6), None),
    ],
)
def test_games_are_decided_by_what_both_engines_say(scores, decision):
    rule = Adjudication(resign=400, resign_moves=2, draw=5, draw_moves=2, draw_from=6)
    assert rule.decided(told(*scores)) == decision
    assert Adjudication().decided(told(*scores)) is None


def test_adjudicated_games_are_rows_with_their_reason(study):
    rule = "[adjudicate]\ndraw = { score = 10, moves = 1 }\nresign = { score = 50, moves = 1 }\n"
    _, found, _ = study("pairs = 2\n" + engine() + engine(skill=0) + BOOK + rule)
    assert found["summary"]["ends"] == {"adjudicated draw": 4}
    assert {len(row["moves"]) for row in games()} == {2}


def test_a_won_game_is_given_up_where_both_say_so(study):
    rule = "[adjudicate.resign]\nscore = 50\nmoves = 1\n"
    _, found, _ = study(
        "pairs = 1\n" + engine("scores=99", name="A") + engine("scores=-99", name="B") + BOOK + rule
    )
    assert [(row["names"][0], row["result"]) for row in games()] == [("A", 1), ("B", -1)]
    assert found["counts"] == [0, 0, 0, 0, 1]


class Stub:
    """An engine of piles that takes a quarter of a second for each move, and notes the clocks it is told."""

    name = "stub"

    def __init__(self) -> None:
        self.clocks: list[Clocks] = []

    def new_game(self) -> None:
        pass

    def go(self, fen, moves, limit, clocks) -> Answer:
        self.clocks.append(clocks)
        return Answer("a1" if len(moves) < 4 else "b1", 0.25, None)


def test_clocks_run_and_increments_are_given_back():
    pair: Any = (Stub(), Stub())
    limits = GoLimit("tc", 1000, 100), GoLimit("tc", 3000, 50)
    game = play_game(pair, limits, EngineOpening(""), OwnRules(PILES), 100, Adjudication())
    assert game.fault is None and len(game.moves) == 9
    assert [clock.left for clock in pair[0].clocks][:3] == [(1000, 3000), (850, 2800), (700, 2600)]
    assert [clock.left for clock in pair[1].clocks][:2] == [(850, 3000), (700, 2800)]
    assert {clock.increments for clock in pair[1].clocks} == {(100, 50)}
    assert {clock.side for clock in pair[1].clocks} == {1}


@pytest.mark.parametrize(("limit", "warned"), [("tc=60+0.1", True), ("nodes:9", False)])
def test_engines_by_the_clock_without_a_core_each_are_warned_of(study, monkeypatch, limit: str, warned: bool):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    _, _, said = study(f'limit = "{limit}"\npairs = 1\n' + engine() + engine(skill=0) + BOOK)
    assert ("2 threads will think at once and this machine has 1 core:" in said) == warned


def test_a_match_with_clocks(study):
    _, found, _ = study('limit = "tc=60+0.1"\npairs = 1\n' + engine() + engine(skill=0) + BOOK)
    assert found["summary"]["faults"] == 0 and found["first"]["limit"] == "tc:60+0.1"
