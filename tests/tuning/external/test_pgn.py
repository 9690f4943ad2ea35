"""Games of chess engines as PGN that python-chess reads again."""

import io
from pathlib import Path

import chess.pgn
import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.documents.engines import EngineGame
from tunesmith.tuning.external.chess_rules import START
from tunesmith.tuning.external.pgn import as_line, as_pgn, games_of

ROW = EngineGame(
    pair=3, game=1, white="a", black="b", names=["toga", 'gla"urung'], fen=START, opening=["e2e4", "e7e5"],
    seed=1, moves=["f1c4", "b8c6", "d1h5", "g8f6", "h5f7"], result=1, end_reason="checkmate", fault=None,
    detail="", asked_again=0,
)  # fmt: skip
LATE = "8/8/8/8/8/4k3/7r/K7 b - - 3 40"


def read(text: str) -> chess.pgn.Game:
    found = chess.pgn.read_game(io.StringIO(text))
    assert found is not None and not found.errors
    return found


def test_a_game_comes_back_with_moves_players_and_result() -> None:
    found = read(as_pgn(ROW, "my study"))
    assert [move.uci() for move in found.mainline_moves()] == [*ROW.opening, *ROW.moves]
    assert dict(found.headers) | {"White": "toga", "Result": "1-0", "Round": "3.1"} == dict(found.headers)
    assert found.headers["Black"] == "gla'urung" and found.board().fen() == START


def test_a_game_from_a_position_in_which_black_moves_says_so() -> None:
    row = ROW.model_copy(update={"fen": LATE, "opening": [], "moves": ["e3f3"], "result": None})
    text = as_pgn(row, "x")
    assert "40... Kf3" in text and text.rstrip().endswith("*")
    assert read(text).board().fen() == LATE
    assert as_line(row, True).splitlines()[1:] == [f"# from {LATE}", "Kf3"]


def test_the_command_writes_every_game_of_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "engines-study.json").write_text("{}")
    (tmp_path / "games.jsonl").write_text(ROW.model_dump_json() + "\n" + ROW.model_dump_json() + "\n")
    assert len(games_of(tmp_path)) == 2
    target = tmp_path / "g.pgn"
    assert run(["show", "chess", "--study", str(tmp_path), "--out", str(target)]) == 0
    assert "2 games" in capsys.readouterr().out
    stream = io.StringIO(target.read_text())
    assert [chess.pgn.read_game(stream) is not None for _ in range(3)] == [True, True, False]
    assert run(["show", "chess", "--study", str(tmp_path)]) == 2
    assert "give --out games.pgn" in capsys.readouterr().err


def test_games_that_are_not_chess_are_lines_of_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = ROW.model_copy(
        update={"fen": "3 4 0 3", "opening": ["a1"], "moves": ["b2", "a2"], "end_reason": "finished"}
    )
    (tmp_path / "engines-study.json").write_text('{"protocol": "ugi"}')
    (tmp_path / "games.jsonl").write_text(row.model_dump_json() + "\n")
    command = ["show", "x", "--study", str(tmp_path), "--out"]
    assert run([*command, str(tmp_path / "g.txt")]) == 0
    assert (tmp_path / "g.txt").read_text().splitlines()[1:] == ["# from 3 4 0 3", "a1 b2 a2"]
    assert run([*command, str(tmp_path / "g.pgn")]) == 2
    assert "PGN is for chess: give --out games.txt" in capsys.readouterr().err


def test_a_study_without_games_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected games\.jsonl"):
        games_of(tmp_path)
