"""Weights as constants that a person can paste into an agent written in some language.

A language is a function `write(constants, name) -> source`; every source holds the numbers bit for bit, an index
for each feature, where the numbers come from and whether they are proven, and the evaluation itself, which gives
the engine's integer for the same features and stage shares.

- `constants`: What is written in every language: names, numbers, origin and proof of weights or a table's fit
- `spelling`: Identifiers, comments and texts that other languages accept
- `to_c`, `to_data` (JSON and CSV), `to_haskell`, `to_java`, `to_javascript`, `to_python`, `to_rust`: a language each
- `agent/`: A whole agent in one file

To add a language, write `to_LANGUAGE.write` and enter it in `LANGUAGES`: the command's help and its errors list what
stands there."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tunesmith.games.errors import InputError

if TYPE_CHECKING:
    from tunesmith.tuning.export.constants import Constants, is_table, of_table, of_weights

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
    text: str = getattr(import_module(f"{__name__}.{module}"), function)(constants, name)
    return text


def __getattr__(name: str) -> Any:
    """Import what makes constants when it is first asked for: the list of languages alone costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.constants"), name)


__all__ = ["LANGUAGES", "Constants", "is_table", "of_table", "of_weights", "source"]
