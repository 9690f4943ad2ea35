"""How the files of a study are written, read and locked.

A file is written whole or not at all (to a temporary name, then renamed); a file of lines grows at its end, and
what a killed process left half-written there is moved aside. Each line has a checksum of its own as its last field:
the start of the SHA-256 of the line as it would be without. Once one line has it, all below it must.

One process at a time works in a folder: the lock is the operating system's, on the file `.lock`; it ends with its
process, however that ends, so a dead process never keeps a folder. The number in that file is for the message only;
the file stays. (The package filelock does not name the holder, and gives up where a file system has no locks.)"""

import contextlib
import errno
import json
import logging
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.games.errors import StudyError
from tunesmith.games.texts import parse_json, shown
from tunesmith.tuning import manifest

logger = logging.getLogger("tunesmith.tuning")
LOCK = ".lock"
_CHECKSUM = "checksum"
_ADDED = re.compile(rf', "{_CHECKSUM}": "([0-9a-f]{{16}})"\}}\Z')
_DRAFT = re.compile(r"\.(.*\.jsonl?-.*|SHA256SUMS-.*|shard-.*)\.draft")


def write_json(path: Path, content: Any, stands_alone: bool = False) -> None:
    """Write JSON whole or not at all; numbers that are not finite become null.

    It is entered in the list of its folder, but for a file that `stands_alone`, outside a study or folder of games.
    """
    text = _text(content) + "\n"
    if stands_alone:
        files.write(path, text, StudyError)
    else:
        manifest.write(path, text)


def _text(content: Any) -> str:
    """Return JSON as it is written; of a long list a row at a time, or its words would take more room than the text."""
    if not isinstance(content, list) or not content:
        return json.dumps(finite(content), indent=1, allow_nan=False)
    rows = (json.dumps(finite(row), indent=1, allow_nan=False).replace("\n", "\n ") for row in content)
    return "[\n " + ",\n ".join(rows) + "\n]"


def read_json(path: Path) -> Any:
    """Return the content of a JSON file, None where there is none; refuse one that is not what was written.

    Nor may it say null, as if there were none.
    """
    try:
        found = parse_json(manifest.read(path)[0].decode())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise StudyError(f"{path}: damaged: {error}") from error
    if found is None:
        raise StudyError(f"{path}: expected content, found null")
    return found


def read_object(path: Path) -> dict[str, Any] | None:
    """Return the object that a JSON file holds, None where there is no file; refuse anything else."""
    found = read_json(path)
    if found is None:
        return None
    if not isinstance(found, dict):
        raise StudyError(f"{path}: expected a JSON object, found {shown(found)}")
    return found


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file with one on each line, without their checksums.

    A last line that is cut is left out; other damage is an error, with the number of the line.
    """
    try:
        lines = manifest.read(path)[0].decode().splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise StudyError(f"{path}: damaged: {error}") from error
    rows: list[dict[str, Any]] = []
    has_checksums = False
    for number, line in enumerate(lines, 1):
        try:
            row = parse_json(line)
            if not isinstance(row, dict):
                raise ValueError(f"expected a JSON object, found {shown(row)}")
        except ValueError as error:
            if number == len(lines):
                logger.warning("%s: the last line is cut, and left out", path)
                break
            raise StudyError(f"{path}:{number}: damaged: {error}") from error
        has_checksums |= _CHECKSUM in row
        if has_checksums and not _is_as_written(line):
            if not line.endswith("\n"):
                logger.warning("%s: the last line is cut, and left out", path)
                break
            raise StudyError(
                f"{path}:{number}: damaged: its checksum is another one; put a copy of the file back, or remove "
                "the line"
            )
        row.pop(_CHECKSUM, None)
        rows.append(row)
    return rows


def _is_as_written(line: str) -> bool:
    """Whether a line has the checksum that `as_lines` gave it."""
    added = _ADDED.search(line.rstrip("\r\n"))
    return added is not None and added[1] == _checksum(line[: added.start()] + "}")


def _checksum(line: str) -> str:
    return manifest.digest_of(line.encode())[:16]


def as_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return JSON objects one a line, each with its checksum; numbers that are not finite become null."""
    plain = (json.dumps(finite(dict(row)), allow_nan=False) for row in rows)
    return "".join(f'{line[:-1]}, "{_CHECKSUM}": "{_checksum(line)}"}}\n' for line in plain)


def append_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add JSON objects to the end of a file as `as_lines` writes them, all on the disk when this returns."""
    text = as_lines(rows)
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StudyError(f"{path}: cannot be written: {error.strerror}") from error


BUDGET = "budget.json"  # what a study's time has come to, written before the study itself


def is_unused(folder: Path) -> bool:
    """Whether a folder is not there, or holds nothing but what a process that was killed at its start has left."""
    return not folder.is_dir() or all(
        path.name.startswith(".") or path.name in (manifest.NAME, BUDGET) for path in folder.iterdir()
    )


def finite(value: Any) -> Any:
    """Return `value` with null for every number that JSON cannot hold."""
    if isinstance(value, dict):
        return {str(key): finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def require_folder(path: Path) -> None:
    """Refuse (StudyError) a folder that can be neither made nor written: said before the work, not after it."""
    there = next(above for above in (path.absolute(), *path.absolute().parents) if above.exists())
    reason = errno.EACCES if there.is_dir() else errno.ENOTDIR
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise StudyError(f"{path}: cannot be written: {os.strerror(reason)}")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder for the block; the folder is made if it is not there.

    Raises
    ------
    StudyError
        Another process holds it, or the folder cannot be written.
    """
    path = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        if not _try_lock(handle):
            holder = os.pread(handle, 20, 0).decode(errors="replace").strip() if hasattr(os, "pread") else ""
            raise StudyError(f"{folder}: in use by another process ({holder or 'number unknown'})")
        for draft in folder.rglob(
            ".*.draft"
        ):  # of a process that was killed; of others than ours nobody works here
            if _DRAFT.fullmatch(draft.name):
                draft.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # a full disk: the number is for others to read, no more
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)  # and with it the lock


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 100, os.SEEK_SET)  # beyond the number, which others read
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (OSError, ImportError) as error:  # a system or a disk without locks: better no lock than no work
        logger.warning("%s cannot be locked (%s): make sure that no other process works there", LOCK, error)
    return True


def cut_tail(path: Path) -> bool:
    """Move a last line that is not whole JSON to `<path>.cut`; return whether there was one."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    content = path.read_bytes()
    start = content.rstrip(b"\n").rfind(b"\n") + 1
    last = content[start:]
    if last.endswith(b"\n") and _is_json(last):
        return False
    with path.with_name(f"{path.name}.cut").open("ab") as aside:
        aside.write(last + b"\n")
    with path.open("rb+") as file:
        file.truncate(start)
        file.flush()
        os.fsync(file.fileno())
    logger.warning("%s: the last line was cut, moved aside", path)
    return True


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line.decode())
    except ValueError:
        return False
    return True
