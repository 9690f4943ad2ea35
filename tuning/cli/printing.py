"""How do commands print what they found: one JSON object, or a table?"""

import json
import sys
from collections.abc import Sequence
from typing import Any

WIDEST = 100_000  # columns of a file or pipe: nothing is folded there


def print_json(value: Any) -> None:
    """Print one JSON object, or what stands in the file of a document; numbers that are not finite become null."""
    from tunesmith.tuning.documents.document import Document
    from tunesmith.tuning.files import finite

    content = value.content() if isinstance(value, Document) else value
    print(json.dumps(finite(content), indent=1, allow_nan=False))


def print_grid(rows: Sequence[Sequence[str]], header: Sequence[str] = ()) -> None:
    """Print rows, under a header if there is one: as wide as it is into a file or pipe, fitted to a terminal.

    Columns of numbers are aligned to the right."""
    if sys.stdout.isatty():
        from tunesmith.tuning.cli.console import console_of

        console_of(sys.stdout).print(_table(rows, header, is_ruled=bool(header)))
    else:
        print("\n".join(grid_lines(rows, header)))


def grid_lines(rows: Sequence[Sequence[str]], header: Sequence[str] = ()) -> list[str]:
    """Return the lines of a table, as wide as it is."""
    from tunesmith.tuning.cli.console import console_of

    console = console_of(sys.stdout, WIDEST)
    with console.capture() as drawn:
        console.print(_table(rows, header, is_ruled=False), no_wrap=True)
    return [line.rstrip() for line in drawn.get().splitlines()]


def _table(rows: Sequence[Sequence[str]], header: Sequence[str], is_ruled: bool) -> Any:
    from rich import box
    from rich.table import Table

    from tunesmith.tuning.cli.console import text

    table = Table(
        box=box.SIMPLE_HEAD if is_ruled else None,
        padding=(0, 1) if is_ruled else (0, 2, 0, 0),
        show_header=bool(header),
        show_edge=False,
        pad_edge=False,
    )
    for at in range(len([*rows, header][0])):
        is_number = all(_looks_like_number(row[at]) for row in rows)
        name = text(header[at]) if header else ""
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(text, row))  # names in brackets are names, no styles
    return table


def _looks_like_number(text: str) -> bool:
    return (
        text.replace(",", "").replace(".", "").replace("-", "").replace("+", "").strip("% ").isdigit()
        or not text
    )
