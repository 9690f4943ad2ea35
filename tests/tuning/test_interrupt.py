"""Whatever asks the command to stop is heard, even in the middle of compiled code; then it says how to go on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tuning import cli, cli_games
from tuning.interrupt import advice

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")

ROOT = Path(__file__).parents[2]

# A mutex that is locked twice waits for ever and, like compiled code, returns for no signal.
DEAF = """
import ctypes
from tuning import interrupt
interrupt.GRACE = 1.0
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
import time
from tuning import interrupt
interrupt.listen([])
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def started(code: str) -> subprocess.Popen[str]:
    """Start a program and wait until it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
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
    out, _ = process.communicate(timeout=30)
    assert out == "stopped\n"


@pytest.mark.parametrize("times", [1, 2])
def test_compiled_code_that_never_ends_is_ended(times: int) -> None:
    process = started(DEAF)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted; nothing finished is lost. This continues:" in err
    assert "tunesmith selfplay 'my game' --out x" in err


def test_what_nohup_ignores_stays_ignored() -> None:
    code = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + AWAKE.replace("60", "0.5")
    process = started(code)
    process.send_signal(signal.SIGHUP)
    out, _ = process.communicate(timeout=30)
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

    monkeypatch.setattr(cli_games, "print_json", stop)
    assert cli.run(["games", "--json"]) == 130
    assert capsys.readouterr().err == ""


def ended(code: str, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """Run a program, ask it to stop when it is ready, and return its exit code and what it said."""
    process = started(code)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    return process.returncode, err


# Commands that are interrupted at bad moments, each with a command line whose application is one function.
COMMAND = """
import sys, time, types
from tuning import cli
def busy():
    print("ready", flush=True)
    time.sleep(60)
def app(arguments, standalone_mode):
{body}
sys.modules["tuning.cli_app"] = types.SimpleNamespace(app=app)
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
