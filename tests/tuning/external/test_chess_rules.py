"""Chess, as python-chess tells it: the end of a game, and openings from EPD, PGN or chance."""

import bz2
import gzip
import importlib.util
import lzma
from pathlib import Path

import chess
import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.external import chess_rules
from tunesmith.tuning.external.openings import Book, RandomOpenings
from tunesmith.tuning.external.rules import EngineOpening

CASES = Path(__file__).parents[2] / "golden" / "cases"


def board_after(moves: str, fen: str = chess_rules.START) -> chess.Board:
    return chess_rules.board_of(EngineOpening(fen, tuple(moves.split())))


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


def test_a_game_shorter_than_the_plies_that_are_asked_for_is_no_opening(tmp_path):
    """From a position of its own it may be short, or have no moves at all."""
    path = tmp_path / "book.pgn"
    path.write_text(
        f'1. e4 e5 *\n\n[Event "x"]\n\n1. d4 d5 2. c4 e6 *\n\n[FEN "{ENDING} 12 80"]\n\n1. Ra2 Kg8 *\n'
    )
    book = chess_rules.read_book(path, 4)
    assert lines_of(book) == ["d2d4 d7d5 c2c4 e7e6", "a1a2 h8g8"]
    assert book.bad == {"shorter than 4 plies (openings.plies)": [1]}
    assert len(chess_rules.read_book(path, 2).openings) == 3
    assert chess_rules.read_book(path, 2).words() == ["book.pgn: 3 openings, 0 repeated"]


@pytest.mark.parametrize("moves", ["1. e4 e5 2. Qh8 *", "1. e4 -- *", "1. e4 (1. Zz9) e5", "1. Nf3 Nf6 *"])
def test_no_message_shows_an_object_of_the_library(tmp_path, moves, caplog, capsys):
    path = tmp_path / "book.pgn"
    path.write_text(
        f'[White "a"]\n\n{moves}\n\n[FEN "x"]\n\n1. e4 *\n\n[White "a"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'
    )
    book = chess_rules.read_book(path, 4)
    said = "\n".join([*book.words(), caplog.text, *capsys.readouterr()])
    assert len(book.openings) == 1 and " at 0x" not in said and "<Game" not in said


def lines_of(book: Book) -> list[str]:
    return [" ".join(opening.moves) for opening in book.openings]


def test_brackets_in_comments_are_no_tags():
    book = chess_rules.read_book(CASES / "05" / "C09" / "book.pgn", 8)
    assert lines_of(book) == [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
        "e2e4 c7c5 g1f3 b8c6 d2d4 e7e6 b1c3 a7a6",
        "d2d4 g8f6 c2c4 e7e6 g1f3 d7d5 b1c3 c7c6",
    ]
    assert book.bad == {}


def test_games_of_other_variants_are_left_out_by_name():
    book = chess_rules.read_book(CASES / "05" / "C11" / "variants.pgn", 8)
    assert lines_of(book) == ["e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"]
    assert book.bad == {"variant fischerandom": [1], "variant Crazyhouse": [14], "variant Antichess": [25]}


def test_games_with_null_moves_are_left_out():
    book = chess_rules.read_book(CASES / "05" / "C12" / "nulls.pgn", 8)
    assert lines_of(book) == ["c2c4 e7e5 b1c3 g8f6 g2g3 d7d5 c4d5 f6d5"]
    assert book.bad == {"null move": [1, 6]}


