"""An engine as a child process: what it is asked, and that it cannot keep us waiting."""

import os
import subprocess
import sys
import time

import chess
import pytest

from tests.support.fake_engines import engines, start
from tests.support.ugi_study import FAKE
from tunesmith.tuning.external import protocol
from tunesmith.tuning.external.engine import Engine, EngineFault
from tunesmith.tuning.external.limits import GoLimit

__all__ = ["engines"]  # fixtures

COMPLAINS = """
for line in iter(input, "quit"):
    said = {"ugi": "ugiok", "isready": "readyok"}.get(line, line)
    print("info string illegal move c7" if said.startswith("position") else said, flush=True)
"""


def test_the_book_is_off_unless_asked_for(engines):
    engine = engines()
    assert engine.name == "Fake 1.0"
    assert engine.defaults(1) == {"OwnBook": False, "Hash": 2}
    assert engine.defaults(16)["Hash"] == 16


def test_a_silent_engine_is_given_up():
    with pytest.raises(EngineFault, match="hang: no answer to 'uci'"):
        start("silent", patience=0.3)


def test_no_process_is_left_of_an_engine_that_will_not_go():
    engine = start("stubborn")
    group = os.getpgid(engine._process.pid)
    engine.close()
    for _ in range(50):
        left = subprocess.run(["pgrep", "-g", str(group), "-r", "R,S,D"], capture_output=True, check=False)
        if not left.stdout:
            break
        time.sleep(0.1)
    assert left.stdout == b""


def test_an_engine_that_answers_twice_is_not_read_one_move_late():
    engine, board = start("twice"), chess.Board()
    try:
        for _ in range(12):
            move = engine.go(
                chess.STARTING_FEN, [move.uci() for move in board.move_stack], GoLimit("nodes", 5)
            ).move
            assert chess.Move.from_uci(move) in board.legal_moves
            board.push_uci(move)
    finally:
        engine.close()


def test_a_complaint_that_comes_before_an_engine_is_asked_whether_it_is_ready_counts():
    engine = Engine((sys.executable, "-c", COMPLAINS), protocol=protocol.UGI)
    try:
        engine._send("position startpos moves c7")
        for _ in range(500):
            if engine._lines.qsize():
                break
            time.sleep(0.01)
        engine.ready()
        assert engine.complaint == "illegal move c7"
        engine.ready()
        assert engine.complaint == ""
    finally:
        engine.close()


def test_what_an_engine_wrote_before_it_ended_is_told():
    with pytest.raises(EngineFault, match=r"code 4 .*; it wrote: no licence"):
        Engine(("sh", "-c", "echo welcome; echo 'no licence' >&2; exit 4"))


def test_questions_have_few_answers():
    command = (sys.executable, str(FAKE), "babble")
    engine = Engine(command, protocol=protocol.UGI)
    try:
        with pytest.raises(
            EngineFault, match="nonsense: 'maybe' to 'query p1turn', expected one of true, false"
        ):
            engine.ask("p1turn", ("true", "false"))
    finally:
        engine.close()


def test_the_last_score_of_a_search_is_the_movers(engines):
    assert engines().go(chess.STARTING_FEN, (), GoLimit("nodes", 9)).score is None
    engine = Engine((sys.executable, str(FAKE), "scores=-31"), protocol=protocol.UGI)
    try:
        answer = engine.go("", ["a1"], GoLimit("nodes", 9))
        assert answer.score == -31 and answer.move in ("a1", "a2", "b1", "b2") and answer.seconds > 0
    finally:
        engine.close()
