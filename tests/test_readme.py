"""The README's commands print what it says they print, and its Python runs."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tunesmith.tuning.cli import run

pytestmark = pytest.mark.pages

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", TEXT, re.S)
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def sessions() -> list[tuple[str, str]]:
    pieces = "\n".join(CONSOLE).split("$ tunesmith ")[1:]
    return [(command, output.strip()) for command, _, output in (piece.partition("\n") for piece in pieces)]


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder like the repository's, in which commands may leave files."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "experiments").symlink_to(ROOT / "experiments")
    return folder


@pytest.mark.parametrize(("command", "output"), sessions())
def test_a_command_prints_what_the_readme_shows(command, output, place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    assert run(shlex.split(command)) == 0
    assert capsys.readouterr().out.strip() == output


@pytest.mark.parametrize("code", PYTHON)
def test_the_readmes_python_runs(code):
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.needs_gcc
def test_the_readmes_c_gives_the_score_it_states(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    code = re.findall(r"```c\n(.*?)```", TEXT, re.S)[0]
    include, _, body = code.partition("\n")
    assert run(["weights", "export", "kalah/hand", "--to", "c", "--out", "kalah.h"]) == 0
    Path("main.c").write_text(f"{include}\nint main(void) {{ {body} return score != 6000; }}\n")
    subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main", "-lm"], check=True)
    subprocess.run(["./main"], check=True)


def test_the_readmes_agent_answers_as_it_states(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = re.findall(r"\$ tunesmith (agent kalah .*)", TEXT)[0]
    line, answer = re.findall(r"```\n(echo .* python kalah_agent)\n```\n\nprints `(.*?)`", TEXT)[0]
    assert run(shlex.split(command)) == 0
    line = line.replace("python", shlex.quote(sys.executable))
    assert (
        subprocess.run(line, shell=True, capture_output=True, text=True, check=True).stdout.strip() == answer
    )


def test_there_is_something_to_run():
    assert len(sessions()) >= 5 and PYTHON
