"""What all tests share: programs that may be missing, and how hypothesis draws its examples.

A test marked `needs_X` is skipped where the program X is not on PATH, and the end of the run says how many
were. With TUNESMITH_NO_SKIP=1 every skip, whatever its reason, is a failure: a run that must prove everything.

The files that `slow.txt` names are left out of `make test-quick`, like single tests marked `slow`: their tests take
more than a few seconds together. `--write-slow` writes the list anew, from the run that it is given to."""

import os
import re
import shutil
import signal
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

NO_SKIP = os.environ.get("TUNESMITH_NO_SKIP") == "1"
NEEDS = "needs_"
MISSING = "program not found on PATH: "
SLOW = Path(__file__).with_name("slow.txt")
SLOW_SECONDS = 4.0  # of all tests of a file together, those apart that are marked slow themselves
GAMES = "/usr/games"  # where Debian puts chess engines, often not on PATH

# Errors that nobody foresaw show their traceback here, in this process and in commands that tests start.
os.environ["TUNESMITH_GUARD"] = "0"

# The first example of a property often compiles, so no single example has a deadline; CI draws the same
# examples every time, so that a change is judged by what it changes.
hypothesis.settings.register_profile("tunesmith", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("tunesmith")

# The tests may be started so that they ignore signals (in the background, under nohup). They go on doing so, but
# by a handler: the commands they start and interrupt have the signal as it is by default.
for _number in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")):
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda number, frame: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the list of slow files."""
    parser.addoption(
        "--write-slow", action="store_true", help="write tests/slow.txt from what this run takes"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of slow files, unless this run finds out which are slow."""
    names = set() if config.getoption("--write-slow") else set(SLOW.read_text().split())
    for item in items:
        if item.nodeid.partition("::")[0] in names:
            item.add_marker(pytest.mark.slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is missing, before any of its fixtures runs."""
    programs = [mark.name.removeprefix(NEEDS) for mark in item.iter_markers() if mark.name.startswith(NEEDS)]
    places = os.pathsep.join([os.environ.get("PATH", ""), GAMES])
    missing = [program for program in programs if shutil.which(program, path=places) is None]
    if missing:
        pytest.skip(MISSING + ", ".join(sorted(missing)))


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that keeps its reason; an expected failure is no skip."""
    if NO_SKIP and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"TUNESMITH_NO_SKIP=1 allows no skip, but: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Judge the skips of single tests."""
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Judge the skips of whole files."""
    report = yield
    _forbid_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write which files are slow if asked to, and count the tests that a missing program left out."""
    if config.getoption("--write-slow"):
        SLOW.write_text("".join(f"{name}\n" for name in _slow_files(terminalreporter)))
    counts: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        found = re.search(re.escape(MISSING) + r"(.*)", str(report.longrepr[2]))
        counts.update(found[1].split(", ") if found else ())
    if counts:
        terminalreporter.section("missing programs")
    for program, count in sorted(counts.items()):
        terminalreporter.line(f"{count} skipped: {program} not found on PATH (make test-system installs it)")


def _slow_files(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """Return the files whose tests, as far as they are not marked slow, took more than `SLOW_SECONDS`."""
    seconds: Counter[str] = Counter()
    for report in (one for reports in terminalreporter.stats.values() for one in reports):
        if isinstance(report, pytest.TestReport) and "slow" not in report.keywords:
            seconds[report.nodeid.partition("::")[0]] += report.duration
    return sorted(name for name, total in seconds.items() if total > SLOW_SECONDS)
