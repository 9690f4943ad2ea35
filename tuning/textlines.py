"""How is a text file of unknown origin read, line by line, without hanging or losing count?

Blocks of whole lines, each with the number of its first line. A byte-order mark is dropped; lines end with
LF, CRLF or, in files without any LF, CR. A line longer than `LONGEST` is replaced by a marker, so memory stays
bounded. A last line without a line end may be cut: it comes by itself and says so.
"""

import bz2
import contextlib
import gzip
import importlib
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from tunesmith.games.errors import InputError

LONGEST = 1 << 20  # bytes of a line
MOST = 1 << 28  # bytes of a file that is read as a whole
TOO_LONG = b"\0line too long"
_BLOCK = 1 << 21  # bytes read at a time
_MARK = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Whole lines, each with its end; `first` numbers them from 1; `is_cut`: one line without an end."""

    first: int
    data: bytes
    is_cut: bool


def blocks(path: Path, is_packed: bool = False) -> Iterator[Block]:
    """Yield a file's lines in order, unpacked on the way where they may be packed."""
    with unpacked(path) if is_packed else _opened(path) as stream:
        yield from _blocks(_pieces(stream))


def content(path: Path, what: str = "") -> bytes:
    """Return the whole of a file, unpacked; `what` says in an error what is read. At most `MOST` bytes."""
    with unpacked(path, what) as stream:
        found = stream.read(MOST + 1)
    if len(found) > MOST:
        raise InputError(f"{path}: {what}expected at most {MOST >> 20} MiB, found more")
    return found


@contextlib.contextmanager
def unpacked(path: Path, what: str = "") -> Iterator[IO[bytes]]:
    """Open a file for reading: as it is, or what a file packed by gzip, bzip2, xz or zstd holds.

    Raises
    ------
    InputError
        The file cannot be read, is damaged, or is packed in a way that this Python does not know.
    """
    try:
        with _opened(path, what) as raw, _unpack(path, raw, what) as stream:
            yield stream
    except (EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"{path}: {what}damaged: {error}") from None


@contextlib.contextmanager
def _opened(path: Path, what: str = "") -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{path}: {what}cannot be read: {error.strerror or error}") from None


def _unpack(path: Path, raw: IO[bytes], what: str) -> IO[bytes]:
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    if head.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(raw)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        try:
            zstd = importlib.import_module("compression.zstd")
        except ImportError:  # Python 3.14 is the first that has it
            raise InputError(
                f"{path}: {what}packed with zstd, which this Python cannot read: unpack it first (zstd -d)"
            ) from None
        return zstd.ZstdFile(raw)  # type: ignore[no-any-return]
    return raw


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content without its mark, CR turned to LF where that alone ends lines."""
    data = stream.read(_BLOCK).removeprefix(_MARK)
    old = b"\n" not in data and b"\r" in data
    while data:
        yield data.replace(b"\r", b"\n") if old else data
        data = stream.read(_BLOCK)


def _blocks(pieces: Iterator[bytes]) -> Iterator[Block]:
    number, rest, is_skipping = 1, b"", False
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if not end:
            is_skipping = is_skipping or len(rest) + len(piece) > LONGEST
            rest = TOO_LONG if is_skipping else rest + piece
            continue
        data = rest + piece[piece.find(b"\n") :] if is_skipping else rest + piece[:end]
        if is_skipping:
            data = data[: data.rfind(b"\n") + 1]
        yield Block(number, data, False)
        number += data.count(b"\n")
        rest, is_skipping = piece[end:], False
    if rest:
        yield Block(number, rest, True)


def lines(block: Block) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line without its end); a long line becomes `TOO_LONG`."""
    data = block.data if block.is_cut else block.data[:-1]
    for number, line in enumerate(data.split(b"\n"), block.first):
        yield number, TOO_LONG if len(line) > LONGEST else line.removesuffix(b"\r")


def longest(block: Block) -> int:
    """Return the bytes of the longest line; no more than all of them are looked for where that is short enough."""
    if len(block.data) <= LONGEST:
        return len(block.data)
    ends = np.flatnonzero(np.frombuffer(block.data, np.uint8) == ord("\n"))
    return int(np.diff(ends, prepend=-1, append=len(block.data)).max()) - 1


def statement(text: str) -> tuple[str, str] | None:
    """Return (name, value) of a comment `# name: value`, None for any other comment."""
    name, colon, value = text.lstrip("#").partition(":")
    return (name.strip().lower(), value.strip()) if colon else None
