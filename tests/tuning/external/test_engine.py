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
    find_command,
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


def test_an_engine_that_answers_twice_is_not_read_one_move_late():
    engine, board = start("twice"), chess.Board()
    try:
        for _ in range(12):
            move = engine.go(
                chess.STARTING_FEN, [move.uci() for move in board.move_stack], GoLimit("nodes", 5)
            )
            assert chess.Move.from_uci(move) in board.legal_moves
            board.push_uci(move)
    finally:
        engine.close()


def test_a_program_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match="engine 'no-such-engine': no such program"):
        find_program("no-such-engine")
    (tmp_path / "mine").write_text("")
    assert find_program("mine", tmp_path) == str(tmp_path / "mine")


@pytest.mark.parametrize(
    ("command", "words", "where"),
    [
        ("My Engines/engine v2", ["My Engines/engine v2"], "My Engines"),
        ("My Engines/engine v2 --fast 'a b'", ["My Engines/engine v2", "--fast", "a b"], "My Engines"),
        ('"My Engines/engine v2" x', ["My Engines/engine v2", "x"], "My Engines"),
        ("My Engines/engine v3", ["My Engines/engine", "v3"], "My Engines"),
        ("sh run.sh", ["sh", "run.sh"], "."),
    ],
)
def test_a_command_is_a_path_with_blanks_or_a_whole_line(tmp_path, command, words, where):
    (tmp_path / "My Engines").mkdir()
    for name in ("engine", "engine v2"):
        (tmp_path / "My Engines" / name).write_text("")
    found, start = find_command(command, tmp_path)
    assert [found[0].removeprefix(f"{tmp_path}/").removeprefix(f"{os.path.dirname(find_program('sh'))}/"),
            *found[1:]] == words  # fmt: skip
    assert start == (tmp_path / where).resolve()


def test_what_an_engine_wrote_before_it_ended_is_told():
    with pytest.raises(EngineFault, match=r"code 4 .*; it wrote: no licence"):
        Engine(("sh", "-c", "echo welcome; echo 'no licence' >&2; exit 4"))


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
