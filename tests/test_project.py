"""The project as it is handed out: no trace of one machine, pins that fit, commands that exist, skips that count."""

import ast
import importlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "engine", "tuning", "experiments")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")

# The patterns are written so that they do not find themselves.
TRACES = {
    "a path of one machine": re.compile(r"(?<![\w.~$)}*-])/(?:work|root|home|Users)/(?=[\w.])"),
    "a path of one Windows machine": re.compile(r"[A-Z]:\\+Users\\+\w"),
    "the address of a registry": re.compile(
        r"//[\w.-]*(?:pypi|pythonhosted|npmjs|debian|conda|crates)\.\w+|--(?:extra-)?index-url[ =]h",
        re.IGNORECASE,
    ),
}


def committed() -> list[str]:
    """List the files that git tracks, or, outside a repository, all that is not hidden or built."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listing = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return [name for name in listing.stdout.split("\0") if (ROOT / name).is_file()]
    built = re.compile(r"(^|/)(\.(?!ci/)|__pycache__/|build/|dist/|studies/)")
    names = (path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file())
    return [name for name in names if not built.search(name)]


def traces(text: str) -> list[str]:
    """List the lines of a text that only make sense on one machine, each with what is wrong."""
    return [
        f"line {number}: {what}: {line.strip()[:80]}"
        for number, line in enumerate(text.splitlines(), 1)
        for what, pattern in TRACES.items()
        if pattern.search(line)
    ]


def test_no_file_tells_of_one_machine() -> None:
    """Committed text names no developer's folder and no registry."""
    found = {}
    for name in committed():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content:
            found[name] = traces(content.decode("utf-8"))
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert "pyproject.toml" in found


@pytest.mark.parametrize(
    "parts",
    [
        ("cd /", "work/main"),
        ("open('/", "root/.cache')"),
        ("see /", "home/jane/x"),
        ("file:///", "root/wheels"),
        ("PATH=/", "Users/jane/bin"),
        ("C:", "\\Users\\jane"),
        ("http", "://files.pytho", "nhosted.org/packages"),
        ("http", "s://py", "pi.org/simple"),
        ("--index", "-url http", "://mirror/simple"),
    ],
    ids="".join,
)
def test_traces_are_found(parts: tuple[str, ...]) -> None:
    """The search above finds what it should."""
    assert len(traces("harmless\n" + "".join(parts))) == 1


@pytest.mark.parametrize(
    "parts",
    [
        ("games/", "work/x"),
        ("~/", "home/x"),
        ("$(ROOT)/", "work/x"),
        ("a/", "root/b"),
        ("pip install tunesmith",),
    ],
    ids="".join,
)
def test_traces_are_not_imagined(parts: tuple[str, ...]) -> None:
    """Relative paths and package names are no traces."""
    assert traces("".join(parts)) == []


def test_license() -> None:
    """The licence that pyproject.toml states is the one in the file."""
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["project"]["license"] == "MIT"
    assert text.startswith("MIT License")
    assert "Tunesmith contributors" in text


# --- dependencies


def requirements(*extras: str) -> list[Requirement]:
    """List the core requirements and those of the extras."""
    project = PROJECT["project"]
    lines = project["dependencies"] + [
        line for extra in extras for line in project["optional-dependencies"][extra]
    ]
    return [Requirement(line) for line in lines]


def pins() -> dict[str, Version]:
    """Read constraints.txt: distribution to version."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return {canonicalize_name(pin.name): Version(str(pin.specifier).removeprefix("==")) for pin in pinned}


def test_constraints_pin_every_requirement() -> None:
    """What `make install` and `make test` ask for is pinned, to a version that the bounds allow."""
    extras = set(PROJECT["project"]["optional-dependencies"]) - {"gp"}  # of some gigabytes
    pinned = pins()
    for requirement in requirements(*extras):
        assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_constraints_hold_no_address() -> None:
    """Pins are taken from whatever registry pip is set up for."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "file:" not in text
    assert " @ " not in text


