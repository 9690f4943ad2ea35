"""Measure one case, add it to the file of results, and write its page: `python -m tunesmith.experiments.large`."""

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.experiments.bench.machine import commit
from tunesmith.experiments.large import games, tables
from tunesmith.experiments.proofs._cells import store, stored

RESULTS = Path(__file__).parents[1] / "results" / "large-data.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a table or a study of games; return the exit code."""
    given = _parser().parse_args(arguments)
    cells = stored(given.out)
    facts = {"commit": commit(), "command": f"python -m tunesmith.experiments.large {_case(given)}"}
    if given.what == "table":
        os.environ["OMP_NUM_THREADS"] = str(given.threads)
        found = tables.measure(given.rows, given.columns, given.seed, given.folder, nonzeros=given.nonzeros)
        kind = "" if given.nonzeros is None else f", {given.nonzeros} a row"
        name = f"table {given.rows} x {given.columns}{kind}, {given.threads} threads"
        cells[name] = facts | {"seed": given.seed, "threads": given.threads} | found
    else:
        with tempfile.TemporaryDirectory(prefix="tunesmith-") as made:
            found = games.measure(given.pairs, given.folder or Path(made), given.jobs)
        cells[f"games {2 * given.pairs}"] = facts | found
    page = page_of(cells)
    store(given.out, cells, page)
    print(page)
    return 0


def _case(given: argparse.Namespace) -> str:
    """Return the words of the command that decide what is measured."""
    if given.what == "table":
        kind = "" if given.nonzeros is None else f" --nonzeros {given.nonzeros}"
        return (
            f"table --rows {given.rows} --columns {given.columns}{kind} --seed {given.seed} "
            f"--threads {given.threads}"
        )
    return f"games --pairs {given.pairs} --jobs {given.jobs}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("table", "games"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=60)
    parser.add_argument(
        "--nonzeros", type=int, help="of a row, in svmlight's format (default: most, in Parquet)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of a table")
    parser.add_argument("--threads", type=int, default=1, help="of the fit of a table")
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--folder", type=Path, help="where a table or study is written, and stays; what is there is used"
    )
    parser.add_argument(
        "--out", type=Path, default=RESULTS, help="JSON file to add to, with a page of the same name"
    )
    return parser


def page_of(cells: Mapping[str, Any]) -> str:
    """Return the page of what was measured so far."""
    fits = [cell for name, cell in sorted(cells.items(), key=_size) if name.startswith("table")]
    studies = [cell for name, cell in sorted(cells.items(), key=_size) if name.startswith("games")]
    lines = [
        "# Large data", "",
        "Seconds are of the clock on two cores that other work shares, and of the processor; memory is the largest sum "
        "of what the command and its processes hold.", "",
        "## `tunesmith fit` of a table", "",
        "| rows | features | not zero in a row | table | scratch file | threads | clock | processor | memory | "
        "farthest weight from planted |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *[f"| {one['rows']:,} | {one['columns']} | {one.get('nonzeros') or 'most'} | "
          f"{_size_words(one['table_bytes'])} | {_scratch(one['scratch_bytes'])} | {one.get('threads', 2)} | "
          f"{_took(one['fit'])} | {one['worst']:.1f} standard errors |"
          for one in fits],
        "",
        "Nothing but the table is named on the command line: ridge and shrinkage are chosen by cross-validation on "
        "some of the games, and boosted trees are compared on some; the fit itself sees every row. Full tables are in "
        "Parquet and read from a scratch file, a block at a time in one thread; those of mostly zeros in svmlight's "
        "format, which is read in memory, and parts of them are worked on side by side.", "",
        "## A study of many games", "",
        "Kalah at depth 1. `half`: `tunesmith run` until half of the games are there. `resume`: the same command until "
        "it writes the next ones. `rest`: all other games, a fit to one position of each game, and a small proof. "
        "`again`: `run` of the finished study.", "",
        "| games | files | on disk | command | clock | processor | memory |",
        "|--:|--:|--:|---|--:|--:|--:|",
        *[f"| {one['games']:,} | {one['files']:,} | {_size_words(one['bytes'])} | `{part}` | {_took(one[part])} |"
          for one in studies for part in games.PARTS if part in one],
        "",
        "Written by these commands:", "",
        *[f"- `{one['command']}` (commit {one['commit']}){_note(one)}" for one in (*fits, *studies)],
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _size(item: tuple[str, Any]) -> tuple[int, int]:
    cell = item[1]
    return cell.get("rows", cell.get("games", 0)), cell.get("columns", 0)


def _note(one: Mapping[str, Any]) -> str:
    """Return what somebody wrote into the file about a case."""
    return f": {one['note']}" if "note" in one else ""


def _took(one: Mapping[str, float]) -> str:
    return f"{one['seconds']:,.0f} s | {one['cpu_seconds']:,.0f} s | {_size_words(one['peak_bytes'])}"


def _scratch(n: int) -> str:
    return _size_words(n) if n else "none"


def _size_words(n: float) -> str:
    return f"{n / 1e9:.2f} GB" if n >= 1e9 else f"{n / 1e6:,.0f} MB"


if __name__ == "__main__":
    sys.exit(main())
