"""Games that somebody has become a folder of games; what is wrong with a line is said by file, line and move."""

import gzip
import random
from pathlib import Path

import numpy as np
import pytest

from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.data.imported import Imported, import_games
from tunesmith.tuning.play.records import ADJUDICATED
from tunesmith.tuning.play.store import read_games

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}


def played(game: Game, seed: int) -> Board:
    """Return a whole game of random moves."""
    chance, board = random.Random(seed), Board(game)
    while not board.is_over:
        board.push(chance.choice(board.legal()))
    return board


def line(board: Board) -> str:
    """Return a game as somebody may have written it."""
    return f"{' '.join(board.notation)} {RESULTS[board.result or 0]}"


def write(folder: Path, *lines: str) -> Path:
    path = folder / "games.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", games.names())
def test_games_of_every_game_are_read_back_move_by_move(name: str, tmp_path: Path) -> None:
    game = games.load(name)
    boards = [played(game, seed) for seed in range(3)]
    path = write(tmp_path, *map(line, boards))
    assert import_games(game, [path], tmp_path / "g") == Imported(3, 0, ())
    found = read_games(tmp_path / "g")
    assert [found.moves[a:b].tolist() for a, b in zip(found.starts, found.starts[1:], strict=False)] == [
        board.moves for board in boards
    ]
    assert found.result.tolist() == [board.result for board in boards]
    assert found.end_reason.tolist() == [board.reason for board in boards]
    assert np.isnan(found.scores).all()


def test_games_that_stop_early_count_and_unknown_results_do_not(tmp_path: Path) -> None:
    """Somebody resigned; numbers of moves, comments and empty lines are passed over; packed files are read."""
    path = tmp_path / "games.txt.gz"
    path.write_bytes(gzip.compress(b"# two games\n\n1. 3 2. 4 0-1  # resigned\n3 4 1 *\n"))
    found = import_games(games.load("kalah"), [path], tmp_path / "g")
    assert found == Imported(1, 1, ())
    (game,) = [read_games(tmp_path / "g")]
    assert (game.result.tolist(), game.end_reason.tolist(), len(game.moves)) == ([-1], [ADJUDICATED], 2)


def test_more_than_a_shard_is_written_in_shards(tmp_path: Path) -> None:
    path = write(tmp_path, *["3 4 1-0"] * 70)
    assert import_games(games.load("kalah"), [path], tmp_path / "g").games == 70
    assert len(list((tmp_path / "g").glob("shard-*.parquet"))) == 2
    assert read_games(tmp_path / "g").pair.tolist() == list(range(70))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 9 4 1-0", "move 2: '9' is not legal in [[6,6,0,7,7,7],[7,7,6,6,6,6],[1,0],1]; legal are 1, 2, 3"),
        ("3 4", "expected a result at the end (1-0, 0-1, 1/2-1/2 or *), found '4'"),
        ("3 4 1", "expected a result at the end"),
        ("1-0", "a result without moves"),
        ("\xff", "expected a result"),
    ],
)
def test_a_line_that_is_no_game_is_named_and_left_out_whole(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, "3 4 1-0", text)
    found = import_games(games.load("kalah"), [path], tmp_path / "g", max_bad=0.5)
    assert found.games == len(found.wrong) == 1
    assert found.wrong[0].startswith(f"{path}:2: ") and said in found.wrong[0]


def test_moves_after_the_end_and_results_against_the_rules_are_named(tmp_path: Path) -> None:
    board = played(games.load("kalah"), 1)
    moves, right = line(board).rsplit(" ", 1)
    other = "0-1" if right == "1-0" else "1-0"
    path = write(tmp_path, f"{moves} {right}", f"{moves} 1 {right}", f"{moves} {other}")
    wrong = import_games(games.load("kalah"), [path], tmp_path / "g", max_bad=1).wrong
    assert f":2: move {len(board.moves) + 1}: '1' comes after the end of the game" in wrong[0]
    assert f":3: the result is {right} by the rules" in wrong[1]


def test_too_many_wrong_lines_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    """A file of another game, or of another notation, is no data."""
    path = write(tmp_path, "3 4 1-0", "8 1-0")
    with pytest.raises(InputError, match=r"1 of 2 lines are no games of kalah \(50%.*games\.txt:2: move 1"):
        import_games(games.load("kalah"), [path], tmp_path / "g")
    with pytest.raises(InputError, match="found none"):
        import_games(games.load("kalah"), [write(tmp_path, "# nothing")], tmp_path / "g")
    assert not (tmp_path / "g").exists()


def test_a_folder_that_holds_something_is_not_touched(tmp_path: Path) -> None:
    path = write(tmp_path, "3 4 1-0")
    import_games(games.load("kalah"), [path], tmp_path / "g")
    with pytest.raises(StudyError, match="holds files"):
        import_games(games.load("kalah"), [path], tmp_path / "g")
