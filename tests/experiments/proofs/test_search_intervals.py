"""The proof of a search's intervals, tiny: it counts, tells good from bad, and adds to its file."""

import json

import numpy as np

from tunesmith.experiments.proofs.search_intervals import CELLS, Cell, Found, main, measure, true_score


def found(held: int, false: int = 0, n: int = 1000) -> Found:
    return Found(
        tuple(at < held for at in range(n)),
        (True,) * n,
        tuple(at < false for at in range(n)),
        (True,) * n,
        (0.0,) * n,
    )


def test_good_is_what_intervals_promise():
    assert found(950, 50).is_good()
    assert not found(900).is_good()
    assert found(1000).is_good(most=1.0) and not found(1000).is_good()
    assert not found(950, 80).is_good()


def test_the_start_of_a_hill_scores_one_half():
    assert true_score("LOG")(np.zeros(2)) == 0.5
    assert true_score("LOG")(np.full(2, -0.5)) > 0.6


def test_searches_are_judged_one_by_one():
    one = measure(Cell("equal", 0.17), 3, trials=6, pairs=16)
    assert len(one.held) == 3
    assert all(false <= better for false, better in zip(one.false, one.better, strict=True))


def test_cells_are_added_to_the_file(tmp_path, capsys):
    out = tmp_path / "intervals.json"
    small = ["--searches", "2", "--trials", "6", "--pairs", "8", "--out", str(out)]
    for at in ("0", "3"):
        main([*small, "--cells", at])
    stored = json.loads(out.read_text())
    names = [f"{CELLS[at].name}, 8 pairs a trial" for at in (0, 3)]
    assert list(stored) == names
    assert {cell["searches"] for cell in stored.values()} == {2}
    assert names[1] in out.with_suffix(".md").read_text()
    assert len(capsys.readouterr().out.splitlines()) == 2
