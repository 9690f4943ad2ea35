"""How much memory a table takes while it is read: 5 million positions of 10 features stay below 2.3 GB (FIELD C11)."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

POSITIONS = 5_000_000
ALLOWED = 2.3e9  # bytes; measured: 324 a position
CODE = """
import sys
from tunesmith.tuning.data.table import read_table
table = read_table(sys.argv[1])
# Not ru_maxrss, which a child process inherits from the one that started it.
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(table.rows.n, peak)
"""


def peak(folder: Path, n: int) -> int:
    """Return the most memory (bytes) of a process that reads `n` positions."""
    path = folder / f"{n}.csv"
    lines = np.random.default_rng(n).integers(0, 10, (n, 10)).astype("U1")
    with path.open("w") as file:
        file.write(",".join(f"f{at}" for at in range(10)) + ",result_mover,game\n")
        file.writelines(",".join(row) + f",{row[0] > '4':d},g{at // 20}\n" for at, row in enumerate(lines))
    done = subprocess.run([sys.executable, "-c", CODE, str(path)], capture_output=True, text=True, check=True)
    found, kilobytes = map(int, done.stdout.split())
    assert found == n
    return 1024 * kilobytes


@pytest.mark.slow
def test_five_million_positions_would_fit(tmp_path: Path) -> None:
    """Scaled: what 300,000 positions take beyond 100,000, times as many."""
    few, many = peak(tmp_path, 100_000), peak(tmp_path, 300_000)
    assert few + (many - few) / 200_000 * POSITIONS < ALLOWED