def foreign_imports() -> Iterator[tuple[str, str]]:
    """Yield (file, top-level module) of every import that is neither ours nor the standard library's."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module or ""]
                for top in {name.partition(".")[0] for name in names}:
                    if top not in sys.stdlib_module_names and top != "tunesmith":
                        yield path.relative_to(ROOT).as_posix(), top


def test_every_import_is_declared() -> None:
    """Whoever installs tunesmith with its extras gets all that its code imports; dev is for developing only."""
    extras = set(PROJECT["project"]["optional-dependencies"]) - {"dev"}
    declared = {canonicalize_name(requirement.name) for requirement in requirements(*extras)}
    distributions = importlib.metadata.packages_distributions()
    undeclared = {
        (path, module)
        for path, module in foreign_imports()
        if not {canonicalize_name(name) for name in distributions.get(module, [module])} & declared
    }
    # llvmlite: a dependency of numba, of exactly one version with it; pytest (and _pytest), hypothesis: of the proof that runs tests.
    assert {
        item for item in undeclared if item[1] not in {"llvmlite", "pytest", "_pytest", "hypothesis"}
    } == set()


# --- commands


def test_no_duration_is_measured_by_a_clock_that_can_be_set() -> None:
    """The time of day may jump back: it is asked for where a date is noted, and nowhere else."""
    asks = re.compile(r"\btime\.time(_ns)?\b|from time import .*\btime\b|\b(now|today|utcnow)\(")
    files = [path for room in ("games", "engine", "tuning") for path in sorted((ROOT / room).rglob("*.py"))]
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {line.strip()}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if asks.search(line)
    ]
    dates = ["tuning/proof/promotion.py", "tuning/study.py"]
    assert [line.partition(":")[0] for line in found] == dates, found


def test_no_signed_figure_is_a_negative_zero() -> None:
    """Rounded to nothing it is +0: formats of signed figures hold a z; but in agents, which an older Python reads."""
    rooms = [ROOT / room for room in ("games", "engine", "tuning", "experiments")]
    files = [
        path
        for room in rooms
        for path in room.rglob("*.py")
        if ROOT / "tuning" / "export" not in path.parents
    ]
    found = [path.as_posix() for path in files if re.search(r":\+,?\.", path.read_text(encoding="utf-8"))]
    assert found == []


def test_console_script_exists() -> None:
    """`tunesmith` starts a function that is there."""
    module, _, function = PROJECT["project"]["scripts"]["tunesmith"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def tunesmith_commands() -> list[str]:
    """List the subcommands that the Makefile calls."""
    return sorted(set(re.findall(r"\$\(BIN\)/tunesmith +([\w-]+)", MAKEFILE)))


@pytest.mark.parametrize("command", tunesmith_commands())
def test_command_of_makefile_exists(command: str) -> None:
    """Every subcommand that the Makefile calls answers --help."""
    call = [sys.executable, "-c", "from tunesmith.tuning.cli import main; main()", command, "--help"]
    answer = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert answer.returncode == 0, answer.stderr


def test_makefile_names_files_that_exist() -> None:
    """The study that `make demo` runs, and the packages that `make lint` checks, are there."""
    studies = re.findall(r"tunesmith run (\S+)", MAKEFILE)
    assert studies
    assert [name for name in (*studies, *PACKAGES) if not (ROOT / name).exists()] == []
    assert f"PACKAGES := {' '.join(PACKAGES)}\n" in MAKEFILE


def test_every_target_is_explained() -> None:
    """`make help` lists all targets a person may call."""
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    assert sorted(re.findall(r"^([a-z-]+):.* ## \w", MAKEFILE, re.MULTILINE)) == sorted(phony[1].split())


def test_ci_script() -> None:
    """The CI script can be started, stops at the first failure, and checks style as well as behaviour."""
    script = ROOT / ".ci" / "run"
    text = script.read_text(encoding="utf-8")
    assert os.access(script, os.X_OK)
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    called = set(re.findall(r"\bmake ([a-z-]+)$", text, re.MULTILINE))
    assert called == {"lint", "test", "test-pages", "test-system"}


def test_a_program_begins_when_all_of_it_is_there() -> None:
    """What runs a module as a program is its last statement: a function below it would not exist yet."""
    early = []
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        statements = ast.parse(path.read_bytes()).body
        mains = [one for one in statements if isinstance(one, ast.If) and "__main__" in ast.unparse(one.test)]
        early += [path for one in mains if one is not statements[-1]]
    assert early == []


# --- tests that need programs

INSTALLED_BY = {
    "javac": "default-jdk-headless",
    "node": "nodejs",
}  # packages that are not called as their program


def test_every_needed_program_can_be_installed() -> None:
    """`make test-system` installs each program that a marker needs_PROGRAM names."""
    needed = {
        marker.partition(":")[0].removeprefix("needs_")
        for marker in PROJECT["tool"]["pytest"]["markers"]
        if marker.startswith("needs_")
    }
    packages = re.search(r"^SYSTEM_PACKAGES := (.*)$", MAKEFILE, re.MULTILINE)
    assert packages is not None
    assert {INSTALLED_BY.get(program, program) for program in needed} <= set(packages[1].split())


MADE_UP_TESTS = """
import pytest

