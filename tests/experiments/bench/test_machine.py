"""What a run of the benchmark says of where it was measured."""

import json
import os
import platform
import subprocess
from importlib.metadata import version
from typing import Any

import pytest

from tunesmith.experiments.bench import machine


def test_the_machine_and_the_versions_are_told() -> None:
    found = machine.describe()
    assert found["cores"] == os.cpu_count() and found["cpu"]
    assert found["python"].endswith(platform.python_version())
    assert found["versions"]["numpy"] == version("numpy")
    assert json.loads(json.dumps(found)) == found


def test_what_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PACKAGES", ("numpy", "no-such-distribution-here"))
    assert machine.describe()["versions"] == {"numpy": version("numpy"), "no-such-distribution-here": None}


@pytest.mark.parametrize(("status", "expected"), [("", "1a2b3c4"), (" M games/game.py\n", "1a2b3c4+")])
def test_sources_that_were_changed_are_marked(
    monkeypatch: pytest.MonkeyPatch, status: str, expected: str
) -> None:
    def run(command: list[str], **_: Any) -> Any:
        said = "1a2b3c4\n" if "rev-parse" in command else status
        return subprocess.CompletedProcess(command, 0, said)

    monkeypatch.setattr(subprocess, "run", run)
    assert machine.describe()["commit"] == expected


@pytest.mark.parametrize("error", [FileNotFoundError("git"), subprocess.CalledProcessError(128, "git")])
def test_outside_a_repository_there_is_no_commit(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def run(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(subprocess, "run", run)
    assert machine.describe()["commit"] is None
