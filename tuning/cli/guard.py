"""What does a command say when something goes wrong that nobody foresaw?

One line; the traceback goes to a file of its own in the system's folder for temporary files, never into a study. With
`TUNESMITH_GUARD=0` the traceback is raised instead: for the tests, and for whoever develops."""

import os
import platform
import shlex
import sys
import tempfile
import traceback
from collections.abc import Sequence

from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.passwords import redacted, redacted_words, storage_of

CODE = 70  # "internal software error" of sysexits.h
SWITCH = "TUNESMITH_GUARD"


def is_on() -> bool:
    """Whether unforeseen errors become one line."""
    return os.environ.get(SWITCH, "1") != "0"


def tell(error: Exception, arguments: Sequence[str]) -> int:
    """Say what went wrong and where its traceback is; return the exit code."""
    lines = redacted(str(error), storage_of(arguments)).strip().splitlines()
    what = f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
    try:
        where = f"the traceback is in {_written(error, arguments)}"
    except OSError as problem:
        where = f"its traceback could not be written ({problem.strerror}); {SWITCH}=0 shows it"
    say(f"tunesmith: unexpected error: {what}; {where}: please report it")
    return CODE


def _written(error: Exception, arguments: Sequence[str]) -> str:
    handle, path = tempfile.mkstemp(prefix="tunesmith-error-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(
            f"{shlex.join(['tunesmith', *redacted_words(arguments)])}\n{sys.version}\n{platform.platform()}\n\n"
        )
        file.write(redacted("".join(traceback.format_exception(error)), storage_of(arguments)))
    return path
