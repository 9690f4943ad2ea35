"""What do somebody's own positions teach, and which lines of the file had to be left out?

A table has one position a row: named features, a `result`, and optionally `game`, `stage` (a name) or
`stage.NAME` (shares that sum to 1), `weight`, `score` (of a search) and `mover`. The perspective of results
and scores is stated, in the file or by the caller: `mover` (whoever moves) or `first` (player 0, White).
Features are seen from the same side, unless a column `mover` says who moves: then they are the mover's, and
results of the first player are turned where the second moves. Accepted
results: numbers from 0 to 1, 1/2, win, draw, loss, and of the first player also 1-0, 0-1, 1/2-1/2; `signed` ones
are -1, 0, 1. What cannot be read is left out, counted by
reason and named by line; spellings that could mean two things are refused, not guessed.

- `columns`: What does each line of a table say, and why can a line not be used?
- `doubts`: When must a file be doubted as a whole, and which option helps?
- `gather`: How do the lines of a table become rows, in memory or, where there are too many, in a scratch
  file?
- `layout`: Which column of a table means what, and whose results are they?
- `read_csv`: Tables in CSV: a header of names, then one position a line; separated by comma, semicolon or tab
- `read_parquet`: Tables in Parquet: columns as in CSV, numbers as numbers, read a batch of rows at a time
- `read_svmlight`: Tables in svmlight's format: `result [qid:game] index:value ..

To add a format, write `read_FORMAT.read(path, options) -> Table` and let `read_table` tell it by content or
name."""

from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.data.table.layout import TableOptions


def read_table(path: str | Path, options: TableOptions | None = None) -> Table:
    """Read a table: Parquet, svmlight or CSV, told by content and name.

    Raises
    ------
    InputError
        The file cannot be read, states no perspective, contradicts itself, or too much of it is bad.
    """
    from tunesmith.tuning.data.table import read_csv, read_parquet, read_svmlight

    file, wanted = Path(path), options or TableOptions()
    head = _head_of(file)
    if head.startswith(b"PAR1"):
        return read_parquet.read(file, wanted)
    if file.suffix.lower() in (".svm", ".svmlight", ".libsvm") or read_svmlight.looks_like(head):
        return read_svmlight.read(file, wanted)
    return read_csv.read(file, wanted)


def _head_of(path: Path) -> bytes:
    """Return the beginning of a regular file; a pipe or a device could keep us waiting for ever."""
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if not path.is_file():
        raise InputError(f"{path}: expected a regular file")
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"{path}: expected UTF-8, found UTF-16: save it as UTF-8")
    if head[:2] == b"\x1f\x8b":
        raise InputError(f"{path}: expected a plain file, found gzip: unpack it first")
    if not head.strip():
        raise InputError(f"{path}: expected a table, found an empty file")
    return head
