"""The example table of chess positions: its columns against a slow twin, and the piece values that it gives."""

import csv
import random

import chess
import pytest

from tunesmith.experiments import chess_table
from tunesmith.tuning.cli import run
from tunesmith.tuning.external import chess_rules
from tunesmith.tuning.external.openings import RandomOpenings

LETTERS = "PNBRQK"


def naive(fen: str) -> dict[str, int]:
    """Columns read from the text of a position: its board turned round and recoloured where Black is to move."""
    rows, mover = fen.split()[:2]
    ranks = rows.split("/")[::-1]  # from the first rank
    if mover == "b":
        ranks = [rank.swapcase() for rank in ranks[::-1]]
    row = dict.fromkeys(chess_table.COLUMNS, 0)
    for r, rank in enumerate(ranks):
        for f, letter in enumerate("".join("." * int(c) if c.isdigit() else c for c in rank)):
            if letter == ".":
                continue
            own = letter.isupper()
            piece = chess_rules.PIECES[LETTERS.index(letter.upper())]
            seen = r if own else 7 - r
            zone = f"{'centre' if f in (2, 3, 4, 5) else 'edge'}_{('12', '34', '56', '78')[seen // 2]}"
            for name in (piece, f"{piece}.{zone}"):
                if name in row:
                    row[name] += 1 if own else -1
    return row


def test_columns_are_those_of_the_slow_twin():
    rng = random.Random(1)
    for opening in RandomOpenings(chess_rules.ChessRules(), 30, 2).first(20):
        board = chess_rules.board_of(opening)
        while chess_rules.end_of(board) is None and rng.random() < 0.9:
            board.push_uci(chess_table.greedy_move(board, rng))
            assert chess_table.features(board) == naive(board.fen())


def test_equal_positions_of_both_sides_have_equal_columns():
    for opening in RandomOpenings(chess_rules.ChessRules(), 12, 5).first(20):
        board = chess_rules.board_of(opening)
        assert chess_table.features(board) == chess_table.features(board.mirror())


def test_quiet_positions_have_no_check_and_no_free_piece():
    assert chess_table.is_quiet(chess.Board())
    assert not chess_table.is_quiet(chess.Board("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"))  # in check
    assert not chess_table.is_quiet(chess.Board("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1"))  # a knight for nothing
    assert chess_table.is_quiet(chess.Board("3rk3/8/8/3n4/8/8/8/3RK3 w - - 0 1"))  # guarded, and worth less
    assert not chess_table.is_quiet(
        chess.Board("3rk3/8/8/3q4/8/8/8/3RK3 w - - 0 1")
    )  # guarded, but worth more
    assert not chess_table.is_quiet(chess.Board("8/4P3/8/8/8/k7/8/4K3 w - - 0 1"))  # a pawn becomes a queen


def table(path, *arguments: str) -> list[dict[str, str]]:
    assert chess_table.main([str(path), *arguments]) == 0
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_without_an_engine_is_the_same_for_any_number_of_threads(tmp_path):
    rows = table(tmp_path / "a.csv", "--engine", "none", "--games", "8", "--jobs", "1")
    assert rows == table(tmp_path / "b.csv", "--engine", "none", "--games", "8", "--jobs", "3")
    assert set(rows[0]) == {"game", "result_mover", *chess_table.COLUMNS}
    assert {row["result_mover"] for row in rows} <= {"0.0", "0.5", "1.0"}
    assert max(sum(row["game"] == number for row in rows) for number in {row["game"] for row in rows}) <= 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["t.txt"], "ends with .parquet or .csv"),
        (["t.csv", "--engine", "no-such-engine"], "no such program"),
        (["t.csv", "--engine", "none", "--games", "2", "--move-cap", "3"], "no game has a result"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert chess_table.main(arguments) == 2
    said = capsys.readouterr().err
    assert words in said and len(said.splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.needs_toga2
def test_pieces_are_worth_what_chess_players_say(tmp_path, capsys):
    path, out = tmp_path / "t.parquet", tmp_path / "w.csv"
    assert chess_table.main([str(path), "--games", "160", "--limit", "depth:1"]) == 0
    chosen = [word for piece in chess_rules.PIECES[:5] for word in ("--feature", piece)]
    assert run(["fit", str(path), *chosen, "--anchor", "pawn=100", "--no-compare", "--out", str(out)]) == 0
    with out.open(encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    names, *rows = csv.reader(lines)
    at, value = (names.index(name) for name in ("feature", "weight"))
    worth = {row[at]: float(row[value]) for row in rows}
    assert min(worth["knight"], worth["bishop"]) > 100
    assert max(worth["knight"], worth["bishop"]) < worth["rook"] < worth["queen"]
    assert 3 < worth["queen"] / worth["pawn"] < 20
