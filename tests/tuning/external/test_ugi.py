"""Our engine as a program: what it answers to each line of UGI, and that nothing ends it but `quit`."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.toys import hands, piles
from tunesmith.engine.board import Board
from tunesmith.engine.player import Player
from tunesmith.engine.weights import from_array
from tunesmith.tuning.external import ugi
from tunesmith.tuning.external.ugi import Conversation

GAME = piles()
WEIGHTS = from_array(GAME, [[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]])


@pytest.fixture(autouse=True)
def in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search without compiling: the answers are the same."""

    class Uncompiled(Player):
        def __init__(self, *arguments) -> None:
            super().__init__(*arguments)
            self.spare_compiling()

    monkeypatch.setattr(ugi, "Player", Uncompiled)


class Talk:
    """A conversation about piles (4 and 5 stones; who takes the last one wins), and what has been answered."""

    def __init__(self, game=GAME, weights=WEIGHTS, **rest) -> None:
        self.heard: list[str] = []
        self.engine = Conversation(game, weights, self.heard.append, hash_mb=1, seed=1, **rest)

    def __call__(self, *lines: str) -> list[str]:
        """Return what is answered to some lines; a search is waited for."""
        del self.heard[:]
        for line in lines:
            self.engine.answer(line)
        self.engine.wait()
        return list(self.heard)


def test_it_says_who_it_is_and_what_can_be_set():
    said = Talk(name="Tunesmith piles hand")("ugi")
    assert said[:2] == ["id name Tunesmith piles hand", "id author the Tunesmith authors"]
    assert "option name hash type spin default 1 min 1 max 65536" in said
    assert "option name pvs type check default true" in said
    assert "option name replacement type combo default depth var depth var always var lru" in said
    assert not [line for line in said if " joint " in line]  # of games with both sides at once alone
    assert said[-1] == "ugiok"


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        ("startpos", ["false", "true", "none"]),
        ("startpos moves a2", ["false", "false", "none"]),
        ("fen 1 1 0 7", ["false", "true", "none"]),
        ("fen 1 1 0 7 moves a1 b1", ["true", "true", "p2win"]),
        ("fen 1 0 1 7", ["false", "false", "none"]),
        ("fen 1 0 0 7 moves a1", ["true", "false", "p1win"]),
    ],
)
def test_it_knows_whose_turn_it_is_and_who_has_won(position: str, answers: list[str]):
    said = Talk()(f"position {position}", "query gameover", "query p1turn", "query result")
    assert said == [f"response {answer}" for answer in answers]


@pytest.mark.parametrize(
    "limit",
    [
        "depth 3",
        "nodes 50",
        "movetime 20",
        "p1time 300 p2time 1 p1inc 5 p2inc 0",
        "p1time -4",
        "depth 9 nodes 20",
    ],
)
def test_every_go_is_answered_by_one_best_move_with_what_was_found(limit: str):
    said = Talk()("isready", "position fen 3 0 0 6", f"go {limit}")
    assert (said[0] == "readyok" and said[-1] == "bestmove a2") or "p1time -4" in limit
    assert [line.split()[0] for line in said[1:]] == ["info"] * (len(said) - 2) + ["bestmove"]
    words = said[-2].split()
    assert words[::2][:6] == ["info", "1", "cp", "time", "6", "nodes"] or "depth" in words
    assert {"depth", "score", "nodes", "time", "nps", "pv"} <= set(words) or "p1time -4" in limit


def test_a_forced_win_is_told_in_moves():
    assert " score mate 1 " in Talk()("position fen 2 0 0 7", "go depth 4")[-2]
    assert " score mate -1 " in Talk()("position fen 3 0 0 6", "go depth 4")[-2]


def test_a_search_without_a_limit_goes_on_until_it_is_stopped():
    talk = Talk()
    talk.engine.answer("position startpos")
    talk.engine.answer("go infinite")
    time.sleep(0.3)
    assert not [line for line in talk.heard if line.startswith("bestmove")]
    said = talk("isready", "stop", "stop")
    assert said[0] == "readyok" and sum(line.startswith("bestmove") for line in said) == 1


