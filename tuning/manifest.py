"""Which files of a folder are as they were written? `SHA256SUMS` beside them says so.

It is the list that `sha256sum -c` reads: a digest and a name a line, sorted by name; its first line is a comment with
the digest of the lines below. A digest is entered before its file takes its place, and the one of a file that is
replaced stays until then: so a kill at any moment leaves files whose digests are known. A name without a file means
nothing. A file without an entry was put there by somebody else; whoever reads it checks what can be checked."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tunesmith.engine import files
from tunesmith.games.errors import StudyError

logger = logging.getLogger("tunesmith.tuning")
NAME = "SHA256SUMS"

Entries = dict[str, tuple[str, ...]]  # digests by file name; several while a file is being replaced

_HEAD = "# tunesmith "
_LOOKS = 3  # a writer at work may come between reading a file and its entry
_lock = threading.RLock()


class DamagedError(StudyError):
    """A file is not what was written: `cause` says what is wrong, the whole text also who mends it."""

    def __init__(self, path: Path, why: str) -> None:
        self.cause = f"{path}: damaged: {why}"
        self._found = path, why
        super().__init__(f"{self.cause}; {_remedy(path)}")

    def __reduce__(self) -> tuple[type[DamagedError], tuple[Path, str]]:
        return DamagedError, self._found  # so that it can be sent to another process


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of some bytes, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read(path: Path, listed: Entries | None = None) -> tuple[bytes, bool]:
    """Return the bytes of a file, and whether they are entered; raises OSError if there is no such file.

    `listed` are the folder's `entries` as read before, for who reads many files: the list is read again only for
    what it does not hold.

    Raises
    ------
    DamagedError
        Another digest is entered.
    """
    for _ in range(_LOOKS):
        data = path.read_bytes()
        now = digest_of(data)
        if listed is not None and now in listed.get(path.name, ()):
            return data, True
        known = entries(path.parent).get(path.name, ())
        if not known or now in known:
            return data, bool(known)
    raise DamagedError(path, f"its SHA-256 is {now[:12]}, entered in {NAME} is {known[0][:12]}")


def _remedy(path: Path) -> str:
    if path.name == "study.json":
        return "put a copy of it back, or begin anew in another folder"
    if path.suffix == ".parquet":
        return f"{player_of(path.parent)} sets it aside and plays its games again"
    return "put a copy of it back, or remove it: the command that wrote it makes it again"


def player_of(folder: Path) -> str:
    """Return which command plays the games of a folder, in words."""
    for above in folder.absolute().parents:
        if (above / "study.json").is_file():
            return f"the command that made {above} (`tunesmith run`, `search` or `verify`)"
        if (above / "terms.json").is_file():
            return f"`tunesmith gauntlet --out {above}`"
    return f"the command that played {folder} (`tunesmith selfplay` or `match`)"


def write(path: Path, text: str) -> None:
    """Write a text file whole or not at all, and enter it."""
    try:
        with entered(path, digest_of(text.encode())):
            files.replace(path, text)
    except OSError as error:
        raise StudyError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def entered(path: Path, digest: str) -> Iterator[None]:
    """Enter the digest of a file that the block puts in the place of `path`; raises OSError."""
    with _lock:
        found = entries(path.parent)
        before: tuple[str, ...] = ()
        if path.is_file():
            before = found.get(path.name) or (digest_of(path.read_bytes()),)
        if before != (digest,) or path.name not in found:
            _write(path.parent, found | {path.name: (*before, digest)}, path.name)
        yield
        if before not in ((), (digest,)):
            _write(path.parent, found | {path.name: (digest,)}, path.name)


def enter(path: Path, data: bytes) -> None:
    """Enter a file that is there and sound: `data` are its bytes."""
    with _lock:
        _write(path.parent, entries(path.parent) | {path.name: (digest_of(data),)}, path.name)


def tidy(folder: Path) -> None:
    """Drop the entries of files that are gone, and digests of what was replaced."""
    with _lock:
        if entries(folder):
            _write(folder, entries(folder))


def missing(folder: Path) -> list[Path]:
    """Return the files that are entered and not there: lost, or a kill came before they took their place."""
    return [folder / name for name in entries(folder) if not (folder / name).exists()]


def entries(folder: Path) -> Entries:
    """Return what is entered of a folder; nothing where there is no list, or a damaged one (which is told)."""
    try:
        head, _, body = (folder / NAME).read_bytes().partition(b"\n")
    except OSError:
        return {}
    found: dict[str, list[str]] = {}
    try:
        if head.decode() != _HEAD + digest_of(body):
            raise ValueError
        for line in body.decode().splitlines():
            digest, name = line.split("  ", 1)
            found.setdefault(name, []).append(digest)
    except ValueError:
        logger.warning(
            "%s: damaged, not used: files without an entry are checked as far as can be", folder / NAME
        )
        return {}
    return {name: tuple(digests) for name, digests in found.items()}


def _write(folder: Path, found: Mapping[str, tuple[str, ...]], coming: str = "") -> None:
    """Write the list; of names but the one that is `coming`, only what is there."""
    there = set(os.listdir(folder))
    kept = {name: digests for name, digests in found.items() if name == coming or name in there}
    for name, digests in kept.items():
        if len(digests) > 1 and name != coming:  # a kill came between
            kept[name] = (digest_of((folder / name).read_bytes()),)
    body = "".join(f"{digest}  {name}\n" for name in sorted(kept) for digest in dict.fromkeys(kept[name]))
    text = f"{_HEAD}{digest_of(body.encode())}\n{body}"
    if not body:
        (folder / NAME).unlink(missing_ok=True)
    elif _text_of(folder / NAME) != text:
        files.replace(folder / NAME, text)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
