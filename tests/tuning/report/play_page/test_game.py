"""A game in the browser: orders, the engine's answers, taking back, hidden choices, and what fails."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.play_games import FAILING, hosted
from tunesmith.engine.player import Player
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.report.play_page import game as module
from tunesmith.tuning.report.play_page.game import BrowserGame, Stale


def settled(game: BrowserGame, is_so: Callable[[Any], bool] = lambda view: not view["doing"]) -> Any:
    """Return what is to be seen once the engine has answered."""
    end = time.monotonic() + 120
    while not is_so(game.view):
        assert time.monotonic() < end, game.view
        time.sleep(0.01)
    return game.view


def ordered(game: BrowserGame, name: str, **more: Any) -> Any:
    game.order(name, game.view["position"], **more)
    return settled(game)


def test_a_move_is_answered_and_taken_back() -> None:
    game = hosted("pentago")
    start = game.view
    view = ordered(game, "move", move="b2-0r")
    assert [one["who"] for one in view["log"]] == ["you", "engine"] and view["log"][0]["text"] == "b2-0r"
    assert "in its view" not in view["log"][1]["note"] and "positions" in view["log"][1]["note"]
    assert len(view["last"]) == 1 and view["may_go_back"]
    back = ordered(game, "back")
    assert {key: back[key] for key in ("log", "text", "moves")} == {
        key: start[key] for key in ("log", "text", "moves")
    }
    assert not back["may_go_back"]
    with pytest.raises(InputError, match="no move of yours"):
        ordered(game, "back")


def test_who_moves_again_is_not_answered() -> None:
    """In Kalah a last seed in the own bank is another move."""
    game = hosted("kalah")
    view = ordered(game, "move", move="1")
    assert [one["who"] for one in view["log"]] == ["you"] and view["turn"].startswith("Your move")


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"name": "move", "move": "9"}, "expected a legal one, found '9'"),
        ({"name": "move", "move": ""}, "expected a legal one"),
        ({"name": "back"}, "no move of yours"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(order: dict[str, str], words: str) -> None:
    game = hosted("kalah")
    before = game.view
    with pytest.raises(InputError, match=words):
        ordered(game, **order)
    assert game.view is before


def test_an_order_for_another_position_is_stale() -> None:
    game = hosted("kalah")
    seen = game.view["position"]
    ordered(game, "move", move="1")
    with pytest.raises(Stale, match="the game has gone on"):
        game.order("move", seen, move="2")
    assert len(game.view["log"]) == 1


def test_a_new_game_on_the_other_side_begins_with_the_engine() -> None:
    game = hosted("pentago")
    view = ordered(game, "new", side=1)
    assert [one["who"] for one in view["log"]] == ["engine"] and "second player" in view["turn"]
    with pytest.raises(InputError, match="no move of yours"):
        ordered(game, "back")


def test_a_hint_is_a_legal_move_in_the_persons_view_and_goes_with_the_position() -> None:
    game = hosted("kalah")
    position = game.view["position"]
    view = ordered(game, "hint_me")
    assert view["hint"]["move"] in {text for text, _ in view["moves"]}
    assert view["hint"]["words"].endswith("in your view") and view["position"] == position
    assert ordered(game, "move", move="1")["hint"] is None


def test_what_the_engine_finds_for_a_position_that_is_past_does_not_count() -> None:
    game = hosted("pentago", limit="nodes:200")
    game.order("move", game.view["position"], move="b2-0r")
    game.order("back", game.view["position"])
    game.order("move", game.view["position"], move="c3-0r")
    view = settled(game)
    assert view["log"][0]["text"] == "c3-0r" and len(view["log"]) == 2


@pytest.mark.parametrize("side", [0, 1])
def test_a_hidden_choice_is_nowhere_to_be_seen(side: int) -> None:
    """Both choices are told once both are made; taking back goes to the start of the turn."""
    game = hosted("ropasci360", side)
    view = settled(game)
    assert view["log"] == [] and "pending" not in view["text"] and view["moves"]
    assert (
        view["evaluation"]["view"]
        == f"Elo in your view: you are the {('first', 'second')[side]} player and to move"
    )
    view = ordered(game, "move", move=view["moves"][0][0])
    assert sorted(one["who"] for one in view["log"][:2]) == ["engine", "you"]
    if side == 1:
        view = settled(game, lambda view: view["moves"])
    assert len(view["log"]) == 2
    game.order("back", game.view["position"])
    assert settled(game, lambda view: view["moves"])["log"] == []


def test_how_it_ends_is_told_in_the_persons_view() -> None:
    game = hosted("kalah", text="[[0,0,0,0,0,1],[0,0,0,0,0,1],[40,30],0]")
    view = ordered(game, "move", move="6")
    assert (view["is_over"] and view["turn"] == "You win (no seeds).") or view["turn"].startswith("You win (")
    assert view["moves"] == [] and view["evaluation"] is None
    with pytest.raises(InputError, match="not your turn"):
        ordered(game, "move", move="1")
    assert not ordered(game, "back")["is_over"]


def test_code_that_fails_while_the_engine_thinks_is_told_and_can_be_tried_again(
    tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_game("mine", tmp_path)[0]
    path.write_text(path.read_text().replace(*FAILING))
    game = hosted(str(path))
    view = ordered(game, "move", move="c3")
    where = path.read_text().splitlines().index(FAILING[1].rstrip()) + 1
    assert view["error"] == f"game 'mine': {path}:{where}: ZeroDivisionError: float division by zero"
    assert view["error"] in caplog.text and len(caplog.records) == 1
    assert ordered(game, "again")["error"] == view["error"]
    assert ordered(game, "back")["error"] == ""


def test_code_that_fails_in_a_move_leaves_the_game_where_it_was(
    tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_game("mine", tmp_path)[0]
    path.write_text(
        path.read_text().replace(
            "def apply_move(state, move):", "def apply_move(state, move):\n    1 / (move - 12)"
        )
    )
    game = hosted(str(path))
    view = ordered(game, "move", move="c3")
    assert "ZeroDivisionError" in view["error"] and "ZeroDivisionError" in caplog.text
    assert view["log"] == [] and len(view["moves"]) == 25


def test_every_order_is_one_that_can_be_given() -> None:
    assert all(callable(getattr(BrowserGame, f"_{name}")) for name in module.ORDERS)


def test_that_its_code_is_compiled_is_told_while_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    game = hosted("pentago")
    monkeypatch.setattr(Player, "takes_long", property(lambda player: not seen))
    real = Player.analyse

    def analyse(player: Player, board: Any) -> Any:
        seen.append(game.view["doing"])
        return real(player, board)

    monkeypatch.setattr(Player, "analyse", analyse)
    ordered(game, "move", move="b2-0r")
    ordered(game, "hint_me")
    assert seen == [{"what": "engine", "is_compiling": True}, {"what": "hint", "is_compiling": False}]


def test_drawings_that_fail_are_told_and_the_game_goes_on(
    tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_game("mine", tmp_path)[0]
    text = path.read_text().replace("def draw_svg(state):\n", "def draw_svg(state):\n    1 / 0\n")
    path.write_text(text)
    game = hosted(str(path))
    where = text.splitlines().index("    1 / 0") + 1
    assert game.view["error"] == f"{path}:{where}: ZeroDivisionError: division by zero"
    assert (game.view["picture"], game.view["squares"]) == (None, {}) and "....." in game.view["drawing"]
    view = ordered(game, "move", move="c3")
    assert len(view["log"]) == 2 and len(caplog.records) == 1


def test_a_new_game_has_a_new_engine() -> None:
    """One with a clock for a whole game would else have no time left."""
    game = hosted("kalah")
    ordered(game, "hint_me")
    assert game._players
    ordered(game, "new", side=0)
    assert game._players == {}
