"""What was played before a fault struck? Players in a recorded arena leave their moves where they outlive it.

A game that raises leaves them in memory; of one that hangs or ends its process only a file is left, which the
parent names, makes and reads: a flight recorder. Moves include the opening and the move under way."""

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.match import Arena, Record
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.games.game import State

Moves = npt.NDArray[np.int64]


class RecordedArena(Arena):
    """An arena that tells of a pair that came to no end; with a `path`, to whoever reads that file."""

    def __init__(self, *arguments: Any, path: str = "") -> None:
        super().__init__(*arguments)
        buffer = _buffer(2 * (self._moves.shape[1] + self._ends.shape[1]), path)
        self._ends = buffer[: self._ends.size].reshape(self._ends.shape)
        self._moves = buffer[self._ends.size :].reshape(self._moves.shape)
        self._buffer = buffer

    def play_pair(
        self, opening: Sequence[int], seed: int = 0, root: State | None = None
    ) -> tuple[Record, Record]:
        """Do what an arena does, in buffers that hold nothing else."""
        self._buffer[:] = NO_MOVE
        return super().play_pair(opening, seed, root)

    def played(self, opening: Sequence[int]) -> tuple[Moves, Moves]:
        """Return the moves of both games so far."""
        return _split(self._buffer, opening)


def new() -> str:
    """Make a file for the moves of a pair; "" where none can be made."""
    try:
        handle, path = tempfile.mkstemp(prefix="tunesmith-", suffix=".moves")
    except OSError:
        return ""
    os.close(handle)
    return path


def read(path: str, opening: Sequence[int]) -> tuple[Moves, Moves]:
    """Return the moves of both games of the pair of a file, those of the opening if it says nothing."""
    try:
        return _split(np.fromfile(path, np.int64), opening)
    except OSError:
        return _split(np.zeros(0, np.int64), opening)


def discard(path: str) -> None:
    """Remove a file that `new` made."""
    if path:
        with contextlib.suppress(OSError):
            Path(path).unlink()


def _buffer(size: int, path: str) -> Moves:
    """Return numbers in memory, or in a file that is there (not in one of another machine) and has room."""
    empty = np.full(size, NO_MOVE, np.int64)
    if path:
        with contextlib.suppress(OSError), open(path, "r+b") as file:
            file.write(empty.tobytes())  # a mapped page without room on the disk would end the process
            file.flush()
            return np.memmap(file, np.int64, "r+", shape=(size,)).view(np.ndarray)
    return empty


def _split(buffer: Moves, opening: Sequence[int]) -> tuple[Moves, Moves]:
    """Return the moves of both games in a buffer: six numbers on how they ended, then a row of moves for each."""
    ends, rows = buffer[:6].reshape(-1, 3), buffer[6:].reshape(2, -1)
    start = np.array(opening, np.int64)
    found = []
    for game, row in enumerate(rows):
        later = row[len(start) :]
        n_later = int(np.argmax(np.append(later, NO_MOVE) == NO_MOVE))
        if len(ends) and ends[game, 0] != NO_MOVE:  # it came to its end
            n_later = int(ends[game, 0]) - len(start)
        found.append(np.concatenate([start, later[:n_later]]))
    return found[0], found[1]
