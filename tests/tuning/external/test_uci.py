"""Chess engines over UCI: options, watchdog, games by the rules, openings from files."""

import os
import subprocess
import sys
import time
from pathlib import Path

import chess
import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.external import chess_rules
from tunesmith.tuning.external.engine import (
    Engine,
    EngineFault,
    GoLimit,
    check_settings,
    find_program,
    parse_go,
    read_option,
)

FAKE = (sys.executable, str(Path(__file__).parents[2] / "support" / "fake_engine.py"))
NODES = GoLimit("nodes", 100)


def start(*how: str, patience: float = 10.0, margin: float = 1.0) -> Engine:
    return Engine((*FAKE, *how), patience, margin)


@pytest.fixture
def engines():
    """Fake engines by how they behave, closed in the end."""
    made: list[Engine] = []

    def make(*how: str, **more: float) -> Engine:
        made.append(start(*how, **more))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def test_options_are_read_with_names_of_several_words():
    spin = read_option("option name Mobility (Middle Game) type spin default 100 min 0 max 200")
    assert (spin.name, spin.default, spin.low, spin.high) == ("Mobility (Middle Game)", 100, 0, 200)
    combo = read_option("option name Pruning type combo default Always var Always var Fail High var Never")
    assert (combo.default, combo.words) == ("Always", ("Always", "Fail High", "Never"))
    assert read_option("option name OwnBook type check default true").default is True
    assert read_option("option name Path type string default /usr/share/egbb/").default == "/usr/share/egbb/"
    assert read_option("option name Clear Hash type button").kind == "button"
    assert read_option("info depth 1") is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"Own Skil": 1}, "no option 'Own Skil'; did you mean 'Own Skill'"),
        ({"own skill": 1}, "did you mean 'Own Skill'"),
        ({"Own Skill": 101}, "expected a whole number, 0 .. 100, found 101"),
        ({"Own Skill": True}, "expected a whole number"),
        ({"Style": "Wild"}, "expected one of Calm, Very Wild, found 'Wild'"),
        ({"OwnBook": 1}, "expected true or false"),
        ({"BookFile": "a\nquit"}, "expected text of one line"),
        ({"Clear Hash": True}, "button"),
    ],
)
def test_an_option_that_the_engine_would_ignore_is_refused(engines, settings, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        check_settings(engines().options, settings, "options")


def test_the_book_is_off_unless_asked_for(engines):
    engine = engines()
    assert engine.name == "Fake 1.0"
    assert engine.defaults(1) == {"OwnBook": False, "Hash": 2}
    assert engine.defaults(16)["Hash"] == 16


@pytest.mark.parametrize("text", ["nodes", "nodes:0", "plies:3", "depth:x", "nodes:1.5", "", "time:nan"])
def test_a_limit_that_makes_no_sense_is_refused(text):
    with pytest.raises(InputError, match="limit: expected"):
        parse_go(text)


def test_limits_are_read():
    assert parse_go("time:0.05") == parse_go("movetime:50") == GoLimit("movetime", 50)
    assert str(parse_go("depth:5")) == "depth:5"


@pytest.mark.parametrize(
    ("how", "reason"),
    [("crash", "crash"), ("hang", "hang"), ("illegal", "illegal move"), ("deaf", "ignores nodes")],
)
def test_a_failing_engine_ends_the_game_as_a_fault_of_its_side(engines, how, reason):
    good, bad = engines(), engines(how, patience=2.0)
    game = chess_rules.play_game(
        (good, bad), (NODES, NODES), chess_rules.ChessOpening(chess_rules.START), 100
    )
    assert (game.end_reason, game.fault, game.result) == (reason, 1, None)
    assert game.detail


def test_a_move_that_takes_too_long_is_a_time_loss(engines):
    slow = engines("slow", margin=0.1)
    game = chess_rules.play_game(
        (slow, slow), (GoLimit("movetime", 20),) * 2, chess_rules.ChessOpening(chess_rules.START), 10
    )
    assert (game.end_reason, game.fault) == ("time loss", 0)


def test_an_engine_whose_nodes_are_used_up_without_a_move_is_asked_for_depth_1(engines):
    engine = engines("none")
    game = chess_rules.play_game(
        (engine, engine), (NODES, NODES), chess_rules.ChessOpening(chess_rules.START), 12
    )
    assert (game.end_reason, game.asked_again) == ("capped", 4)
    assert len(game.moves) == 12


def test_a_silent_engine_is_given_up():
    with pytest.raises(EngineFault, match="hang: no answer to 'uci'"):
        start("silent", patience=0.3)


def test_no_process_is_left_of_an_engine_that_will_not_go():
    engine = start("stubborn")
    group = os.getpgid(engine._process.pid)
    engine.close()
    for _ in range(50):
        left = subprocess.run(["pgrep", "-g", str(group), "-r", "R,S,D"], capture_output=True, check=False)
        if not left.stdout:
            break
        time.sleep(0.1)
    assert left.stdout == b""


def test_a_program_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match="engine 'no-such-engine': no such program"):
        find_program("no-such-engine")
    (tmp_path / "mine").write_text("")
    assert find_program("mine", tmp_path) == str(tmp_path / "mine")


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


@pytest.mark.needs_glaurung
@pytest.mark.needs_toga2
def test_real_engines_play_a_game_to_its_end_the_same_way_twice():
    games = []
    for _ in range(2):
        pair = [Engine((find_program(name),)) for name in ("glaurung", "toga2")]
        for engine in pair:
            engine.configure(engine.defaults(4), "options")
        limits = GoLimit("nodes", 5000), GoLimit("depth", 2)
        games.append(chess_rules.play_game(pair, limits, chess_rules.ChessOpening(chess_rules.START), 300))
        for engine in pair:
            engine.close()
    assert games[0] == games[1]
    assert games[0].fault is None and games[0].moves
