"""Games of one folder are games of one program: whoever changes the game in between is refused."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from tunesmith.engine.source import code_digest, engine_digest
from tunesmith.games import registry
from tunesmith.tuning.play import store
from tunesmith.tuning.play.records import settings_of, table_of, write_parquet

ROOT = Path(__file__).parents[3]
GAME = """
import sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
from tunesmith.games.kalah import make
import worth

def features(state, out):
    out[0] = float(worth.VALUE * (state[0] & 7))

GAME = replace(
    make(ponds=3, seeds=2), name="mine", variant={}, features=features, feature_names=("odd",),
    feature_meanings=("odd",), stages=None, stage_names=("all",), cheap_features=(), folder=Path(__file__).parent,
)
"""
WEIGHTS = {
    "format": "tunesmith-weights",
    "version": 1,
    "game": "mine",
    "variant": {},
    "features": ["odd"],
    "stages": ["all"],
    "scale": 1.0,
    "weights": {"all": {"odd": 1.0}},
}
LADDER = """
name = "rungs"
game = "game.py"
pairs = 2
limits = ["nodes:5"]
openings.plies = 4
[[rung]]
name = "bare"
[[rung]]
name = "windows"
options = { aspiration = 50 }
"""
PLAY = "--pairs 2 --limit nodes:5 --plies 4 --jobs 1 --out out"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a game whose features refer to another file, and a ladder of it."""
    (tmp_path / "game.py").write_text(GAME, encoding="utf-8")
    (tmp_path / "worth.py").write_text("VALUE = 5\n", encoding="utf-8")
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "hand.json").write_text(json.dumps(WEIGHTS), encoding="utf-8")
    (tmp_path / "ladder.toml").write_text(LADDER, encoding="utf-8")
    return tmp_path


def run(place: Path, command: str) -> tuple[int, str]:
    """Run a command in plain Python; return its exit code and what it says on standard error."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(place), str(ROOT))),
        "TUNESMITH_NUMBA": "0",
    }
    call = [sys.executable, "-c", "from tunesmith.tuning.cli import main; main()", *command.split()]
    done = subprocess.run(
        call, check=False, cwd=place, env=environment, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stderr


def change(place: Path) -> None:
    path = place / "worth.py"
    later = path.stat().st_mtime_ns + 2_000_000_000
    path.write_text("VALUE = 7\n", encoding="utf-8")
    os.utime(path, ns=(later, later))


@pytest.mark.parametrize(
    "command",
    [
        f"match game.py hand greedy {PLAY}",
        f"selfplay game.py {PLAY}",
        f"gauntlet game.py hand greedy {PLAY}",
        "ladder ladder.toml --jobs 1 --out out",
    ],
    ids=lambda command: command.split()[0],
)
def test_a_folder_is_continued_with_its_own_code_only(command: str, place: Path) -> None:
    game = registry.load(str(place / "game.py"))
    code, said = run(place, command)
    assert code == 0, said
    first = next(iter(sorted((place / "out").rglob("*.parquet"))))
    stored = settings_of(table_of(first.read_bytes()))
    assert stored["code of the game"] == code_digest(game)
    assert stored["code of the engine"] == engine_digest()
    assert run(place, command)[0] == 0
    change(place)
    now = code_digest(registry.load(str(place / "game.py")))
    assert now != stored["code of the game"]
    code, said = run(place, command)
    assert code == 2
    assert said.strip().splitlines()[-2:] == [
        said.strip().splitlines()[-2],
        f'  code of the game: stored "{stored["code of the game"]}", now "{now}"',
    ]
    assert "made with other settings; use them again, or another --out:" in said


def test_games_that_say_nothing_of_their_code_are_read_but_not_continued(place: Path) -> None:
    """Shards from before the code was stored: nobody can tell, so nothing is added to them."""
    command = f"match game.py hand greedy {PLAY}"
    assert run(place, command)[0] == 0
    for path in (place / "out").glob("*.parquet"):
        table = table_of(path.read_bytes())
        kept = {k: v for k, v in table.schema.metadata.items() if not k.startswith(b"code of")}
        write_parquet(pa.Table.from_arrays(table.columns, schema=table.schema.with_metadata(kept)), path)
    assert len(store.read_games(place / "out")) == 4
    code, said = run(place, command)
    assert code == 2
    assert 'code of the engine: stored (absent), now "' in said
    assert 'code of the game: stored (absent), now "' in said


FOLLOWS = """
import os, sys
from pathlib import Path
from tunesmith.engine import weights as weight_files
from tunesmith.games import registry
from tunesmith.games.errors import StudyError
from tests.tuning.play.test_pinned_code import change
from tunesmith.tuning.play import match as matches, selfplay, store
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.resources import Resources

def play(folder):
    hand = weight_files.load("hand", registry.load("game.py"))
    matchup = Matchup("game.py", hand, hand, ("nodes:20", "nodes:20"), 1, hash_mb=1)
    matches.play_self(matchup, {}, matches.Beginnings(4, 4, 10000.0), Resources(2), Path(folder))
    return store.read_games(Path(folder)).scores.tolist()

before = play("one")
change(Path())
after = play("two")
print(before != after, len(before) > 0)
"""


def test_workers_that_stay_play_by_the_code_as_it_is_now(place: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(place), str(ROOT))),
        "TUNESMITH_NUMBA": "0",
    }
    script = place / "script.py"
    script.write_text(FOLLOWS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        check=False,
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.stdout.split() == ["True", "True"], done.stderr[-2000:]
    again = subprocess.run(
        [sys.executable, "-c", FOLLOWS.split("before =", maxsplit=1)[0] + "print(play('three') is not None)"],
        check=False,
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert again.stdout.split() == ["True"], again.stderr[-2000:]
    one, two, three = (store.read_games(place / name) for name in ("one", "two", "three"))
    assert two.lines() == three.lines()
    assert two.scores.tobytes() == three.scores.tobytes() != one.scores.tobytes()
