"""Games that break their contract are refused before anything is played; those that have passed are remembered."""

import pytest

from tests.support.toys import piles
from tunesmith.engine import check
from tunesmith.games import registry
from tunesmith.games.errors import GameError
from tunesmith.tuning.cli import run
from tunesmith.tuning.play.sandbox import admission
from tunesmith.tuning.play.sandbox.admission import admit

GAME = """
from dataclasses import replace
from tests.support.toys import piles
GAME = piles({changes})
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """A cache in which no game has passed yet."""
    monkeypatch.setenv("TUNESMITH_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("value", [0, -4, 2**40, 3.0, "many", None])
def test_room_for_moves_is_a_number_that_makes_sense(value):
    with pytest.raises(GameError, match=r"max_moves: expected a whole number from 1 to 65,536, found"):
        admit(piles(max_moves=value))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"max_moves": 2}, "more than max_moves = 2"),
        ({"max_plies": -1}, "max_plies"),
        ({"n_symmetries": 10**12}, "n_symmetries"),
        ({"feature_names": 3}, "feature_names: expected a tuple of texts"),
        ({"feature_names": None}, "feature_names: expected a tuple of texts"),
        ({"stage_names": ("all", 4)}, "stage_names: expected a tuple of texts"),
        ({"name": "line\nend"}, "name: expected a name"),
        ({"variant": "twist"}, "variant: expected a mapping"),
        ({"simultaneous": 1}, "simultaneous: expected True or False"),
        ({"outcome": lambda state: 7}, "outcome"),
    ],
)
def test_what_is_wrong_is_one_line(changes, words):
    with pytest.raises(GameError) as caught:
        admit(piles(**changes))
    assert words in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_a_game_that_has_passed_is_not_asked_again(monkeypatch):
    asked = []
    monkeypatch.setattr(admission, "taste", lambda game: asked.append(game) or check.taste(game))
    admit(piles())
    admit(piles())  # another object of the same code
    assert len(asked) == 1
    admit(piles(move_hint=lambda state, move: 0))  # other code
    assert len(asked) == 2


def test_every_command_that_loads_a_game_refuses_it(tmp_path, capsys, monkeypatch):
    game = tmp_path / "game.py"
    game.write_text(GAME.format(changes="max_moves=0"))
    (tmp_path / "s.toml").write_text(f'game = "{game}"\n')
    monkeypatch.chdir(tmp_path)
    for command in (
        ["match", str(game), "random", "random", "--pairs", "1"],
        ["selfplay", str(game), "--weights", "random", "--out", "o"],
        ["gauntlet", str(game), "random", "greedy", "--pairs", "1"],
        ["probe", str(game), "--weights", "random"],
        ["play", str(game), "--weights", "random"],
        ["perft", str(game), "2"],
        ["bench", str(game)],
        ["run", "s.toml"],
        ["search", "s.toml"],
    ):
        assert run(command) == 2, command
        assert "max_moves: expected" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "o").exists() and not (tmp_path / "studies").exists()


def test_outside_commands_games_are_loaded_as_they_are(tmp_path):
    game = tmp_path / "game.py"
    game.write_text(GAME.format(changes="max_moves=0"))
    assert registry.load(str(game)).max_moves == 0
