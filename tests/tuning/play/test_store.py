"""A folder of games: shards and their parts, merged, swept, and never mixed or silently short."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.games_by_hand import even, games_of
from tunesmith.games.errors import StudyError
from tunesmith.tuning import manifest
from tunesmith.tuning.manifest import DamagedError
from tunesmith.tuning.play.records import to_table, write_parquet
from tunesmith.tuning.play.store import (
    SHARD,
    lost,
    merge_shard,
    part_path,
    pieces,
    read_games,
    shard_path,
    sweep,
)


def part(folder: Path, first: int, last: int, game: str = "kalah") -> Path:
    """Write a part with some of the pairs of `even`."""
    rows = [row for row in even(last + 1) if row[0] >= first]
    table = games_of(rows).table
    path = part_path(folder, first, last)
    if game != "kalah":
        metadata = {
            key: value.replace(b"kalah", game.encode()) for key, value in table.schema.metadata.items()
        }
        table = table.replace_schema_metadata(metadata)
    write_parquet(table, path)
    manifest.tidy(folder)
    return path


def test_pieces_come_in_the_order_of_shards_and_a_whole_shard_first(tmp_path: Path) -> None:
    names = [part_path(tmp_path, SHARD + 3, SHARD + 4), part_path(tmp_path, 2, 5), shard_path(tmp_path, 1),
             part_path(tmp_path, 0, 1)]  # fmt: skip
    for path in [*names, tmp_path / "notes.txt", tmp_path / ".shard-00000.parquet.draft"]:
        path.write_bytes(b"")
    found = pieces(tmp_path)
    assert [piece.path for piece in found] == [names[3], names[1], names[2], names[0]]
    assert [(piece.shard, piece.is_part) for piece in found] == [(0, True), (0, True), (1, False), (1, True)]
    assert [piece.path for piece in pieces(tmp_path, [1])] == names[2::-2]
    assert pieces(tmp_path / "none") == []


def test_games_of_parts_are_read_in_order_and_some_pairs_of_them(tmp_path: Path) -> None:
    part(tmp_path, 3, 5)
    part(tmp_path, 0, 2)
    assert read_games(tmp_path).pair.tolist() == [pair for pair in range(6) for _ in range(2)]
    assert read_games(tmp_path, range(2, 4)).pair.tolist() == [2, 2, 3, 3]


def test_parts_become_one_shard_and_a_pair_in_two_of_them_counts_once(tmp_path: Path) -> None:
    part(tmp_path, 0, 3)
    part(tmp_path, 2, 5)
    before = read_games(tmp_path)
    merge_shard(tmp_path, 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SHA256SUMS", "shard-00000.parquet"]
    assert list(manifest.entries(tmp_path)) == ["shard-00000.parquet"]
    after = read_games(tmp_path)
    assert after.pair.tolist() == before.pair.tolist() == [pair for pair in range(6) for _ in range(2)]
    assert after.moves.tolist() == before.moves.tolist()


def test_sweeping_sets_damaged_files_aside(tmp_path: Path, caplog: Any) -> None:
    whole = part(tmp_path, 0, 1)
    for _ in range(2):
        last = part(tmp_path, 2, 3)
        last.write_bytes(last.read_bytes()[:50])
        sweep(tmp_path)
    kept = {path.name for path in tmp_path.iterdir()} - {whole.name, "SHA256SUMS"}
    assert kept == {f"{last.stem}.damaged", f"{last.stem}.2.damaged"}
    assert lost(tmp_path.parent) == []
    assert read_games(tmp_path).pair.tolist() == [0, 0, 1, 1]
    assert f"set aside as {last.stem}.damaged, its pairs are played again" in caplog.text


def test_a_damaged_shard_is_an_error_and_not_fewer_games(tmp_path: Path) -> None:
    part(tmp_path, 0, 3)
    merge_shard(tmp_path, 0)
    path = shard_path(tmp_path, 0)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(StudyError, match=r"shard-00000\.parquet: damaged"):
        read_games(tmp_path)


def test_games_of_different_settings_are_not_mixed(tmp_path: Path) -> None:
    part(tmp_path, 0, 1)
    part(tmp_path, 2, 3, "santa")
    with pytest.raises(StudyError, match="games of different settings: game: kalah and santa"):
        read_games(tmp_path)


def test_a_file_that_is_entered_and_gone_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lost_part = part(tmp_path, 0, 2)
    kept = part(tmp_path, 3, 5)
    assert len(read_games(tmp_path)) == 12 and caplog.text == ""
    lost_part.unlink()
    assert len(read_games(tmp_path)) == 6
    assert f"{lost_part} is missing" in caplog.text and str(kept) not in caplog.text


def test_parts_that_became_a_shard_are_not_missed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    part(tmp_path, 0, 2)
    merge_shard(tmp_path, 0)
    assert len(read_games(tmp_path)) == 6 and caplog.text == ""
    shard_path(tmp_path, 0).unlink()
    assert len(read_games(tmp_path)) == 0 and "shard-00000.parquet is missing" in caplog.text


def test_settings_nested_too_deep_are_damage_and_no_traceback(tmp_path: Path) -> None:
    table = games_of(even(2)).table
    deep = table.schema.metadata | {b"noise": b"[" * 5000 + b"]" * 5000}
    write_parquet(table.replace_schema_metadata(deep), part_path(tmp_path, 0, 1))
    with pytest.raises(DamagedError, match="expected at most 64 levels"):
        read_games(tmp_path)


def test_games_of_version_0_1_are_refused_in_one_sentence(tmp_path: Path) -> None:
    """They do not say which code played them, and nobody vouches for them."""
    settings = {"game": "kalah", "players": ["a", "b"], "seed": 1, "version": "0.1.0"}
    write_parquet(to_table([], {}, ("a", "b"), settings), tmp_path / "shard-00000.parquet")
    (tmp_path / manifest.NEWS).unlink()
    with pytest.raises(
        StudyError, match=r"shard-00000\.parquet: games of Tunesmith 0\.1, .* play them again"
    ):
        read_games(tmp_path)
