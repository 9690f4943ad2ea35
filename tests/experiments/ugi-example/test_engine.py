"""Four in a row in C and in Python: two engines that agree on everything."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[3] / "experiments" / "ugi-example"
LINES = """ugi
isready
position startpos moves c c d
query p1turn
query result
go depth 4
setoption name twos value 9
go nodes 900
position startpos moves c d z
position startpos moves a b a b a b a
query gameover
query result
position fen ....../....../....../....../xxx.oo x moves d
query result
position fen ....../....../....../..x.../..xo.. o
query p1turn
go p1time 60000 p2time 60000 p1inc 0 p2inc 0 depth 3
quit
"""


def said(*command: str) -> list[str]:
    """Return what an engine answers, without its name and its times."""
    done = subprocess.run(command, input=LINES, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("id name")]
    return [" ".join(line.split(" time ")[0].split() + line.split(" nodes ")[1:]) for line in lines]


def test_it_answers_as_the_protocol_asks():
    found = said(sys.executable, str(HERE / "engine.py"))
    answers = [
        line for line in found if line.startswith(("response", "bestmove", "info string", "ready", "ugiok"))
    ]
    assert [line.split()[0] for line in answers].count("bestmove") == 3
    assert [line for line in answers if not line.startswith("bestmove")] == [
        "ugiok", "readyok", "response false", "response none", "info string illegal move z",
        "response true", "response p1win", "response p1win", "response false",
    ]  # fmt: skip


@pytest.mark.needs_gcc
def test_both_say_the_same(tmp_path):
    command = [
        "gcc",
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O2",
        str(HERE / "engine.c"),
        "-o",
        "engine",
    ]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert said(str(tmp_path / "engine")) == said(sys.executable, str(HERE / "engine.py"))
