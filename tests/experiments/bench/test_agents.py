"""Written-out agents beside those of another commit."""

from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.piles_agent import agent
from tunesmith.engine.searcher import NODE_LIMIT, NODES
from tunesmith.experiments.bench.agents import PLIES, lines, memory, positions, race, tree_of
from tunesmith.games.errors import InputError, TunesmithError


class Game:
    """A game that goes on for ever."""

    def __init__(self) -> None:
        self.moves: list[int] = []

    def legal(self) -> list[int]:
        return [1, 2, 3]

    def play(self, move: int) -> None:
        self.moves.append(move)

    def is_over(self) -> bool:
        return False


def thinking(move: int) -> dict[str, Any]:
    """Return an agent that plays the same move always, after ten positions."""

    def choose(game: Game) -> int:
        sum(range(20_000))
        return move

    thinker = SimpleNamespace(memory=SimpleNamespace(counters={NODES: 10}), choose=choose)
    return {"Game": Game, "Thinker": lambda weights: thinker, "load_weights": dict}


def test_agents_are_compared_only_where_they_do_the_same() -> None:
    speeds, ratios = race([thinking(1), thinking(1)], 3, 2)
    assert len(speeds) == 2 and len(ratios) == 2 * len(PLIES) and min(speeds) > 0
    with pytest.raises(TunesmithError, match="expected the same move and positions"):
        race([thinking(1), thinking(2)], 3, 1)


def test_nothing_is_known_from_the_round_before() -> None:
    asked: list[int] = []

    @lru_cache(maxsize=4)
    def evaluate(state: int) -> int:
        asked.append(state)
        return state

    module = {**thinking(1), "evaluate": evaluate}
    module["Thinker"](None).choose = lambda game: evaluate(1)
    race([module], 3, 2)
    assert len(asked) == 2 * len(PLIES)


def test_the_table_names_the_commit_of_each_game() -> None:
    row = {
        "against": "abc1234",
        "then": 1000,
        "now": 3100,
        "ratio": 3.1,
        "least": 2.9,
        "most": 3.4,
        "memory": 40,
    }
    assert (
        lines({"kalah": row})[-1]
        == "| `kalah` | 1,000 (abc1234) | 3,100 | **3.10** (2.90 to 3.40) | 40 MiB |"
    )


def test_memory_is_that_of_a_process_of_its_own(tmp_path: Path) -> None:
    text = f"""
class Game: pass
def load_weights(): return 30
class Thinker:
    def __init__(self, size):
        self.memory, self.size = self, size
        self.counters = [0] * 24
    def choose(self, game):
        assert self.counters[{NODE_LIMIT}] == 7
        self.kept = b"x" * (self.size << 20)
"""
    (tmp_path / "player.py").write_text(text)
    assert 30 < memory(tmp_path, 7) < 130


def test_positions_are_unfinished_and_the_same_again() -> None:
    found = positions({"Game": Game}, 3)
    assert [len(moves) for moves in found] == list(PLIES)
    assert found == positions({"Game": Game}, 3)
    assert "Game" in agent()


def test_an_unknown_commit_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="--against: expected a commit"):
        tree_of("no-such-commit", tmp_path)


def test_a_commit_is_unpacked_from_any_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert (tree_of("HEAD", tmp_path) / "tunesmith" / "games" / "kalah").is_dir()
