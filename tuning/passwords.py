"""How do passwords stay out of what is printed and kept?

Only the address of an Optuna storage can hold one (`postgresql://USER:PASSWORD@HOST/NAME`). It is never written to a
file of a study, and whatever quotes an address, a command or an error of a database driver goes through `redacted`.
What others see of a command line (`ps`) is out of our hands: the environment variable `TUNESMITH_STORAGE` holds the
whole address, PGPASSWORD or ~/.pgpass the password alone."""

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import unquote

STORAGE_VARIABLE = "TUNESMITH_STORAGE"
HIDDEN = "***"

_IN_ADDRESS = re.compile(r"(\w://[^\s:/@]*):\S*@")
_WHOLE = re.compile(r"(\w://[^:/@]*:|^[^:/@]*:(?!//))(.*)@", re.DOTALL)  # of an address, good or not
_NAMED = re.compile(r"\b((?:ssl)?password|passwd|pwd)=([^&\s'\"]+)", re.IGNORECASE)


def redacted(text: str, address: str = "") -> str:
    """Return a text without passwords: of any address in it, and of `address` wherever it is quoted."""
    for password in _passwords(address):
        text = re.sub(rf"(?<!\w){re.escape(password)}(?!\w)", HIDDEN, text)
    return _NAMED.sub(rf"\1={HIDDEN}", _IN_ADDRESS.sub(rf"\1:{HIDDEN}@", text))


def redacted_address(address: str) -> str:
    """Return an address without its password, which may have blanks in it."""
    return redacted(_WHOLE.sub(rf"\1{HIDDEN}@", address))


def storage_of(words: Sequence[str]) -> str:
    """Return the address of a storage that a command was given, "" if none."""
    found = [word.removeprefix("--storage=") for word in words if word.startswith("--storage=")]
    found += [after for word, after in pairwise(words) if word == "--storage"]
    return next(iter(found), os.environ.get(STORAGE_VARIABLE, ""))


def redacted_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command without passwords."""
    addresses = {at + 1 for at, word in enumerate(words) if word == "--storage"}
    return [
        redacted_address(word) if at in addresses or word.startswith("--storage=") else redacted(word)
        for at, word in enumerate(words)
    ]


def _passwords(address: str) -> list[str]:
    """Return what the password of an address may look like where it is quoted, the longest first.

    A driver takes one with an `@` in it for password and host.
    """
    whole = [match[2] for match in (_WHOLE.search(address), *_NAMED.finditer(address)) if match]
    parts = [part for password in whole for part in password.split("@")]
    found = {*whole, *parts, *map(unquote, whole)} - {""}
    return sorted(found, key=len, reverse=True)
