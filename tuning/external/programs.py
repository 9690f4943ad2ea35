"""Which program is meant by the command of an engine, and where does it start?"""

import os
import re
import shlex
import shutil
from pathlib import Path

from tunesmith.games.errors import InputError

PLACES = ("/usr/games", "/usr/local/games")  # of Debian's engines, often not on PATH


def find_program(command: str, folder: Path | None = None) -> str:
    """Return the path of an engine: as given, beside the study file, on PATH, or where Debian puts games."""
    return find_command(command, folder)[0][0]


def find_command(command: str, folder: Path | None = None) -> tuple[tuple[str, ...], Path]:
    """Return the program and the arguments of a command line, and the folder where the engine starts.

    A program is a file (a path counts from `folder`; blanks in it need no quotes), or a name on PATH or where
    Debian puts games. It starts in its own folder; one found by its name in `folder`, or here without one.
    """
    here = Path.cwd() if folder is None else folder
    words = [match.end() for match in re.finditer(r"\S+", command)]
    for end in reversed(words):
        file = here / command[:end].strip()
        if folder is not None and file.is_file():  # a link may be what makes it run (virtual environments)
            return (str(file.absolute()), *_split(command[end:])), file.absolute().parent
    first, *rest = _split(command) or [command]
    if folder is not None and (here / first).is_file():
        return (str((here / first).absolute()), *rest), (here / first).absolute().parent
    path = os.pathsep.join([os.environ.get("PATH", ""), *PLACES])
    found = shutil.which(first, path=path)
    if found is None:
        raise InputError(f"engine {command!r}: no such program on PATH or in {', '.join(PLACES)}")
    if os.path.dirname(first):
        return (os.path.abspath(found), *rest), Path(found).absolute().parent
    return (found, *rest), here.absolute()


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, posix=os.name != "nt")
    except ValueError:  # a quote that does not close is a letter of a name
        return text.split()
