"""A whole game as a page: which boards it has, what it says, what it refuses."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.game_pages import read
from tests.support.pages import Page
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.tuning import cli
from tunesmith.tuning.report import game_page, game_source

KALAH = games.load("kalah")
HOSTILE = '<script>alert("x")</script>'


def random_game(game: Any, seed: int, most: int = 400) -> Board:
    """Play at random to the end, or for so many moves."""
    board, chance = Board(game), np.random.default_rng(seed)
    while not board.is_over and len(board.moves) < most:
        legal = board.legal_moves()
        board.play(legal[chance.integers(len(legal))])
    return board


def texts_of(board: Board) -> list[str]:
    """Return the texts of the moves of a game."""
    return [board.game.move_to_text(s, m) for s, m in zip(board.states, board.moves, strict=False)]


def boards(page: Page) -> list[dict[str, str | None]]:
    """Return the attributes of the pictures on a page."""
    return [attributes for tag, attributes in page.tags if tag == "img"]


@pytest.mark.parametrize("name", games.names())
def test_every_move_has_its_board(name: str) -> None:
    """A random game told by its texts shows as many boards as moves, or turns, and one for the start."""
    played = random_game(games.load(name), 3, most=60)
    texts = texts_of(played)
    story = game_source.from_text(played.game, [" ".join(texts)], None, "moves")
    assert story.board.states == played.states
    page = read(story)
    n_boards = 1 + (-(-len(texts) // 2) if played.game.simultaneous else len(texts))
    assert len(boards(page)) == n_boards
    assert boards(page)[-1]["alt"] == played.text
    assert all(text in page.text for text in texts)


def test_result_and_reason_are_told() -> None:
    """The headline says who won and why, as the board of a referee does."""
    played = random_game(games.load("pentago"), 5)
    page = read(game_page.Story(played, {}))
    assert "First player wins (five)" in page.text or "Second player wins (five)" in page.text
    assert read(game_page.Story(Board(KALAH), {})).text.count("Not finished") == 1


def test_a_choice_is_shown_with_its_answer() -> None:
    """Where players choose at once no board between the two choices is shown, but for an open end."""
    game = games.load("ropasci360")
    lines = ["Tr:4,-1 Tp:-4,0", "Ts:4,0 Ts:-4,1", "L:4,0>3,0"]
    shown = game_page.frames(game_source.from_text(game, lines[:2], None, "moves"))
    assert [[choice.player for choice in frame.choices] for frame in shown] == [[], [0, 1], [0, 1]]
    shown = game_page.frames(game_source.from_text(game, lines, None, "moves"))
    assert [choice.text for choice in shown[-1].choices] == ["L:4,0>3,0"]


def broken(state: Any) -> str:
    """A drawing function of somebody in a hurry."""
    raise KeyError(state)


def test_a_game_without_pictures_is_told_in_characters() -> None:
    """Text stands in for a picture that is missing, fails, or holds a program; the position for both."""
    board = Board(KALAH)
    for draw in (lambda _: "", broken, lambda _: f"<svg>{HOSTILE}</svg>"):
        plain = replace(KALAH, draw_svg=draw)
        page = read(game_page.Story(Board(plain), {}))
        assert boards(page) == []
        assert [tag for tag, _ in page.tags].count("script") == 1
    page = read(game_page.Story(Board(replace(KALAH, draw_svg=broken, draw_text=broken)), {}))
    assert board.text in page.text


def test_texts_of_moves_never_become_markup() -> None:
    """A game whose moves are spelled as markup shows the signs."""
    game = replace(KALAH, move_to_text=lambda s, m: HOSTILE, draw_text=lambda s: HOSTILE, draw_svg=broken)
    board = Board(game)
    board.play(3)
    page = read(game_page.Story(board, {}))
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert HOSTILE in page.text


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    """The game that `new-game` writes can be shown at once."""
    from tunesmith.tuning.cli.new_game import write_game

    write_game("four", tmp_path)
    spec = str(tmp_path / "four" / "game.py")
    first = Board(games.load(spec)).legal()[0]
    out = tmp_path / "page.html"
    assert cli.run(["show", spec, "--moves", first, "--out", str(out)]) == 0
    assert "Not finished" in Page(out.read_text()).text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "expected one of --moves, --transcript, --study"),
        (["--moves", "3", "--transcript", "x"], "found --moves and --transcript"),
        (["--study", "x", "--state", "y"], "found --study and --state"),
        (["--transcript", "no/such/file"], "expected a text file of moves"),
        (["--moves", "3", "--state", "nonsense"], "nonsense"),
        (["--moves", "3", "--out", "no/such/folder/game.html"], "expected a file in a folder that exists"),
    ],
)
def test_wrong_options(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong input is one line and exit code 2."""
    assert cli.run(["show", "kalah", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_the_same_game_gives_the_same_page() -> None:
    """Nothing but the game is in the page."""
    played = random_game(KALAH, 1)
    assert game_page.render(game_page.Story(played, {})) == game_page.render(game_page.Story(played, {}))


def test_a_game_inside_another_page_is_cut_where_it_would_be_too_long() -> None:
    story = game_page.Story(random_game(games.load("pentago"), 3, most=14), {})
    whole, cut = (
        game_page.replay(story, 10**9),
        game_page.replay(story, len(game_page.replay(story, 10**9)) // 2),
    )
    assert whole.count('id="move-') == 15
    shown = cut.count('id="move-')
    assert 1 < shown < 15
    assert f"{15 - shown} positions after these are left out" in cut
    assert f'max="{shown - 1}"' in cut
