"""Which program is meant, and where it starts."""

import os

import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.external.programs import find_command, find_program


def test_a_program_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match="engine 'no-such-engine': no such program"):
        find_program("no-such-engine")
    (tmp_path / "mine").write_text("")
    assert find_program("mine", tmp_path) == str(tmp_path / "mine")


@pytest.mark.parametrize(
    ("command", "words", "where"),
    [
        ("My Engines/engine v2", ["My Engines/engine v2"], "My Engines"),
        ("My Engines/engine v2 --fast 'a b'", ["My Engines/engine v2", "--fast", "a b"], "My Engines"),
        ('"My Engines/engine v2" x', ["My Engines/engine v2", "x"], "My Engines"),
        ("My Engines/engine v3", ["My Engines/engine", "v3"], "My Engines"),
        ("sh run.sh", ["sh", "run.sh"], "."),
    ],
)
def test_a_command_is_a_path_with_blanks_or_a_whole_line(tmp_path, command, words, where):
    (tmp_path / "My Engines").mkdir()
    for name in ("engine", "engine v2"):
        (tmp_path / "My Engines" / name).write_text("")
    found, start = find_command(command, tmp_path)
    assert [found[0].removeprefix(f"{tmp_path}/").removeprefix(f"{os.path.dirname(find_program('sh'))}/"),
            *found[1:]] == words  # fmt: skip
    assert start == (tmp_path / where).resolve()
