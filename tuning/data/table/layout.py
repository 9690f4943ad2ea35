"""Which column of a table means what, and whose results are they?

A column `result` (or `result_mover`, `result_first`, `result_white`) and columns of features; `game`, `stage`,
`stage.NAME`, `weight`, `score` and `mover` if there are any. The perspective must be stated: by the column's
name, by the file (`# perspective: mover`, or metadata) or by the caller, and all that state it must agree.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Self

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.out_of_core import SEGMENT

VERSION = "1"  # of the statement `# tunesmith-table: 1`
SPECIAL = ("result", "game", "stage", "weight", "score", "mover")
_LABEL = re.compile(r"|Unnamed: \d+|__index_level_\d+__")  # what pandas calls a column of row labels
_GAMES = (
    "game",
    "gameid",
    "gameno",
    "gamenumber",
    "matchid",
    "matchno",
)  # other people's spellings of `game`
StatedBy = Literal["column", "file", "option"]
PERSPECTIVES = {"mover": "mover", "first": "first", "white": "first"}


@dataclass(frozen=True)
class TableOptions:
    """What the caller says about a table; the file may say it too, but nothing else.

    signed: results are -1, 0, 1 (True) or 0, 1/2, 1 (False: others are left out); None: 0, 1/2, 1, and others make
    the file doubtful. max_bad: largest share of lines that may be left out. needs_results: whether a column of results
    must be there, and say something in each line. features: columns to fit (default: all that have no other meaning),
    of which those in `may_lack` need not be there; ignore: columns to skip.
    out_of_core: whether features go to a file in `scratch` (default: beside the table), `segment` rows at a time;
    None: if there are many.
    """

    perspective: str | None = None
    signed: bool | None = None
    features: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_bad: float = 0.1
    out_of_core: bool | None = None
    scratch: Path | None = None
    segment: int = SEGMENT
    needs_results: bool = True
    may_lack: tuple[str, ...] = ()


class Layout(NamedTuple):
    """Which column means what; `special` maps a meaning to the column's name, `labels` name or number the rows.

    stated_by: who says whose results these are, None where there are none. signed: see `TableOptions`.
    """

    features: tuple[str, ...]
    special: dict[str, str]
    shares: tuple[str, ...]  # columns stage.NAME
    perspective: str
    signed: bool | None
    stated_by: StatedBy | None
    needs_results: bool
    labels: tuple[str, ...] = ()

    def without(self, labels: Sequence[str]) -> Self:
        """Return the same with some features found to be labels of the rows."""
        left = tuple(name for name in self.features if name not in labels)
        return self._replace(features=left, labels=(*self.labels, *labels)) if left else self

    @property
    def stage_names(self) -> tuple[str, ...]:
        """Names of the stages that have a column of shares."""
        return tuple(name.removeprefix("stage.") for name in self.shares)


def make_layout(
    path: Path,
    names: Sequence[str],
    said: dict[str, str],
    options: TableOptions,
    index: Sequence[str] = (),
) -> Layout:
    """Give every column its meaning; `said` holds the file's own statements, `index` names what it calls labels."""
    _check_names(path, names)
    _check_statements(path, said)
    used = [name for name in names if name not in options.ignore]
    views = {name: name.removeprefix("result_") for name in used if name.startswith("result_")}
    results = [name for name in used if name == "result" or views.get(name) in PERSPECTIVES]
    if len(results) > 1 or (options.needs_results and not results):
        raise InputError(f"{path}: expected one column 'result', found {', '.join(results) or 'none'}")
    stated: list[tuple[StatedBy, str]] = [
        ("column", PERSPECTIVES[views[name]]) for name in results if name in views
    ]
    stated += [("file", view) for view in _said_views(path, said)]
    stated += [("option", view) for view in _asked_views(options)]
    others = [name for name in used if name in SPECIAL and name not in (*options.features, "result")]
    special = {**({"result": results[0]} if results else {}), **{name: name for name in others}}
    shares = tuple(name for name in used if name.startswith("stage."))
    if shares and "stage" in special:
        raise InputError(f"{path}: expected a column 'stage' or columns 'stage.NAME', found both")
    taken = {*special.values(), *shares, *options.ignore, *options.features}
    labels = tuple(name for name in names if (name in index or _LABEL.fullmatch(name)) and name not in taken)
    features = _features(path, names, {*special.values(), *shares, *labels}, options)
    _refuse_other_games(path, features if "game" not in special else (), options)
    by, perspective = _perspective(path, stated) if results or stated else (None, "mover")
    signed = options.signed
    if signed is None and "results" in said:
        signed = said["results"] == "signed"
    return Layout(features, special, shares, perspective, signed, by, options.needs_results, labels)


