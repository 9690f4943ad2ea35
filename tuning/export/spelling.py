"""How do names and sentences go into the source text of another language, whatever is in them?

Comments become one line of plain ASCII without anything that ends a comment, continues a line or is read before
comments are (`\\u000a` in Java, `??/` in C); identifiers become distinct and legal. Everything is ASCII, because
compilers read sources in whatever encoding their machine is set to."""

import json
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from tunesmith.games.errors import InputError

LONGEST_WORD, LONGEST_NOTE, WIDTH = 50, 600, 96
_SIGNS = str.maketrans({"±": "+/-", "×": "x", "–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"',
                        "…": "...", "→": "->", "\\": "/", "ß": "ss"})  # fmt: skip


def plain(text: str) -> str:
    """Return a text as one line of ASCII that is safe within a comment of any of the languages."""
    flat = unicodedata.normalize("NFKD", text[:LONGEST_NOTE].translate(_SIGNS)).replace("\\", "/")
    signs = (c for c in flat if not unicodedata.combining(c))
    line = "".join(" " if c.isspace() else c if " " <= c <= "~" else "?" for c in signs)
    line = re.sub(r"\?(?=\?)|\*(?=/)|<(?=[/!])", r"\g<0> ", line)
    return " ".join(line.split())


def comment(mark: str, notes: Iterable[str], indent: str = "") -> list[str]:
    """Return notes as comment lines that begin with `mark`; what goes on is indented."""
    lines: list[str] = []
    for note in notes:
        wrapped = textwrap.wrap(plain(note), WIDTH - len(indent) - len(mark)) or [""]
        lines += [f"{indent}{mark} {'  ' if at else ''}{part}".rstrip() for at, part in enumerate(wrapped)]
    return lines


def word(text: str) -> str:
    """Return the letters and digits of a text, joined by `_`; empty if it has none."""
    flat = unicodedata.normalize("NFKD", text.translate(_SIGNS))
    parts = re.findall(r"[A-Za-z0-9]+", "".join(c for c in flat if not unicodedata.combining(c)))
    return "_".join(parts)[:LONGEST_WORD].strip("_")


def snake(text: str) -> str:
    """Return a word as `small_letters`."""
    return word(text).lower()


def prefix(text: str) -> str:
    """Return a word as small letters that begin with a letter."""
    found = snake(text)
    return found if found[:1].isalpha() else f"game_{found}".strip("_")


def capitals(text: str) -> str:
    """Return a word as `CAPITAL_LETTERS`."""
    return word(text).upper()


def camel(text: str) -> str:
    """Return a word as `CamelCase`; capitals inside stay."""
    return "".join(part[0].upper() + part[1:] for part in word(text).split("_") if part)


def identifiers(names: Sequence[str], style: Callable[[str], str], prefix: str) -> list[str]:
    """Return a distinct identifier `prefix` + word for each name; the prefix makes it legal."""
    made: list[str] = []
    taken: set[str] = set()
    for at, name in enumerate(names):
        stem = prefix + (style(name) or str(at + 1))
        found, n = stem, 1
        while found in taken:
            n += 1
            found = f"{stem}_{n}"
        taken.add(found)
        made.append(found)
    return made


def quoted(text: str) -> str:
    """Return a string literal of JavaScript, also harmless within a page's `<script>`."""
    return json.dumps(text).replace("<", "\\u003c")


def reserved(text: str) -> frozenset[str]:
    """Return the words of a text, none of which may be a name."""
    return frozenset(text.split())


def check_name(name: str, reserved: frozenset[str]) -> str:
    """Return a name that a person chose for the constants."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,49}", name):
        raise InputError(f"--name: expected a letter, then letters, digits or _, found {name!r:.100}")
    if name in reserved:
        raise InputError(f"--name: {name!r} means something in that language; expected another name")
    return name
