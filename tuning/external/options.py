"""Options of an engine: what it offers, and what of it somebody may set.

They are checked against what the engine offers before they are sent, because UCI has no answer to a misspelt one."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tunesmith.games.errors import InputError

_OPTION = re.compile(r"option name (.+?) type (check|spin|combo|button|string)(?: (.*))?$")
_WORDS = {"true": True, "false": False}

Setting = bool | int | str


@dataclass(frozen=True)
class Option:
    """An option that an engine offers; `low` and `high` of a spin, `words` of a combo."""

    name: str
    kind: str
    default: Setting | None = None
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()

    def check(self, value: Any, where: str) -> Setting:
        """Return a value that the engine can take, or raise InputError."""
        match self.kind:
            case "check":
                is_good, expected = isinstance(value, bool), "true or false"
            case "spin":
                low, high = (-(2**63) if self.low is None else self.low), (self.high or 0)
                high = 2**63 if self.high is None else high
                is_good = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
                expected = f"a whole number, {low} .. {high}"
            case "combo":
                is_good, expected = value in self.words, "one of " + ", ".join(self.words)
            case "string":
                is_good = isinstance(value, str) and "\n" not in value
                expected = "text of one line"
            case _:
                is_good, expected = False, "nothing: it is a button"
        if not is_good:
            raise InputError(f"{where}: expected {expected}, found {value!r}")
        return value  # type: ignore[no-any-return]


def read_option(line: str) -> Option | None:
    """Return the option that a line of the engine declares, None for any other line."""
    found = _OPTION.match(line.strip())
    if found is None:
        return None
    name, kind, rest = found[1], found[2], found[3] or ""
    parts = re.split(r"(?:^|\s)(default|min|max|var)(?:\s|$)", rest)
    values = [(key, value.strip()) for key, value in zip(parts[1::2], parts[2::2], strict=True)]
    of = dict(values)
    words = tuple(value for key, value in values if key == "var")
    default: Setting | None = of.get("default")
    low, high = (_whole(of.get(key)) for key in ("min", "max"))
    if kind == "spin":
        default = _whole(of.get("default"))
    elif kind == "check":
        default = _WORDS.get(str(default).lower())
    return Option(name, kind, default, low, high, words)


def _whole(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def check_settings(
    offered: Mapping[str, Option], wanted: Mapping[str, Any], where: str
) -> dict[str, Setting]:
    """Return settings that an engine offers with values it can take; refuse all others by name."""
    return {
        name: find_option(offered, name, where).check(value, f"{where}: {name}")
        for name, value in wanted.items()
    }


def find_option(offered: Mapping[str, Option], name: str, where: str) -> Option:
    """Return an offered option by its exact name; the error names the nearest one."""
    if name not in offered:
        folded = {known.lower(): known for known in offered}
        near = difflib.get_close_matches(name.lower(), list(folded), n=1, cutoff=0.5)
        hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
        raise InputError(f"{where}: the engine offers no option {name!r}{hint}")
    return offered[name]
