"""What went wrong for others with evaluations, engines and weight files (rows A1 to A14 of the field notes).

Rows that have tests elsewhere: A3 the sweeps over 20,000 positions of each game in tests/games; A11 equal searches
in plain Python in tests/engine/compile/test_jit.py; A12 clocks, which compiled code itself starts, in
tests/experiments/proofs/test_time_limits.py; names of search options in test_search_options.py and test_space.py (A13)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.player import evaluation_parts
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.new_game import write_game

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A user's game in a folder of its own."""
    return write_game("mine", tmp_path, full=True)[0]


def edited(path: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """Change a weight file by hand; the digest, which would tell, is dropped."""
    data = json.loads(path.read_text())
    data.pop("digest", None)
    change(data)
    path.write_text(json.dumps(data))
    return path


# --- A2, A4, A14: no side is preferred


def test_a2_a_mirror_match_reports_the_first_players_share_with_an_interval(capsys):
    assert run(["match", "kalah", "hand", "hand", "--pairs", "4", "--limit", "nodes:40", "--jobs", "1",
                "--backend", "threads"]) == 0  # fmt: skip
    assert "% " not in capsys.readouterr().out.partition("first player scored ")[2].partition(" ± ")[0]


ONE_SIDED = {"expendibots": {"enemy_tokens", "enemies_free", "friendly_clusters", "own_swarm_distance"},
             "fanorona": {"own_chain"}, "pentago": {"empties"}}  # fmt: skip


@pytest.mark.parametrize("name", games.names())
def test_a4_the_start_is_worth_nothing_but_the_move(name):
    """Apart from features that say that they look at one side only, or at neither."""
    game = games.load(name)
    values = np.zeros(game.n_features)
    game.features(game.initial(), values)
    unequal = {f for f, value in zip(game.feature_names, values, strict=True) if value}
    assert unequal <= {"tempo"} | ONE_SIDED.get(name, set())
    meanings = dict(zip(game.feature_names, game.feature_meanings, strict=True))
    assert not any("minus" in meanings[feature] for feature in unequal)


def test_a14_the_side_to_move_is_the_positions_and_not_the_number_of_the_move():
    game = games.load("kalah")
    assert game.swap_sides is not None
    hand = weight_files.load("hand", game)
    board = Board(game)
    for text in ("3", "2", "1"):
        board.push(text)
    turned = Board(game, game.state_to_text(game.swap_sides(board.state)))
    assert board.n_plies == 3 and turned.n_plies == 0 and board.mover != turned.mover
    assert evaluation_parts(game, hand, board.state)[0] == evaluation_parts(game, hand, turned.state)[0]


# --- A5, A6, A7: weight files are found where they should be, by name, or refused


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "kalah", "hand", "lost.json"],
        ["selfplay", "kalah", "--weights", "lost.json", "--out", "games"],
        ["probe", "kalah", "--weights", "lost.json"],
        ["play", "kalah", "--weights", "lost.json"],
        ["run", "study.toml"],
        ["search", "study.toml"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a5_a_missing_weight_file_ends_it_before_the_first_game(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text('game = "kalah"\nbaseline = "lost.json"\n[search]\ntrials = 2\n'
                                         '[search.space]\naspiration = {low = 0, high = 9}\n')  # fmt: skip
    assert run(arguments) == 2
    assert "lost.json" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def test_a5_files_of_a_study_are_sought_beside_it_and_not_where_we_are(tmp_path, monkeypatch):
    from tunesmith.tuning.config import load

    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for folder in (home, elsewhere):
        folder.mkdir()
        (folder / "mine.json").write_text("{}")
    (home / "study.toml").write_text('game = "kalah"\nbaseline = "mine.json"\n')
    monkeypatch.chdir(elsewhere)
    assert load(home / "study.toml").baseline == str((home / "mine.json").resolve())


def _rename(data: dict[str, Any], old: str, new: str) -> None:
    data["features"][data["features"].index(old)] = new
    for row in data["weights"].values():
        row[new] = row.pop(old)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(game="kalah"), "game: expected 'mine', found 'kalah'"),
        (lambda d: d.update(version=3), "version: expected 1 or 2, found 3"),
        (lambda d: d.update(version=True), "version: expected 1 or 2, found True"),
        (lambda d: d.update(format="other"), "format: expected 'tunesmith-weights', found 'other'"),
        (lambda d: d.update(variant={"size": 9}), "variant: expected {}, found {'size': 9} (commands with --allow-variant take it)"),
        (lambda d: d.update(digest="0" * 64), "digest: expected"),
        (lambda d: d.update(bonus=1), "bonus: unknown field"),
        (lambda d: d.pop("scale"), "scale: missing"),
        (lambda d: d.update(scale=0), "scale: expected a positive number of at most 1e+12, found 0"),
        (lambda d: d["weights"]["opening"].pop("twos"), "weights.opening: features: missing twos"),
        (lambda d: d["weights"]["ending"].update(extra=1), "weights.ending: features: not expected extra"),
        (lambda d: d["weights"]["ending"].update(twos="5"), "weights.ending.twos: expected a finite number"),
        (lambda d: d["weights"]["ending"].update(twos=float("nan")), "weights.ending.twos"),
        (lambda d: d["weights"].pop("ending"), "weights: stages: missing ending"),
        (lambda d: _rename(d, "twos", "pairs"), ".json: features: missing twos; not expected pairs"),
        (lambda d: d["features"].append("twos"), "features: expected names without repeats"),
        (lambda d: d.update(options={"depht": 3}), "depht"),
    ],
)  # fmt: skip
def test_a6_another_file_is_refused_by_file_and_field(file, change, words):
    game, path = games.load(str(file)), file.parent / "weights" / "hand.json"
    with pytest.raises(InputError) as error:
        weight_files.load(edited(path, change), game)
    assert str(error.value).startswith(str(path)) and words in str(error.value)


