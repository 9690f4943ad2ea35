"""Conversations with the engine: what is said in, what is said out, and that nothing said can break it."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.toys import hands, piles
from tunesmith.engine.board import Board
from tunesmith.engine.compile import jit
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.weights import Weights, from_array
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game, State
from tunesmith.tuning.cli.human import COMMANDS, OVER, play

PILES, HANDS = piles(), hands()
LIMIT = parse_limit("depth:6")


@pytest.fixture(autouse=True)
def as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine think in plain Python: these games are small."""
    monkeypatch.setattr(jit, "COMPILED", False)


def weights_of(game: Game) -> Weights:
    """Return made-up weights."""
    table = np.arange(1.0, 1 + game.n_stages * game.n_features).reshape(game.n_stages, game.n_features)
    return from_array(game, table)


def talk(
    lines: Iterable[str], game: Game = PILES, side: int = 0, text: str | None = None, **more: Any
) -> tuple[Board, list[str]]:
    """Say `lines` to the engine, then nothing more; return the board and what was said back."""
    said: list[str] = []
    left = iter(lines)

    def ask(prompt: str) -> str:
        said.append(prompt)
        try:
            line = next(left)
        except StopIteration:
            raise EOFError from None
        said.append(f"> {line}")
        return line

    board = play(lambda: Player(game, weights_of(game), LIMIT, **more), side, text, ask, said.append)
    return board, said


def test_the_end_of_input_ends_politely() -> None:
    board, said = talk([])
    assert board.moves == []
    assert said[0] == "You are the first player. Type a move, or help."
    assert said[1] == "a oooo\nb ooooo"
    assert said[-1] == "Good-bye."


def test_quit_ends_with_one_good_bye() -> None:
    board, said = talk(["QUIT", "a1"])
    assert board.moves == []
    assert said.count("Good-bye.") == 1


