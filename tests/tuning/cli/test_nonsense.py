"""Absurd command lines: one line, exit code 2, nothing written, and refused before any long work."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import IMPORTS
from tunesmith.engine.compile import jit
from tunesmith.tuning.cli import run
from tunesmith.tuning.play import openings

LADDER = 'name = "l"\ngame = "kalah"\nlimits = ["nodes:5"]\n[[rung]]\nname = "a"\n[[rung]]\nname = "b"\n'
FILES = {
    "text.txt": "what is this\n",
    "empty": "",
    "ladder.toml": LADDER,
    "study.toml": 'name = "s"\ngame = "kalah"\n',
    "table.csv": "game,result,a,b\n" + "".join(f"{n // 3},{n % 2},{n % 5},{n % 3}\n" for n in range(60)),
}
LONG = "x" * 300
MATCH = "match kalah hand hand-1"
GAUNTLET = "gauntlet kalah hand hand-1"
VERIFY = "verify kalah hand hand-1"
FIT = "fit table.csv --perspective mover"
AN_INTEGER, A_NUMBER = "should be a valid integer", "should be a valid number"

# A command line (`''` is an empty word), and words of what is said.
NONSENSE = [
    ("fit nowhere.csv", "nowhere.csv"),
    ("fit folder", "folder"),
    ("fit text.txt", "text.txt"),
    ("fit table.csv", "perspective: expected"),
    (f"{FIT} --perspective nobody", "perspective"),
    (f"{FIT} --out weights.exe", "--out: expected a name that ends with"),
    (f"{FIT} --feature nobody", "nobody"),
    (f"{FIT} --ridge -1", "greater than or equal to 0"),
    (f"{FIT} --ridge nan", "ridge"),
    (f"{FIT} --ridge 1e308", "less than or equal to 1000000000000"),
    (f"{FIT} --blend 1.5", "less than or equal to 1"),
    (f"{FIT} --held-out 0", "greater than or equal to 0.01"),
    (f"{FIT} --min-rows many", AN_INTEGER),
    (f"{FIT} --max-bad inf", "less than or equal to 1"),
    (f"{FIT} --loss hinge", "loss"),
    (f"{FIT} --bound a", "bound"),
    (f"{FIT} --order a", "order"),
    (f"{FIT} --tie a", "tie"),
    (f"{FIT} --round -1", "round"),
    (f"{FIT} --anchor a", "anchor"),
    (f"{FIT} --prior nowhere.json", "nowhere.json"),
    (f"{FIT} --prior folder", "folder"),
    (f"{FIT} --start text.txt", "text.txt"),
    ("selfplay kalah", "Missing option '--out'"),
    ("selfplay kalah --out text.txt", "text.txt: cannot be written: Not a directory"),
    ("selfplay kalah --out text.txt/below", "cannot be written: Not a directory"),
    ("selfplay kalah --out ''", "--out: expected a word, found an empty one"),
    ("selfplay kalah --out=", "--out: expected a word, found an empty one"),
    ("selfplay kalah --out new --weights nobody", "weights 'nobody'"),
    ("selfplay kalah --out new --pairs 0", "greater than or equal to 1"),
    ("selfplay kalah --out new --pairs 1.5", AN_INTEGER),
    ("selfplay kalah --out new --noise 2", "less than or equal to 1"),
    ("selfplay kalah --out new --noise-plies -1", "greater than or equal to 0"),
    ("selfplay kalah --out new --opponent hand:2", "opponent"),
    ("selfplay kalah --out new --opponent hand:nan", "opponent"),
    ("selfplay kalah --out new --adjudicate often", "--adjudicate: expected SCORE:PLIES"),
    ("selfplay kalah --out new --audit 5", "expected --adjudicate"),
    ("selfplay kalah --out new --move-cap 1", "greater than or equal to 2"),
    ("selfplay kalah --out new --limit nodes:0", "--limit: expected depth:N"),
    (f"{MATCH} --limit nonsense", "--limit: expected depth:N"),
    ("match kalah hand hand@limit=nodes:-5", "expected depth:N"),
    ("match kalah hand hand@depth=3", "player 'hand@depth=3': unknown search option"),
    ("match kalah hand@nonsense hand", "player 'hand@nonsense': expected key=value"),
    (f"{MATCH} --options nonsense", "--options: expected key=value"),
    (f"{MATCH} --seed -1", "greater than or equal to 0"),
    (f"{MATCH} --seed 99999999999999999999", "--seed: input should be less than"),
    (f"{MATCH} --max-score nan", "--max-score: input should be a finite number"),
    (f"{MATCH} --plies 61", "less than or equal to 60"),
    (f"{MATCH} --backend gpu", "backend: expected one of"),
    (f"{MATCH} --scheduler tcp://x", "is for --backend dask"),
    ("match kalah hand@book=nowhere hand", "nowhere"),
    ("match kalah hand hand@book=folder", "folder"),
    ("verify kalah hand@limit=nodes:9 hand-1", "a limit of its own is for match, gauntlet, probe and play"),
    ("probe kalah --weights hand@x=1", "unknown search option"),
    ("play kalah --weights hand@limit=often", "expected depth:N"),
    (f"{MATCH} --openings folder", "folder: cannot be read"),
    (f"{MATCH} --openings empty", "holds no opening"),
    (f"{MATCH} --out text.txt", "text.txt: cannot be written: Not a directory"),
    (f"{MATCH} --hash 0", "greater than or equal to 1"),
    (f"{MATCH} --jobs none", AN_INTEGER),
    ("gauntlet nonsense hand hand-1", "game 'nonsense'"),
    ("gauntlet kalah hand", "players: expected two or more"),
    ("gauntlet kalah hand hand", "are the same player"),
    ("gauntlet kalah hand hand@limit=often", "limit: expected depth:N"),
    ("gauntlet kalah hand nobody", "weights 'nobody'"),
    (f"{GAUNTLET} --anchor nobody", "--anchor: expected"),
    (f"{GAUNTLET} --level nan", "0.999"),
    (f"{GAUNTLET} --resamples 0", "greater than or equal to 100"),
    (f"{GAUNTLET} --draws third", "--draws: expected one of"),
    (f"{GAUNTLET} --page nowhere/page.html", "--page: expected a file in a folder that exists"),
    (f"{GAUNTLET} --out text.txt", "text.txt: cannot be written: Not a directory"),
    (f"{GAUNTLET} --backend gpu", "backend: expected one of"),
    ("verify", "Missing argument"),
    ("verify kalah hand", "expected STUDY or GAME A B"),
    ("verify nowhere", "nowhere"),
    ("verify text.txt", "text.txt"),
    ("verify folder", "folder: not a study"),
    (f"{VERIFY} --require weaker", "--require: expected stronger"),
    (f"{VERIFY} --elo0 nan", "--elo0: input should be a finite number"),
    (f"{VERIFY} --elo1 -5", "elo0 must be below elo1"),
    (f"{VERIFY} --alpha 2", "alpha"),
    (f"{VERIFY} --model guess", "--model"),
    (f"{VERIFY} --max-pairs 1", "greater than or equal to 2"),
    (f"{VERIFY} --second-limit nonsense", "--second-limit: expected depth:N"),
    (f"{VERIFY} --opponent nobody", "nobody"),
    (f"{VERIFY} --openings nowhere", "nowhere"),
    (f"{VERIFY} --out text.txt", "text.txt"),
    ("show kalah", "expected one of --moves, --transcript, --study"),
    ("show kalah --moves nonsense", "expected one of the ponds"),
    ("show kalah --transcript nowhere", "nowhere"),
    ("show kalah --transcript folder", "folder"),
    ("show kalah --study text.txt", "text.txt"),
    ("show kalah --study folder --pair -1", "greater than or equal to 0"),
    ("show kalah --moves 1 --game 2", "less than or equal to 1"),
    ("show kalah --moves 1 --out folder", "--out: expected a name that ends with .html, .txt or .pgn"),
    ("show kalah --moves 1 --out nowhere/page.html", "--out: expected a file in a folder that exists"),
    ("show kalah --moves 1 --out ''", "--out: expected a word, found an empty one"),
    ("agent kalah", "Missing option '--out'"),
    ("agent kalah --out text.txt", "text.txt"),
    ("agent kalah --out new --limit fast", "--limit: expected depth:N"),
    ("agent kalah --out new --name ../evil", "--name: expected letters"),
    ("agent kalah --out new --options a=b", "unknown search option"),
    ("agent kalah --out new --hash 70000", "less than or equal to 65536"),
    ("book kalah --out folder", "--out: expected a file in a folder"),
    ("book kalah --out nowhere/book", "--out: expected a file in a folder that exists"),
    ("book kalah --out new --judge nonsense", "judge: expected depth:N"),
    ("book kalah --out new --limit nonsense", "limit: expected depth:N"),
    ("book kalah --out new --plies 0", "greater than or equal to 1"),
    ("book kalah --out new --noise nan", "noise"),
    ("book kalah --out new --openings empty", "holds no opening"),
    ("ladder nowhere.toml", "no such study file"),
    ("ladder folder", "folder: cannot be read"),
    ("ladder text.txt", "expected TOML"),
    ("ladder study.toml", "study.toml"),
    ("ladder ladder.toml --preset quick", "preset 'quick'"),
    ("ladder ladder.toml --set pairs=0", "pairs"),
    ("ladder ladder.toml --set nonsense", "nonsense"),
    ("ladder ladder.toml --out text.txt", "text.txt: cannot be written: Not a directory"),
    ("engines nowhere.toml", "no such study file"),
    ("engines folder", "folder: cannot be read"),
    ("engines study.toml", "study.toml"),
    ("engines study.toml --jobs 0", "greater than or equal to 1"),
    ("bench nonsense", "game 'nonsense'"),
    ("compile nonsense", "game 'nonsense'"),
    ("bench kalah --seconds nan", "seconds"),
    ("bench kalah --seconds -1", "seconds"),
    ("bench kalah --techniques --depth 0", "depth"),
    ("bench kalah --techniques --weights nobody", "weights 'nobody'"),
    ("probe kalah --state nonsense", "state: expected"),
    ("probe kalah --hash 1.5", AN_INTEGER),
    ("probe kalah --options nonsense", "--options: expected key=value"),
    ("probe ''", "after probe: expected a word, found an empty one"),
    ("play kalah --side 2", "less than or equal to 1"),
    ("play kalah --limit nonsense", "--limit: expected depth:N"),
    ("play kalah --state nonsense", "state: expected"),
    ("play kalah --weights hand@book=folder", "folder"),
    ("weights show nowhere.json", "nowhere.json"),
    ("weights show folder", "expected a file, GAME/NAME"),
    ("weights show text.txt", "text.txt"),
    ("weights check kalah/nobody", "weights 'kalah/nobody'"),
    ("weights check kalah/hand --game nonsense", "game 'nonsense'"),
    ("weights diff kalah/hand", "Missing argument"),
    ("weights diff kalah/hand pentago/hand", "weights 'pentago/hand'"),
    ("weights export kalah/hand --to klingon", "klingon"),
    ("weights export kalah/hand --to c --out folder", "folder"),
    ("weights export kalah/hand --to c --out folder --force", "folder: cannot be written"),
    ("weights export kalah/hand --to c --name 1-2", "1-2"),
    ("weights history nonsense", "game 'nonsense'"),
    ("weights history folder", "folder"),
    ("weights promote folder", "folder"),
    ("weights promote text.txt", "text.txt"),
    ("weights promote kalah/hand", "proof"),
    ("weights rollback nonsense", "game 'nonsense'"),
    (f"weights show {LONG}/{LONG}.json", "expected a file, GAME/NAME"),
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of no use, where neither openings are made nor code is compiled."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(openings, "make_openings", _long_work)
    monkeypatch.setattr(jit, "prepare", _long_work)
    return tmp_path


def _long_work(*_: Any, **__: Any) -> None:
    raise AssertionError("long work came before the refusal")


@pytest.mark.parametrize(("line", "words"), NONSENSE, ids=[line[:60] for line, _ in NONSENSE])
def test_nonsense_is_refused_before_any_work(line, words, place, capsys):
    before = sorted(place.rglob("*"))
    assert run(["" if word == "''" else word for word in line.split()]) == 2
    out, err = capsys.readouterr()
    assert words in err and err.startswith("tunesmith: ") and err.count("\n") == 1
    assert out == "" and sorted(place.rglob("*")) == before


def test_a_device_is_not_replaced_by_a_file(capsys, tmp_path):
    os.mkfifo(tmp_path / "pipe.html")
    assert run(["show", "kalah", "--moves", "1", "--out", str(tmp_path / "pipe.html")]) == 2
    assert "pipe.html: cannot be written: is no file" in capsys.readouterr().err
    assert (tmp_path / "pipe.html").is_fifo() and len(list(tmp_path.iterdir())) == 1


def test_an_empty_word_is_nothing_where_there_may_be_nothing(capsys, place):
    assert run(["show", "kalah", "--moves", "", "--out", "page.html"]) == 0


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_nothing_and_no_file_gets_what_is_printed(closed, tmp_path):
    command = f"{sys.executable} -m tunesmith.tuning.cli show kalah --moves 1 --out {tmp_path / 'page.html'}"

    def code(options: str) -> int:
        words = f"{command} {options} {closed}"
        return subprocess.run(
            words, shell=True, env={**os.environ, "PYTHONPATH": IMPORTS}, check=False
        ).returncode

    assert code("") == 0
    assert (tmp_path / "page.html").read_text().rstrip().endswith("</html>")
    assert code("--game 7") == 2