ENDING = "7k/8/6K1/8/8/8/8/R7 w - -"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'[FEN "{ENDING} 12 80"]\n\n*\n', [(f"{ENDING} 12 80", "")]),
        (f'[FEN "{ENDING} 12 80"]\n\n1. Ra2 Kg8 *\n', [(f"{ENDING} 12 80", "a1a2 h8g8")]),
        ("1. e4 e5 2. Nf3 *\n", [(chess_rules.START, "e2e4 e7e5 g1f3")]),
        ('[White "M\xe4x e4"]\n\n1. d4 d5 *\n', [(chess_rules.START, "d2d4 d7d5")]),
        ('[Variant "Standard"]\n\n1. d4 d5\n', [(chess_rules.START, "d2d4 d7d5")]),
    ],
)
def test_what_a_game_may_be(tmp_path, text, expected):
    (tmp_path / "book.pgn").write_bytes(text.encode("latin-1"))
    book = chess_rules.read_book(tmp_path / "book.pgn", 0)
    assert [(opening.fen, " ".join(opening.moves)) for opening in book.openings] == expected
    assert book.bad == {}


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ('[White "a"]\n\n1. e4 e5\n\n2. Nf3 Nc6 *\n', {chess_rules.CUT: [1, 5]}),
        ('[FEN "x"]\n\n1. e4 e5 *\n', {"a game with errors": [1]}),
        ("1. e4 e& 2. Nf3 1-0\n", {"a game with errors": [1]}),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a& 1-0\n", {"a game with errors": [1]}),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 \ufffd6 1-0\n", {"a game with errors": [1]}),
        ("1. e4 d4 (1... e5) (2. Ke5) 2. Nf3 1-0\n", {"a game with errors": [1]}),
        ('[White "a"]\n\n1. d4 d5 *\n[White "b"]\n\n1. e4 e5 *\n', {chess_rules.CUT: [6]}),
        ('[FEN "nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w HChc - 0 1"]\n\n1. g3 *\n', {"variant Chess960": [1]}),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*\n', {"impossible position": [1]}),
    ],
)  # fmt: skip
def test_a_game_that_may_be_cut_or_is_none_is_left_out(tmp_path, text, bad, caplog):
    (tmp_path / "book.pgn").write_text(text + '\n[White "c"]\n\n1. c4 c5 *\n')
    book = chess_rules.read_book(tmp_path / "book.pgn", 2)
    assert lines_of(book)[-1] == "c2c4 c7c5"
    assert book.bad == bad
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("line", "clocks"),
    [
        (f"{ENDING} 12 80", "12 80"),
        (f"{ENDING} 12 80;", "12 80"),
        (f"{ENDING} 12 80 ; a rook up", "12 80"),
        (f"{ENDING};", "0 1"),
        (f'{ENDING} bm Ra8#; id "hmvc 3";', "0 1"),
        (f"{ENDING} bm Qh9; hmvc 12; fmvn 80;", "12 80"),
        (f"{ENDING} 12 80 bm Ra8#;", "12 80"),
    ],
)
def test_a_position_is_read_with_its_counters_whatever_is_said_of_it(tmp_path, line, clocks):
    (tmp_path / "book.epd").write_text(f"{line}\r")
    book = chess_rules.read_book(tmp_path / "book.epd", 8)
    assert [opening.fen for opening in book.openings] == [f"{ENDING} {clocks}"]


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_a_book_may_be_packed(tmp_path, ending, pack):
    path = tmp_path / f"book.pgn.{ending}"
    path.write_bytes(pack((CASES / "05" / "C12" / "nulls.pgn").read_bytes()))
    assert len(chess_rules.read_book(path, 8).openings) == 1
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(InputError, match="openings: damaged"):
        chess_rules.read_book(path, 8)


def test_a_book_packed_as_python_cannot_read_says_what_to_do(tmp_path):
    if importlib.util.find_spec("compression"):
        return
    (tmp_path / "book.epd.zst").write_bytes(b"\x28\xb5\x2f\xfd rest")
    with pytest.raises(InputError, match=r"openings: packed with zstd.* unpack it first"):
        chess_rules.read_book(tmp_path / "book.epd.zst", 8)


@pytest.mark.parametrize("content", [b"", b"\n\n# nothing\n", b"hello\n"])
def test_a_file_without_openings_is_refused(tmp_path, content):
    (tmp_path / "book.epd").write_bytes(content)
    with pytest.raises(InputError, match="openings: expected positions"):
        chess_rules.read_book(tmp_path / "book.epd", 8)


def test_random_openings_are_the_same_for_a_seed_distinct_and_even():
    made = RandomOpenings(chess_rules.ChessRules(), 6, 3).first(40)
    assert made[:10] == RandomOpenings(chess_rules.ChessRules(), 6, 3).first(10)
    assert made != RandomOpenings(chess_rules.ChessRules(), 6, 4).first(40)
    boards = [chess_rules.board_of(opening) for opening in made]
    assert len({board.epd() for board in boards}) == 40
    assert all(chess_rules.end_of(board) is None and not board.is_check() for board in boards)
    assert all(len(opening.moves) == 6 for opening in made)


def test_there_is_one_opening_without_plies():
    assert RandomOpenings(chess_rules.ChessRules(), 0, 1).first(5) == [EngineOpening(chess_rules.START)]
