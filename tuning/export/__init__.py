"""Weights as constants that a person can paste into an agent written in some language.

A language is a function `write(constants, name) -> source`; every source holds the numbers bit for bit, an index
for each feature, where the numbers come from and whether they are proven, and the evaluation itself, which gives
the engine's integer for the same features and stage shares."""

from __future__ import annotations

from collections.abc import Callable

from tunesmith.games.errors import InputError
from tunesmith.tuning.export import to_c, to_data, to_haskell, to_java, to_javascript, to_python, to_rust
from tunesmith.tuning.export.constants import Constants, is_table, of_table, of_weights

LANGUAGES: dict[str, Callable[[Constants, str | None], str]] = {
    "json": to_data.write_json,
    "python": to_python.write,
    "c": to_c.write,
    "java": to_java.write,
    "haskell": to_haskell.write,
    "rust": to_rust.write,
    "javascript": to_javascript.write,
    "csv": to_data.write_csv,
}


def source(constants: Constants, language: str, name: str | None = None) -> str:
    """Return the constants as source text; `name` is that of the constant, class or module."""
    if language not in LANGUAGES:
        raise InputError(f"--to: expected one of {', '.join(LANGUAGES)}, found {language!r}")
    return LANGUAGES[language](constants, name)


__all__ = ["LANGUAGES", "Constants", "is_table", "of_table", "of_weights", "source"]
