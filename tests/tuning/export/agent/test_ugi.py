"""An agent in UGI: the code that is written for piles (4 and 5 stones; who takes the last one wins)."""

import time
from typing import Any

import pytest

from tests.support.piles_agent import WEIGHTS, agent


class Talk:
    """A conversation with an agent, and what has been answered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names: dict[str, Any] = agent()
        loads = [name for name, value in names.items() if getattr(value, "__name__", "") == "load_weights"]
        for name in loads:
            monkeypatch.setitem(names, name, lambda: WEIGHTS.to_json())
        kind = next(value for value in names.values() if getattr(value, "__name__", "") == "Conversation")
        self.heard: list[str] = []
        self.agent = kind(self.heard.append)

    def __call__(self, *lines: str) -> list[str]:
        """Return what is answered to some lines; a search is waited for."""
        del self.heard[:]
        for line in lines:
            self.agent.answer(line)
        self.agent.wait()
        return list(self.heard)


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Talk:
    return Talk(monkeypatch)


def test_it_plays_a_game_to_its_end(talk: Talk) -> None:
    assert talk("ugi", "isready")[-2:] == ["ugiok", "readyok"]
    moves: list[str] = []
    while talk(f"position startpos moves {' '.join(moves)}", "query gameover") == ["response false"]:
        assert talk("query p1turn") == [f"response {str(len(moves) % 2 == 0).lower()}"]
        *info, best = talk("go depth 3")
        assert best.split()[0] == "bestmove" and info[-1].startswith("info depth ")
        moves.append(best.split()[1])
    assert talk("query result")[0] in ("response p1win", "response p2win")
    assert talk("go depth 1") == ["info string go: the game is over", "bestmove (none)"]


@pytest.mark.parametrize(
    "limit", ["nodes 30", "movetime 30", "p1time 200 p2time 1 p1inc 5 p2inc 0", "p1time -4"]
)
def test_every_go_is_answered_by_one_best_move(talk: Talk, limit: str) -> None:
    said = talk("position fen 3 0 0 6", f"go {limit}")
    assert sum(line.startswith("bestmove ") for line in said) == 1 and said[-1] in (
        "bestmove a1",
        "bestmove a2",
    )


def test_a_forced_win_is_told_in_moves(talk: Talk) -> None:
    assert " score mate 1 " in talk("position fen 2 0 0 7", "go depth 4")[0]


def test_a_search_without_a_limit_goes_on_until_it_is_stopped(talk: Talk) -> None:
    talk.agent.answer("go infinite")
    time.sleep(0.2)
    assert not [line for line in talk.heard if line.startswith("bestmove")]
    said = talk("isready", "stop", "stop")
    assert said[0] == "readyok" and sum(line.startswith("bestmove") for line in said) == 1


@pytest.mark.parametrize(
    "line",
    ["hello", "query legal", "go depth x", "position fen 1 1 0", "position startpos moves a1 c1",
     "position startpos moves a1 a2 a2", "setoption name hash value 3", "position"],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line_and_changes_nothing(talk: Talk, line: str) -> None:
    talk("position startpos moves a1")
    said = talk(line)
    assert len(said) == 1 and said[0].startswith("info string ")
    assert talk("query p1turn", "position startpos moves a1 a1", "query p1turn") == [
        "response false",
        "response true",
    ]
