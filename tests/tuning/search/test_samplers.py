"""The samplers as Optuna's own contract asks for, and as fishtest's and CLOP's descriptions say."""

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import optuna
import pytest
from optuna.samplers import BaseSampler
from optuna.testing.pytest_samplers import BasicSamplerTestCase, RelativeSamplerTestCase

from tests.support.sampling import MAKERS, regret, tune
from tunesmith.experiments.clop_problems import problem

FOLDER = Path(__file__).parents[3] / "tuning" / "search" / "samplers"


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


# --- Optuna's public sampler tests, where they apply


class _Ours:
    @pytest.fixture(params=sorted(MAKERS))
    def sampler(self, request) -> Callable[[], BaseSampler]:
        return lambda: MAKERS[request.param](0)


class TestOptunaBasic(_Ours, BasicSamplerTestCase):
    """Every distribution, conditional and dynamic spaces, values that are no number."""


class TestOptunaRelative(_Ours, RelativeSamplerTestCase):
    """Joint sampling; choices are left to independent sampling, so the two tests of them do not apply."""

    test_sample_relative_categorical = None  # type: ignore[assignment]
    test_sample_relative_mixed = None  # type: ignore[assignment]


EXTRAS = "tunesmith.tuning.extras"


def test_samplers_stand_alone():
    """They import nothing but Optuna, numpy and scipy, and one file of ours that imports nothing but Optuna.

    Their catalogue also asks for the extra that one of them needs.
    """
    own = FOLDER.parents[1] / "optuna_private.py"
    for path in (own, *FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                if name == "tunesmith.tuning.optuna_private" or (path.stem, name) == ("__init__", EXTRAS):
                    continue
                top = name.partition(".")[0]
                assert top in {"numpy", "scipy", "optuna"} | sys.stdlib_module_names, f"{path.name}: {name}"


# --- on a study


@pytest.mark.parametrize(
    ("name", "hill"),
    [(m, h) for m in sorted(MAKERS) for h in (problem("LOG", 1), problem("LOG", 2))],
    ids=lambda value: value if isinstance(value, str) else value.name.replace(" ", ""),
)
def test_a_thousand_games_find_most_of_a_smooth_hill(name, hill):
    """The middle of the box loses ten times as much."""
    losses = [regret(hill, tune(MAKERS[name](seed), hill, 1000, 10, seed)[0]) for seed in range(4)]
    assert np.mean(losses) < 0.04
    assert hill.regret([0.0] * hill.n) > 0.09
