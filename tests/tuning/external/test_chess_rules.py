"""Chess, as python-chess tells it: the end of a game, and openings from EPD, PGN or chance."""

import chess
import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.external import chess_rules


def board_after(moves: str, fen: str = chess_rules.START) -> chess.Board:
    return chess_rules.ChessOpening(fen, tuple(moves.split())).board()


@pytest.mark.parametrize(
    ("board", "end"),
    [
        (board_after("f2f3 e7e5 g2g4 d8h4"), ("checkmate", -1)),
        (chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ("stalemate", 0)),
        (chess.Board("7k/8/6K1/8/8/8/8/6B1 b - - 0 1"), ("insufficient material", 0)),
        (chess.Board("7k/8/6K1/8/8/8/8/6R1 b - - 100 90"), ("fifty moves", 0)),
        (board_after("g1f3 g8f6 f3g1 f6g8 " * 2), ("threefold repetition", 0)),
        (board_after("g1f3 g8f6 f3g1 f6g8"), None),
        (chess.Board("R6k/8/6K1/8/8/8/8/8 b - - 100 90"), ("checkmate", 1)),
    ],
)
def test_games_end_by_the_rules_of_chess(board, end):
    assert chess_rules.end_of(board) == end


def test_openings_of_an_epd_file_are_distinct_and_bad_lines_are_counted(tmp_path):
    path = tmp_path / "book.epd"
    lines = [
        "# a comment",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; id \"1\";",
        "nonsense",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/8/8/8 w - -",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP w KQkq - 0 1",
    ]  # fmt: skip
    path.write_bytes("\r\n".join(lines).encode("utf-8-sig") + b"\r\n\xff\xfe caf\xe9 x y z\r\n")
    book = chess_rules.read_book(path, 8)
    assert [opening.fen.split()[0][:22] for opening in book.openings] == ["rnbqkbnr/pppppppp/8/8/"] * 2
    assert book.duplicates == 1
    assert book.bad == {
        "neither EPD nor FEN": [3, 8],
        "game is over": [5],
        "impossible position": [6],
        "not UTF-8": [9],
    }
    assert "left out, neither EPD nor FEN: 2 (line 3, 8)" in "\n".join(book.words())


def test_openings_of_a_pgn_file_leave_out_games_with_errors(tmp_path):
    path = tmp_path / "book.pgn"
    tag = '[Event "x"]\n[Result "*"]\n\n'
    path.write_text(
        f"{tag}1. e4 e5 2. Nf3 Nc6 *\n\n{tag}1. e4 e4 2. Nf3 *\n\n{tag}*\n\n{tag}1. d4 {{good}} d5 (1... Nf6) 2. c4 *\n"
    )
    book = chess_rules.read_book(path, 3)
    assert [opening.moves for opening in book.openings] == [
        ("e2e4", "e7e5", "g1f3"),
        ("d2d4", "d7d5", "c2c4"),
    ]
    assert book.bad == {"a game with errors": [6], "a game without moves": [11]}


@pytest.mark.parametrize("content", [b"", b"\n\n# nothing\n", b"hello\n"])
def test_a_file_without_openings_is_refused(tmp_path, content):
    (tmp_path / "book.epd").write_bytes(content)
    with pytest.raises(InputError, match="openings: expected positions"):
        chess_rules.read_book(tmp_path / "book.epd", 8)


def test_random_openings_are_the_same_for_a_seed_distinct_and_even():
    made = chess_rules.RandomOpenings(6, 3).first(40)
    assert made[:10] == chess_rules.RandomOpenings(6, 3).first(10)
    assert made != chess_rules.RandomOpenings(6, 4).first(40)
    boards = [opening.board() for opening in made]
    assert len({board.epd() for board in boards}) == 40
    assert all(chess_rules.end_of(board) is None and not board.is_check() for board in boards)
    assert all(len(opening.moves) == 6 for opening in made)


def test_there_is_one_opening_without_plies():
    assert chess_rules.RandomOpenings(0, 1).first(5) == [chess_rules.ChessOpening(chess_rules.START)]
