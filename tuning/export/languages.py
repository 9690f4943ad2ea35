"""In which languages can weights be written, and by which file of this folder each?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tunesmith.games.errors import InputError

if TYPE_CHECKING:
    from tunesmith.tuning.export.constants import Constants

# Where each language is written: a module of this folder and its function.
LANGUAGES = {
    "json": ("to_data", "write_json"),
    "python": ("to_python", "write"),
    "c": ("to_c", "write"),
    "java": ("to_java", "write"),
    "haskell": ("to_haskell", "write"),
    "rust": ("to_rust", "write"),
    "javascript": ("to_javascript", "write"),
    "csv": ("to_data", "write_csv"),
}


def source(constants: Constants, language: str, name: str | None = None) -> str:
    """Return the constants as source text; `name` is that of the constant, class or module.

    Raises
    ------
    InputError
        The language is not among `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise InputError(f"--to: expected one of {', '.join(LANGUAGES)}, found {language!r}")
    module, function = LANGUAGES[language]
    text: str = getattr(import_module(f"{__package__}.{module}"), function)(constants, name)
    return text