def test_an_interrupt_ends_politely() -> None:
    said: list[str] = []

    def ask(prompt: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(lambda: Player(PILES, weights_of(PILES), LIMIT), ask=ask, say=said.append)
    assert said[-1] == "Good-bye."


def test_a_move_is_answered_by_the_engine() -> None:
    board, said = talk(["a1"])
    assert len(board.moves) == 2
    assert board.mover == 0
    answer = next(line for line in said if line.startswith("Engine: "))
    assert re.fullmatch(r"Engine: [ab][12]  \(.* for it, depth \d+, [\d,]+ positions\)", answer)


def test_the_engine_begins_for_the_second_player() -> None:
    board, said = talk(["quit"], side=1)
    assert len(board.moves) == 1
    assert said[0] == "You are the second player. Type a move, or help."


def test_moves_are_listed_with_numbers_that_play_them() -> None:
    board, said = talk(["moves", "3"])
    assert "  1 a1    2 a2    3 b1    4 b2" in said
    assert PILES.move_to_text(PILES.initial(), board.moves[0]) == "b1"


def digits(state: State, move: int) -> str:
    return str(move + 1)


def from_digits(state: State, text: str) -> int:
    legal = [move for move in range(4) if state[move // 2] > move % 2]
    if text.strip() not in [str(move + 1) for move in legal]:
        raise InputError(f"piles move: expected a number of a move, found {text!r}")
    return int(text) - 1


def test_moves_that_are_numbers_are_not_numbered() -> None:
    """In Kalah `3` is pond 3, not the third entry of the list."""
    game = replace(PILES, move_to_text=digits, text_to_move=from_digits)
    board, said = talk(["moves", "3"], game, text="1 5 0 3")
    assert "1  3  4" in said
    assert board.moves[0] == 2


def test_other_spellings_that_the_game_reads_are_moves() -> None:
    game = replace(PILES, move_to_text=digits, text_to_move=from_digits)
    board, _ = talk(["\t4 "], game)
    assert board.moves[0] == 3


def test_undo_goes_back_to_the_own_decision() -> None:
    board, said = talk(["a1", "undo", "quit"])
    assert board.moves == []
    assert "Back to move 1." in said
    board, said = talk(["a1", "b1", "undo"])
    assert len(board.moves) == 2
    assert said.count("your move> ") == 4
    board, said = talk(["undo", "undo"], side=1)
    assert len(board.moves) == 1
    assert said.count("There is no move of yours to take back.") == 2


def test_undo_works_after_the_end_too() -> None:
    """1 and 1 left: whatever the person takes, the engine takes the last stone."""
    board, said = talk(["a1", "undo", "b1", ""], text="1 1 0 0")
    assert said.count("The engine wins (no_stones).") == 2
    assert board.is_over
    assert said[-1] == "Good-bye."


@pytest.mark.parametrize(
    ("text", "side", "line", "words"),
    [
        ("0 2 0 0", 0, "b2", "You win (no_stones)."),
        ("0 2 1 0", 1, "b2", "You win (no_stones)."),
        ("0 2 0 0", 0, "b1", "The engine wins (no_stones)."),
        ("9 9 0 49", 0, "a1", "Draw (max_plies)."),
    ],
)
def test_the_result_is_said_from_the_persons_side(text: str, side: int, line: str, words: str) -> None:
    board, said = talk([line, "x", ""], text=text, side=side)
    assert board.is_over
    assert words in said
    assert said[-1] == "Good-bye."


def test_a_finished_position_needs_no_input() -> None:
    board, said = talk([], text="0 0 0 9")
    assert said[-1] == "The engine wins (no_stones)."


def test_eval_shows_the_features_with_value_weight_and_elo() -> None:
    """Piles of 4 and 5: tempo 1, rest 0, difference 1; all stones there, so the first stage's weights 1, 2, 3."""
    _, said = talk(["eval"])
    assert "tempo       1  x  1  =  +1.00  Elo" in said
    assert "difference  1  x  3  =  +3.00  Elo" in said
    assert "Together +4.00 Elo for you." in said
    assert not any(line.startswith("rest") for line in said)


def test_a_hint_is_a_legal_move_and_plays_nothing() -> None:
    board, said = talk(["hint"], text="0 2 0 0")
    assert board.moves == []
    assert any(re.fullmatch(r"Hint: b2  \(a win in 1 ply for you, .*\)", line) for line in said)
    _, said = talk(["hint"])
    assert any(re.match(r"Hint: [ab][12], then [ab][12]", line) for line in said)


def test_scores_of_margin_are_points() -> None:
    _, said = talk(["hint"], text="0 2 0 0", options=SearchOptions(objective="margin"))
    assert any("+3 points for you" in line for line in said)


def test_help_names_every_command() -> None:
    _, said = talk(["help"])
    assert all(any(line.startswith(name) for line in said) for name in COMMANDS)


def test_wrong_input_is_answered_with_the_games_own_words() -> None:
    _, said = talk(["c9", "", "7"])
    assert (
        "'c9': piles move: expected one of a1, a2, b1, b2, found 'c9'. The command moves lists what is legal."
        in said
    )
    assert "Type a move, or help." in said
    assert any(line.startswith("'7': ") for line in said)


@settings(max_examples=30)
@given(lines=st.lists(st.text(max_size=12) | st.sampled_from([*COMMANDS, "a1", "b2", "1", "4"]), max_size=12))
def test_no_input_breaks_the_conversation(lines: list[str]) -> None:
    board, said = talk(lines)
    assert said[-1] == "Good-bye."
    assert Board(PILES, board.text).text == board.text


def test_wrong_sides_and_positions_are_refused() -> None:
    with pytest.raises(InputError, match="side: expected 0 or 1, found 2"):
        talk([], side=2)
    with pytest.raises(InputError, match="expected four numbers"):
        talk([], text="here")


# --- both choose at once


def open_book(state: State) -> str:
    """Draw a board that shows everything, the hidden choice too."""
    return f"score {state[0]} : {state[1]}, chosen {state[2]}"


OPEN = replace(HANDS, draw_text=open_book)
HAND = r"(rock|paper|scissors)"


@pytest.mark.parametrize("side", [0, 1])
def test_choices_are_announced_together(side: int) -> None:
    board, said = talk(["paper"], OPEN, side)
    both = said.index("Both have chosen. You: paper")
    assert re.fullmatch(f"Engine: {HAND}", said[both + 1])
    assert not any(re.search(HAND, line) for line in said[:both] if not line.startswith("> "))
    assert [board.states[2][i] for i in (2, 3)] == [0, 1]


@pytest.mark.parametrize("side", [0, 1])
def test_the_engines_choice_is_not_shown_before_ones_own(side: int) -> None:
    """Neither by the board, nor by answers to wrong input, nor by hints and the evaluation."""
    board, said = talk(["board", "lizard", "eval", "hint", "moves"], OPEN, side)
    assert board.mover == side
    assert all("chosen 0" in line for line in said if line.startswith("score"))
    assert ("The engine has made its choice, which you will see after yours." in said) == (side == 1)
    assert "'lizard': not a legal move. The command moves lists what is legal." in said


def test_hint_and_evaluation_speak_of_the_persons_side() -> None:
    """Second player, one turn ahead: the lead is 1, seen from him."""
    _, said = talk(["eval"], HANDS, side=1, text="0 1 0 1")
    assert "lead  1  x  1  =  +1.00  Elo" in said


def test_undo_takes_both_choices_back() -> None:
    board, said = talk(["rock", "undo"], HANDS, side=1)
    assert len(board.moves) == 1
    assert (
        said.count("The engine has made its choice, which you will see after yours.") == 3
    )  # two turns, and the first again
    board, _ = talk(["rock", "undo"], HANDS, side=0)
    assert board.moves == []


@pytest.mark.parametrize("side", [0, 1])
def test_a_whole_game_of_hands(side: int) -> None:
    board, said = talk(["rock", "rock", "paper", ""], HANDS, side)
    assert board.is_over
    assert any(re.fullmatch(r"(You win|The engine wins|Draw) \(finished\)\.", line) for line in said)


def test_that_the_search_is_compiled_is_said_aside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Player, "takes_long", property(lambda player: not player._has_thought))
    _, said = talk(["hint", "hint"], text="0 2 0 0")
    assert capsys.readouterr().err.count("compiling the search of piles (the first time only") == 1
    assert not any("ompiling" in line for line in said)


def test_after_the_end_everything_that_would_need_a_position_to_play_is_told_that_it_is_over() -> None:
    board, said = talk(["a1", "1", "moves", "hint", "eval", "zz", "quit"], text="1 0 0 0")
    assert board.is_over and said.count(OVER) == 5
    assert "Type a move, or help." not in said


def test_who_the_engine_is_comes_first() -> None:
    said: list[str] = []

    def ask(prompt: str) -> str:
        raise EOFError

    play(
        lambda: Player(PILES, weights_of(PILES), LIMIT), ask=ask, say=said.append, against="tuned at depth:3"
    )
    assert said[0] == "You play against tuned at depth:3."
