"""Games as a table: one row a game, in the order of pair and game. The columns, their types and their order.

`result` and `end_reason` speak of player 0, `scores` of the mover before each move (Elo; NaN = none), `moves`
include the opening. A game whose `opening` has a text but no moves (`n_opening` 0) starts from the position of
that text, every other from the start position. `first_weights` and `second_weights` are digests of players 0
and 1. States are not stored: replaying the moves gives any feature of any position. The same rows give the
same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from tunesmith.engine.match import NO_RESULT
from tunesmith.games.game import Game, State
from tunesmith.games.texts import parse_json
from tunesmith.tuning import manifest
from tunesmith.tuning.documents.matches import FaultLine
from tunesmith.tuning.play.matchup import FAULT, PlayedGame
from tunesmith.tuning.play.openings.opening import position_of

SCHEMA = pa.schema(
    [
        ("pair", pa.int64()),
        ("game", pa.int8()),
        ("opening", pa.string()),
        ("n_opening", pa.int32()),
        ("first_weights", pa.string()),
        ("second_weights", pa.string()),
        ("moves", pa.list_(pa.int64())),
        ("scores", pa.list_(pa.float32())),
        ("result", pa.int8()),
        ("end_reason", pa.string()),
        ("seed", pa.int64()),
    ]
)
CAPPED, ADJUDICATED = "capped", "adjudicated"
FAULTS = "faults.jsonl"  # faults of the last call that had any, in plain lines: there even if the run failed

# Everything that decides the bytes of a file is fixed here; there are no clock values in it.
_WRITER: Mapping[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": ["first_weights", "second_weights", "end_reason"],
    "write_statistics": True,
    "row_group_size": 1 << 20,
}

Settings = Mapping[str, Any]  # what games were played with, by name; stored with them
Ints = npt.NDArray[np.int64]
Texts = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Games:
    """Played games, as columns.

    Attributes
    ----------
    table
        A pyarrow table of `SCHEMA`, sorted by pair and game.
    settings
        What the games were played with: game, players, limits, options, noise, move_cap, seed, version, and
        digests of the code of game and engine.
    generation
        Which round of self-play they belong to; pairs of different rounds are different pairs.
    """

    table: Any
    settings: Settings
    generation: int = 0

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @cached_property
    def pair(self) -> Ints:
        """Number of the pair, (n,)."""
        return self._numbers("pair")

    @cached_property
    def game(self) -> Ints:
        """0 or 1: which game of the pair, (n,)."""
        return self._numbers("game")

    @cached_property
    def seed(self) -> Ints:
        """Seed of the game's random moves, (n,)."""
        return self._numbers("seed")

    @cached_property
    def n_opening(self) -> Ints:
        """Number of moves of the opening, (n,)."""
        return self._numbers("n_opening")

    @cached_property
    def result(self) -> Ints:
        """1, 0, -1 for player 0; NO_RESULT (2) of capped games and faults, (n,)."""
        filled = self.table["result"].fill_null(NO_RESULT)
        return np.asarray(filled.to_numpy(), np.int64)

    @cached_property
    def end_reason(self) -> Texts:
        """Why the game ended, (n,)."""
        return np.asarray(self.table["end_reason"].to_numpy(zero_copy_only=False), object)

    @cached_property
    def opening(self) -> Texts:
        """Text of the opening, (n,)."""
        return np.asarray(self.table["opening"].to_numpy(zero_copy_only=False), object)

    @cached_property
    def moves(self) -> Ints:
        """All moves of all games in a row; game i owns `starts[i]` to `starts[i + 1]`."""
        return np.asarray(self._flat("moves"), np.int64)

    @cached_property
    def scores(self) -> npt.NDArray[np.float32]:
        """The movers' scores in Elo, aligned with `moves`."""
        return np.asarray(self._flat("scores"), np.float32)

    @cached_property
    def starts(self) -> Ints:
        """Where each game's moves begin, (n + 1,)."""
        lengths = pa.compute.list_value_length(self.table["moves"]).to_numpy()
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    @cached_property
    def is_fault(self) -> npt.NDArray[np.bool_]:
        """Whether the game ended by a fault of the code under test, (n,)."""
        return np.array([reason.startswith(FAULT) for reason in self.end_reason], np.bool_)

    @cached_property
    def is_adjudicated(self) -> npt.NDArray[np.bool_]:
        """Whether the game was decided by the players' scores before its end, (n,)."""
        return np.asarray(self.end_reason == ADJUDICATED, np.bool_)

    @cached_property
    def opponent(self) -> Texts:
        """Digest of the second-named player of the game's pair, (n,)."""
        sides = [
            self.table[name].to_numpy(zero_copy_only=False) for name in ("second_weights", "first_weights")
        ]
        return np.asarray(np.where(self.game == 0, *sides), object)

    @cached_property
    def seats(self) -> tuple[list[str], npt.NDArray[np.int32]]:
        """Digests of all who played, and the place in them of players 0 and 1 of each game, (n, 2)."""
        sides = [self.table[name].chunks for name in ("first_weights", "second_weights")]
        both = pa.chunked_array([*sides[0], *sides[1]], pa.string()).dictionary_encode().unify_dictionaries()
        places = [np.asarray(chunk.indices, np.int32) for chunk in both.chunks]
        digests = both.chunks[0].dictionary.to_pylist() if both.chunks else []
        return digests, np.concatenate([np.zeros(0, np.int32), *places]).reshape(2, -1).T

    @cached_property
    def is_capped(self) -> npt.NDArray[np.bool_]:
        """Whether the game was given up at the cap of moves, (n,)."""
        return np.asarray(self.end_reason == CAPPED, np.bool_)

    def positions(self) -> list[str | None]:
        """Return the text of the position that each game starts from; None is the start position."""
        return [position_of(text, n) for text, n in zip(self.opening, self.n_opening.tolist(), strict=True)]

    def roots(self, game: Game) -> list[State] | None:
        """Return the position that each game starts from; None if it is the start position for all."""
        texts = self.positions()
        if not any(texts):
            return None
        states = {text: game.initial() if text is None else game.text_to_state(text) for text in set(texts)}
        return [states[text] for text in texts]

    def lines(self) -> list[bytes]:
        """Return what makes each game the same as another: its start and its moves."""
        starts, moves = self.starts, self.moves
        return [
            (text or "").encode() + b" " + moves[starts[row] : starts[row + 1]].tobytes()
            for row, text in enumerate(self.positions())
        ]

    @staticmethod
    def joined(blocks: Iterable[Games]) -> Games:
        """Return the games of several blocks of one folder, in their order; no two copies of all are in memory."""
        tables, last = list[Any](), Games(SCHEMA.empty_table(), {})
        for last in blocks:
            tables.append(last.table)
        if len(tables) < 2:
            return last
        settings, generation = last.settings, last.generation
        del last
        columns = {}
        for field in tables[0].schema:
            chunks = [chunk for table in tables for chunk in table[field.name].chunks]
            columns[field.name] = pa.chunked_array(chunks, field.type).combine_chunks()
            del chunks
            tables = [table.drop_columns(field.name) for table in tables]
        return Games(pa.table(columns), settings, generation)

    def take(self, chosen: npt.NDArray[Any]) -> Games:
        """Return the games chosen by a mask or by their row numbers."""
        rows = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        return Games(self.table.take(pa.array(rows, pa.int64())), self.settings, self.generation)

    def _numbers(self, name: str) -> Ints:
        return np.asarray(self.table[name].to_numpy(), np.int64)

    def _flat(self, name: str) -> Any:
        return pa.compute.list_flatten(self.table[name]).to_numpy(zero_copy_only=False)


