"""Nobody has to remember the order of a dozen arguments: what is said together is one object."""

import ast
from pathlib import Path

from tunesmith.experiments.proofs.house import modules, parameters

ROOT = Path(__file__).parents[1]
MOST = 8
# scikit-learn asks an estimator for its parameters one by one. Commands and compiled searches are left out by `parameters`.
EXCEPTIONS = {"tuning/fit/estimator.py: TexelRegressor.__init__"}


def test_no_public_function_takes_more_than_eight_parameters() -> None:
    found = {
        f"{path}: {one.name}": one.count
        for path in modules(ROOT)
        for one in parameters(ast.parse((ROOT / path).read_text(encoding="utf-8")), path)
    }
    assert len(found) > 1000
    assert {name for name, count in found.items() if count > MOST} == EXCEPTIONS
