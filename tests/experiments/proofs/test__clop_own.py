"""CLOP's own code beside our samplers: a program of its own, which is asked and told by lines."""

import pytest

from tunesmith.experiments.proofs._clop_own import search_with_clop
from tunesmith.experiments.proofs._made_up_search import Luck


def test_clops_own_code_is_asked_by_lines(tmp_path):
    """A program that always asks for the same place, and recommends another."""
    program = tmp_path / "clop-own"
    program.write_text(
        "#!/bin/sh\nwhile read word rest; do case $word in ask) echo -0.5;; best) echo $told;; "
        "tell) told=0.25; set -- $rest; [ $(($1 + $2 + $3)) = 2 ] || exit 1;; esac; done\n"
    )
    program.chmod(0o755)
    asked = []
    found = search_with_clop(program, lambda x: asked.append(float(x[0])) or 0.5, 1, 20, Luck(), 3)
    assert found == pytest.approx([0.25]) and asked == [-0.5] * 20
