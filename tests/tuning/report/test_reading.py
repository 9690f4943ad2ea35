"""The report of a study that is unfinished, damaged or hostile: still a sound page, and it says what is missing."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import report_fixture as fixture
from tests.support.pages import Page, tidy
from tests.support.report_fixture import HOSTILE, changed, html_of, page_of, small_study
from tunesmith.games.errors import StudyError
from tunesmith.tuning import manifest
from tunesmith.tuning.files import as_lines
from tunesmith.tuning.report import study_page
from tunesmith.tuning.report.dashboard.notes import study_note
from tunesmith.tuning.report.reading import Record, read_study

pytestmark = pytest.mark.pages

FILES = ("study.json", "fit/gen-1.json", "fit/gen-2.json", "verdict.json") + tuple(
    f"verify/{name}.json" for name in ("main", "measure", "second-limit", "opponent-1")
)
LARGEST = 6_000_000  # bytes


def test_empty_folder(tmp_path: Path) -> None:
    """A study that has only just begun has a report that says so, part by part."""
    page = page_of(tmp_path, {})
    assert page.defects == []
    text = page.section("header")
    assert "This study has not come to a verdict yet." in text
    for name in ("study.json", "verdict.json", "fit/gen-1.json", "verify/"):
        assert f"{name} " in text.partition("What is missing")[2]
    assert "Gain not measured Opponents none yet Games none yet" in text
    assert tmp_path.name in text


@pytest.mark.parametrize("name", FILES)
def test_any_file_may_be_missing(tmp_path: Path, name: str) -> None:
    """Without one of the files the others are still shown."""
    files = small_study()
    del files[name]
    page = page_of(tmp_path, files)
    assert page.defects == []
    if name != "verdict.json":
        assert "tuned weights are stronger" in page.text
    if name in ("study.json", "verdict.json"):
        assert f"{name} is missing" in page.text


@pytest.mark.parametrize("content", ["", "{", '{"a": 1', "[]", "null", "\udcff", "[" * 100_000, '{"a": NaN}'])
@pytest.mark.parametrize("name", ["study.json", "fit/gen-2.json", "verify/measure.json", "verdict.json"])
def test_any_file_may_be_damaged(tmp_path: Path, name: str, content: str) -> None:
    """A cut or foreign file is named and left out."""
    files = small_study()
    fixture.write(tmp_path, files)
    (tmp_path / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    page = Page(study_page.write_report(tmp_path).read_text(encoding="utf-8"))
    assert page.defects == []
    if content != '{"a": NaN}':
        assert re.search(f"{name} (cannot be read|does not hold a JSON object)", page.text)


def test_no_measurement(tmp_path: Path) -> None:
    """A test without a measurement is decided but not measured, and the page says both."""
    files = fixture.study()
    for name in ("measure", "second-limit", "opponent-1"):
        del files[f"verify/{name}.json"]
    files["verdict.json"].pop("gain")
    text = page_of(tmp_path, files).text
    assert "the size of the gain is not measured" in text
    assert "Gain not measured" in text
    assert "No match of fixed length against the old weights is recorded." in text


def test_gain_without_verdict_is_that_of_the_measurement(tmp_path: Path) -> None:
    """Before the verdict is written the figure comes from the run itself."""
    files = fixture.study()
    del files["verdict.json"]
    run = files["verify/measure.json"]["estimate"]
    head = page_of(tmp_path, files).section("header")
    assert f"{run['elo']:+.0f} ± {run['elo_half_width']:.0f} Elo" in head
    assert "No verdict" in head


def test_not_a_folder(tmp_path: Path) -> None:
    """What is not a study is refused in one line."""
    with pytest.raises(StudyError, match=r"expected the folder of a study, found nothing there$"):
        study_page.write_report(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match=r"expected the folder of a study, found a file$"):
        study_page.write_report(tmp_path / "file")


def test_unwritable(tmp_path: Path) -> None:
    """A folder in the place of the report is a StudyError, and no temporary file stays."""
    (tmp_path / "report.html").mkdir()
    with pytest.raises(StudyError, match=r"report\.html: cannot be written: "):
        study_page.write_report(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


# --- what names and numbers may hold


def is_harmless(page: Page) -> bool:
    """Tell whether nothing from a file became markup."""
    tags = {tag for tag, _ in page.tags}
    names = {name for _, attributes in page.tags for name in attributes}
    images = [attributes["src"] for tag, attributes in page.tags if tag == "img"]
    return (
        page.defects == []
        and "script" not in tags
        and not any(name.startswith("on") for name in names)
        and all((src or "").startswith("data:image/svg+xml;base64,") for src in images)
    )


def test_hostile_texts(tmp_path: Path) -> None:
    """Markup in every text of every file stays text, and can be read."""
    files = changed(fixture.study(), lambda leaf: HOSTILE + leaf if isinstance(leaf, str) else leaf)
    page = page_of(tmp_path, files)
    assert is_harmless(page)
    assert "<script>alert(1)</script>" in page.section("header")
    assert "\u202e" not in page.text


def test_a_changed_digit_of_a_trial_is_told(tmp_path: Path) -> None:
    """The trials are left out, and the line is named; half a line at the end is not counted."""
    files = small_study()
    log = as_lines([{"number": number, "state": "COMPLETE", "score": 0.25} for number in range(3)])
    for text, is_sound in ((log, True), (log + '{"numb', True), (log.replace("0.25", "0.75", 1), False)):
        page = page_of(tmp_path, {**files, "search/trials.jsonl": text})
        assert ("search/trials.jsonl:1: damaged: its checksum is another one" in page.text) != is_sound


def test_the_stage_that_the_dashboard_shows_is_as_it_was_written(tmp_path: Path) -> None:
    path = fixture.write(tmp_path, small_study()) / "status.json"
    manifest.write(path, '{"stage": "play"}\n')
    assert "stage: play" in study_note(replace(read_study(tmp_path), verdict=Record())).replace("\\", "")
    path.write_text('{"stage": "plan"}\n')
    with pytest.raises(StudyError, match="status.json: damaged: its SHA-256"):
        study_note(replace(read_study(tmp_path), verdict=Record()))


@pytest.mark.parametrize("text", ["\ud800", "\0"])
def test_text_that_cannot_be_written(tmp_path: Path, text: str) -> None:
    """A file with half a character or NUL in a text is named and left out, the others are shown."""
    files = small_study()
    files["verdict.json"]["sentence"] += text
    page = page_of(tmp_path, files)
    assert is_harmless(page)
    assert "verdict.json cannot be read" in page.text
    assert "fit/gen-2.json cannot be read" not in page.text


def test_hostile_keys(tmp_path: Path) -> None:
    """Names of settings, versions and reasons are texts too."""
    files = fixture.study()
    files["study.json"]["config"][HOSTILE] = 1
    files["study.json"]["versions"] = {HOSTILE: HOSTILE}
    files["fit/gen-2.json"]["selection"] = {HOSTILE: 3}
    assert is_harmless(page_of(tmp_path, files))


def test_long_texts(tmp_path: Path) -> None:
    """Names of a megabyte are cut, and do not make the page huge."""
    files = changed(
        fixture.study(), lambda leaf: leaf * 3000 if isinstance(leaf, str) and len(leaf) < 99 else leaf
    )
    html = html_of(tmp_path, files)
    assert len(html) < LARGEST / 6
    assert Page(html).defects == []


def test_many_entries(tmp_path: Path) -> None:
    """Long lists are cut where a person stops reading; the page says that there are more."""
    files = fixture.study()
    fit = files["fit/gen-2.json"]
    for key in ("notes", "examples", "calibration", "residuals", "sources"):
        fit[key] = fit[key] * 100
    fit["weights"] = [
        {**weight, "feature": f"{weight['feature']}_{i}"} for i in range(5) for weight in fit["weights"]
    ]
    files["verify/main.json"]["path"] = [[i, math.sin(i / 50)] for i in range(50_000)]
    files |= {f"verify/more-{i}.json": files["verify/opponent-1.json"] for i in range(200)}
    html = html_of(tmp_path, files)
    assert len(html) < LARGEST / 4
    assert "more in the files" in html


JUNK = [None, math.nan, math.inf, -1, 0, 1e308, -1e-308, 10**400, True, "text", [], {}, [[None]], {"a": [1]}]


@pytest.mark.parametrize("junk", JUNK, ids=lambda value: repr(value)[:12])
def test_junk_for_every_number(tmp_path: Path, junk: Any) -> None:
    """Nothing crashes whatever stands where numbers should be."""
    files = changed(fixture.study(), lambda leaf: leaf if isinstance(leaf, str) else junk)
    page = page_of(tmp_path, files)
    assert page.defects == []
    assert "nan" not in re.findall(r"\b(?:nan|inf)\b", page.text.replace("nan)", ""))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every value below one."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.data())
def test_any_value_anywhere(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever JSON stands anywhere in the files, there is a sound page."""
    files = small_study()
    place = st.sampled_from(sorted(places(files), key=str))
    for path, value in data.draw(st.lists(st.tuples(place, json_values), min_size=1, max_size=4)):
        here: Any = files
        for key in path[:-1]:
            here = here[key] if isinstance(here, dict | list) and _has(here, key) else {}
        if isinstance(here, dict) or (isinstance(here, list) and _has(here, path[-1])):
            here[path[-1]] = value
    files = {name: json.dumps(content) for name, content in files.items()}
    assert is_harmless(page_of(tmp_path_factory.mktemp("any"), files))


def _has(value: Any, key: Any) -> bool:
    if isinstance(value, dict):
        return key in value
    return isinstance(key, int) and key < len(value)


def test_unsafe_picture_is_replaced_by_text(tmp_path: Path) -> None:
    """A board with a script is shown as text."""
    files = fixture.study()
    example = files["fit/gen-2.json"]["examples"][0]
    example["svg"] = example["svg"].replace("</svg>", "<script>alert(1)</script></svg>")
    page = page_of(tmp_path, files)
    assert is_harmless(page)
    assert sum(tag == "img" for tag, _ in page.tags) == 9
    assert tidy(example["board_text"]) in page.text
