"""Which files of a folder are as they were written? `SHA256SUMS` beside them says so.

It is the list that `sha256sum -c` reads: a digest and a name a line, sorted by name; its first line is a comment with
the digest of the lines below. A digest is entered before its file takes its place, and the one of a file that is
replaced stays until then: so a kill at any moment leaves files whose digests are known. A name without a file means
nothing. A file without an entry was put there by somebody else; whoever reads it checks what can be checked.

Whoever writes thousands of files enters each by a line in `SHA256SUMS.new`, with a digest of its own, so that no list
of thousands is written thousands of times; the next writing of the list takes them in (`tidy`)."""

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
NEWS = f"{NAME}.new"

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
def entered(path: Path, digest: str, *, one_of_many: bool = False) -> Iterator[None]:
    """Enter the digest of a file that the block puts in the place of `path`; raises OSError.

    one_of_many: if the file is new, by a line in `SHA256SUMS.new`: whoever says so tidies at the end.
    """
    with _lock:
        if one_of_many and not path.exists():
            with (path.parent / NEWS).open("a", encoding="utf-8") as news:
                news.write(_checked(f"{digest}  {path.name}"))
            yield
            return
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
    """Make one list of all entries; drop those of files that are gone, and digests of what was replaced."""
    with _lock:
        if found := entries(folder):
            _write(folder, found)


def missing(folder: Path) -> list[Path]:
    """Return the files that are entered and not there: lost, or a kill came before they took their place."""
    return [folder / name for name in entries(folder) if not (folder / name).exists()]


def entries(folder: Path) -> Entries:
    """Return what is entered of a folder; nothing of a list that is not there, or damaged (which is told)."""
    news = _news(folder)  # first: a writer may just be taking them into the list
    found: dict[str, list[str]] = {}
    try:
        head, _, body = (folder / NAME).read_bytes().partition(b"\n")
        if head.decode() != _HEAD + digest_of(body):
            raise ValueError
        for line in body.decode().splitlines():
            digest, name = line.split("  ", 1)
            found.setdefault(name, []).append(digest)
    except ValueError:
        logger.warning(
            "%s: damaged, not used: files without an entry are checked as far as can be", folder / NAME
        )
        found.clear()
    except OSError:
        pass
    for digest, name in news:
        found.setdefault(name, []).append(digest)
    return {name: tuple(dict.fromkeys(digests)) for name, digests in found.items()}


def _news(folder: Path) -> list[tuple[str, str]]:
    """Return digest and name of each line that is whole: a kill may have cut the last one."""
    try:
        lines = (folder / NEWS).read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    except OSError:
        return []
    parts = [line.rpartition("  ")[0] for line in lines]
    whole = [part for part, line in zip(parts, lines, strict=True) if _checked(part) == line]
    return [(digest, name) for digest, _, name in (part.partition("  ") for part in whole)]


def _checked(entry: str) -> str:
    return f"{entry}  {digest_of(entry.encode())[:16]}\n"


def _write(folder: Path, found: Mapping[str, tuple[str, ...]], coming: str = "") -> None:
    """Write the list; of names but the one that is `coming`, only what is there."""
    there = set(os.listdir(folder))
    kept = {name: digests for name, digests in found.items() if name == coming or name in there}
    for name, digests in kept.items():
        if len(digests) > 1 and name != coming:  # a kill came between
            now = digest_of((folder / name).read_bytes())
            kept[name] = (now,) if now in digests else digests
    body = "".join(f"{digest}  {name}\n" for name in sorted(kept) for digest in dict.fromkeys(kept[name]))
    text = f"{_HEAD}{digest_of(body.encode())}\n{body}"
    if not body:
        (folder / NAME).unlink(missing_ok=True)
    elif _text_of(folder / NAME) != text:
        files.replace(folder / NAME, text)
    (folder / NEWS).unlink(missing_ok=True)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
