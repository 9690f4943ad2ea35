"""A folder of games: shards of 64 pairs, and parts of shards while they are being played.

Shard k is `shard-0000k.parquet` with pairs 64k to 64k+63 in order. While a shard is incomplete its pairs lie
in parts, `shard-0000k.part-FIRST-LAST.parquet`, which are merged and removed when all pairs that were asked
for are there. Every file is written under another name and renamed, and its SHA-256 stands in the folder's list
(`manifest`). What differs from it is no game: a reader refuses it by name, and whoever plays in the folder sets it
aside (`shard-0000k.damaged`) and plays its pairs again. A file without an entry is replayed once (`proofread`)."""

import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tunesmith.engine.limits import parse_limit
from tunesmith.engine.source import code_digest
from tunesmith.games import registry
from tunesmith.games.errors import StudyError, TunesmithError
from tunesmith.tuning import manifest
from tunesmith.tuning.manifest import DamagedError
from tunesmith.tuning.play.records import SCHEMA, Games, Settings, settings_of, table_of, write_parquet
from tunesmith.tuning.settings_file import flatten
from tunesmith.tuning.study import require_same

logger = logging.getLogger("tunesmith.tuning")

SHARD = 64  # pairs
BLOCK = 64  # shards whose games are in memory together, where games are read in turn

_SHARD_NAME = re.compile(r"shard-(\d{5,})\.parquet")
_PART_NAME = re.compile(r"shard-(\d{5,})\.part-(\d+)-(\d+)\.parquet")
_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError, TypeError)
_LOOKS = 3  # a process that plays may merge and remove parts while they are read
_replayed: set[str] = set()  # digests of files without an entry that this process has replayed


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
        A file is damaged (named, with the command that plays its games again), or nobody vouches for it and it
        cannot be replayed, or the files were played under different settings.
    """
    found = Games.joined(read_blocks(folder, pairs, generation))
    pa.default_memory_pool().release_unused()
    return found


def read_blocks(folder: Path, pairs: range | None = None, generation: int = 0) -> Iterator[Games]:
    """Yield the games of `read_games` in the same order, those of `BLOCK` shards at a time: memory stays bounded."""
    tell_missing(folder)
    settings: Settings = {}
    shards = sorted({piece.shard for piece in pieces(folder, _shards_of(pairs))})
    for at in range(0, len(shards), BLOCK):
        tables = _read_all(folder, shards[at : at + BLOCK])
        settings = _one_setting(folder, tables, settings)
        table = _joined([table for _, table in tables])
        del tables
        if pairs is not None:
            table = table.filter(pa.array(_is_within(table, pairs)))
        yield Games(table.combine_chunks(), settings, generation)


def tell_missing(folder: Path) -> None:
    """Say which files of games are entered and not there: whoever counts the games has to know."""
    there = pieces(folder)
    shards, with_parts = ({one.shard for one in there if one.is_part is part} for part in (False, True))
    for path in manifest.missing(folder):
        whole, part = _SHARD_NAME.fullmatch(path.name), _PART_NAME.fullmatch(path.name)
        match = whole or part
        # Parts go when their shard is whole; a shard that was about to take their place may not have come to it.
        if match is None or int(match[1]) in (shards | with_parts if whole else shards):
            continue
        logger.warning("%s is missing; %s plays its games again", path, manifest.player_of(folder))


def merge_shard(folder: Path, shard: int) -> None:
    """Make one file of a shard's pieces, then remove its parts."""
    tables = _read_all(folder, [shard])
    _one_setting(folder, tables, {})
    if all(not piece.is_part for piece, _ in tables):
        return
    newest = tables[-1][1].schema.metadata
    write_parquet(
        _joined([table for _, table in tables]).replace_schema_metadata(newest), shard_path(folder, shard)
    )
    for piece in pieces(folder, [shard]):
        if piece.is_part:
            piece.path.unlink()
    manifest.tidy(folder)


def sweep(folder: Path, now: Settings | None = None) -> None:
    """Set damaged files aside, and enter those that nobody vouches for.

    For the one process that works in the folder, under settings `now`: files without an entry are replayed only if
    they were played under the same.
    """
    listed = manifest.entries(folder)
    for piece in pieces(folder):
        try:
            data, is_entered = manifest.read(piece.path, listed)
            table = _table(piece.path, data)
            if not is_entered:
                if now is not None:
                    require_same_settings(folder, settings_of(table), now)
                _replay(piece.path, data, table)
                manifest.enter(piece.path, data)
        except DamagedError as error:
            aside = _set_aside(piece.path)
            logger.error("%s; set aside as %s, its pairs are played again", error.cause, aside.name)
    manifest.tidy(folder)


def lost(root: Path) -> list[Path]:
    """Return the damaged files below a folder whose games are gone: played under time limits, others came instead."""
    return [path for path in sorted(root.rglob("shard-*.damaged")) if _is_timed(path.parent)]