@pytest.mark.parametrize(
    "next_line", ["go depth 1", "position startpos", "uginewgame", "setoption name hash value 2"]
)
def test_what_needs_the_engine_ends_a_search_that_goes_on(next_line: str):
    talk = Talk()
    said = talk("go infinite", next_line)
    assert sum(line.startswith("bestmove") for line in said) == 1 + next_line.startswith("go")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "expected one of ugi, isready, setoption, uginewgame, position, query, go, stop, quit, found 'hello'"),
        ("query legal", "query: expected one of gameover, p1turn, result, found 'legal'"),
        ("query", "query: expected one of gameover, p1turn, result, found ''"),
        ("go depth x", "go depth: expected a whole number from 1 to 9007199254740992, found 'x'"),
        ("go quickly", "go: expected p1time, p2time, p1inc, p2inc, movetime, depth, nodes or infinite, found 'quickly'"),
        ("go p2time 1000", "go: expected p1time, the mover's time in milliseconds, found 'p2time 1000'"),
        ("position", "position: expected startpos or fen POSITION, and moves MOVE ... behind it, found ''"),
        ("position fen", "position: expected startpos or fen POSITION, and moves MOVE ... behind it, found 'fen'"),
        ("position fen 1 1 0", "position: piles: expected four numbers, found '1 1 0' (the position stays as it was)"),
        ("position startpos moves a1 c1", "position: piles move: expected one of a1, a2, b1, b2, found 'c1' (the position"),
        ("setoption hash 3", "setoption: expected name NAME value VALUE, found 'hash 3'"),
        ("setoption name threads value 2", "setoption: there is no option 'threads'"),
        ("setoption name pvs value maybe", "setoption pvs: expected true or false, found 'maybe'"),
        ("setoption name hash value 0", "setoption hash: expected a whole number from 1 to 65536, found '0'"),
        ("setoption name joint value matrix", "setoption joint: expected pessimistic, piles has no simultaneous"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line_and_changes_nothing(line: str, said: str):
    talk = Talk()
    talk("position startpos moves a2 b2")
    found = talk(line)
    assert len(found) == 1 and found[0].startswith(f"info string {said}")
    assert talk("query p1turn", "go depth 2")[0] == "response true"
    assert talk.heard[-1].startswith("bestmove ")


def test_a_finished_game_has_no_best_move():
    said = Talk()("position fen 1 0 0 8 moves a1", "go depth 3")
    assert said[0].startswith("info string go: the game is over") and said[1:] == ["bestmove (none)"]


def test_a_position_that_is_wrong_in_the_middle_leaves_the_one_before():
    talk = Talk()
    talk("position startpos moves a1")
    assert "found 'a2'" in talk("position startpos moves a1 b2 a2 a2")[0]
    assert talk("query p1turn") == ["response false"]


def test_options_change_the_search():
    talk = Talk()
    nodes = [talk("position startpos", "go depth 4")[-2].split()[9]]
    talk("setoption name Pruning value false", "setoption name table value false")
    nodes += [talk("go depth 4")[-2].split()[9]]
    assert int(nodes[1]) > int(nodes[0])


def test_monte_carlo_search_has_no_depth_and_says_so():
    said = Talk()("setoption name algorithm value uct", "go depth 4")
    assert "info string go: a Monte Carlo search knows no depth: 5000 nodes instead" in said
    assert said[-1].startswith("bestmove ")


def test_the_second_of_two_choosers_answers_without_seeing_the_first_choice():
    game = hands()
    talk = Talk(game, from_array(game, [[1.0]]))
    moves = [talk(f"position startpos moves {move}", "go depth 2")[-1] for move in Board(game).legal()]
    assert len(set(moves)) == 1


def test_a_game_whose_code_fails_still_moves():
    def fail(state, out) -> None:
        raise ZeroDivisionError("in features")

    game = piles(features=fail)
    said = Talk(game, WEIGHTS)("go depth 2")
    assert said[:2] == ["info string go: ZeroDivisionError: in features"] or said[-1].startswith("bestmove ")


def test_the_command_speaks_it(tmp_path: Path):
    lines = "ugi\nisready\nposition startpos moves 1 2\n\xff\ngo nodes 30\nquery p1turn\nquit\nugi\n"
    found = subprocess.run(
        [sys.executable, "-m", "tunesmith.tuning.cli", "ugi", "kalah", "--weights", "hand"],
        input=lines.encode("latin-1"), capture_output=True, check=False, env={"TUNESMITH_NUMBA": "0"},
    )  # fmt: skip
    said = found.stdout.decode().splitlines()
    assert found.returncode == 0 and not found.stderr
    assert said[0] == "id name Tunesmith kalah hand" and said.count("ugiok") == 1
    assert sum(line.startswith("bestmove ") for line in said) <= 1 and "response false" in said
