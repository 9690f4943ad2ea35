"""Games that nobody vouches for are replayed; no flipped bit of a file that is vouched for is read as a game."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from tests.support.small_matches import hand, kalah, matchup, play
from tunesmith import games as registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.compile import jit
from tunesmith.engine.compile.arith import mix
from tunesmith.games.errors import StudyError
from tunesmith.tuning import manifest
from tunesmith.tuning.play.matchup import Adjudicate, Noise, Opponent, PlayedGame, pair_seed
from tunesmith.tuning.play.proofread import first_wrong, wrong
from tunesmith.tuning.play.records import SCHEMA, Games, to_table
from tunesmith.tuning.play.store import read_games, shard_path
from tunesmith.tuning.play.worker import new_arena


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a few pairs, some of them adjudicated, some capped."""
    made = tmp_path_factory.mktemp("games")
    play(made, range(12), adjudicate=Adjudicate(score=300.0, plies=4), move_cap=60)
    return made


@pytest.fixture(scope="module")
def games(folder: Path) -> Games:
    return read_games(folder)


def changed(games: Games, column: str, row: int, value: object) -> Games:
    """Return the games with another value in one place."""
    values = games.table[column].to_pylist()
    values[row] = value
    at = SCHEMA.names.index(column)
    table = games.table.set_column(at, SCHEMA.field(at), pa.array(values, SCHEMA.field(at).type))
    return Games(table, games.settings)


def test_games_as_they_were_played_are_right(games: Games) -> None:
    assert {"adjudicated", "capped"} < set(games.end_reason.tolist())
    assert first_wrong(kalah(), games) is None


def test_games_against_opponents_are_right_without_an_entry(tmp_path: Path) -> None:
    play(tmp_path, range(8), opponents=(Opponent(hand("hand-1"), 0.5),))
    (tmp_path / manifest.NAME).unlink()
    found = read_games(tmp_path)
    assert {hand("hand-1").digest, hand().digest} == set(found.opponent.tolist())


@pytest.mark.parametrize("name", ["fanorona", "expendibots", "ropasci360", "pentago"])
def test_games_that_repeat_or_hide_their_choices_are_right(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Played at random, so that all ends come up, and in plain Python."""
    monkeypatch.setattr(jit, "COMPILED", False)
    game = replace(registry.load(name))  # what is bound to a copy is its own
    player = weight_files.load("random", game)
    match = replace(matchup("depth:1", noise=Noise()), game=name, first=player, second=player)
    arena = new_arena(match, game)
    records = [record for pair in range(6) for record in arena.play_pair((), pair_seed(1, pair))]
    rows = [
        PlayedGame(
            at // 2, at % 2, mix(pair_seed(1, at // 2)) if at % 2 else pair_seed(1, at // 2), 0, *record
        )
        for at, record in enumerate(records)
    ]
    said = {"seed": 1, "players": [player.digest] * 2, "move_cap": match.move_cap}
    table = to_table(rows, dict.fromkeys(range(6), ""), (player.digest,) * 2, said)
    assert first_wrong(game, Games(table, said)) is None


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("result", "other", "by the rules|does not follow"),
        ("result", None, "by the rules|does not follow"),
        ("end_reason", "capped", "by the rules|does not follow"),
        ("end_reason", "adjudicated", "by the rules|does not follow"),
        ("end_reason", "ended", "by the rules|the game goes on"),
        ("seed", 5, "seed"),
        ("first_weights", "x", "somebody else"),
        ("second_weights", "x", "somebody else"),
        ("pair", 3, "out of order|seed"),
        ("game", 7, "out of order"),
        ("n_opening", 500, "as many scores"),
        ("scores", [1.0], "as many scores"),
    ],
)
def test_a_changed_value_is_found(games: Games, column: str, value: object, words: str) -> None:
    for row in range(len(games)):
        other = -1 if games.result[row] == 1 else 1
        made = changed(games, column, row, other if value == "other" else value)
        if not made.table[column].equals(games.table[column]):
            found = wrong(kalah(), made)
            assert found is not None, (row, games.end_reason[row])
            assert re.search(words, found), found


def test_a_changed_missing_or_further_move_is_found(games: Games) -> None:
    rng = Random(1)
    moves = games.table["moves"].to_pylist()
    scores = games.table["scores"].to_pylist()
    for row in range(len(games)):
        at = rng.randrange(len(moves[row]))
        illegal = [*moves[row][:at], 2**40, *moves[row][at + 1 :]]
        assert "is not legal" in str(wrong(kalah(), changed(games, "moves", row, illegal)))
        if games.end_reason[row] == "adjudicated":
            continue
        shorter = changed(changed(games, "moves", row, moves[row][:-1]), "scores", row, scores[row][:-1])
        assert wrong(kalah(), shorter) is not None
        longer = changed(
            changed(games, "moves", row, [*moves[row], moves[row][-1]]), "scores", row, [*scores[row], np.nan]
        )
        assert wrong(kalah(), longer) is not None


def test_no_flipped_bit_is_ever_accepted(folder: Path) -> None:
    path = shard_path(folder, 0)
    whole, rng = path.read_bytes(), Random(0)
    try:
        for _ in range(400):
            flipped = bytearray(whole)
            flipped[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
            path.write_bytes(flipped)
            with pytest.raises(StudyError, match=r"shard-00000\.parquet: damaged"):
                read_games(folder)
    finally:
        path.write_bytes(whole)
    assert len(read_games(folder)) == 24