def _check_names(path: Path, names: Sequence[str]) -> None:
    if not all(names[1:]):  # the first may be what a spreadsheet or pandas puts before the rows
        raise InputError(f"{path}: column {list(names).index('', 1) + 1}: expected a name, found none")
    twice = sorted({name for name in names if list(names).count(name) > 1})
    if twice:
        raise InputError(f"{path}: columns: expected each name once, found twice: {', '.join(twice)}")


def _check_statements(path: Path, said: dict[str, str]) -> None:
    version = said.get("tunesmith-table", VERSION)
    if version != VERSION:
        raise InputError(f"{path}: tunesmith-table: expected version {VERSION}, found {version!r}")
    if said.get("results", "signed") not in ("signed", "unit"):
        raise InputError(f"{path}: results: expected signed or unit, found {said['results']!r}")


def _features(path: Path, names: Sequence[str], taken: set[str], options: TableOptions) -> tuple[str, ...]:
    wanted = [name for name in options.features if name not in options.may_lack]
    missing = [name for name in (*wanted, *options.ignore) if name not in names]
    if missing:
        raise InputError(f"{path}: no such column: {', '.join(missing)}; found {', '.join(names)}")
    free = [name for name in names if name not in taken and name not in options.ignore]
    found = tuple(name for name in free if not options.features or name in options.features)
    if not found:
        raise InputError(f"{path}: expected columns of features, found none")
    return found


def _said_views(path: Path, said: dict[str, str]) -> Iterator[str]:
    view = said.get("perspective")
    if view is not None and view not in PERSPECTIVES:
        raise InputError(f"{path}: perspective: expected {', '.join(PERSPECTIVES)}, found {view!r}")
    if view is not None:
        yield PERSPECTIVES[view]


def _refuse_other_games(path: Path, features: Sequence[str], options: TableOptions) -> None:
    """Refuse a column that is the game by another name: as a feature it would be fitted, and rows not be grouped."""
    for name in features:
        if name not in options.features and re.sub(r"[^a-z]", "", name.lower()) in _GAMES:
            raise InputError(
                f"{path}: column {name!r}: is it the game that a row comes from? Then rename it 'game', so that errors "
                f"are right; else --ignore {name} skips it"
            )


def _asked_views(options: TableOptions) -> Iterator[str]:
    view = options.perspective
    if view is not None and view not in PERSPECTIVES:
        raise InputError(f"perspective: expected {', '.join(PERSPECTIVES)}, found {view!r}")
    if view is not None:
        yield PERSPECTIVES[view]


def _perspective(path: Path, stated: list[tuple[StatedBy, str]]) -> tuple[StatedBy, str]:
    """Return who states whose results these are first, and what all agree on."""
    views = sorted({view for _, view in stated})
    if not stated:
        raise InputError(
            f"{path}: perspective: expected to be stated whose results these are: name the column result_mover "
            "or result_first, write a first line '# perspective: mover', or say --perspective (results like 1-0 are "
            "White's: --perspective white)"
        )
    if len(views) > 1:
        raise InputError(f"{path}: perspective: stated twice, as {' and '.join(views)}")
    return stated[0]
