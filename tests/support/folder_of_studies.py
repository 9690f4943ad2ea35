"""A folder with two studies that differ in their seed, and a damaged one."""

from copy import deepcopy
from pathlib import Path

import pytest

from tests.support import report_fixture
from tests.support.made_up_fit import generation_fit


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fits = {f"fit/gen-{n}.json": generation_fit(n, "d", 400 * n).content() for n in (1, 2)}
    files = {**report_fixture.small_study(), **fits, "status.json": {"stage": "finished"}}
    report_fixture.write(tmp_path / "studies" / "one", files)
    other = deepcopy(files)
    other["study.json"]["config"]["seed"] = 2
    report_fixture.write(tmp_path / "studies" / "more" / "two", other)
    (tmp_path / "studies" / "three").mkdir()
    (tmp_path / "studies" / "three" / "study.json").write_text("{")
    return tmp_path / "studies"
