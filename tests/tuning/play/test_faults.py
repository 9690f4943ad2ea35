"""Games that raise, hang or kill their process, and runs that are stopped from outside.

All of it happens in processes of its own, with the game as plain Python: no compiler has to be waited for."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests import IMPORTS
from tests.support.brittle_play import GAME
from tests.support.missing import missing_pairs
from tests.support.pages import Page
from tests.support.small_matches import digests
from tunesmith.experiments.proofs._dying import workers
from tunesmith.games import registry
from tunesmith.tuning.play.records import FAULTS
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.report.game_page import render
from tunesmith.tuning.report.game_source import from_folder

ROOT = Path(__file__).parents[3]
GOOD = "trouble=gate,bad=0"  # nothing goes wrong, and a run waits where it is to be stopped
N = 24  # pairs
PATIENCE = 100.0  # seconds, more than a busy machine needs for any pair

slow = pytest.mark.slow  # plain Python and starting processes take their time
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def gate_of(folder: Path) -> Path:
    """Return the gate of the games that a folder gets (`tests.support.brittle_game`)."""
    return folder.with_name(f"{folder.name}.gate")


def start(
    folder: Path,
    pairs: int,
    jobs: int,
    variant: str,
    patience: float = PATIENCE,
    backend: str = "loky",
    *more: str,
) -> subprocess.Popen[str]:
    """Start a run; the gate of its game is the folder `gate` of the same name."""
    gate = gate_of(folder)
    gate.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": IMPORTS, "BRITTLE_GATE": str(gate)}
    arguments = [str(folder), str(pairs), str(jobs), variant, str(patience), backend, *more]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.brittle_play", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(
    folder: Path,
    pairs: int,
    jobs: int,
    variant: str,
    patience: float = PATIENCE,
    backend: str = "loky",
    *more: str,
) -> dict[str, Any]:
    """Run to the end; return the last line."""
    process = start(folder, pairs, jobs, variant, patience, backend, *more)
    out, err = process.communicate(timeout=120)
    assert out, err
    return dict(json.loads(out.splitlines()[-1]))


def held(folder: Path, opening: int, jobs: int, backend: str = "loky", *more: str) -> subprocess.Popen[str]:
    """Start a run of `N` pairs that waits from an opening on, and wait until the first pair is done."""
    gate_of(folder).mkdir()
    (gate_of(folder) / f"hold-{opening}").touch()
    process = start(folder, N, jobs, GOOD, PATIENCE, backend, *more)
    wait_for(process, 1)
    return process


def release(folder: Path) -> None:
    """Open the gate."""
    for path in gate_of(folder).iterdir():
        path.unlink()


def wait_for(process: subprocess.Popen[str], pairs: int) -> None:
    """Wait until so many pairs are done."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("done") and int(line.split()[1]) >= pairs:
            return
    raise AssertionError("the run ended too early")


def wait_until_gone(processes: list[int], seconds: float = 60) -> None:
    """Wait until none of some processes is there."""
    end = time.monotonic() + seconds
    while any(Path(f"/proc/{number}").exists() for number in processes):
        assert time.monotonic() < end, "workers are left"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play without trouble."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert run(folder, N, 2, GOOD)["faults"] == 0
    return folder


# --- one bad pair ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trouble", "reason", "played"),
    [
        ("raise", "fault:ValueError: cannot play ", [7, 4]),  # with the move that was on its way
        pytest.param("state", "fault:IndexError: ", [8, 4], marks=slow),
        pytest.param(
            "stuck",
            "fault:GameError: brittle: no legal move in the unfinished position '6 ",
            [6, 6],
            marks=slow,
        ),
        pytest.param("exit", "fault:worker died, EXIT(7)", [7, 4], marks=slow),
        pytest.param("hang", "fault:no end in sight", [7, 4], marks=slow),
    ],
)
def test_a_bad_game_is_recorded_and_all_others_are_played(
    tmp_path: Path, trouble: str, reason: str, played: list[int]
) -> None:
    found = run(tmp_path, N, 2, f"trouble={trouble},bad=10,last=10", patience=1.5)
    assert found["faults"] == 2
    assert found["games"] == 2 * N
    games = read_games(tmp_path)
    assert games.pair[games.is_fault].tolist() == [10, 10]
    assert games.table["result"].to_pylist()[20:22] == [None, None]
    assert all(text.startswith(reason) for text in games.end_reason[games.is_fault])
    kept = [json.loads(line)["moves"] for line in (tmp_path / FAULTS).open()]
    assert kept == games.table["moves"].to_pylist()[20:22]
    assert [moves[:4] for moves in kept] == [[0, 0, 2, 2]] * 2
    assert [len(moves) for moves in kept] == played
    assert sum(found["results"].values()) == 2 * N - 2
    assert not list(tmp_path.glob("*.part-*"))


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        ("nan", "fault:game 0: feature rest: expected a finite number, found nan, after 6 moves"),
        ("result", "fault:game 0: outcome: expected ONGOING (2), 1, 0 or -1, found 7"),
    ],
)
def test_a_game_that_answers_nonsense_is_in_no_score(tmp_path: Path, trouble: str, reason: str) -> None:
    found = run(tmp_path, N, 1, f"trouble={trouble},bad=0,last=0")
    assert found["faults"] == 2
    games = read_games(tmp_path)
    assert games.pair[games.is_fault].tolist() == [0, 0]
    assert games.end_reason[games.is_fault].tolist() == [reason, reason]
    assert sum(found["results"].values()) == 2 * N - 2


