"""A process ends at a moment that is counted: the same one however fast the machine is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tunesmith.experiments.proofs import _dying

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")


@posix
def test_a_command_is_killed_when_it_has_written_a_file(tmp_path: Path) -> None:
    words = ["weights", "export", "kalah/hand", "--to", "json", "--out", str(tmp_path / "out.json")]
    process = _dying.started(signal.SIGKILL, False, 1, f"{tmp_path}/out.json", 1, *words)
    out, _ = process.communicate(timeout=240)
    assert process.returncode == -signal.SIGKILL
    assert out.split() == ["workers"] and _dying.played_for(out) == []


@posix
def test_a_victim_is_killed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *about: killed.append(about))
    victims = tmp_path / "victims"
    victims.write_text("11\n12\n")
    for _ in range(2):
        _dying.kill_last(victims, 9)
    victims.write_text(victims.read_text() + "13\n")
    _dying.kill_last(victims, 9)
    assert killed == [(12, 9), (13, 9)]


def test_workers_are_read_from_what_was_printed() -> None:
    assert _dying.played_for("done 3\nworkers 5 6\nworkers\n") == [5, 6]
    assert sys.executable and os.getpid() not in _dying.workers(os.getpid())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_what_a_child_has_started_belongs_to_a_command_too() -> None:
    """Engines are children of workers."""
    with subprocess.Popen(
        ["sh", "-c", "sleep 600 & echo $!; wait"], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        engine = int(child.stdout.readline())
        try:
            assert {child.pid, engine} <= set(_dying.descendants(os.getpid()))
        finally:
            os.kill(engine, signal.SIGKILL)
