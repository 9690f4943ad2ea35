"""The plain log of a search: what the storage says, whatever happened to the file."""

import json

import pytest

from tests.support.made_up import search, space


@pytest.mark.parametrize("spoil", [
    lambda text: text[:-1],
    lambda text: text[:-20],
    lambda text: "",
    lambda text: text.replace('"score": 0.', '"score": 0.9', 1),
    lambda text: "rubbish\n" + text,
])  # fmt: skip
def test_the_plain_log_says_what_the_storage_says_whatever_happened_to_it(tmp_path, spoil):
    search(tmp_path, trials=8).run()
    path = tmp_path / "trials.jsonl"
    whole = path.read_text()
    assert {json.loads(line)["state"] for line in whole.splitlines()} >= {"COMPLETE"}
    path.write_text(spoil(whole))
    search(tmp_path, trials=8)
    assert path.read_text() == whole


def test_a_log_that_says_more_than_the_storage_is_kept_beside_the_new_one(tmp_path, caplog):
    search(tmp_path, trials=4).run()
    path = tmp_path / "trials.jsonl"
    old = path.read_text()
    (tmp_path / "journal.log").unlink()
    search(tmp_path, trials=4)
    assert (path.read_text(), (tmp_path / "trials.jsonl.cut").read_text()) == ("", old)
    assert "says more than the storage" in caplog.text


def test_lines_count_trials_that_count(tmp_path):
    """A search that was interrupted says "trial 4 of 4" at its end, never "trial 5 of 4"."""
    said: list[str] = []
    one = search(tmp_path, trials=4)
    one._study.ask(space().distributions())
    search(tmp_path, trials=4, say=said.append).run()
    assert [line.split(":")[0] for line in said] == [f"  trial {n} of 4" for n in (1, 1, 2, 3, 4)]
