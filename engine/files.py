"""Text files, written whole or not at all.

The text goes to a draft beside the file, under a name of its own, which then takes the file's place: a reader,
a kill or a full disk never sees or leaves half of it, and two writers cannot mix theirs."""

import contextlib
import errno
import secrets
from pathlib import Path

from tunesmith.games.errors import InputError, TunesmithError


def replace(path: Path, text: str) -> None:
    """Write a text file in UTF-8 with its line ends as they are; raises OSError.

    Nothing but a file is replaced: neither a folder nor a device such as /dev/null.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is no file", str(path))
    draft = path.with_name(f".{path.name}-{secrets.token_hex(6)}.draft")
    try:
        with draft.open("x", encoding="utf-8", newline="") as file:  # who may read it is for the umask to say
            file.write(text)
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def write(path: Path, text: str, wrong: type[TunesmithError] = InputError) -> None:
    """Do as `replace`; raise `wrong`, naming the file, if it cannot be written."""
    try:
        replace(path, text)
    except OSError as error:
        raise wrong(f"{path}: cannot be written: {error.strerror or error}") from error
