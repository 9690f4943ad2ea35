"""A search in a database: several processes share a real PostgreSQL, started and stopped by the test; it may go away."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from optuna.storages import RDBStorage
from sqlalchemy.exc import IntegrityError, OperationalError

from tests import IMPORTS
from tests.support.made_up import MadeUpMatches, search
from tunesmith.engine.weights import Weights
from tunesmith.experiments.cluster.database import NoServerError, Server, postgres
from tunesmith.tuning.files import read_lines
from tunesmith.tuning.search import controllers, storage
from tunesmith.tuning.search.outcome import Outcome
from tunesmith.tuning.search.storage import BrokenEntryError, LostStorageError

ROOT = Path(__file__).parents[3]

CONTROLLER = """
import sys
from pathlib import Path
from tests.support.made_up import MadeUpMatches, search
search(Path(sys.argv[1]), MadeUpMatches(seconds=0.05), trials=8, address=sys.argv[2]).run()
"""


@pytest.fixture
def server() -> Iterator[Server]:
    """Start a server."""
    pytest.importorskip("psycopg")
    try:
        with postgres() as made:
            yield made
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.mark.slow  # makes a database
def test_of_many_that_open_an_empty_database_at_once_all_come_in(server: Server) -> None:
    """One makes the tables; the others used to die of it now and then."""
    call = [sys.executable, "-c", OPENS, server.address]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([IMPORTS, *sys.path])}
    processes = [
        subprocess.Popen(call, env=env, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    assert [process.wait(timeout=200) for process in processes] == [0] * 4


OPENS = """
import sys
import optuna.storages, psycopg
from tunesmith.tuning.search.storage import open_address
print("ready", flush=True)
sys.stdin.read()
open_address(sys.argv[1]).get_all_studies()
"""


@pytest.mark.parametrize("is_other", [True, False])
def test_tables_that_another_process_is_making_are_waited_for(
    is_other: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    said = 'relation "studies" already exists' if is_other else "no such server"

    def opened() -> str:
        tries.append(1)
        if len(tries) < 3:
            raise OperationalError("", {}, Exception(said))
        if len(tries) < 5:
            raise IntegrityError("", {}, Exception("pg_type_typname_nsp_index"))
        return "storage"

    monkeypatch.setattr(storage.time, "sleep", lambda _: None)
    if is_other:
        assert storage.when_tables_are_made(opened) == "storage" and len(tries) == 5
    else:
        with pytest.raises(OperationalError):
            storage.when_tables_are_made(opened)


@pytest.mark.slow
def test_six_controllers_that_start_at_once_share_one_total(tmp_path: Path, server: Server) -> None:
    """Nobody dies, no trial is lost or played beyond the total (FIELD E12, G1)."""
    address = server.address
    search(tmp_path / "parent", trials=8, address=address)  # the study is made once, by the parent
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([IMPORTS, *sys.path])}
    processes = [
        subprocess.Popen([sys.executable, "-c", CONTROLLER, str(tmp_path / name), address], env=env, cwd=ROOT)
        for name in "abcdef"
    ]
    assert [process.wait(timeout=200) for process in processes] == [0] * 6
    one = search(tmp_path / "parent", trials=8, address=address)
    counted = one._counted()
    assert len(counted) == 8
    assert {t.state.name for t in counted} == {"COMPLETE"}
    rows = [row for name in "abcdef" for row in read_lines(tmp_path / name / "trials.jsonl")]
    assert sorted(row["number"] for row in rows if not row.get("surplus")) == [t.number for t in counted]
    assert one.result().trials["fail"] == 0


KILLED = """
import sys
from pathlib import Path
from tests.support.made_up import MadeUpMatches, search
search(Path(sys.argv[1]), MadeUpMatches(patience=3), trials=8, address=sys.argv[2]).run()
"""


@pytest.mark.slow  # makes a database
def test_trials_of_a_controller_that_was_killed_are_played_by_the_one_that_waits_for_them(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody recommends before all trials are told, and both folders recommend the same."""
    monkeypatch.setattr(storage, "SILENCE", 3)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([IMPORTS, *sys.path])}
    call = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), server.address]
    with subprocess.Popen(call, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None and killed.stdout.readline() == "waits\n"
        other = search(tmp_path / "other", trials=8, address=server.address)
        killed.kill()
    other.run()
    assert [trial.state.name for trial in other._counted()] == ["COMPLETE"] * 8
    found = other.result()
    assert found.trials == {"complete": 8, "fail": 0}
    again = search(tmp_path / "killed", trials=8, address=server.address)
    again.run()
    assert again.result() == found


class Outage(MadeUpMatches):
    """Matches in the third of which the server is stopped, and started again if it `returns`."""

    def __init__(self, server: Server, returns: bool) -> None:
        super().__init__()
        self.server, self.returns = server, returns

    def play(self, weights: Weights, pairs: range, mirrors: bool = False) -> Outcome:
        """Play; the server is away when the trial is told."""
        found = super().play(weights, pairs, mirrors)
        if len(self.played) == 3:
            self.server.ask("-m", "immediate", "stop")
            if self.returns:
                threading.Timer(1.0, self.server.ask, ["start"]).start()
        return found


@pytest.mark.slow  # makes a database
def test_a_search_waits_for_a_database_that_goes_away_and_comes_back(
    tmp_path: Path, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    search(tmp_path, Outage(server, returns=True), trials=8, address=server.address).run()
    one = search(tmp_path, trials=8, address=server.address)
    assert [trial.state.name for trial in one._counted()] == ["COMPLETE"] * 8
    assert [row["number"] for row in read_lines(tmp_path / "trials.jsonl")] == list(range(8))
    told = [text for text in caplog.messages if "away" in text]
    assert len(told) == 1 and told[0].startswith("--storage: postgresql") and "geheim" not in caplog.text


@pytest.mark.slow  # makes a database
def test_a_search_whose_database_stays_away_goes_on_where_it_broke_off(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "ABSENCE", 0.5)
    with pytest.raises(LostStorageError, match="away for") as error:
        search(tmp_path, Outage(server, returns=False), trials=8, address=server.address).run()
    assert "geheim" not in str(error.value)
    server.ask("start")
    one = search(tmp_path, trials=8, address=server.address)
    one.run()
    assert [trial.state.name for trial in one._counted()] == ["COMPLETE"] * 8


@pytest.mark.parametrize("failures", [2, 1000])
def test_who_asks_for_a_connection_waits_a_while_and_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failures: int
) -> None:
    opened = storage.open_address(f"sqlite:///{tmp_path}/trials.db")
    assert isinstance(opened, RDBStorage)
    opened.engine.dispose()
    left, connect = [failures], opened.engine.dialect.connect

    def away(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise sqlite3.OperationalError("gone\nfor now")
        return connect(*arguments, **options)

    monkeypatch.setattr(opened.engine.dialect, "connect", away)
    monkeypatch.setattr(storage, "PAUSE", 0.0)
    if failures > 2:
        monkeypatch.setattr(storage, "ABSENCE", 0.0)
        with pytest.raises(LostStorageError, match="away for 0 s: gone$"):
            opened.get_all_studies()
    else:
        assert opened.get_all_studies() == []
        assert [text.partition("trials.db")[2] for text in caplog.messages] == [
            ": away (gone); waiting for it, up to 60 s"
        ]


@pytest.mark.parametrize("is_written", [False, True])
def test_a_trial_that_was_asked_for_when_the_database_went_away_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    """Whether the first attempt is there, nobody knows: if so, it is given up when nobody shows life of it."""
    one = search(tmp_path, trials=6, address=f"sqlite:///{tmp_path}/trials.db")
    monkeypatch.setattr(storage, "SILENCE", 0)
    monkeypatch.setattr(controllers, "WAIT", 0.0)
    ask, asked = one._study.ask, 0

    def breaks_off(distributions: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 3:
            if is_written:
                ask(distributions)
            raise BrokenEntryError("--storage: went away in the middle of an entry")
        return ask(distributions)

    monkeypatch.setattr(one._study, "ask", breaks_off)
    one.run()
    assert [trial.state.name for trial in one._counted()] == ["COMPLETE"] * 6
    assert len(one._study.trials) == 6 + is_written


def test_an_entry_that_broke_off_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = storage.open_address(f"sqlite:///{tmp_path}/trials.db")
    assert isinstance(opened, RDBStorage)
    monkeypatch.setattr(opened.engine.dialect, "is_disconnect", lambda *_: True)
    with pytest.raises(LostStorageError, match="in the middle of an entry"), opened.engine.connect() as line:
        line.exec_driver_sql("nothing that a database knows")


@pytest.mark.parametrize("name", ["set_trial_user_attr", "get_all_trials"])
def test_what_may_be_written_or_asked_twice_is_so_when_the_database_goes_away_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    act, broken = (
        getattr(RDBStorage, name),
        [BrokenEntryError("--storage: went away in the middle of an entry")],
    )

    def breaks_off_once(*arguments: Any, **options: Any) -> Any:
        found = act(*arguments, **options)
        if broken:
            raise broken.pop()
        return found

    monkeypatch.setattr(RDBStorage, name, breaks_off_once)
    opened = storage.open_address(f"sqlite:///{tmp_path}/trials.db")
    study = storage.open_optuna(opened, "shared", None)
    study.ask().set_user_attr("place", "here")
    assert [trial.user_attrs["place"] for trial in opened.get_all_trials(1)] == ["here"]
    assert not broken