def test_a6_a_file_that_is_cut_is_refused(file):
    path = file.parent / "weights" / "hand.json"
    path.write_text(path.read_text()[:400])
    with pytest.raises(InputError, match=r"hand\.json: expected JSON, found an error at line"):
        weight_files.load(path, games.load(str(file)))


def test_a7_numbers_belong_to_names_in_whatever_order_they_stand(file):
    game, path = games.load(str(file)), file.parent / "weights" / "hand.json"
    before = weight_files.load(path, game)

    def shuffle(data: dict[str, Any]) -> None:
        data["features"].reverse()
        data["stages"].reverse()
        data["weights"] = {s: dict(reversed(row.items())) for s, row in reversed(data["weights"].items())}

    after = weight_files.load(edited(path, shuffle), game)
    assert after.features != before.features
    assert after.digest == before.digest and np.array_equal(after.array(game), before.array(game))


def test_a7_the_digest_is_stored_with_every_game_and_printed(tmp_path, capsys):
    import pyarrow.parquet as pq

    assert run(["selfplay", "kalah", "--pairs", "1", "--limit", "nodes:40", "--jobs", "1", "--backend", "threads",
                "--out", str(tmp_path / "games")]) == 0  # fmt: skip
    digest = weight_files.load("hand", games.load("kalah")).digest
    assert digest in capsys.readouterr().out
    (shard,) = (tmp_path / "games").glob("*.parquet")
    table = pq.read_table(shard)
    assert {*table["first_weights"].to_pylist(), *table["second_weights"].to_pylist()} == {digest}


# --- A8, A9, A10: what is evaluated is what the files say now


def fresh(*arguments: str, **environment: str) -> dict[str, Any]:
    """Return what the command says in a process of its own."""
    call = [sys.executable, "-m", "tunesmith.tuning.cli", *arguments, "--json"]
    answer = subprocess.run(
        call, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return dict(json.loads(answer.stdout))


def here(capsys: Any, *arguments: str) -> dict[str, Any]:
    """Return what the command says in this process."""
    capsys.readouterr()
    assert run([*arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_a8_after_a_switch_a_live_process_evaluates_as_a_fresh_one(tmp_path, capsys):
    state = ["--state", "[[6,6,0,7,7,7],[7,7,6,6,6,6],[1,0],1]", "--limit", "nodes:2000"]
    path = tmp_path / "mine.json"
    shutil.copy(ROOT / "games" / "kalah" / "weights" / "hand-6.json", path)
    probe = ["probe", "kalah", "--weights", str(path), *state]
    first = here(capsys, *probe)
    edited(path, lambda data: data["weights"]["opening"].update(bank=0, mobility=-90))
    second = here(capsys, *probe)
    assert second["score"] != first["score"] and second["digest"] != first["digest"]
    assert second == fresh(*probe)
    shutil.copy(ROOT / "games" / "kalah" / "weights" / "hand-6.json", path)
    assert here(capsys, *probe) == first


def test_a8_nothing_of_earlier_weights_stays_in_a_table(capsys):
    from tunesmith.engine.limits import parse_limit
    from tunesmith.engine.player import Player

    game = games.load("kalah")
    hand = weight_files.load("hand", game)
    other = replace(hand, values={s: {f: -w for f, w in row.items()} for s, row in hand.values.items()})
    board, limit = Board(game), parse_limit("nodes:2000")
    alone = Player(game, other, limit).analyse(board)
    Player(game, hand, limit).analyse(board)
    assert Player(game, other, limit).analyse(board) == alone


def evaluation(game: Game) -> int:
    return evaluation_parts(game, weight_files.load("hand", game), game.initial())[0]


def test_a9_a10_an_edited_file_counts_even_where_only_a_helper_changed(file):
    text = file.read_text().replace("GAME = Game(", "def _worth():\n    return 1.0\n\n\ndef _more(state, out):\n"
                                    "    _less(state, out)\n    out[0] = _worth()\n\n\n_less = features\n"
                                    "features = _more\nGAME = Game(")  # fmt: skip
    file.write_text(text)
    before = evaluation(games.load(str(file)))
    file.write_text(text.replace("return 1.0", "return 3.0"))
    os.utime(file, ns=(1, 1))
    assert before != 0 and evaluation(games.load(str(file))) == 3 * before


# --- A11


@pytest.mark.slow
def test_a11_with_bounds_checks_the_engine_finds_the_same():
    probe = ("probe", "kalah", "--limit", "nodes:3000")
    assert fresh(*probe, NUMBA_BOUNDSCHECK="1") == fresh(*probe)
