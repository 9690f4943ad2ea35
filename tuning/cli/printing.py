"""How do commands print what they found: one JSON object, or a table?"""

import json
import sys
from typing import Any

from tunesmith.tuning.cli.terminal import bare, harmless


def print_json(value: Any) -> None:
    """Print one JSON object, or what stands in the file of a document; numbers that are not finite become null."""
    from tunesmith.tuning.documents.document import Document
    from tunesmith.tuning.files import finite

    content = value.content() if isinstance(value, Document) else value
    print(json.dumps(finite(content), indent=1, allow_nan=False))


def print_grid(rows: list[list[str]], header: list[str]) -> None:
    """Print rows under a header: as wide as it is into a file or pipe, fitted to a terminal.

    Columns of numbers are aligned to the right."""
    is_number = [all(_looks_like_number(row[i]) for row in rows) for i in range(len(header))]
    if sys.stdout.isatty():
        _draw_table(rows, header, is_number)
        return
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ]
        print("  ".join(cells).rstrip())


def _draw_table(rows: list[list[str]], header: list[str], is_number: list[bool]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, right in zip(header, is_number, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))  # names in brackets are names, no styles
    Console(file=bare(sys.stdout)).print(table)


def _looks_like_number(text: str) -> bool:
    return (
        text.replace(",", "").replace(".", "").replace("-", "").replace("+", "").strip("% ").isdigit()
        or not text
    )
