"""The list of a folder's digests: what is not as it was written is refused; a kill at any moment leaves all known."""

import contextlib
import pickle
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tunesmith.engine import files
from tunesmith.tuning import manifest
from tunesmith.tuning.files import read_json, write_json
from tunesmith.tuning.manifest import DamagedError


def test_the_list_is_that_of_the_common_tool(tmp_path: Path) -> None:
    for name in ("b.json", "a.json"):
        write_json(tmp_path / name, {"name": name})
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert [line.partition("  ")[2] for line in lines[1:]] == ["a.json", "b.json"]
    assert lines[0].startswith("# tunesmith ")
    assert (
        subprocess.run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=tmp_path, check=False).returncode
        == 0
    )


def test_no_flipped_bit_is_ever_read(tmp_path: Path) -> None:
    path, rng = tmp_path / "a.json", Random(0)
    write_json(path, {"elo": 12.5, "counts": [1, 2, 3, 4, 5]})
    whole = path.read_bytes()
    for _ in range(200):
        flipped = bytearray(whole)
        flipped[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        with pytest.raises(DamagedError, match=r"a\.json: damaged: .* put a copy of it back, or remove it"):
            read_json(path)
    path.write_bytes(whole)
    assert read_json(path)["elo"] == 12.5


def test_a_damaged_list_is_told_and_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_json(tmp_path / "a.json", 1)
    path, rng = tmp_path / "SHA256SUMS", Random(0)
    whole = path.read_bytes()
    for _ in range(100):
        flipped = bytearray(whole)
        flipped[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        caplog.clear()
        assert read_json(tmp_path / "a.json") == 1
        assert "SHA256SUMS: damaged, not used" in caplog.text
    write_json(tmp_path / "b.json", 2)
    assert list(manifest.entries(tmp_path)) == ["b.json"]


def test_an_error_reaches_another_process_whole(tmp_path: Path) -> None:
    error = DamagedError(tmp_path / "a.json", "cut")
    other = pickle.loads(pickle.dumps(error))
    assert (str(other), other.cause) == (str(error), error.cause)
    assert str(error).startswith(f"{error.cause}; put a copy of it back")


def test_a_list_read_before_serves_for_what_it_holds_and_is_read_again_for_the_rest(tmp_path: Path) -> None:
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    write_json(path, "old")
    listed = manifest.entries(tmp_path)
    write_json(path, "new")
    write_json(other, "later")
    assert manifest.read(path, listed) == (path.read_bytes(), True)
    assert manifest.read(other, listed) == (other.read_bytes(), True)
    path.write_bytes(b"cut")
    with pytest.raises(DamagedError):
        manifest.read(path, listed)


def test_names_without_a_file_mean_nothing(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", 1)
    (tmp_path / "a.json").unlink()
    assert read_json(tmp_path / "a.json") is None
    write_json(tmp_path / "b.json", 2)
    assert list(manifest.entries(tmp_path)) == ["b.json"]


def test_files_of_many_are_entered_line_by_line_and_taken_into_the_list_at_the_end(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", 1)
    before = (tmp_path / "SHA256SUMS").read_bytes()
    for name in ("c.bin", "b.bin"):
        with manifest.entered(tmp_path / name, manifest.digest_of(name.encode()), one_of_many=True):
            (tmp_path / name).write_bytes(name.encode())
    assert (tmp_path / "SHA256SUMS").read_bytes() == before
    assert manifest.read(tmp_path / "b.bin") == (b"b.bin", True)
    (tmp_path / "c.bin").write_bytes(b"else")
    with pytest.raises(DamagedError):
        manifest.read(tmp_path / "c.bin")
    (tmp_path / "c.bin").write_bytes(b"c.bin")
    manifest.tidy(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"SHA256SUMS", "a.json", "b.bin", "c.bin"}
    assert sorted(manifest.entries(tmp_path)) == ["a.json", "b.bin", "c.bin"]


def test_a_line_that_was_cut_or_changed_vouches_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    with manifest.entered(path, manifest.digest_of(b"a"), one_of_many=True):
        path.write_bytes(b"a")
    news = tmp_path / "SHA256SUMS.new"
    whole = news.read_text()
    for line in (whole[:-1], whole[1:], whole.replace("a.bin", "b.bin"), whole[:40]):
        news.write_text(line)
        assert manifest.entries(tmp_path) == {} and manifest.read(path) == (b"a", False)
    news.write_text(whole[:40] + "\n" + whole)
    assert manifest.read(path) == (b"a", True)


class KillError(Exception):
    """A kill."""


def test_a_kill_at_any_rename_leaves_files_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, whole = tmp_path / "a.json", files.replace
    write_json(path, "old")
    (tmp_path / "unlisted.json").write_text("1")

    for name, before in (("a.json", "old"), ("unlisted.json", 1), ("new.json", None)):
        for renames in range(4):
            left = renames

            def dies(target: Path, text: str) -> Any:
                nonlocal left
                if left == 0:
                    raise KillError
                left -= 1
                whole(target, text)

            with monkeypatch.context() as patch:
                patch.setattr(files, "replace", dies)
                with contextlib.suppress(KillError):
                    write_json(tmp_path / name, f"new {renames}")
            found = read_json(tmp_path / name)
            assert found in (before, f"new {renames}")
            before = found
        manifest.tidy(tmp_path)
        assert len(manifest.entries(tmp_path)[name]) == 1
