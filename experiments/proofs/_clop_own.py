"""CLOP's own code (Rémi Coulom's CLOP, GPL) as one more player of `search_regret`, where somebody has built it.

`_clop_own.cpp` puts its sampler behind a line protocol. Beside the sources of CLOP 0.0.9 (a copy with its history:
github.com/spinojara/clop), in the folder `programs/clop/src`, which needs no Qt:

    g++ -O2 -w -Drestrict=__restrict -I. -Imath -I../../rclib/src/util .../_clop_own.cpp CRegression.cpp CResults.cpp \\
        CObserver.cpp CSPWeight.cpp CPFQuadratic.cpp CParametricFunction.cpp CDFConfidence.cpp CDFVariance.cpp \\
        CDFVarianceAlpha.cpp math/CDiffFunction.cpp math/CMatrixOperations.cpp -o clop-own

It plays a pair a setting, has the draws of equals told beforehand, and recommends the weighted mean."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tunesmith.experiments.proofs._made_up_search import Array, Luck

CLOP_OWN = "clop-own"


def search_with_clop(
    program: Path | None, score: Callable[[Array], float], n: int, pairs: int, luck: Luck, seed: int
) -> Array:
    """Return the setting that CLOP recommends after so many pairs; each has an opening of its own."""
    draw = float(np.log(2 / (1 - luck.draws) - 1))  # log-odds at which equals draw so many games
    with subprocess.Popen(
        [str(program), str(n), str(seed), repr(draw)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as own:
        assert own.stdin and own.stdout
        for opening in range(pairs):
            print("ask", file=own.stdin, flush=True)
            at = np.array(own.stdout.readline().split(), float)
            kind = int(luck.classes(at.tobytes(), score(at), np.array([opening]), seed)[0])
            wins, draws = kind // 2, kind % 2
            print("tell", wins, draws, 2 - wins - draws, file=own.stdin, flush=True)
        print("best", file=own.stdin, flush=True)
        found = np.array(own.stdout.readline().split(), float)
        own.stdin.close()
    return found
