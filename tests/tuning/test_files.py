"""Files of a study: whole or not at all, lines that were cut, and one process at a time."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from tunesmith.games.errors import StudyError
from tunesmith.tuning import files


def test_what_was_written_is_read_and_what_json_cannot_hold_is_null(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    files.write_json(path, {"x": (1, math.nan), 2: {"y": -math.inf}, "z": 0.5})
    assert files.read_json(path) == {"x": [1, None], "2": {"y": None}, "z": 0.5}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["SHA256SUMS", "a.json"]


@pytest.mark.parametrize(
    "rows", [[], [[]], [{"moves": [1, 2], "text": "a\nb"}, {}, [1, [2, {"x": None}]], "a\nb", 0.5]]
)
def test_lists_are_written_row_by_row_as_the_standard_library_writes_them(
    tmp_path: Path, rows: list[object]
) -> None:
    files.write_json(tmp_path / "a.json", rows)
    assert (tmp_path / "a.json").read_text() == json.dumps(rows, indent=1) + "\n"


def test_a_missing_file_is_nothing_and_a_damaged_one_an_error(tmp_path: Path) -> None:
    assert files.read_json(tmp_path / "none.json") is None
    assert files.read_lines(tmp_path / "none.jsonl") == []
    (tmp_path / "bad.json").write_text('{"x": ')
    with pytest.raises(StudyError, match=r"bad\.json: damaged"):
        files.read_json(tmp_path / "bad.json")
    (tmp_path / "null.json").write_text("null")
    for read in (files.read_json, files.read_object):
        with pytest.raises(StudyError, match=r"null\.json: expected content, found null"):
            read(tmp_path / "null.json")


def test_lines_are_added_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    files.append_lines(path, [{"n": 1}])
    files.append_lines(path, [{"n": 2}, {"n": math.inf}])
    assert files.read_lines(path) == [{"n": 1}, {"n": 2}, {"n": None}]


@pytest.mark.parametrize("half", ['{"n": 3, "sta', '{"n": 3}', "{"])
def test_a_last_line_that_was_cut_is_left_out_and_moved_aside(tmp_path: Path, half: str) -> None:
    """Also one that lacks nothing but its end: whoever adds the next would glue it on."""
    path = tmp_path / "log.jsonl"
    files.append_lines(path, [{"n": 1}, {"n": 2}])
    whole = path.read_bytes()
    path.write_bytes(whole + half.encode())
    assert files.read_lines(path) == [{"n": 1}, {"n": 2}]
    assert files.cut_tail(path)
    assert path.read_bytes() == whole
    assert path.with_name("log.jsonl.cut").read_text() == half + "\n"
    assert not files.cut_tail(path)


def test_damage_before_the_last_line_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"n": 1}\nrubbish\n{"n": 3}\n')
    with pytest.raises(StudyError, match=r"log\.jsonl:2: damaged"):
        files.read_lines(path)


def test_a_changed_line_is_an_error_with_its_number(tmp_path: Path) -> None:
    """Whichever of its characters it is, and even if it is still JSON; the cut last line is not one of them."""
    path = tmp_path / "log.jsonl"
    files.append_lines(path, [{"n": 17, "who": "a"}, {"n": 18, "who": "b"}, {"n": 19, "who": "c"}])
    lines = path.read_text().splitlines(keepends=True)
    for number, line in enumerate(lines[:2]):
        for at, character in enumerate(line[:-1]):
            other = [*lines]
            other[number] = line[:at] + ("2" if character != "2" else "3") + line[at + 1 :]
            path.write_text("".join(other))
            if number or '"checksum"' in other[number]:
                with pytest.raises(StudyError, match=rf"log\.jsonl:{number + 1}: damaged"):
                    files.read_lines(path)
    path.write_text("".join([*lines[:2], lines[2].replace("19", "91")]))
    with pytest.raises(StudyError, match=r"log\.jsonl:3: damaged: its checksum"):
        files.read_lines(path)


def test_lines_without_checksums_are_read_above_those_that_have_them_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"n": 1}\n{"n": 2}\n')
    files.append_lines(path, [{"n": 3}])
    assert files.read_lines(path) == [{"n": 1}, {"n": 2}, {"n": 3}]
    path.write_text(path.read_text() + '{"n": 4}\n{"n": 5}\n')
    with pytest.raises(StudyError, match=r"log\.jsonl:4: damaged"):
        files.read_lines(path)


@pytest.mark.parametrize("line", ["3", "[]", "null", '{"n": ' + "9" * 5000 + "}", "[" * 10_000])
def test_a_line_that_is_no_object_is_damage(line: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f'{line}\n{{"n": 3}}\n')
    with pytest.raises(StudyError, match=r"log\.jsonl:1: damaged: expected"):
        files.read_lines(path)


def test_a_last_line_that_was_cut_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"n": 1}\n{"n": ')
    assert files.read_lines(path) == [{"n": 1}]
    assert "log.jsonl: the last line is cut, and left out" in caplog.text


HOLDER = """
import sys
from pathlib import Path
from tunesmith.tuning.files import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the number in the lock's file is read with pread")
def test_a_folder_is_one_processs_until_that_ends_however_it_ends(tmp_path: Path) -> None:
    call = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        refused = pytest.raises(StudyError, match=rf"in use by another process \({holder.pid}\)")
        with refused, files.locked(tmp_path):
            raise AssertionError("two processes hold one lock")
        holder.kill()
        holder.wait()
    with files.locked(tmp_path):
        assert (tmp_path / files.LOCK).read_text().strip().isdigit()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match="cannot be written"), files.locked(tmp_path / "file" / "below"):
        raise AssertionError("a folder below a file")


def test_lines_are_json_objects_one_each(tmp_path: Path) -> None:
    files.append_lines(tmp_path / "log.jsonl", [{"text": "two\nlines"}])
    (line,) = (tmp_path / "log.jsonl").read_text().splitlines()
    assert json.loads(line)["text"] == "two\nlines"