def _is_timed(folder: Path) -> bool:
    """Whether the games of a folder would be others, were they played again."""
    for piece in pieces(folder)[:1]:
        limits = settings_of(_read(piece.path)).get("limits", ())
        return not all(parse_limit(limit).is_deterministic for limit in limits)
    return False


def is_whole(root: Path) -> bool:
    """Whether no file of games below a folder is damaged."""
    try:
        for folder in _folders(root):
            listed = manifest.entries(folder)
            for path in folder.glob("*.parquet"):
                manifest.read(path, listed)
    except DamagedError:
        return False
    return True


def count_games(root: Path) -> dict[Path, int]:
    """Return how many games each folder below one holds."""
    return {folder: _games_in(folder) for folder in _folders(root)}


def _folders(root: Path) -> list[Path]:
    """Return the folders with Parquet files, the root's own among them."""
    return [
        Path(where) for where, _, names in os.walk(root) if any(name.endswith(".parquet") for name in names)
    ]


def _games_in(folder: Path) -> int:
    listed = manifest.entries(folder)
    return sum(_rows_in(path, listed) for path in folder.glob("*.parquet"))


def _rows_in(path: Path, listed: manifest.Entries) -> int:
    """Return how many games a file holds; 0 if a process that plays has just removed it."""
    try:
        return int(pq.read_metadata(pa.BufferReader(manifest.read(path, listed)[0])).num_rows)
    except FileNotFoundError:
        return 0
    except _UNREADABLE as error:
        raise DamagedError(path, _first_line(error)) from error


def require_same_settings(where: Path, stored: Settings, now: Settings) -> None:
    """Refuse to add to games of other settings; the version decides nothing by itself."""
    require_same(where, _flat(stored), _flat(now))


def _flat(settings: Settings) -> Mapping[str, Any]:
    """Return settings by name, each player's search options by theirs, without the version."""
    players = {f"options of player {at}": options for at, options in enumerate(settings.get("options", ()))}
    return flatten({name: settings[name] for name in settings.keys() - {"version", "options"}} | players)


def _set_aside(path: Path) -> Path:
    aside, number = path.with_suffix(".damaged"), 1
    while aside.exists():
        number += 1
        aside = path.with_suffix(f".{number}.damaged")
    return path.rename(aside)


def _read_all(folder: Path, shards: Iterable[int] | None) -> list[tuple[Piece, Any]]:
    wanted = None if shards is None else list(shards)
    for look in range(_LOOKS):
        try:
            listed = manifest.entries(folder)
            return [(piece, _read(piece.path, listed)) for piece in pieces(folder, wanted)]
        except FileNotFoundError:
            if look == _LOOKS - 1:
                raise
    return []


def _read(path: Path, listed: manifest.Entries | None = None) -> Any:
    """Return the table of a file; refuse one that is not what was played."""
    try:
        data, is_entered = manifest.read(path, listed)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror or error}") from error
    table = _table(path, data)
    if not is_entered:
        _replay(path, data, table)
    return table


def _table(path: Path, data: bytes) -> Any:
    try:
        table = table_of(data)
        settings_of(table)
    except _UNREADABLE as error:
        raise DamagedError(path, _first_line(error)) from error
    return table


def _replay(path: Path, data: bytes, table: Any) -> None:
    """Replay a file without an entry against its results, once in a process."""
    digest = manifest.digest_of(data)
    if digest in _replayed:
        return
    from tunesmith.tuning.play.proofread import wrong

    settings = settings_of(table)
    if "code of the game" not in settings:
        raise StudyError(
            f"{path}: games of Tunesmith 0.1, which did not keep what they were played with: play them again"
        )
    try:
        game = registry.load(settings["game"])
        if settings["code of the game"] != code_digest(game):
            raise StudyError("the game's code is another now")
    except (TunesmithError, KeyError, TypeError) as error:
        raise StudyError(
            f"{path}: is not entered in {manifest.NAME}, and cannot be replayed: {_first_line(error)}"
        ) from error
    found = wrong(game, Games(table, settings))
    if found is not None:
        raise DamagedError(path, found)
    _replayed.add(digest)


def _joined(tables: list[Any]) -> Any:
    """Return all rows in order, each pair and game once."""
    if not tables:
        return SCHEMA.empty_table()
    table = pa.concat_tables([table.replace_schema_metadata(None) for table in tables])
    key = table["pair"].to_numpy() * 2 + table["game"].to_numpy()
    _, rows = np.unique(key, return_index=True)
    return table.take(pa.array(rows, pa.int64()))


def _one_setting(folder: Path, tables: list[tuple[Piece, Any]], settings: Settings) -> Settings:
    """Return the settings of all tables, and of those before."""
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
