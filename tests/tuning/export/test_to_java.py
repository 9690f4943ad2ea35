"""Java computes what the engine does."""

import numpy as np
import pytest

from tests.support import exported
from tests.support.exported import call, numbers
from tunesmith.games.errors import InputError
from tunesmith.tuning import export


@pytest.mark.needs_javac
def test_java_agrees(tmp_path):
    (tmp_path / "Main.java").write_bytes(exported.in_java(exported.sources("java")).encode("ascii"))
    call("javac", "-Xlint:all", "-Werror", "Main.java", cwd=tmp_path)
    output = call("java", "-Xshare:auto", "-cp", tmp_path, "Main", cwd=tmp_path, text=exported.lines())
    assert numbers(output) == exported.expected()


def test_more_numbers_than_a_java_class_holds_are_refused():
    with pytest.raises(InputError, match=r"at most 5,000 weights, found 5,001"):
        export.source(exported.table(np.zeros((1, 5001))), "java")
