"""The benchmark of tables that do not fit in memory, in small."""

from tunesmith.experiments.proofs import out_of_core


def test_the_benchmark_runs_in_small() -> None:
    found = out_of_core.measure(rows=3000, columns=5, group=2000, seed=1)
    assert found.rows == 3000 and found.peak_bytes > 0 and found.worst < 5
