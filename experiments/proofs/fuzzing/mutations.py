"""One change to a file: bits, cuts, types, sizes, names. The same generator of random numbers, the same change."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

HUGE, LONG, DEEP = "9" * 400, "9" * 5000, "[" * 5000 + "]" * 5000
# What takes the place of a value: other types, and numbers and texts at and beyond every edge.
VALUES = (
    *(
        "null",
        "true",
        "0",
        "-1",
        "1e300",
        "-1e300",
        "1e-300",
        "NaN",
        "2.5",
        "18446744073709551616",
        HUGE,
        LONG,
    ),
    *('""', '"x"', '"/"', '"a\\u0000b"', '"\\ud800"', json.dumps("x" * 5000), "[]", "{}", "[[]]", DEEP),
)
INSERTED = (
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\n\n",
    b"{",
    b"]",
    b",",
    b"#",
    b'"',
    b" ",
    b"-",
    b"e9",
)
_VALUE = re.compile(
    rb'(?<=[=:\[,\s(])\s*(-?\d[\d_.eE+-]*|true|false|null|True|False|None|"[^"\n]*"|\'[^\'\n]*\')'
)
_NAME = re.compile(rb'"[A-Za-z_][\w .-]*"|\b[A-Za-z_]\w*\b')

Mutation = Callable[[random.Random, bytes], bytes]


def bits(rng: random.Random, content: bytes) -> bytes:
    """Flip one to three bits."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 3)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(rng: random.Random, content: bytes) -> bytes:
    """Lose the end, the beginning, a part, or all."""
    first, last = sorted(rng.choices(range(len(content) + 1), k=2))
    return rng.choice((content[:last], content[first:], content[:first] + content[last:], content[:-1], b""))


def inserted(rng: random.Random, content: bytes) -> bytes:
    """Have something in the middle that does not belong there."""
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(INSERTED) + content[at:]


def types(rng: random.Random, content: bytes) -> bytes:
    """Put another value in the place of one: of another type, or out of all bounds."""
    found = list(_VALUE.finditer(content))
    if not found:
        return bits(rng, content)
    first, last = rng.choice(found).span(1)
    return content[:first] + rng.choice(VALUES).encode() + content[last:]


def names(rng: random.Random, content: bytes) -> bytes:
    """Change a name, or exchange it for another one of the file."""
    found = list(_NAME.finditer(content))
    if not found:
        return bits(rng, content)
    one, other = rng.choice(found), rng.choice(found)
    new = rng.choice((other[0], one[0][:-1] + b"x" + one[0][-1:], b'"' + b"n" * 5000 + b'"'))
    return content[: one.start()] + new + content[one.end() :]


def sizes(rng: random.Random, content: bytes) -> bytes:
    """Have a part, or all of it, many times."""
    first, last = sorted(rng.choices(range(len(content) + 1), k=2))
    times = rng.choice((2, 3, 100)) if last - first < 2000 else 2
    return rng.choice((content[:first] + content[first:last] * times + content[last:], content * 2))


BINARY: tuple[Mutation, ...] = (bits, bits, cut, inserted, sizes)
TEXT: tuple[Mutation, ...] = (bits, bits, cut, inserted, types, types, types, names, names, sizes)


def mutate(rng: random.Random, content: bytes, is_text: bool) -> tuple[str, bytes]:
    """Return what was done, and the changed content, which differs from the old one."""
    while True:
        mutation = rng.choice(TEXT if is_text else BINARY)
        changed = mutation(rng, content or b"\n")
        if changed != content:
            return mutation.__name__, changed


Meaning = Callable[[bytes], Any]


def meant(meaning: Meaning, content: bytes) -> Any:
    """Return what an independent reader of a format says of a file, None where it can read nothing."""
    try:
        return meaning(content)
    except Exception:  # whatever that reader raises
        return None
