"""Studies of chess engines that are no engines: how they are written and run."""

import json
import sys
from pathlib import Path

import pytest

from tunesmith.tuning.cli import run

FAKE = Path(__file__).with_name("fake_engine.py")
# White mates on the eighth rank, if it sees that, or is drawn by the fifty moves soon.
SHORT = [f"7k/8/6K1/{'8/' * (4 - row)}{row_text}/{'8/' * row}"[:-1] if row else f"7k/8/6K1/{'8/' * 4}{row_text}"
         for row in range(5) for row_text in (f"{file or ''}R{7 - file}" for file in range(6))]  # fmt: skip
BOOK = '[openings]\nfile = "short.epd"\n'


def engine(*how: str, skill: int = 50, more: str = "") -> str:
    arguments = ", ".join(json.dumps(word) for word in (str(FAKE), *how))
    return (
        f'[[engine]]\ncommand = "{sys.executable}"\narguments = [{arguments}]\n'
        f'options = {{ "Own Skill" = {skill} }}\n{more}'
    )


@pytest.fixture
def study(tmp_path, monkeypatch, capsys):
    """Writes a study and runs it; returns exit code, result and what was said."""
    monkeypatch.chdir(tmp_path)

    def play(text: str, *arguments: str) -> tuple[int, dict, str]:
        Path("short.epd").write_text("".join(f"{board} w - - 94 80\n" for board in SHORT))
        Path("s.toml").write_text('limit = "nodes:9"\nmove_cap = 60\npatience = 5.0\n' + text)
        code = run(["engines", "s.toml", "--out", "out", "--json", "--jobs", "2", *arguments])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return play


def games(folder: str = "out/match") -> list[dict]:
    rows = [json.loads(line) for line in (Path(folder) / "games.jsonl").read_text().splitlines()]
    return sorted(rows, key=lambda row: (row["pair"], row["game"]))


TUNE = engine(skill=10) + (
    '[search]\ntrials = 10\npairs = 3\nsampler = "clop"\n[search.space]\n"Own Skill" = { step = 10 }\nStyle = {}\n'
    "[test]\nmax_pairs = 6\n" + BOOK
)
