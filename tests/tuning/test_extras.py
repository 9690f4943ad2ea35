"""What only some need: without it the package works, and whoever asks for it is told which extra brings it."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.extras import extra, missing

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
# What a person does, and the package that is not there.
ASKS = {
    "chess": ("chess", "import tunesmith.tuning.external.chess_rules"),
    "dashboard": (
        "plotly",
        "from tunesmith.tuning.report.dashboard.app import make_dashboard; make_dashboard([])",
    ),
    "dask": ("distributed", "from tunesmith.tuning.play.backends import dask_cluster; dask_cluster()"),
    "gp": (
        "torch",
        "from tunesmith.tuning.search.samplers import SAMPLERS, Terms; SAMPLERS['gp'].make(Terms(2, 2, {}, 1))",
    ),
    "plots": ("matplotlib", "from tunesmith.tuning.report.plots import write_plots; write_plots(None, None)"),
    "postgres": (
        "psycopg",
        "from tunesmith.tuning.search.storage import open_address; open_address('postgresql+psycopg://a@b/c')",
    ),
    "sklearn": ("sklearn", "import tunesmith; tunesmith.TexelRegressor"),
}


@pytest.mark.parametrize("name", ASKS)
def test_the_extra_that_brings_what_is_missing_is_named(name: str) -> None:
    """In a process of its own, as if the package were not installed."""
    package, code = ASKS[name]
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from tunesmith.games.errors import InputError\n"
        f"try:\n    {code}\nexcept InputError as error:\n    print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert f"needs {package}, which is not installed: pip install 'tunesmith[{name}]'" in told.stdout, told
    assert f"make install EXTRAS={name}" in told.stdout and len(told.stdout.splitlines()) == 1


def test_every_extra_is_asked_for_by_its_name() -> None:
    """Each has a message; those of benchmarks and development are for who works on Tunesmith."""
    assert set(ASKS) == set(EXTRAS) - {"bench", "dev"}


def test_what_an_extra_brings_is_installed_by_nothing_else() -> None:
    core = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.split(r"[<>=\[]", line)[0] for line in core}
    assert not names & {re.split(r"[<>=\[]", line)[0] for lines in EXTRAS.values() for line in lines}


def test_the_makefile_installs_every_extra_for_the_tests() -> None:
    """All but one of some gigabytes."""
    tested = re.search(r"^TESTED\s*:= (.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert tested is not None and set(tested[1].split(",")) == set(EXTRAS) - {"dev", "gp"}


def test_other_errors_pass() -> None:
    with pytest.raises(ValueError, match="other"), extra("dask", "backend dask"):
        raise ValueError("other")
    with pytest.raises(InputError, match="x: needs no_such_module"), extra("dask", "x"):
        importlib.import_module("no_such_module.inner")
    assert "EXTRAS=chess" in str(missing("chess", "chess engines", "chess"))


def test_the_commands_need_no_extra() -> None:
    """Games, matches, fits and studies are imported with all of them away, and so is what the front offers.

    But for torch, which scipy looks for by itself, and no machine of ours has.
    """
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({sorted({package for package, _ in ASKS.values()} - {'torch'})!r}))\n"
        "from tunesmith import *\n"
        "import tunesmith.tuning.cli.app, tunesmith.tuning.pipeline.study, tunesmith.tuning.pipeline.fit_table\n"
        "import tunesmith.tuning.report.study_page, tunesmith.tuning.notebook.frames, tunesmith.tuning.search.loop\n"
        "import tunesmith.experiments.figures"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
