"""A folder of games: shards of 64 pairs, and parts of shards while they are being played.

Shard k is `shard-0000k.parquet` with pairs 64k to 64k+63 in order. While a shard is incomplete its pairs lie
in parts, `shard-0000k.part-FIRST-LAST.parquet`, which are merged and removed when all pairs that were asked
for are there. Every file is written under another name and renamed, so what carries its name is whole unless
the disk failed: a damaged last part is left aside and its pairs are played again, any other damaged file is an
error, because games that were counted would silently go missing."""

import logging
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from tunesmith.games.errors import StudyError
from tunesmith.tuning.play.records import SCHEMA, Games, Settings, read_parquet, settings_of, write_parquet

logger = logging.getLogger("tunesmith.tuning")

SHARD = 64  # pairs

_SHARD_NAME = re.compile(r"shard-(\d{5,})\.parquet")
_PART_NAME = re.compile(r"shard-(\d{5,})\.part-(\d+)-(\d+)\.parquet")
_DRAFT_NAME = re.compile(r"\.shard-.*\.draft")
_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError)


class Piece(NamedTuple):
    """One file of a folder, and the shard it belongs to."""

    path: Path
    shard: int
    is_part: bool


def shard_path(folder: Path, shard: int) -> Path:
    """Return the file of a whole shard."""
    return folder / f"shard-{shard:05d}.parquet"


def part_path(folder: Path, first: int, last: int) -> Path:
    """Return the file of a part with pairs `first` to `last` of one shard."""
    return folder / f"shard-{first // SHARD:05d}.part-{first:09d}-{last:09d}.parquet"


def pieces(folder: Path, shards: Iterable[int] | None = None) -> list[Piece]:
    """List the files of a folder in the order of shards, a whole shard before its parts."""
    wanted = None if shards is None else set(shards)
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _SHARD_NAME.fullmatch(path.name) or _PART_NAME.fullmatch(path.name)
        if match and (wanted is None or int(match[1]) in wanted):
            found.append(Piece(path, int(match[1]), match.re is _PART_NAME))
    return sorted(found, key=lambda piece: (piece.shard, piece.is_part, piece.path.name))


def read_games(folder: Path, pairs: range | None = None, generation: int = 0) -> Games:
    """Return the games of a folder (of some pairs only), in the order of pair and game.

    Raises
    ------
    StudyError
        A file is damaged, or the files were played under different settings.
    """
    tables = _read_all(folder, _shards_of(pairs))
    settings = _one_setting(folder, tables)
    table = _joined([table for _, table in tables])
    if pairs is not None:
        table = table.filter(pa.array(_is_within(table, pairs)))
    return Games(table.combine_chunks(), settings, generation)


def merge_shard(folder: Path, shard: int) -> None:
    """Make one file of a shard's pieces, then remove its parts."""
    tables = _read_all(folder, [shard])
    _one_setting(folder, tables)
    if all(not piece.is_part for piece, _ in tables):
        return
    newest = tables[-1][1].schema.metadata
    write_parquet(
        _joined([table for _, table in tables]).replace_schema_metadata(newest), shard_path(folder, shard)
    )
    for piece in pieces(folder, [shard]):
        if piece.is_part:
            piece.path.unlink()


def sweep(folder: Path) -> None:
    """Remove what a killed process left half-written; for the one process that works in the folder."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if _DRAFT_NAME.fullmatch(path.name):
            path.unlink(missing_ok=True)
    last = _last_part(pieces(folder))
    if last is not None and not _is_readable(last.path):
        logger.warning("%s: half-written, its pairs are played again", last.path)
        last.path.unlink()


def _is_readable(path: Path) -> bool:
    try:
        read_parquet(path)
    except _UNREADABLE:
        return False
    return True


def _last_part(found: list[Piece]) -> Piece | None:
    """Return the part written last: the only file that may be half-written."""
    parts = [piece for piece in found if piece.is_part]
    return max(parts, key=lambda piece: (piece.path.stat().st_mtime_ns, piece.path.name), default=None)


def _read_all(folder: Path, shards: Iterable[int] | None) -> list[tuple[Piece, Any]]:
    found = pieces(folder, shards)
    last = _last_part(found)
    tables = []
    for piece in found:
        try:
            tables.append((piece, read_parquet(piece.path)))
        except _UNREADABLE as error:
            if piece is not last:
                raise StudyError(
                    f"{piece.path}: damaged ({_first_line(error)}); without this file its pairs are played again"
                ) from error
            logger.warning("%s: half-written, left out", piece.path)
    return tables


def _joined(tables: list[Any]) -> Any:
    """Return all rows in order, each pair and game once."""
    if not tables:
        return SCHEMA.empty_table()
    table = pa.concat_tables([table.replace_schema_metadata(None) for table in tables])
    key = table["pair"].to_numpy() * 2 + table["game"].to_numpy()
    _, rows = np.unique(key, return_index=True)
    return table.take(pa.array(rows, pa.int64()))


def _one_setting(folder: Path, tables: list[tuple[Piece, Any]]) -> Settings:
    settings: Settings = {}
    for piece, table in tables:
        own = settings_of(table)
        changed = [
            name for name in own if name != "version" and name in settings and own[name] != settings[name]
        ]
        if changed:
            what = "; ".join(f"{name}: {settings[name]} and {own[name]}" for name in changed)
            raise StudyError(f"{folder}: games of different settings: {what} ({piece.path.name})")
        settings = own
    return settings


def _shards_of(pairs: range | None) -> Iterable[int] | None:
    return None if pairs is None else range(pairs.start // SHARD, (pairs.stop - 1) // SHARD + 1)


def _is_within(table: Any, pairs: range) -> Any:
    numbers = table["pair"].to_numpy()
    return (numbers >= pairs.start) & (numbers < pairs.stop)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
