"""`tunesmith play --browser`: an address is printed, Ctrl-C ends it, and a port in use is one line."""

import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

from tunesmith.tuning import cli
from tunesmith.tuning.play.sandbox.process import safe_environment

CALL = [sys.executable, "-m", "tunesmith.tuning.cli", "play", "kalah", "--browser", "--limit", "nodes:10"]


def test_it_is_served_until_ctrl_c() -> None:
    environment = {**safe_environment(), "TUNESMITH_NUMBA": "0"}
    with subprocess.Popen(
        CALL,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        line = process.stdout.readline()
        address = line.split()[0]
        assert address.startswith("http://127.0.0.1:") and "Ctrl-C ends the game" in line
        with urlopen(address, timeout=60) as answer:
            assert b"<h1>kalah</h1>" in answer.read()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        call = [*CALL, "--port", str(taken.getsockname()[1])]
        environment = {**safe_environment(), "TUNESMITH_NUMBA": "0"}
        answer = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert (
        answer.stderr.startswith("tunesmith: play: cannot listen on 127.0.0.1:")
        and answer.stderr.count("\n") == 1
    )


def test_a_port_needs_the_browser(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["play", "kalah", "--port", "8080"]) == 2
    assert "--port 8080: expected --browser with it" in capsys.readouterr().err
