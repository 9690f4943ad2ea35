"""A password is in nothing that is printed, raised or written."""

import logging
from pathlib import Path

import pytest

from tunesmith.games.errors import TunesmithError
from tunesmith.tuning.cli import guard
from tunesmith.tuning.cli.interrupt import advice
from tunesmith.tuning.passwords import redacted, redacted_address
from tunesmith.tuning.report.dashboard import app as dashboard
from tunesmith.tuning.search.storage import TrialStore, open_address

ADDRESSES = [
    "postgresql+psycopg://tuner:geheim@127.0.0.1:1/x",
    "postgresql+psycopg://tuner:geheim@127.0.0.1:port/x",
    "postgresql+psycopg://tuner:ge:he/im@geheim@127.0.0.1:1/x",
    "postgresql+psycopg://tuner:%67eheim geheim@127.0.0.1:1/x",
    "postgresql+psycopg:///x?host=127.0.0.1&port=1&user=tuner&password=geheim",
    "nodb://tuner:geheim@host/x",
    "tuner:geheim@host/x",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_error_and_no_advice_shows_the_password_of_an_address(address: str, tmp_path: Path) -> None:
    said = [advice(["search", "x.toml", "--storage", address]), advice(["run", f"--storage={address}"])]
    with pytest.raises(TunesmithError) as error:
        open_address(address)
    said.append(str(error.value))
    with pytest.raises(TunesmithError) as error:
        dashboard._source(tmp_path, "x", address)
    said += [str(error.value), repr(TrialStore(tmp_path, "x", address))]
    assert not any("geheim" in text or "im@" in text for text in said), said
    assert "(*** is the password)" in said[0]


def test_a_text_keeps_all_but_the_passwords() -> None:
    text = "worker tcp://127.0.0.1:8786: hand@limit=nodes:300 a@b, see http://x.y:80/a"
    assert redacted(text) == text
    assert (
        redacted("to postgresql://me:pw@h/d password=pw of it")
        == "to postgresql://me:***@h/d password=*** of it"
    )
    assert redacted('host "im@h" of pg', "pg://me:ab@im@h") == 'host "***@h" of pg'
    assert redacted_address("sqlite:///a@b.db") == "sqlite:///a@b.db"
    assert redacted_address("postgresql://me@h:5432/d") == "postgresql://me@h:5432/d"


def test_what_a_library_logs_has_no_password(capsys: pytest.CaptureFixture[str]) -> None:
    from tunesmith.tuning.cli.terminal import printing_harmlessly

    with printing_harmlessly():
        import sys

        logging.StreamHandler(sys.stderr).emit(
            logging.LogRecord(
                "sqlalchemy", logging.WARNING, "", 0, "lost postgresql://me:geheim@h/d", (), None
            )
        )
    assert capsys.readouterr().err == "lost postgresql://me:***@h/d\n"


def test_the_file_of_an_unforeseen_error_has_no_password(capsys: pytest.CaptureFixture[str]) -> None:
    address = "postgresql://me:geheim@h/d"
    assert (
        guard.tell(ValueError(f"lost {address}, user me, geheim"), ["run", "x", "--storage", address])
        == guard.CODE
    )
    said = capsys.readouterr().err
    path = Path(said.partition("the traceback is in ")[2].partition(": please")[0])
    text = path.read_text()
    path.unlink()
    assert "geheim" not in said + text and "--storage 'postgresql://me:***@h/d'" in text
