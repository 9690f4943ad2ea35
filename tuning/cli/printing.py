"""How do commands print what they found: one JSON object, or a table?"""

from __future__ import annotations

import json
from typing import Any


def print_json(value: Any) -> None:
    """Print one JSON object, or what stands in the file of a document; numbers that are not finite become null."""
    from tunesmith.tuning.documents import Document
    from tunesmith.tuning.files import finite

    content = value.content() if isinstance(value, Document) else value
    print(json.dumps(finite(content), indent=1, allow_nan=False))


def print_table(rows: list[list[str]], header: list[str]) -> None:
    """Print rows under a header; columns of numbers are aligned to the right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    is_number = [all(_looks_like_number(row[i]) for row in rows) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ]
        print("  ".join(cells).rstrip())


def _looks_like_number(text: str) -> bool:
    return (
        text.replace(",", "").replace(".", "").replace("-", "").replace("+", "").strip("% ").isdigit()
        or not text
    )
