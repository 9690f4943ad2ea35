"""Whatever asks the command to stop is heard, even in the middle of compiled code; then it says how to go on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tunesmith.tuning import cli
from tunesmith.tuning.cli import games
from tunesmith.tuning.cli.interrupt import advice
from tunesmith.tuning.search.storage import LostStorageError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")

ROOT = Path(__file__).parents[3]

# A mutex that is locked twice waits for ever and, like compiled code, returns for no signal.
DEAF = """
import ctypes
from tunesmith.tuning.cli import interrupt
interrupt.GRACE = {grace}
interrupt.listen(["selfplay", "my game", "--out", "x"])
mutex = (ctypes.c_byte * 128)()
lock = ctypes.CDLL(None).pthread_mutex_lock
lock(mutex)
try:
    print("ready", flush=True)
finally:  # the signal may come before the wait
    lock(mutex)
"""
AWAKE = """
import sys
from tunesmith.tuning.cli import interrupt
interrupt.listen([])
try:
    print("ready", flush=True)
    sys.stdin.read()
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def started(code: str) -> subprocess.Popen[str]:
    """Start a program and wait until it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_request_to_stop_is_an_interrupt(number: signal.Signals) -> None:
    process = started(AWAKE)
    process.send_signal(number)
    process.wait(timeout=60)
    assert process.stdout is not None
    assert process.stdout.read() == "stopped\n"


@pytest.mark.parametrize("is_repeated", [False, True])
def test_compiled_code_that_never_ends_is_ended(is_repeated: bool) -> None:
    """A while after the first request, or at the second one."""
    process = started(DEAF.format(grace=1e6 if is_repeated else 0.2))
    process.send_signal(signal.SIGINT)
    while is_repeated and process.poll() is None:  # two that come at once may be taken for one
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; nothing finished is lost. This continues:" in err
    assert "tunesmith selfplay 'my game' --out x" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_what_is_ignored_at_the_start_stays_ignored(number: signal.Signals) -> None:
    """A shell's & ignores Ctrl-C, nohup ignores hang-ups: whoever says that to a command means it."""
    process = started(f"import signal; signal.signal({number:d}, signal.SIG_IGN)\n" + AWAKE)
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)  # the end of its input is its end
    assert (out, process.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "a b.toml", "--jobs", "2"], "tunesmith run 'a b.toml' --jobs 2"),
        (["selfplay", "kalah", "--out", "x"], "tunesmith selfplay kalah --out x"),
        (["match", "kalah", "a", "b", "--out=x"], "tunesmith match kalah a b --out=x"),
        (["match", "kalah", "a", "b"], "its games are not kept; with --out"),
    ],
)
def test_advice_names_the_command_that_continues(arguments: list[str], words: str) -> None:
    assert words in advice(arguments)


def test_an_interrupted_command_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "print_json", stop)
    assert cli.run(["games", "--json"]) == 130
    assert capsys.readouterr().err == ""


def ended(code: str, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """Run a program, ask it to stop when it is ready, and return its exit code and what it said."""
    process = started(code)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


# Commands that are interrupted at bad moments, each with a command line whose application is one function.
COMMAND = """
import sys, time, types
from tunesmith.tuning import cli
def busy():
    print("ready", flush=True)
    time.sleep(60)
def app(arguments, standalone_mode):
{body}
sys.modules["tunesmith.tuning.cli.app"] = types.SimpleNamespace(app=app)
cli.main(["run", "x.toml"])
"""
IN_CODE_FROM_TEXT = '    exec("busy()", {"busy": busy})'
AS_ANOTHER_ERROR = """    try:
        busy()
    except KeyboardInterrupt as error:
        raise ImportError("cannot import") from error"""
IN_A_DESTRUCTOR = """    class Thing:
        def __del__(self):
            busy()
    thing = Thing()
    del thing
    while True:
        time.sleep(0.01)"""


@pytest.mark.parametrize("body", [IN_CODE_FROM_TEXT, AS_ANOTHER_ERROR, IN_A_DESTRUCTOR])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_wherever_it_strikes_an_interrupt_is_the_end_in_one_line(body: str, number: signal.Signals) -> None:
    code, err = ended(COMMAND.format(body=body), number)
    assert code == 130
    assert err == "interrupted; nothing finished is lost. This continues:\n  tunesmith run x.toml\n"


def test_requests_while_python_closes_down_change_nothing() -> None:
    late = "import atexit, os, signal\natexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
    code, err = ended(late + COMMAND.format(body="    busy()"))
    assert (code, err.count("\n")) == (130, 2)


def test_what_broke_off_by_itself_says_how_to_go_on_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(*_: object) -> None:
        raise LostStorageError("--storage: away")

    monkeypatch.setattr("tunesmith.tuning.pipeline.searching.search_study", gone)
    command = ["search", str(ROOT / "experiments" / "kalah.toml"), "--storage", "postgresql://me:geheim@h/d"]
    assert cli.run(command) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("tunesmith: --storage: away; nothing finished is lost. This continues")
    assert told[1].startswith("  tunesmith search ") and "geheim" not in told[1] and len(told) == 2
