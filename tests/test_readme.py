"""The README's commands print what it says they print, and its Python runs."""

import re
from pathlib import Path

import pytest

from tuning.cli import run

TEXT = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", TEXT, re.S)
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def sessions() -> list[tuple[str, str]]:
    pieces = "\n".join(CONSOLE).split("$ tunesmith ")[1:]
    return [(command, output.strip()) for command, _, output in (piece.partition("\n") for piece in pieces)]


@pytest.mark.parametrize(("command", "output"), sessions())
def test_a_command_prints_what_the_readme_shows(command, output, capsys):
    assert run(command.split()) == 0
    assert capsys.readouterr().out.strip() == output


@pytest.mark.parametrize("code", PYTHON)
def test_the_readmes_python_runs(code):
    exec(compile(code, "README.md", "exec"), {})


def test_there_is_something_to_run():
    assert len(sessions()) >= 5 and PYTHON
