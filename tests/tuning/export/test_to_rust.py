"""Rust computes what the engine does."""

import pytest

from tests.support import exported
from tests.support.exported import call, numbers


@pytest.mark.needs_rustc
def test_rust_agrees(tmp_path):
    (tmp_path / "main.rs").write_bytes(exported.in_rust(exported.sources("rust")).encode("ascii"))
    call("rustc", "--edition", "2021", "-D", "warnings", "-O", "main.rs", cwd=tmp_path)
    assert numbers(call(tmp_path / "main", cwd=tmp_path, text=exported.lines())) == exported.expected()
