"""One process at a time works in a folder.

The lock is the operating system's, on the file `.lock`: it ends with its process, however that ends, so a
dead process never keeps a folder. The number in the file is for the message only; the file stays."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from games.errors import StudyError

logger = logging.getLogger("tuning")

NAME = ".lock"


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder for the block; the folder is made if it is not there.

    Raises
    ------
    StudyError
        Another process holds it, or the folder cannot be written.
    """
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        if not _try_lock(handle):
            holder = os.pread(handle, 20, 0).decode(errors="replace").strip() if hasattr(os, "pread") else ""
            raise StudyError(f"{folder}: in use by another process ({holder or 'number unknown'})")
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
    except OSError as error:  # a file system without locks: better no lock than no work
        logger.warning("%s cannot be locked (%s): make sure that no other process works there", NAME, error)
    return True
