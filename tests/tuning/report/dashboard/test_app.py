"""A dashboard shows studies of every kind, and changes nothing."""

import io
import json
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import optuna
import pytest
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

from tests.support.browsing import SIZES, browser, overflow
from tests.support.pages import Page, tidy
from tests.support.report_fixture import small_study, write
from tunesmith.tuning import manifest
from tunesmith.tuning.report.dashboard import app as dashboard
from tunesmith.tuning.report.server import serve

pytestmark = pytest.mark.pages

__all__ = ["browser"]  # a fixture

HOSTILE = "<img src=x onerror=alert(1)> [a](javascript:alert(1)) | # `x`"


def searched(folder: Path) -> Path:
    """Write a study with a finished, a pruned, a failed and a running trial."""
    write(folder, small_study())
    name = json.loads((folder / "study.json").read_text())["config"]["name"]
    (folder / "search").mkdir()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = JournalStorage(JournalFileBackend(str(folder / "search" / "journal.log")))
    study = optuna.create_study(storage=storage, study_name=name, direction="maximize")
    rows = []
    for number, state in enumerate(("COMPLETE", "PRUNED", "FAIL", "RUNNING")):
        trial = study.ask()
        trial.suggest_float("scale", 0.5, 2.0)
        trial.report(0.6, 16)
        trial.set_user_attr("place", f"machine:{folder}")
        if state == "COMPLETE":
            study.tell(trial, 0.625)
        elif state != "RUNNING":
            study.tell(trial, state=optuna.trial.TrialState[state])
        rows.append(
            {
                "number": number,
                "state": state,
                "counts": [1, 2, 3, 4, 6],
                "opponents": {HOSTILE: [1, 2, 3, 4, 6]},
            }
        )
    (folder / "search" / "trials.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Visitor:
    """Asks an application as a browser would, without a network."""

    def __init__(self, app: Callable[..., Any]) -> None:
        self._app = app

    def ask(self, path: str, method: str = "GET", body: bytes = b"") -> tuple[int, bytes]:
        """Return status and content."""
        said: list[str] = []
        path, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "here",
            "SERVER_PORT": "80",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
        }
        found = b"".join(self._app(environ, lambda status, headers, exc=None: said.append(status)))
        return int(said[-1].split()[0]), found

    def study(self, number: int) -> Any:
        """Return what the dashboard tells of a study."""
        status, body = self.ask(f"/api/studies/{number}?after=0")
        assert status == 200, body
        return json.loads(body)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a study that was only fitted and one that was searched, both of one name."""
    root = tmp_path_factory.mktemp("studies")
    return [write(root / "fitted", small_study()), searched(root / "searched")]


@pytest.fixture
def visitor(folders: list[Path]) -> Visitor:
    """Return who looks at both studies."""
    return Visitor(dashboard.make_dashboard(folders))


def test_both_studies_are_listed_apart(visitor: Visitor, folders: list[Path]) -> None:
    listed = json.loads(visitor.ask("/api/studies")[1])["study_summaries"]
    assert [row["study_id"] for row in listed] == [0, 1]
    names = [row["study_name"] for row in listed]
    assert len(set(names)) == 2
    assert all(str(folder) in name for name, folder in zip(names, folders, strict=True))


def test_files_come_as_they_are_and_only_of_the_study_asked(visitor: Visitor, folders: list[Path]) -> None:
    for number, folder in enumerate(folders):
        files = {row["filename"]: row["artifact_id"] for row in visitor.study(number)["artifacts"]}
        status, body = visitor.ask(f"/artifacts/{number}/{files['verdict.json']}")
        assert (status, body) == (200, (folder / "verdict.json").read_bytes())
    other = visitor.study(1)["artifacts"][0]["artifact_id"]
    assert visitor.ask(f"/artifacts/0/{other}")[0] == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/api/studies/1"),
        ("POST", "/api/studies"),
        ("POST", "/api/studies/1/rename"),
        ("POST", "/api/artifacts/1"),
        ("DELETE", "/api/artifacts/1/0a"),
        ("POST", "/api/trials/1000000000/user-attrs"),
    ],
)
def test_what_would_change_a_study_is_refused_in_words(
    visitor: Visitor, folders: list[Path], method: str, path: str
) -> None:
    before = [contents(folder) for folder in folders]
    status, body = visitor.ask(path, method, b"{}")
    assert status == 403
    assert "delete its folder" in json.loads(body)["reason"]
    assert [contents(folder) for folder in folders] == before


def test_looking_changes_no_file(visitor: Visitor, folders: list[Path]) -> None:
    before = [contents(folder) for folder in folders]
    for path in (
        "/dashboard",
        "/api/studies",
        "/api/studies/1?after=0",
        "/api/studies/1/param_importances?evaluator=ped_anova",
    ):
        visitor.ask(path)
    typed = json.dumps({"version": 2, "body": "mine"}).encode()
    assert visitor.ask("/api/studies/1/note", "PUT", typed)[0] == 204
    assert visitor.study(1)["note"]["body"].startswith("mine")
    assert [contents(folder) for folder in folders] == before


def test_a_running_study_grows_before_our_eyes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard, "FRESH", 0.0)
    folder = searched(tmp_path / "study")
    visitor = Visitor(dashboard.make_dashboard([folder]))
    assert len(visitor.study(0)["trials"]) == 4
    name = json.loads((folder / "study.json").read_text())["config"]["name"]
    storage = JournalStorage(JournalFileBackend(str(folder / "search" / "journal.log")))
    optuna.load_study(study_name=name, storage=storage).ask()
    (folder / "verdict.json").write_text(json.dumps({"sentence": "no gain was shown"}))
    until = time.monotonic() + 30  # the dashboard itself asks for trials every two seconds at most
    while len(found := visitor.study(0)["trials"]) == 4 and time.monotonic() < until:
        time.sleep(0.1)
    assert [trial["number"] for trial in found] == [0, 1, 2, 3, 4]
    assert "no gain was shown" in visitor.study(0)["note"]["body"]


def test_a_search_that_begins_while_the_dashboard_is_open_shows_up(tmp_path: Path) -> None:
    """Opened before there is a journal, or between its making and its first record."""
    folder = searched(tmp_path / "study")
    journal = folder / "search" / "journal.log"
    content = journal.read_bytes()
    for before in (None, b""):
        journal.unlink()
        if before is not None:
            journal.write_bytes(before)
        visitor = Visitor(dashboard.make_dashboard([folder]))
        assert visitor.study(0)["trials"] == []
        journal.write_bytes(content)
        until = time.monotonic() + 30  # the dashboard itself asks for trials every two seconds at most
        while not (found := visitor.study(0)["trials"]) and time.monotonic() < until:
            time.sleep(0.1)
        assert len(found) == 4


@pytest.mark.needs_chromium
def test_pages_load_from_here_alone_and_show_the_figures(browser: Any, folders: list[Path]) -> None:
    server = serve(dashboard.make_dashboard(folders), "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    verdict = json.loads((folders[0] / "verdict.json").read_text())
    page, events = browser.new_page(), []
    page.on("console", lambda message: events.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: events.append(str(error)))
    page.on(
        "request", lambda r: None if r.url.startswith((address, "data:", "blob:")) else events.append(r.url)
    )
    try:
        page.goto(f"{address}/dashboard/studies/0/note")
        page.get_by_text(verdict["sentence"][:60]).wait_for()
        page.goto(f"{address}/dashboard/studies/1/trials")
        page.get_by_text("16 pairs").first.wait_for()
        assert page.locator("img[src=x]").count() == 0
        page.goto(f"{address}/dashboard/studies/1")
        page.get_by_text("Sequential test between its bounds").wait_for()
    finally:
        page.close()
        server.shutdown()
        server.server_close()
    assert events == []


def changed_types(value: Any) -> Any:
    """Return a document whose every value has another type."""
    if isinstance(value, dict):
        return {key: changed_types(inner) for key, inner in value.items()}
    return {"a": 1} if isinstance(value, list) else [value]


def damage(path: Path, kind: str) -> None:
    """Damage a file, or the folder in its place."""
    before = path.read_bytes()
    path.unlink()
    if kind == "a folder":
        path.mkdir()
    elif kind == "other types":
        path.write_text(
            "".join(json.dumps(changed_types(json.loads(x))) + "\n" for x in lines_of(path, before))
        )
    elif kind != "missing":
        content = {
            "empty": b"",
            "cut": before[: len(before) // 2],
            "garbled": b"{\x00\xff no",
            "a list": b"[3]",
        }
        path.write_bytes(content[kind])


def lines_of(path: Path, content: bytes) -> list[bytes]:
    """Return the documents in a file."""
    return content.splitlines() if path.suffix in (".jsonl", ".log") else [content]


KINDS = ("missing", "empty", "cut", "garbled", "a list", "other types", "a folder")
TOLD = {  # what the note of a damaged study speaks of, for the kinds that cannot be what a study not yet over looks like
    "study.json": KINDS[:5],
    "verdict.json": ("empty", "cut", "garbled", "a list"),
    "verify/main.json": ("empty", "cut", "garbled", "a list"),
    "fit/gen-1.json": ("empty", "cut", "garbled", "a list"),
    "search/journal.log": ("missing", "empty", "garbled", "other types"),
    "search/trials.jsonl": ("garbled", "a folder"),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_damaged_study_has_a_line_about_it_and_the_others_are_shown(tmp_path: Path, name: str) -> None:
    good, whole = write(tmp_path / "good", small_study()), searched(tmp_path / "whole")
    for kind in KINDS:
        folder = shutil.copytree(whole, tmp_path / kind)
        damage(folder / name, kind)
        visitor = Visitor(dashboard.make_dashboard([good, folder]))
        assert visitor.ask("/api/studies")[0] == 200
        assert visitor.study(0)["note"]["body"].startswith("**")
        seen = visitor.study(1)
        assert kind not in TOLD[name] or Path(name).stem in seen["note"]["body"].replace("\\", ""), kind
        for file in seen["artifacts"]:
            assert visitor.ask(f"/artifacts/1/{file['artifact_id']}")[0] == 200


def test_a_file_that_is_not_what_was_written_is_told_too(tmp_path: Path) -> None:
    good, folder = (write(tmp_path / name, small_study()) for name in ("good", "other"))
    manifest.enter(folder / "verdict.json", (folder / "verdict.json").read_bytes())
    (folder / "verdict.json").write_text("{}")
    seen = Visitor(dashboard.make_dashboard([good, folder])).study(1)
    assert "verdict.json: damaged" in seen["note"]["body"].replace("\\", "")


def test_a_study_is_told_first_and_its_objective_has_a_name(visitor: Visitor, folders: list[Path]) -> None:
    """The card of each study has its verdict, attributes and matches; the words are defined on a page of their own."""
    verdict = json.loads((folders[0] / "verdict.json").read_text())
    for number, n_trials in enumerate((0, 4)):
        status, body = visitor.ask(f"/tunesmith/studies/{number}")
        card = json.loads(body)
        assert (status, card["trials"]) == (200, n_trials)
        assert tidy(Page(f"<html>{card['html']}</html>").text).startswith(
            "kalah-quick Stronger kalah: the tuned weights"
        )
        shown = tidy(Page(f"<html>{card['html']}</html>").text)
        assert verdict["command"] in shown and "second-limit" in shown
        assert visitor.study(number)["objective_names"] == ["score against hand"]
        named = {row["key"]: row["value"].strip('"') for row in visitor.study(number)["user_attrs"]}
        assert (named["outcome"], named["old weights"]) == ("stronger", "hand")
        assert "settings" not in named
        assert str(folders[number]) not in json.dumps(visitor.study(number)["trials"])
        assert "[What the words mean](/tunesmith/glossary)" in visitor.study(number)["note"]["body"]
    assert b"95 intervals in a hundred" in visitor.ask("/tunesmith/glossary")[1]
    for path in ("/tunesmith/studies/2", "/tunesmith/studies/x", "/tunesmith/", "/tunesmith/../app.py"):
        assert visitor.ask(path)[0] == 404


@pytest.mark.needs_chromium
@pytest.mark.parametrize("size", list(SIZES))
def test_a_study_without_a_search_opens_with_its_verdict(
    browser: Any, folders: list[Path], size: str
) -> None:
    """No panel is empty, no button does nothing, nothing is wider than the window; a search keeps its panels."""
    server = serve(dashboard.make_dashboard(folders), "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/dashboard"
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height})
    try:
        page.goto(f"{address}/studies/0")
        page.get_by_text("Sequential test between its bounds").wait_for()
        card = page.locator(".tunesmith-card")
        card.get_by_text("Stronger", exact=True).wait_for()
        page.locator("[data-tunesmith-empty]").first.wait_for(state="attached")
        assert card.bounding_box()["y"] < 120
        for title in ("History", "Hyperparameter Importance", "Timeline", "Best Trials"):
            assert (
                page.locator("main .MuiCard-root").get_by_text(title, exact=True).filter(visible=True).count()
                == 0
            )
        for icon in ("DeleteIcon", "AddBoxIcon", "UploadFileIcon"):
            assert page.get_by_test_id(icon).filter(visible=True).count() == 0
        assert page.get_by_text("Objective 0").count() == 0
        assert overflow(page) <= 0
        page.goto(f"{address}/studies/0/note")
        page.get_by_text("What the words mean").wait_for()
        assert overflow(page) <= 0
        page.goto(address)
        page.get_by_text("kalah-quick").first.wait_for()
        for icon in ("DeleteIcon", "AddBoxIcon", "DriveFileRenameOutlineIcon"):
            assert page.get_by_test_id(icon).filter(visible=True).count() == 0
        page.goto(f"{address}/studies/1")
        card.get_by_text("Stronger", exact=True).wait_for()
        assert page.get_by_text("History", exact=True).filter(visible=True).count() == 1
        page.get_by_text("score against hand").first.wait_for()
        assert overflow(page) <= 0
    finally:
        page.close()
        server.shutdown()
        server.server_close()
