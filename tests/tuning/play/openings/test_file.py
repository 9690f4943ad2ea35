"""A user's file of openings: every line is an opening or counted, nothing repeats, games start where it says."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import dataset as naive
from tests.support.chosen_rows import rows_of
from tests.support.small_matches import QUICK, hand, kalah, openings, play
from tunesmith import games as registry
from tunesmith.engine import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game, State
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import Openings
from tunesmith.tuning.data.dataset import engine_scores
from tunesmith.tuning.files import write_json
from tunesmith.tuning.play.openings import file, pick
from tunesmith.tuning.play.openings.file import ALL, OpeningFile
from tunesmith.tuning.play.openings.opening import SHARES, purpose_of, read_rows, shared_key, to_rows
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.play.summary import summarise
from tunesmith.tuning.report import game_source

START = "[[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0]"
LATER = "[[0,7,7,7,7,7],[6,6,6,6,6,6],[1,0],0]"
SECOND = "[[6,0,7,7,7,7],[7,6,6,6,6,6],[1,0],1]"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., OpeningFile]:
    """Write a file and read its openings."""

    def reading(content: str | bytes, game: Game | None = None) -> OpeningFile:
        path = tmp_path / "openings.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return file.read(game or kalah(), path)

    return reading


def texts(found: OpeningFile) -> list[str]:
    """Return the texts of a file's openings in the order of lines."""
    return [opening.text for opening in found.openings.values()]


def has_text(game: Game, state: State) -> bool:
    """Whether the notation can say a position: after an exchange of sides the mover may not fit the plies."""
    try:
        return game.text_to_state(game.state_to_text(state)) == state
    except InputError:
        return False


# --- lines -------------------------------------------------------------------------------------------------


def test_a_file_may_be_packed(read) -> None:
    text = f"# mine\n2 4\n{LATER}\n"
    packed = read(gzip.compress(text.encode()))
    assert texts(packed) == texts(read(text)) == ["2 4", LATER]
    with pytest.raises(InputError, match="damaged"):
        read(gzip.compress(text.encode())[:-9])


def test_a_line_is_moves_or_a_position(read) -> None:
    found = read(f"# mine\n\n2 4\n{LATER}  # a position\n\t{SECOND}\n")
    assert texts(found) == ["2 4", LATER, SECOND]
    assert list(found.first_line.values()) == [3, 4, 5]
    moves, position, black = found.openings.values()
    assert moves == ((2, 4), "2 4", None)
    assert position == ((), LATER, kalah().text_to_state(LATER))
    assert black.root is not None and kalah().mover(black.root) == 1
    assert found.left_out == {}


def test_what_is_no_opening_is_counted_by_reason_with_its_line(read) -> None:
    finished = "[[0,0,0,0,0,0],[0,0,0,0,0,0],[40,32],null]"
    found = read(
        b"2 4\n2 9\nhello\n"
        + finished.encode()
        + b"\n3 \xff\n2 4\n[[6,6]]\n4\n2 4 # again\n"
        + b"9" * 2_000_000
    )
    assert texts(found) == ["2 4", "4"]
    assert found.left_out == {
        "illegal move": [2],
        "neither moves nor a position": [3, 7],
        "game is over": [4],
        "not UTF-8": [5],
        "repeated": [6, 9],
        "too long": [10],
    }
    told = "\n".join(file.describe(found.facts()))
    assert "left out, repeated: 2 (line 6, 9); line 6: the position of line 1, or its image" in told
    assert "line 2: move 2" in told


def test_moves_beyond_the_end_of_a_game_are_no_opening(read) -> None:
    game = registry.load("kalah:ponds=1,seeds=1")
    with pytest.raises(InputError, match=r"holds no opening of kalah; left out, game is over: 1 \(line 1\)"):
        read("1 1 1 1 1\n", game)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "end"])
def test_marks_and_line_ends_change_nothing(read, end: str, mark: str, last: str) -> None:
    lines = ["# of a friend", "2 4", "", LATER, "1 1", "bad"]
    found = read(mark + end.join(lines) + (end if last else ""))
    assert texts(found) == ["2 4", LATER]
    assert found.left_out == {"illegal move": [5], "neither moves nor a position": [6]}