@pytest.mark.needs_nothing_of_that_name
def test_program_missing(): raise RuntimeError("must not run")

@pytest.mark.needs_python
def test_program_there(): pass

@pytest.mark.needs_nothing_of_that_name
@pytest.mark.needs_python
def test_one_of_two_missing(): raise RuntimeError("must not run")

def test_skip(): pytest.skip("by hand")

@pytest.mark.xfail(reason="known")
def test_expected_failure(): raise RuntimeError
"""


def run_made_up_tests(
    folder: Path, files: dict[str, str], *options: str, **environment: str
) -> tuple[int, str]:
    """Run pytest on files of its own under our conftest.py, with two workers; return exit code and output."""
    markers = "slow:\n needs_python:\n needs_nothing_of_that_name:"
    (folder / "slow.txt").write_text("test_slow.py\n")
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "pytest.ini").write_text(f"[pytest]\naddopts = --strict-markers\nmarkers =\n {markers}\n")
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "TUNESMITH"))
    }
    call = [sys.executable, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", *options, str(folder)]
    env = {**inherited, "PATH": str(folder / "bin"), **environment}
    answer = subprocess.run(
        call, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    return answer.returncode, answer.stdout


def test_missing_program_skips_and_is_counted(tmp_path: Path) -> None:
    """A missing program skips its tests, and the summary counts them by program."""
    code, output = run_made_up_tests(tmp_path, {"test_a.py": MADE_UP_TESTS})
    assert code == 0
    assert "1 passed, 3 skipped, 1 xfailed" in output
    assert "2 skipped: nothing_of_that_name not found on PATH (make test-system installs it)" in output


def test_no_skip_turns_every_skip_into_a_failure(tmp_path: Path) -> None:
    """With TUNESMITH_NO_SKIP=1 skipped tests and skipped files fail, with their reason; expected failures do not."""
    skipped_file = "import pytest\npytest.importorskip('no_module_of_that_name')\n"
    files = {"test_a.py": MADE_UP_TESTS, "test_b.py": skipped_file}
    code, output = run_made_up_tests(tmp_path, files, TUNESMITH_NO_SKIP="1")
    assert code == 1
    assert "1 failed, 1 passed, 1 xfailed, 3 errors" in output  # marks are judged in setup: an error each
    assert "allows no skip, but: Skipped: by hand" in output
    assert "no_module_of_that_name" in output


def test_files_of_the_list_of_slow_ones_are_left_out_of_the_quick_run(tmp_path: Path) -> None:
    """The list is by file, and a run can write it anew."""
    files = {"test_slow.py": "def test_a():\n    pass\n", "test_quick.py": "def test_b():\n    pass\n"}
    code, output = run_made_up_tests(tmp_path, files, "-m", "not slow")
    assert code == 0 and "1 passed" in output
    shutil.rmtree(tmp_path / "bin")
    code, output = run_made_up_tests(tmp_path, files, "--write-slow")
    assert code == 0 and "2 passed" in output
    assert (tmp_path / "slow.txt").read_text() == ""


def test_the_list_of_slow_files_names_files_that_exist() -> None:
    """A file that was renamed or deleted leaves the list."""
    names = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").split()
    assert [name for name in names if not (ROOT / name).is_file()] == []
