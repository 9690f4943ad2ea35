"""A shared search in small: one row with a real server; what the page says of rows."""

from pathlib import Path

import pytest

from tunesmith.experiments.cluster import database
from tunesmith.experiments.cluster.database import NoServerError, Shared, of_others, page, share
from tunesmith.experiments.cluster.trouble import SEARCH


@pytest.mark.slow  # makes a database, and two commands search
def test_two_commands_that_start_on_an_empty_database_share_one_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setenv("TUNESMITH_NUMBA", "0")
    small = SEARCH.replace("nodes:100", "nodes:5").replace("pairs = 10", "pairs = 2")
    try:
        row = share(tmp_path / "search", "nothing", study=small)
    except NoServerError as error:
        pytest.skip(str(error))
    assert row.told == 12 and row.is_same and row.is_whole


def test_a_search_with_too_many_trials_or_two_answers_is_not_whole() -> None:
    assert Shared("", 12, 12, True, 1.0, "").is_whole
    assert not Shared("", 13, 12, True, 1.0, "").is_whole
    assert not Shared("", 12, 12, False, 1.0, "").is_whole


def test_the_page_tells_each_row_and_no_password() -> None:
    said = of_others("trial 3\nsearch: waiting for 4 that others play (4 of a:search); longer\n")
    assert said == "waiting for 4 that others play"
    address = "postgresql+psycopg://tuner:***@127.0.0.1:1/postgres"
    assert (
        of_others(f"--storage: {address}: away (refused); waiting for it, up to 60 s")
        == "waiting for it, up to 60 s"
    )
    assert of_others("trial 3") == ""
    row = vars(Shared("a kill", 8, 12, False, 7.0, said))
    text = page({"rows": [row], "machine": {"commit": "abc1234", "cores": 2}})
    assert "| a kill | 8 of 12 | NO | 7 s | waiting for 4" in text and "at commit abc1234" in text


def test_without_postgresql_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(database.shutil, "which", lambda _: None)
    monkeypatch.setattr(database.Path, "glob", lambda *_: iter(()))
    with pytest.raises(SystemExit):
        database.main([])
    assert "PostgreSQL's pg_ctl is not installed" in capsys.readouterr().err