def test_a_file_without_an_opening_or_no_file_is_refused(read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no opening of kalah$"):
        read("# nothing\n\n")
    with pytest.raises(InputError, match="cannot be read"):
        file.read(kalah(), tmp_path / "missing.txt")
    with pytest.raises(InputError, match="cannot be read"):
        file.read(kalah(), tmp_path)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=30), st.sampled_from([b"2 4", b"3", LATER.encode()]))))
def test_no_content_hangs_or_goes_missing(tmp_path_factory, lines: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("any") / "openings.txt"
    path.write_bytes(b"2 4\n" + b"\n".join(lines) + b"\n")
    found = file.read(kalah(), path)
    counted = [*found.first_line.values(), *(n for numbers in found.left_out.values() for n in numbers)]
    assert len(counted) == len(set(counted))
    for number in set(range(1, path.read_bytes().count(b"\n") + 1)) - set(counted):
        if b"\r" not in path.read_bytes():
            line = path.read_bytes().split(b"\n")[number - 1].decode()
            assert not line.strip() or line.split("#")[0].strip() == ""


# --- the same opening --------------------------------------------------------------------------------------


def test_a_transposition_and_exchanged_sides_repeat_an_opening(read) -> None:
    exchanged = "[[6,6,6,6,6,6],[0,7,7,7,7,7],[0,1],1]"
    found = read(f"{LATER}\n1\n{exchanged}\n{START}\n")
    assert texts(found) == [LATER, ""]
    assert found.left_out == {"repeated": [2, 3]}


@pytest.mark.parametrize("spec", ["pentago", "fanorona", "expendibots", "ropasci360"])
def test_images_repeat_an_opening_in_every_game(read, spec: str) -> None:
    game = registry.load(spec)
    board = Board(game)
    for _ in range(2):
        board.push(board.legal()[0])
    images = [game.swap_sides(board.state)] if game.swap_sides is not None else []
    if game.symmetries is not None:
        images += [game.symmetries(board.state, k) for k in range(game.n_symmetries)]
    images = [image for image in images if has_text(game, image)]
    other = Board(game)
    for _ in range(2):
        other.push(other.legal()[-1])
    lines = [" ".join(game.move_to_text(s, m) for s, m in zip(board.states, board.moves, strict=False))]
    lines += [game.state_to_text(image) for image in images]
    found = read("\n".join([*lines, other.text]), game)
    assert len(images) >= 1
    assert found.left_out == {"repeated": list(range(2, len(lines) + 1))}
    assert len(found.openings) == 2


def test_half_a_turn_is_no_opening_where_both_sides_choose_at_once(read) -> None:
    game = registry.load("ropasci360")
    with pytest.raises(InputError, match="half a turn: 1"):
        read("Tr:4,-4\n", game)


# --- purposes ----------------------------------------------------------------------------------------------


def test_purposes_share_nothing_and_lose_nothing(read) -> None:
    found = read("\n".join(opening.text for opening in openings(60)))
    sets = {purpose: pick(found, purpose, found.count(purpose), 1) for purpose in SHARES}
    assert sorted(o.text for own in sets.values() for o in own) == sorted(texts(found))
    for purpose, own in sets.items():
        assert {purpose_of(key) for key, opening in found.openings.items() if opening in own} <= {purpose}
    assert len(pick(found, ALL, 60, 1)) == 60


def test_the_seed_orders_and_more_only_adds(read) -> None:
    found = read("\n".join(opening.text for opening in openings(60)))
    n = found.count("train")
    assert pick(found, "train", 10, 1) == pick(found, "train", n, 1)[:10]
    assert pick(found, "train", n, 1) != pick(found, "train", n, 2)


def test_too_few_openings_are_refused_with_their_numbers(read) -> None:
    found = read("2 4\n2 5\n2 6\n")
    with pytest.raises(StudyError, match=r"holds \d openings for 'verify' \(3 in all.*9 pairs need one each"):
        pick(found, "verify", 9, 1)
    with pytest.raises(StudyError, match="holds 3 openings for 'all', and 4 pairs"):
        pick(found, ALL, 4, 1)


def test_stored_openings_come_back(read, tmp_path) -> None:
    found = list(read(f"2 4\n{LATER}\n{SECOND}\n{START}\n").openings.values())
    write_json(tmp_path / "stored.json", to_rows(found))
    assert read_rows(kalah(), tmp_path / "stored.json") == found


# --- games that start from a position ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Play from two positions, one with the second player to move, and one opening of moves."""
    path = tmp_path_factory.mktemp("positions")
    (path / "openings.txt").write_text(f"{LATER}\n2 4\n{SECOND}\n")
    found = file.read(kalah(), path / "openings.txt")
    play(path / "games", range(3), openings=list(found.openings.values()))
    return path / "games"


def test_games_start_from_their_position(folder: Path) -> None:
    games = read_games(folder)
    assert games.opening.tolist() == [LATER, LATER, "2 4", "2 4", SECOND, SECOND]
    assert games.n_opening.tolist() == [0, 0, 2, 2, 0, 0]
    for row, start in enumerate(games.positions()):
        board = Board(kalah(), start)
        for move in games.moves[games.starts[row] : games.starts[row + 1]].tolist():
            assert move in board.legal_moves()
            board.play(move)
        assert (board.result, board.reason) == (games.result[row], games.end_reason[row])


def test_rows_of_such_games_are_those_of_plain_replay(folder: Path) -> None:
    games = read_games(folder)
    data = rows_of(kalah(), games, positions_per_game=1000, max_score=400.0)
    expected = naive.rows(kalah(), games, 400.0)
    assert data.rows.n == len(expected) > 50
    assert sorted(map(tuple, data.rows.features.tolist())) == sorted(row.features for row in expected)
    for row in range(0, data.rows.n, 7):
        values = np.zeros(kalah().n_features)
        kalah().features(data.state(row), values)
        np.testing.assert_array_equal(values, data.rows.features[row])
    scores = engine_scores(data, hand())
    np.testing.assert_allclose(
        scores, hand().scale * data.rows.features @ hand().array(kalah())[0], atol=0.006
    )


def test_such_games_are_shown_from_their_position(folder: Path) -> None:
    story = game_source.from_folder(kalah(), folder, 2, 1)
    assert story.board.states[0] == kalah().text_to_state(SECOND)
    assert story.board.is_over


def test_equal_moves_from_other_positions_are_other_games(folder: Path) -> None:
    games = read_games(folder).take(np.array([0, 0, 2]))
    assert summarise(games).distinct_games == 2


def test_keys_of_positions_and_moves_agree(folder: Path) -> None:
    key = bind(shared_key, kalah())
    after = kalah().apply_move(kalah().initial(), kalah().text_to_move(kalah().initial(), "1"))
    assert key(after) == key(kalah().text_to_state(LATER))


# --- from the command line ---------------------------------------------------------------------------------


def test_a_match_plays_every_opening_that_nothing_else_uses(tmp_path: Path, capsys) -> None:
    path = tmp_path / "mine.txt"
    mixed = [
        o.text
        for purpose in SHARES
        for o in make_openings(kalah(), hand(), Openings(plies=6), count=7, purpose=purpose, seed=2)
    ]
    path.write_text("\n".join([*mixed[:20], "2 9"]))
    known = file.read(kalah(), path)
    arguments = ["match", "kalah", "hand", "hand-1", "--openings", str(path), *QUICK]
    assert run([*arguments, "--out", str(tmp_path / "games"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"] == known.count("verify") > 2
    assert found["openings"]["left_out"] == {"illegal move": [21]}
    played = set(read_games(tmp_path / "games").opening.tolist())
    assert played == {o.text for o in pick(known, "verify", found["pairs"], 1)}
    assert run([*arguments, "--all-openings"]) == 0
    assert "left out, illegal move: 1 (line 21)" in capsys.readouterr().out
    assert run([*arguments, "--pairs", "19"]) == 2
    assert "and 19 pairs need one each" in capsys.readouterr().err


def test_self_play_takes_what_matches_leave(tmp_path: Path, capsys) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(o.text for o in openings(20)))
    arguments = ["selfplay", "kalah", "--openings", str(path), *QUICK, "--out", str(tmp_path / "games")]
    assert run(arguments) == 0
    assert "20 openings (train " in capsys.readouterr().err
    known = file.read(kalah(), path)
    played = set(read_games(tmp_path / "games").opening.tolist())
    assert played == {o.text for o in pick(known, "train", known.count("train"), 1)}


@pytest.fixture
def verifying(tmp_path: Path) -> tuple[Path, set[str]]:
    """Write a file of openings; return it and the texts of those that it holds for verification."""
    path = tmp_path / "mine.txt"
    made = make_openings(kalah(), hand(), Openings(plies=6), count=14, purpose="verify", seed=2)
    path.write_text("\n".join([*(o.text for o in made), *(o.text for o in openings(5))]))
    return path, {o.text for o in made}


def test_a_gauntlet_takes_the_openings_of_a_file(verifying, tmp_path: Path, capsys) -> None:
    path, own = verifying
    arguments = ["gauntlet", "kalah", "hand", "hand-1", "--openings", str(path), *QUICK, "--resamples", "100"]
    assert run([*arguments, "--out", str(tmp_path / "g"), "--json"]) == 0
    said = capsys.readouterr()
    assert "19 openings (train 5, search 0, verify 14)" in said.err and "2 players, 28 games" in said.err
    found = json.loads(said.out)
    assert found["openings"]["openings"] == 19 and found["pairings"][0]["pairs"] == 14
    (games,) = (tmp_path / "g" / "games").iterdir()
    assert set(read_games(games).opening.tolist()) == own
    path.write_text("2 4\n")
    assert run([*arguments, "--pairs", "1", "--out", str(tmp_path / "g")]) == 2
    assert "openings: stored" in capsys.readouterr().err


def test_a_proof_takes_the_openings_of_a_file(verifying, tmp_path: Path, capsys) -> None:
    path, own = verifying
    terms = ["--max-pairs", "4", "--measure-pairs", "4", "--second-pairs", "2", "--opponent-pairs", "2"]
    arguments = ["verify", "kalah", "hand", "random", "--openings", str(path), *QUICK, *terms]
    assert run([*arguments, "--out", str(tmp_path / "v"), "--second-limit", "nodes:60"]) == 0
    assert "19 openings (train 5, search 0, verify 14)" in capsys.readouterr().err
    folders = {shard.parent for shard in (tmp_path / "v").rglob("*.parquet")}
    played = [text for folder in folders for text in read_games(folder).opening.tolist()]
    assert set(played) <= own and len(played) >= 14
    assert run([*arguments, "--max-pairs", "60", "--out", str(tmp_path / "w")]) == 2
    assert "holds 14 openings for 'verify'" in capsys.readouterr().err
    assert run(["verify", str(tmp_path / "v"), "--openings", str(path)]) == 2
    assert "--openings: is for GAME A B" in capsys.readouterr().err


def test_a_book_is_made_of_games_from_the_openings_of_a_file(tmp_path: Path, capsys) -> None:
    path, book = tmp_path / "mine.txt", tmp_path / "book.json"
    train = [o.text for o in openings(20) if o.text.startswith("1")] or [openings(1)[0].text]
    path.write_text("\n".join(train))
    small = ["--games", "8", "--plies", "3", "--judge", "nodes:100", "--min-games", "1", "--noise", "0"]
    arguments = ["book", "kalah", "--openings", str(path), "--limit", "nodes:40", *small]
    assert run([*arguments, "--out", str(book)]) == 0
    assert f"{len(train)} openings (train {len(train)}" in capsys.readouterr().err
    known = {entry["position"] for entry in json.loads(book.read_text())["entries"]}
    board, expected = Board(kalah()), set()
    for text in train[0].split()[:3]:
        expected.add(board.text)
        board.push(text)
    assert expected <= known
