"""The command: opponents are added to the results, games that are there are not played again."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tunesmith.experiments.sparring import __main__ as command
from tunesmith.experiments.sparring import course, engines
from tunesmith.experiments.sparring.opponent import Played


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "them/referee").mkdir(parents=True)
    (tmp_path / "them/referee/game.py").write_text('GAME_NAME = "Expendibots"\n')
    for name in ("referee", "battleground", "one", "two"):
        (tmp_path / "them" / name).mkdir(exist_ok=True)
        (tmp_path / "them" / name / "__init__.py").touch()
    monkeypatch.setattr(command, "write_agent", lambda *_, **__: None)
    return tmp_path / "sparring.json"


def referee(out: Path, *more: str) -> int:
    work = str(out.parent / "work")
    return command.main(["referee", str(out.parent / "them"), "--work", work, "--out", str(out), *more])


def test_all_packages_are_played_until_games_differ(out, monkeypatch, capsys):
    """Two seeds lead to the same moves; the third game is another one."""
    asked = []

    def play(setting: course.Course, package: str, we_begin: bool, seed: int) -> Played:
        asked.append((package, we_begin, seed))
        return Played(we_begin, seed, [package, "x" * (seed // 3)], 1, "over", None, [1.0, 2.0])

    monkeypatch.setattr(course, "play", play)
    assert referee(out, "--games", "3", "--name", "n/m") == 0
    assert [one for one in asked if one[0] == "one"] == [("one", n % 2 == 1, n) for n in (1, 2, 3)]
    cells = json.loads(out.read_text())
    assert set(cells) == {f"expendibots, n/m ({name}), game-time:60" for name in ("one", "two")}
    assert cells["expendibots, n/m (one), game-time:60"]["won"] == 3
    page = out.with_suffix(".md").read_text()
    assert page in capsys.readouterr().out and "n/m (two) | game-time:60 | 3 | 3 | 0 | 0 |" in page
    asked.clear()
    assert referee(out, "--packages", "one", "--games", "3", "--name", "n/m") == 0
    assert asked == []


def test_the_same_game_again_and_again_ends_after_twice_as_many(out, monkeypatch):
    monkeypatch.setattr(
        course, "play", lambda setting, package, we_begin, seed: Played(we_begin, seed, [], 1, "over")
    )
    assert referee(out, "--packages", "one", "--games", "4", "--note", "quick ones") == 0
    assert "seeds from 1): quick ones\n" in out.with_suffix(".md").read_text()
    found = json.loads(out.read_text())["expendibots, them (one), game-time:60"]
    assert (found["played"], found["games"]) == (8, 2)


def test_who_was_played_after_all_is_no_longer_among_those_not_played(out, monkeypatch):
    monkeypatch.setattr(course, "play", lambda setting, package, *who: Played(*who, [package], 1, "over"))
    for name in ("n/m", "n/other"):
        command.main(["absent", "expendibots", name, "no time", "--out", str(out)])
    assert referee(out, "--packages", "one", "--games", "1", "--name", "n/m") == 0
    assert set(json.loads(out.read_text())) == {
        "expendibots, n/m (one), game-time:60",
        "expendibots, n/other",
    }


def test_an_unknown_package_is_refused(out, capsys):
    assert referee(out, "--packages", "three") == 2
    assert "expected the package three" in capsys.readouterr().err


def test_engines_and_who_was_not_played_are_added(out, monkeypatch):
    called = []

    @contextlib.contextmanager
    def playing(*given: object) -> Iterator[engines.Play]:
        called.append(given)
        yield lambda we_begin, seed: Played(we_begin, seed, ["a"], 0, "over", None, [1.0, 2.0])

    monkeypatch.setattr(engines, "playing", playing)
    monkeypatch.setattr(engines, "balanced", lambda game, judge, count, seed: [f"{count} openings"])
    command.main([
        "ugi", "kalah", f"{sys.executable} --fast", "--name", "them", "--games", "3", "--their-limit", "movetime:2000",
        "--work", str(out.parent / "work"), "--out", str(out),
    ])  # fmt: skip
    game, us, them, openings = called[0][:4]
    said = (game.name, us.limit.value, them.limit.value, them.command[-1], openings)
    assert said == ("kalah", 500, 2000, "--fast", ["3 openings"])
    assert command.main(["absent", "fanorona", "n/m", "no server", "--out", str(out)]) == 0
    cells = json.loads(out.read_text())
    assert cells["kalah, them, movetime:500, theirs movetime:2000"]["drawn"] == 2
    assert cells["fanorona, n/m"]["why"] == "no server"


def test_the_page_says_no_folders_of_this_machine() -> None:
    said = command.command_of([
        "ugi", "kalah", "/somewhere/else/them.sh", "--name", "n/m (x)", "--note", "a b", "--ours", "/x/us fast",
        "--work", "/tmp/work",
    ])  # fmt: skip
    assert said.endswith("sparring ugi kalah them.sh --name 'n/m (x)' --ours 'us fast' --work work")
