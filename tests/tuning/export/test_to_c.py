"""C computes what the engine does, under several standards and compilers."""

import pytest

from tests.support import exported
from tests.support.exported import call, numbers


@pytest.mark.needs_gcc
@pytest.mark.parametrize("options", [("-std=c99", "-O2"), ("-O3", "-march=native")], ids=" ".join)
def test_c_agrees(tmp_path, options):
    (tmp_path / "main.c").write_bytes(exported.in_c(exported.sources("c")).encode("ascii"))
    strict = ("-Wall", "-Wextra", "-Werror")
    call("gcc", *options, *strict, "main.c", "-o", "main", "-lm", cwd=tmp_path)
    assert numbers(call(tmp_path / "main", cwd=tmp_path, text=exported.lines())) == exported.expected()
