"""Haskell computes what the engine does."""

import pytest

from tests.support import exported
from tests.support.exported import call, numbers


@pytest.mark.needs_ghc
def test_haskell_agrees(tmp_path):
    for at, source in enumerate(exported.sources("haskell")):
        (tmp_path / f"{exported.name(at)}.hs").write_bytes(source.encode("ascii"))
    (tmp_path / "Main.hs").write_text(exported.in_haskell())
    call("ghc", "-v0", "-O0", "Main.hs", cwd=tmp_path)
    assert numbers(call(tmp_path / "Main", cwd=tmp_path, text=exported.lines())) == exported.expected()
