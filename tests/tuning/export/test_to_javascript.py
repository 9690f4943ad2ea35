"""JavaScript computes what the engine does."""

import pytest

from tests.support import exported
from tests.support.exported import call, numbers


@pytest.mark.needs_node
def test_javascript_agrees(tmp_path):
    (tmp_path / "main.js").write_bytes(exported.in_javascript(exported.sources("javascript")).encode("ascii"))
    assert numbers(call("node", "main.js", cwd=tmp_path, text=exported.lines())) == exported.expected()
