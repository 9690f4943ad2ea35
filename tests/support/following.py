"""Evaluate the game of tests/golden/referring after each edit, in one place: `python following.py PLACE FOLDER`.

Places: `here` (one process that loads the game anew), `forked` (a new process each), `loky`, `dask` (workers that
stay). Prints JSON: the start position's features by edit."""

import json
import multiprocessing
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from tests.support.referring import EDITS, change
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.evaluation import weighted_sum
from tunesmith.games import registry

Values = dict[str, float]
Ask = Callable[[str], Values]


def evaluate(spec: str) -> Values:
    """Return the features of the start position as compiled code computes them."""
    game = registry.load(spec)
    values, shares = np.zeros(game.n_features), np.ones(1)
    used, weights = np.arange(game.n_features), np.ones((1, game.n_features))
    total = bind(weighted_sum, game)(game.initial(), weights, used, game.n_features, values, shares)
    assert total == values.sum()
    return dict(zip(game.feature_names, values.tolist(), strict=True))


def ask_forked(spec: str) -> Values:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(evaluate, (spec,))


def ask_loky(spec: str) -> Values:
    from joblib import Parallel, delayed

    return Parallel(n_jobs=2, backend="loky")([delayed(evaluate)(spec)] * 2)[0]


def follow(ask: Ask, file: Path) -> dict[str, Values]:
    """Return the values after each edit, and at last without any."""
    found = {}
    for edit in (*EDITS, None):
        change(file.parent, edit)
        found[edit.feature if edit else ""] = ask(str(file))
    return found


def follow_on_dask(file: Path) -> dict[str, Values]:
    from distributed import Client, LocalCluster

    with LocalCluster(1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        return follow(lambda spec: client.submit(evaluate, spec, pure=False).result(), file)


PLACES: dict[str, Callable[[Path], dict[str, Values]]] = {
    "here": partial(follow, evaluate),
    "forked": partial(follow, ask_forked),
    "loky": partial(follow, ask_loky),
    "dask": follow_on_dask,
}

if __name__ == "__main__":
    from tests.support import following  # noqa: PLW0406 by its name, under which workers find it

    print(json.dumps(following.PLACES[sys.argv[1]](Path(sys.argv[2]))))