def to_table(
    played: Iterable[PlayedGame],
    openings: Mapping[int, str],
    players: tuple[str, str] | Mapping[int, tuple[str, str]],
    settings: Settings,
) -> Any:
    """Return the table of some games; `players` are the digests of the first- and second-named player (by pair)."""
    rows = sorted(played, key=lambda row: (row.pair, row.game))
    named = players if isinstance(players, Mapping) else dict.fromkeys(openings, players)
    columns = {
        "pair": [row.pair for row in rows],
        "game": [row.game for row in rows],
        "opening": [openings[row.pair] for row in rows],
        "n_opening": [row.n_opening for row in rows],
        "first_weights": [named[row.pair][row.game] for row in rows],
        "second_weights": [named[row.pair][1 - row.game] for row in rows],
        "moves": [row.moves for row in rows],
        "scores": [row.scores for row in rows],
        "result": [None if row.result == NO_RESULT else row.result for row in rows],
        "end_reason": [row.reason for row in rows],
        "seed": [row.seed for row in rows],
    }
    arrays = [pa.array(columns[name], SCHEMA.field(name).type) for name in SCHEMA.names]
    return pa.Table.from_arrays(arrays, schema=SCHEMA.with_metadata(_encode(settings)))


def fault_lines(
    played: Iterable[PlayedGame], openings: Mapping[int, str], players: Mapping[int, tuple[str, str]]
) -> str:
    """Return games that ended by a fault as lines of JSON, with all that is needed to play them again."""
    lines = [
        FaultLine(
            pair=row.pair,
            game=row.game,
            seed=row.seed,
            opening=openings[row.pair],
            n_opening=row.n_opening,
            moves=row.moves.tolist(),
            players=[players[row.pair][row.game], players[row.pair][1 - row.game]],
            reason=row.reason,
        )
        for row in played
    ]
    return "".join(json.dumps(line.content()) + "\n" for line in lines)


