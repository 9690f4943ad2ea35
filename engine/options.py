"""Every switch and number of the search, its default, and what it promises.

A switch is *exact* if the value of a search to fixed depth is that of plain minimax with and without it;
`SearchOptions.exact()` has all exact ones on and all others off. Defaults stand here and nowhere else.
Compiled code gets the options as an int64 array in the order of the fields; the constants below are its
indices."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from games.errors import InputError

RESULT, MARGIN = 0, 1
EQUAL, DEEPER = 0, 1

CHOICES: dict[str, tuple[str, ...]] = {"objective": ("result", "margin"), "table_reuse": ("equal", "deeper")}

# Indices into the encoded options, in the order of the fields of SearchOptions.
(
    OBJECTIVE,
    DEEPENING,
    TABLE,
    TABLE_REUSE,
    SYMMETRY,
    PATH_FREE,
    MARGIN_KEYS,
    PVS,
    ASPIRATION,
    HINTS,
    KILLERS,
    HISTORY,
) = range(12)
N_OPTIONS = 12


@dataclass(frozen=True)
class SearchOptions:
    """Options of alpha-beta search.

    Attributes
    ----------
    objective
        `result`: a finished game scores WIN minus plies, a leaf its evaluation in 1/100 Elo. `margin`: a
        finished game scores its margin, a leaf its evaluation in the weight file's own units, kept within
        what the margin can still become.
    deepening
        Search depth 1, 2, ... instead of the last depth at once. Exact.
    table
        Use the transposition table. Exact with `table_reuse = equal` and `path_free = false`.
    table_reuse
        `equal`: an entry counts at equal remaining depth only. `deeper`: also a deeper one's. Inexact.
    symmetry
        Table keys from the symmetry-canonical state. Exact.
    path_free
        Table keys without rule counters and without the history that repetition draws depend on. Inexact in
        games that have them.
    margin_keys
        With `objective = margin` in a game with `settled_margin`: leaves are worth the settled margin, and
        table entries hold what is added to it, so positions that differ by it alone share an entry. Exact.
    pvs
        Principal variation search: later moves get a zero window first. Exact.
    aspiration
        Half width in Elo of the first window round the last score; 0 = off. Exact.
    hints, killers, history
        Ordering by the game's own hints, by killer moves, by the history heuristic. Exact.
    """

    objective: str = "result"
    deepening: bool = True
    table: bool = True
    table_reuse: str = "deeper"
    symmetry: bool = True
    path_free: bool = True
    margin_keys: bool = False
    pvs: bool = True
    aspiration: int = 0
    hints: bool = True
    killers: bool = True
    history: bool = True

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            _check(field.name, getattr(self, field.name), field.default)

    @classmethod
    def exact(cls, **changes: Any) -> SearchOptions:
        """Return the defaults with every inexact switch off, and `changes`."""
        return cls(**{"table_reuse": "equal", "path_free": False, **changes})

    @classmethod
    def plain(cls, **changes: Any) -> SearchOptions:
        """Return bare alpha-beta: every technique off, and `changes`."""
        bare = {f.name: False for f in dataclasses.fields(cls) if isinstance(f.default, bool)}
        return cls(**{**bare, "table_reuse": "equal", **changes})

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any], where: str = "search") -> SearchOptions:
        """Return the options of a weight or study file; unknown names are refused with the nearest known."""
        known = [field.name for field in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise InputError(f"{where}: unknown search option {name!r}{hint}")
        try:
            return cls(**values)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None

    def changes(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""
        return {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != f.default
        }

    def encode(self) -> npt.NDArray[np.int64]:
        """Return the options as compiled code reads them."""
        values = [_number(f.name, getattr(self, f.name)) for f in dataclasses.fields(self)]
        return np.array(values, np.int64)


def _check(name: str, value: object, default: object) -> None:
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise InputError(f"{name}: expected one of {', '.join(CHOICES[name])}, found {value!r}")
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"{name}: expected true or false, found {value!r}")
    elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"{name}: expected a whole number of 0 or more, found {value!r}")


def _number(name: str, value: Any) -> int:
    return CHOICES[name].index(value) if name in CHOICES else int(value)
