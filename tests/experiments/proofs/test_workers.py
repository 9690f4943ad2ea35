"""What a second worker brings: the measurement in small, and that other files are an error."""

import contextlib
from pathlib import Path

import pytest

from tests.support.searching import all_as_python
from tunesmith.engine import weights as weight_files
from tunesmith.experiments.proofs import workers
from tunesmith.games import registry
from tunesmith.tuning.config import Openings
from tunesmith.tuning.play.openings.random import make_openings
from tunesmith.tuning.play.store import read_games


def test_one_and_two_workers_write_the_same_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers, "WARM", 1)
    with all_as_python():
        game = registry.load("kalah")
        hand = weight_files.load("hand", game)
        openings = make_openings(
            game, hand, Openings(plies=4), count=3, purpose="train", seed=1, judge_limit="nodes:1"
        )
        for jobs in (1, 2):
            speed = workers.play("kalah", openings, "nodes:5", tmp_path / str(jobs), jobs, "threads")
            assert speed > 0
    assert read_games(tmp_path / "1").pair.tolist() == [0, 0, 1, 1, 2, 2]
    assert workers.digest(tmp_path / "1") == workers.digest(tmp_path / "2")


def test_files_that_differ_have_different_digests(tmp_path: Path) -> None:
    for name, content in (("one", b"games"), ("same", b"games"), ("other", b"more games")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "games.parquet").write_bytes(content)
        (tmp_path / name / "notes.json").write_text(name)
    one, same, other = (workers.digest(tmp_path / name) for name in ("one", "same", "other"))
    assert one == same != other


@pytest.mark.parametrize("same", [True, False])
def test_the_table_ends_with_whether_the_files_agree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], same: bool
) -> None:
    """Two workers play twice as fast here as one."""

    monkeypatch.setattr("sys.argv", ["workers", "--pairs", "20"])
    monkeypatch.setattr(workers, "make_openings", lambda *_, count, **__: [None] * count)
    monkeypatch.setattr(workers, "backend_of", lambda kind, *_: contextlib.nullcontext(kind))
    monkeypatch.setattr(workers, "play", lambda *words: 10.0 * words[4])
    monkeypatch.setattr(workers, "digest", lambda folder: "a" if same else folder.name)
    if same:
        workers.main()
    else:
        with pytest.raises(SystemExit, match="1"):
            workers.main()
    said = capsys.readouterr().out
    assert "loky, 1 worker(s): 10.0 pairs/s" in said and "dask: two workers give 2.00 times one" in said
    assert said.endswith("files: all the same\n" if same else "files: different\n")