def write_parquet(table: Any, path: Path) -> None:
    """Write a Parquet file, whole or not at all, and enter it; its folder's list is to be tidied at the end.

    Equal tables give equal bytes, however they are chunked.
    """
    draft = path.with_name(f".{path.name}.draft")
    metadata = dict(sorted((table.schema.metadata or {}).items()))
    columns = [table[name].combine_chunks() for name in SCHEMA.names]
    try:
        pq.write_table(pa.Table.from_arrays(columns, schema=SCHEMA.with_metadata(metadata)), draft, **_WRITER)
        with manifest.entered(path, manifest.digest_of(draft.read_bytes()), one_of_many=True):
            draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)  # a full disk needs the room
        raise


def table_of(data: bytes) -> Any:
    """Return the table that the bytes of a file hold; raises pyarrow's errors or ValueError if there is none.

    `pq.read_table` would leave a thread at work, and a process that ends in that moment aborts (apache/arrow #34314).
    """
    table = pq.ParquetFile(pa.BufferReader(data), pre_buffer=False).read(use_threads=False)
    if table.schema.names != SCHEMA.names:
        raise pa.ArrowInvalid(f"expected the columns {', '.join(SCHEMA.names)}")
    return table


def settings_of(table: Any) -> Settings:
    """Return the settings stored with a table; raises ValueError if they are no JSON that can be handled."""
    metadata = table.schema.metadata or {}
    return {key.decode(): _parsed(value) for key, value in metadata.items() if key in _KEYS}


@lru_cache(maxsize=256)
def _parsed(value: bytes) -> Any:
    """Return what a value says, the same object for all files of a folder: nobody changes it."""
    return parse_json(value.decode())


_KEYS = {
    key.encode()
    for key in (
        *("game", "players", "limits", "options", "noise", "move_cap", "hash_mb", "seed", "version"),
        *("code of the game", "code of the engine"),
        *("books", "opponents", "adjudicate"),  # where there are any
    )
}


def _encode(settings: Settings) -> dict[bytes, bytes]:
    return {key.encode(): json.dumps(settings[key], sort_keys=True).encode() for key in sorted(settings)}
