"""A course's words are read, and a game is played under a small referee that says them."""

from pathlib import Path

import pytest

from tunesmith.experiments.sparring import course
from tunesmith.experiments.sparring.opponent import NOBODY, OURS, THEIRS
from tunesmith.games.errors import InputError

# Ends at the second move, by the referee's own account.
REFEREE = """
import importlib, sys
GAME_NAME = "Expendibots"
def main():
    first, second = sys.argv[1:3]
    players = [importlib.import_module(first).Player("white"), importlib.import_module(second).Player("black")]
    print("* initialising white player as a thing")
    print("*   time:  + 0.100s  (just elapsed)    0.500s  (game total)")
    for number, (player, colour) in enumerate(zip(players, ("white", "black")), 1):
        print(f"* asking player {number} ({colour}) for next action...")
        action = player.action()
        print(f"*   player {number} ({colour}) returned action: {action!r}")
        print(f"*   time:  + 0.100s  (just elapsed)    {number}.250s  (game total)")
    print("** game over!")
    print("* winner: black")
"""
AGENT = """
class Thinker:
    seconds = 0.5
    class memory:
        counters = list(range(100, 200))
class Player:
    def __init__(self, colour, seed):
        self.thinker, self.seed = Thinker(), seed
    def action(self):
        return ("MOVE", 1, (self.seed, 0), (self.seed, 1))
"""
THEM = """
class Player:
    def __init__(self, colour):
        open("learned", "x").close()  # fails if a game before left it
    def action(self):
        return ("BOOM", (0, 7))
"""


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> course.Course:
    files = {
        "them/referee/__init__.py": REFEREE,
        "them/referee/__main__.py": "from referee import main\nmain()\n",
        "them/other/__init__.py": THEM,
        "agent/__init__.py": "",
        "agent/player.py": AGENT,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(course, "_disagreement", lambda name, moves, result: "")
    return course.Course(tmp_path / "them", tmp_path / "agent")


def test_a_game_is_played_in_a_copy_with_our_seed_and_thoughts(setting: course.Course) -> None:
    won = course.play(setting, "other", False, 3)
    assert won.moves == ["B07", "M1:30-31"] and won.fault is None
    assert (won.result, won.seconds, won.ending) == (1, [2.25, 1.25], "winner: black")
    assert won.thoughts[0][3] == 0.5
    lost = course.play(setting, "other", True, 4)
    assert (lost.moves, lost.result, lost.seconds) == (["M1:40-41", "B07"], -1, [1.25, 2.25])


def test_a_program_that_fails_is_at_fault(setting: course.Course) -> None:
    (setting.folder / "learned").touch()
    found = course.play(setting, "other", True, 1)
    assert (found.result, found.ending[:22]) == (None, "crash: FileExistsError")


WORDS = """* asking player 2 (black) for next action...
*   player 2 (black) returned action: ('BOOM', (np.int64(3), 1))
** game error!
* error: """


@pytest.mark.parametrize(
    ("words", "fault", "ending"),
    [
        ("invalid action!\n* black player's action, ('BOOM', (3, 1)), is not well-formed", THEIRS, "illegal action"),
        ("invalid action!\n* error: white player's action", OURS, "illegal action"),
        ("resource limit exceeded!\n* player 1 (white) exceeded available time", OURS, "out of time"),
        ("resource limit exceeded!\n* player 2 (black) exceeded available time", THEIRS, "out of time"),
        ("resource limit exceeded!\n* players exceeded shared space limit", NOBODY, "out of memory"),
    ],
)  # fmt: skip
def test_faults_are_of_whom_the_referee_names(words: str, fault: str, ending: str) -> None:
    found = course.read(WORDS + words, "expendibots", True, 1)
    assert (found.result, found.fault, found.ending) == (None, fault, ending)
    assert found.moves == ["B31"]


def test_who_was_asked_last_is_at_fault_for_a_crash_and_for_silence() -> None:
    asked = "* asking player 1 (upper) for next action...\n"
    assert (
        course.read(asked + "IndexError: list\n", "ropasci360", False, 1).ending == "crash: IndexError: list"
    )
    assert course.read(asked, "ropasci360", False, 1).fault == THEIRS


def test_our_rules_must_come_to_the_referees_result() -> None:
    end = "** game over!\n* winner: white\n"
    move = "* asking player 1 (white) for next action...\n*   player 1 (white) returned action: "
    assert (
        course.read(move + "('BOOM', (0, 0))\n" + end, "expendibots", True, 1).ending
        == "our rules: result None, not 1"
    )
    assert course.read(move + "('BOOM', (5, 5))\n" + end, "expendibots", True, 1).fault == NOBODY


def test_the_game_is_the_referees(setting: course.Course, tmp_path: Path) -> None:
    assert course.game_of(setting.folder) == "expendibots"
    with pytest.raises(InputError, match="package referee of Expendibots or RoPaSci 360"):
        course.game_of(tmp_path)
