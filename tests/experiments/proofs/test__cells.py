"""Results that are kept cell by cell: a proof made in pieces loses none, and the page tells the command."""

import argparse
from pathlib import Path

from tunesmith.experiments.proofs import _cells


def test_cells_of_an_earlier_run_stay(tmp_path: Path) -> None:
    out = tmp_path / "cells.json"
    assert _cells.stored(out) == {}
    _cells.store(out, {"a": [1.5]}, "page a\n")
    _cells.store(out, {**_cells.stored(out), "b": [2.5]}, "page a b\n")
    assert _cells.stored(out) == {"a": [1.5], "b": [2.5]}
    assert (tmp_path / "cells.md").read_text() == "page a b\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells.json", "cells.md"]


def test_without_a_file_nothing_is_kept() -> None:
    parser = argparse.ArgumentParser()
    _cells.add_out(parser)
    out = parser.parse_args([]).out
    assert out is None and _cells.stored(out) == {}
    _cells.store(out, {"a": 1}, "page")


def test_the_command_is_the_one_that_was_given() -> None:
    words = _cells.command_of("fuzz", ["--games", "100"])
    assert words == "python -m tunesmith.experiments.proofs.fuzz --games 100"
