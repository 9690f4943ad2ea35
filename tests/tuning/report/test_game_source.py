"""Games to be shown: from moves in text, or stored by a study."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.game_pages import read
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.match import NO_RESULT
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.imported import import_games
from tunesmith.tuning.play.matchup import PlayedGame
from tunesmith.tuning.play.records import to_table, write_parquet
from tunesmith.tuning.report import game_page, game_source

KALAH = games.load("kalah")


def test_one_player_moves_twice() -> None:
    """A move that ends in the own bank is followed by another of the same player, and the page says so."""
    story = game_source.from_text(games.load("kalah:ponds=6,seeds=4"), ["3 1"], None, "moves")
    assert [frame.choices[0].player for frame in game_page.frames(story)[1:]] == [0, 0]


def test_a_move_may_hold_a_space() -> None:
    """A line that is one move as a whole is not taken apart."""
    spaced = replace(
        KALAH,
        move_to_text=lambda s, m: f"pond {m}",
        text_to_move=lambda s, text: KALAH.text_to_move(s, text.removeprefix("pond ")),
    )
    story = game_source.from_text(spaced, ["pond 3", "pond 3  # and a comment", ""], None, "moves")
    assert story.board.moves == [3, 3]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["3 9"], "moves: line 1, move 2: "),
        (["3", "# nothing", "3 4 x"], "moves: line 3, move 4: "),
    ],
)
def test_wrong_moves_are_named(lines: list[str], told: str) -> None:
    """An error says which line and which move is wrong."""
    with pytest.raises(InputError) as caught:
        game_source.from_text(KALAH, lines, None, "moves")
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def stored(folder: Path, moves: tuple[int, ...] = (3, 3, 4)) -> Path:
    """Write a shard with one pair of short games."""
    folder.mkdir(parents=True)
    scores = [float("nan"), 12.4, -100.0][: len(moves)]
    played = [
        PlayedGame(7, game, 5, 1, np.array(moves), np.array(scores, np.float32), NO_RESULT, "capped")
        for game in (0, 1)
    ]
    table = to_table(played, {7: "3"}, ("a" * 64, "b" * 64), {"game": "kalah"})
    write_parquet(table, folder / "shard-00000.parquet")
    return folder


def test_games_of_a_study(tmp_path: Path) -> None:
    """A stored game is told with its opening, the evaluations of the movers and the recorded reason."""
    stored(tmp_path / "games" / "gen-1", moves=(1,))
    stored(tmp_path / "games" / "gen-2")
    page = read(game_source.from_folder(KALAH, tmp_path, 7, 1))
    assert "No result (capped)" in page.text
    assert "3 moves. Game 1 of pair 7" in page.text
    assert "first player 3 opening" in page.text
    assert "second player 3 +12 Elo" in page.text
    assert "first player 4 -100 Elo" in page.text


def test_what_is_not_stored_is_refused(tmp_path: Path) -> None:
    """Missing folders, pairs, other games and moves that are no longer legal are said in one line."""
    folder = stored(tmp_path / "shards")
    cases = [
        (tmp_path / "nowhere", 7, "kalah", "expected a folder of games"),
        (tmp_path, 7, "kalah", "expected shard-"),
        (folder, 8, "kalah", "expected game 0 of pair 8"),
        (folder, 7, "pentago", "holds games of kalah"),
        (stored(tmp_path / "wrong", moves=(3, 99)), 7, "kalah", "pair 7, game 0, move 2: not legal"),
    ]
    for where, pair, name, told in cases:
        with pytest.raises(InputError, match=told):
            game_source.from_folder(games.load(name), where, pair, 0)


def test_players_are_called_by_the_weights_that_the_game_or_the_study_knows(tmp_path: Path) -> None:
    hand, tuned = (weight_files.load(name, KALAH) for name in ("hand", "tuned"))
    mine = replace(hand, scale=hand.scale * 2)
    (tmp_path / "weights").mkdir()
    weight_files.save(mine, tmp_path / "weights" / "gen-2.json")
    folder = tmp_path / "games" / "gen-2"
    folder.mkdir(parents=True)
    names = game_source.names_of(KALAH, folder, (mine.digest, tuned.digest))
    assert names == ("gen-2", "tuned")
    assert game_source.names_of(KALAH, folder, (hand.digest, "e" * 64)) == ("hand", "e" * 12)


def test_a_game_as_text_is_read_again_and_says_who_played_and_what_they_thought(tmp_path: Path) -> None:
    story = game_source.from_folder(KALAH, stored(tmp_path / "games"), 7, 1)
    lines = game_source.as_lines(story)
    assert lines[0].startswith("# Game 1 of pair 7 in games: bbbbbbbbbbbb - aaaaaaaaaaaa, no result (capped)")
    assert lines[1:] == ["# Elo . +12 -100", "3 3 4 *"]
    again = game_source.from_text(KALAH, lines, None, "lines")
    assert again.board.moves == story.board.moves


def test_games_that_were_written_as_text_are_imported_again(tmp_path: Path) -> None:
    game = games.load("kalah:ponds=2,seeds=1")
    board = Board(game)
    while not board.is_over:
        board.push(board.legal()[0])
    texts = [game.move_to_text(state, move) for state, move in zip(board.states, board.moves, strict=False)]
    lines = game_source.as_lines(game_source.from_text(game, [" ".join(texts)], None, "x"))
    assert lines[-1].split()[-1] == {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[board.result or 0]
    (tmp_path / "g.txt").write_text("\n".join([*lines, "", *lines]) + "\n")
    assert import_games(game, [tmp_path / "g.txt"], tmp_path / "out", 0.0).games == 2


def test_moves_with_spaces_stand_one_a_line_with_their_scores(tmp_path: Path) -> None:
    spaced = replace(
        KALAH,
        move_to_text=lambda s, m: f"pond {m}",
        text_to_move=lambda s, text: KALAH.text_to_move(s, text.removeprefix("pond ")),
    )
    story = replace(game_source.from_text(spaced, ["pond 3", "pond 3"], None, "x"), scores={1: 4.6})
    assert game_source.as_lines(story)[1:] == ["pond 3", "pond 3  # +5 Elo"]


def test_a_forced_end_is_a_word_and_no_number_of_elo() -> None:
    story = replace(game_source.from_text(KALAH, ["3 1 2"], None, "x"), scores={0: 1e7, 1: -1e7, 2: 12.0})
    assert game_source.as_lines(story)[1] == "# Elo win loss +12"
    assert game_page.score_note(1e7) == "sees a win" and game_page.score_note(-1e7) == "sees a loss"
