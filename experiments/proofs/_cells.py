"""Results that are added to a JSON file, cell by cell, so that a long proof may be made in pieces; with their page."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.games.errors import StudyError
from tunesmith.tuning.files import read_json, write_json


def add_out(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the file."""
    parser.add_argument(
        "--out", type=Path, help="JSON file to add to; the page of the same name is made anew"
    )


def command_of(proof: str, arguments: Sequence[str] | None) -> str:
    """Return the command line of a proof; without arguments those of this process."""
    return " ".join([f"python -m tunesmith.experiments.proofs.{proof}", *(arguments or sys.argv[1:])])


def stored(out: Path | None) -> dict[str, Any]:
    """Return what the file holds, nothing where there is none."""
    return (read_json(out) or {}) if out else {}


def store(out: Path | None, cells: Mapping[str, Any], page: str) -> None:
    """Write the file and, beside it, its page in Markdown, each whole or not at all; without a file nothing."""
    if out:
        write_json(out, cells, stands_alone=True)
        files.write(out.with_suffix(".md"), page, StudyError)
