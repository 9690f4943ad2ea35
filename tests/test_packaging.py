"""The package `tunesmith`: what it is made of, what it leaves to others, and that its wheel works by itself."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

import tunesmith
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = ("games", "engine", "tuning", "experiments")
FRONT = "tuning/front"
HEAVY = ("numba", "optuna", "pandas", "sklearn")  # what only the commands that need it may load


def packages() -> dict[str, str]:
    """Return the packages there are, each with its folder."""
    found = {"tunesmith": FRONT}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("__init__.py"):
            home = path.parent.relative_to(ROOT).as_posix()
            if home != FRONT:
                found[f"tunesmith.{home.replace('/', '.')}"] = home
    return found


def run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python elsewhere, with nothing on its path but what is installed."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env={**inherited, **environment}, capture_output=True, text=True, check=False, timeout=250,
    )  # fmt: skip


def test_every_package_is_listed_with_its_folder() -> None:
    """pyproject.toml lists what the tree holds: a new folder is installed only if it stands there."""
    listed = PROJECT["tool"]["setuptools"]
    assert sorted(listed["packages"]) == sorted(packages())
    assert listed["package-dir"] == packages()


def test_every_folder_with_code_is_a_package() -> None:
    """A folder without __init__.py would be left out of the wheel; examples of other people's programs are."""
    homes = {path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    homes -= {ROOT / "experiments" / "ugi-example"}
    assert [home for home in homes if not (home / "__init__.py").is_file()] == []


@pytest.mark.parametrize("name", FOLDERS)
def test_other_peoples_names_are_left_alone(name: str, tmp_path: Path) -> None:
    """Whoever installs Tunesmith has no module `engine` of it."""
    done = run("-c", f"import tunesmith, {name}", folder=tmp_path)
    assert f"No module named '{name}'" in done.stderr


@pytest.mark.parametrize("name", FOLDERS)
def test_a_module_of_the_users_own_is_his(name: str, tmp_path: Path) -> None:
    """A file beside a script hides nothing of ours, and nothing of ours hides it."""
    (tmp_path / f"{name}.py").write_text("MINE = 1\n")
    (tmp_path / "script.py").write_text(
        f"import {name}\nfrom tunesmith.engine.board import Board\nfrom tunesmith import load_game\n"
        f"print({name}.MINE, len(Board(load_game('kalah')).legal()))\n"
    )
    done = run("script.py", folder=tmp_path, TUNESMITH_NUMBA="0")
    assert (done.stdout, done.stderr) == ("1 6\n", "")


def test_the_front_offers_what_it_lists() -> None:
    """Every name is there, and a wrong one is an AttributeError."""
    assert all(callable(getattr(tunesmith, name)) for name in tunesmith.__all__)
    assert set(tunesmith.__all__) <= set(dir(tunesmith))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tunesmith.nothing  # noqa: B018


def test_import_tunesmith_loads_nothing_else(tmp_path: Path) -> None:
    """The front costs nothing until it is used."""
    code = "import sys, tunesmith; print({'numpy', 'tunesmith.engine', 'tunesmith.games'} & set(sys.modules))"
    assert run("-c", code, folder=tmp_path).stdout == "set()\n"


def test_the_command_runs_as_a_module(tmp_path: Path) -> None:
    """Where no script is installed, `python -m` does it."""
    assert "usage" in run("-P", "-m", "tunesmith.tuning.cli", "--help", folder=tmp_path).stdout.lower()


@pytest.mark.parametrize("arguments", [[], ["--help"], ["run", "--help"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    """The command line is there at once; what is heavy is imported by the commands that need it."""
    code = (
        "import sys; from tunesmith.tuning.cli import run\n"
        "code = run(sys.argv[1:]) if sys.argv[1:] else 0\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    answer = run("-c", code, *arguments, folder=tmp_path)
    assert answer.stderr.strip().splitlines()[-1] == "[]"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, installed in an empty folder from the files of the repository."""
    source, target = tmp_path_factory.mktemp("source") / "tunesmith", tmp_path_factory.mktemp("wheel")
    hidden = shutil.ignore_patterns(".*", "build", "dist", "studies", "tests", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, source, ignore=hidden)
    installed = importlib.metadata.version("setuptools").split(".")[0]
    isolation = (
        ["--no-build-isolation"] if int(installed) >= 77 else []
    )  # with less, pip fetches what is asked for
    done = run(
        "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *isolation,
        "--target", str(target), str(source), folder=source.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target


def test_the_wheel_holds_what_is_no_code(wheel: Path) -> None:
    """Styles, templates, weights and study files are part of the package."""
    for home in FOLDERS:
        for path in (ROOT / home).rglob("*"):
            if path.suffix in (".css", ".js", ".json", ".toml", ".txt") and "__pycache__" not in path.parts:
                assert (wheel / "tunesmith" / path.relative_to(ROOT)).is_file(), path
    assert sorted(path.name for path in wheel.iterdir() if "dist-info" not in path.name) == [
        "bin",
        "tunesmith",
    ]


def test_the_wheel_plays(wheel: Path, tmp_path: Path) -> None:
    """In an empty folder, with the installed package alone, games are listed and a match is played."""
    heavy = [path for path in sys.path if "site-packages" in path] or [sysconfig.get_path("purelib")]
    # Not the repository: an editable install would stand before the wheel where sites are read.
    environment = {"PYTHONPATH": os.pathsep.join([str(wheel), *heavy]), "TUNESMITH_NUMBA": "0"}
    where = run("-S", "-c", "import tunesmith.games as g; print(g.__file__)", folder=tmp_path, **environment)
    assert where.stdout.startswith(str(wheel)), where.stderr
    command = ["-S", "-m", "tunesmith.tuning.cli"]
    games = run(*command, "games", folder=tmp_path, **environment)
    assert games.returncode == 0, games.stderr
    assert "kalah" in games.stdout
    words = "from tunesmith.tuning.report.glossary import entries; print(entries()['Strength']['Elo'])"
    defined = run("-S", "-c", words, folder=tmp_path, **environment)
    assert defined.stdout.startswith("The unit of strength."), defined.stderr
    played = run(
        *command, "match", "kalah", "hand", "random", "--limit", "depth:1", "--pairs", "2", "--jobs", "1",
        folder=tmp_path, **environment,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
