"""The weighted sum without loops."""

import ast
import inspect

import numpy as np
import pytest

from tunesmith.engine.evaluation import stage_sum, weighted_sum
from tunesmith.tuning.export.agent.speed.weighing import Weighing, written_out


@pytest.mark.parametrize("n_stages", [1, 3])
@pytest.mark.parametrize("has_lists", [True, False])
def test_the_sum_has_the_bits_of_the_engines(n_stages: int, has_lists: bool) -> None:
    rng = np.random.default_rng(4)
    weights = rng.normal(0, 30, (n_stages, 6))
    weights[:, 2] = 0.0
    weights[0, 4] = 0.0
    tree = ast.parse(inspect.getsource(weighted_sum))
    text = ast.unparse(written_out(tree, Weighing("weighted_sum", weights.tolist(), 1.0, has_lists)))
    assert "for " not in text and "[2]" not in text.replace("shares[2]", "").replace("shares_[2]", "")

    def features(state: int, out: list[float]) -> None:
        out[:] = np.random.default_rng(state).normal(0, 3, 6).tolist()

    def stages(state: int, out: list[float]) -> None:
        shares = np.random.default_rng(state).random(n_stages)
        out[:] = [0.0 if state % 3 == 0 else float(share) for share in shares]

    names = {"features": features, "stages": stages, "N_STAGES": n_stages, "State": int, "Any": object}
    old, new = {**names, "N_FEATURES": 6}, dict(names)
    for function in (weighted_sum, stage_sum):
        exec("from __future__ import annotations\n" + inspect.getsource(function), old)
    exec("from __future__ import annotations\n" + text, new)
    used = [0, 1, 3, 4, 5]
    for state in range(20):
        rooms = [0.0] * 6, [0.0] * n_stages
        found = new["weighted_sum"](state, weights, used, 5, *rooms)
        assert found == old["weighted_sum"](state, weights, used, 5, *rooms)