@slow
def test_files_with_a_fault_do_not_depend_on_workers(tmp_path: Path) -> None:
    for jobs in (1, 3):
        run(tmp_path / str(jobs), N, jobs, "trouble=exit,bad=10,last=10")
    assert digests(tmp_path / "1") == digests(tmp_path / "3")


@slow
def test_too_many_faults_fail_the_run_which_starts_over_once_mended(
    tmp_path: Path, undisturbed: Path
) -> None:
    found = run(tmp_path, N, 2, "trouble=raise,bad=10,last=11")
    assert found["error"] == "FaultError"
    assert found["text"].startswith(
        "2 of 24 pairs ended by a fault of the game; the first: pair 10 (fault:Value"
    )
    kept = [json.loads(line) for line in (tmp_path / "faults.jsonl").open()]
    assert [(row["pair"], row["game"]) for row in kept] == [(10, 0), (10, 1), (11, 0), (11, 1)]
    missing = missing_pairs(tmp_path, range(N))
    assert {10, 11} <= set(missing)
    assert len(missing) < N


def test_in_debug_mode_a_game_that_breaks_a_rule_is_kept_with_its_moves(tmp_path: Path) -> None:
    variant = "trouble=text,bad=10,last=10"
    assert run(tmp_path / "trusting", N, 1, variant)["faults"] == 0
    assert run(tmp_path / "careful", N, 1, variant, PATIENCE, "loky", "debug")["faults"] == 2
    first, second = (json.loads(line) for line in (tmp_path / "careful" / "faults.jsonl").open())
    assert (first["pair"], first["game"], second["game"]) == (10, 0, 1)
    assert first["reason"].startswith("fault:game 0, ply 6: texts: text_to_state: ")
    assert len(first["moves"]) == 7  # with the move that was played there
    assert first["opening"] == "0 0 2 2" == " ".join(map(str, first["moves"][:4]))
    games = read_games(tmp_path / "careful")
    assert games.seed[games.is_fault].tolist() == [first["seed"], second["seed"]]
    others, same = (found.take(~games.is_fault) for found in (games, read_games(tmp_path / "trusting")))
    assert others.moves.tolist() == same.moves.tolist()
    assert others.result.tolist() == same.result.tolist()


# --- stopped from outside ----------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [2, pytest.param(1, marks=slow)])
def test_ctrl_c_stops_everything_and_costs_nothing(tmp_path: Path, undisturbed: Path, jobs: int) -> None:
    """It does not wait for games that are on their way: these wait at the gate."""
    folder = tmp_path / "games"
    process = held(folder, N // 2, jobs)
    children = workers(process.pid)
    assert children
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    _, err = process.communicate(timeout=60)
    assert "Interrupt" in err
    wait_until_gone(children)
    assert N // 2 <= len(missing_pairs(folder, range(N))) < N
    release(folder)
    assert run(folder, N, jobs, GOOD)["games"] == 2 * N
    assert digests(folder) == digests(undisturbed)


@slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_do_not_outlive_a_killed_run(
    tmp_path: Path, undisturbed: Path, number: signal.Signals
) -> None:
    """And its lock is no hindrance to the next run."""
    folder = tmp_path / "games"
    process = held(folder, N // 2, 2)
    children = workers(process.pid)
    assert children
    process.send_signal(number)
    process.communicate(timeout=60)
    wait_until_gone(children)
    release(folder)
    assert run(folder, N, 2, GOOD)["games"] == 2 * N
    assert digests(folder) == digests(undisturbed)


@slow
def test_one_process_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    first = held(tmp_path / "games", N // 2, 1)
    found = run(tmp_path / "games", N, 1, GOOD)
    assert found["error"] == "StudyError"
    assert f"in use by another process ({first.pid})" in found["text"]
    first.kill()
    first.communicate()


@slow
def test_nothing_is_left_after_a_normal_end(tmp_path: Path) -> None:
    process = held(tmp_path / "games", N // 2, 2)
    children = workers(process.pid)
    assert children
    release(tmp_path / "games")
    process.communicate(timeout=60)
    assert process.returncode == 0
    wait_until_gone(children)


# --- shown -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trouble", "n_shown"), [("raise", 6), pytest.param("hang", 6, marks=slow)])
def test_a_faulty_game_is_shown_up_to_its_fault(tmp_path: Path, trouble: str, n_shown: int) -> None:
    """Also where the run failed for its faults, so that they are in no table."""
    variant = f"trouble={trouble},bad=0,last=30"
    assert run(tmp_path, 1, 1, variant, 1.5)["error"] == "FaultError"
    story = from_folder(registry.load(f"{GAME}:{variant}"), tmp_path, 0, 0)
    assert len(story.board.moves) == n_shown
    assert "fault:" in str(story.ending) and str(story.ending).endswith("was under way")
    assert f"{n_shown} moves. Game 0 of pair 0" in Page(render(story)).text
