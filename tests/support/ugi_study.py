"""Studies of UGI engines that are no engines: how they are written and run."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.uci_study import games
from tunesmith.tuning.cli import run

__all__ = ["BOOK", "FAKE", "PILES", "engine", "games", "study"]

FAKE = Path(__file__).with_name("fake_ugi_engine.py")
LINES = "startpos moves a1\nstartpos moves a2\nfen 3 5 0 1\n4 4 1 1\nstartpos moves b1 b1\n"
PILES = 'game = "tests.support.toys:PILES"\n'
BOOK = '[openings]\nfile = "lines.txt"\n'


def engine(*how: str, skill: int = 1, name: str = "") -> str:
    arguments = ", ".join(json.dumps(word) for word in (str(FAKE), *how))
    named = f'name = "{name}"\n' if name else ""
    return (
        f'[[engine]]\ncommand = "{sys.executable}"\narguments = [{arguments}]\n{named}'
        f"options = {{ skill = {skill} }}\n"
    )


@pytest.fixture
def study(tmp_path, monkeypatch, capsys):
    """Writes a study and runs it; returns exit code, result and what was said."""
    monkeypatch.chdir(tmp_path)

    def play(text: str, *arguments: str) -> tuple[int, dict, str]:
        Path("lines.txt").write_text(LINES)
        head = 'name = "piles"\nprotocol = "ugi"\n' + ("" if "limit =" in text else 'limit = "nodes:9"\n')
        Path("s.toml").write_text(head + "patience = 5.0\n" + text)
        code = run(["engines", "s.toml", "--out", "out", "--json", "--jobs", "2", *arguments])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return play
