"""The page says what more games would bring, where the fit is wrong, which features bend and which belong together."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.pages import Page, tidy
from tunesmith.tuning.report.html import el
from tunesmith.tuning.report.reading import Record
from tunesmith.tuning.report.sections.fit_limits import honest

pytestmark = pytest.mark.pages

FACTS = {
    "rows": 1000,
    "games": 100,
    "rows_held_out": 200,
    "remarks": ["twice the pairs would lower the held-out loss by about 0.00032 (error 0.00042)"],
    "residuals_by_score": [
        {
            "from": None,
            "to": -50.0,
            "n": 80.0,
            "predicted": 0.3,
            "actual": 0.325,
            "residual": 0.025,
            "error": 0.01,
        },
        {
            "from": -50.0,
            "to": 50.0,
            "n": 90.0,
            "predicted": 0.5,
            "actual": 0.5,
            "residual": 0.0,
            "error": 0.01,
        },
        {
            "from": 50.0,
            "to": None,
            "n": 30.0,
            "predicted": 0.7,
            "actual": 0.6,
            "residual": -0.1,
            "error": 0.02,
        },
    ],
    "learning_curve": {
        "parts": [{"pairs": 25, "loss": 0.6}, {"pairs": 50, "loss": 0.58}],
        "doubling": 0.01,
        "error": 0.02,
    },
    "interactions": [
        {"first": "material", "second": "king", "fall": 0.00615, "z": 7.9},
        {"first": "king", "second": "rook", "fall": 0.001, "z": -4.5},
    ],
    "bends": [
        {
            "feature": "mobility",
            "knot": 4.0,
            "odd": False,
            "before": 20.5,
            "after": -40.0,
            "chance": 0.001,
            "fall": 0.0073,
            "error": 0.0019,
        },
        {
            "feature": "tokens",
            "knot": 2.0,
            "odd": True,
            "before": 5.0,
            "after": 7.0,
            "chance": 0.04,
            "fall": 0.0001,
            "error": 0.0002,
        },
    ],
}


def shown(facts: object) -> str:
    return tidy(Page(el("html", honest(Record(facts)))).texts["html"])


def test_everything_recorded_is_told():
    text = shown(FACTS)
    for words in ("twice the pairs would lower", "below −50", "−50 to 50", "above 50", "+2.50", "−10.00",
                  "material × king", "king × rook", "Learning curve", "+7.9",
                  "Features that bend", "mobility 4 20.5 −40 0.00730 0.00190 0.001", "tokens ±2 5 7"):  # fmt: skip
        assert words.replace("−", "-") in text.replace("−", "-"), words


@pytest.mark.parametrize(("names", "words"), [(["a", "b", "c"], "best of 3,"), ([], "best of many,")])
def test_the_page_says_how_many_products_were_tried(names: list[str], words: str) -> None:
    """Two stages have the same features."""
    assert words in shown({**FACTS, "weights": [{"feature": name} for name in [*names, *names]]})


def test_more_games_are_judged_once():
    """By the remark that the fit recorded, which rests on the same figure as the picture."""
    assert shown(FACTS).count("twice the pairs") == 1


def test_a_fit_of_an_older_version_shows_nothing():
    assert shown({"rows": 5}) == ""


@given(
    st.recursive(
        st.none() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["parts", "pairs", "loss", "first", "fall", "z", "from", "to", "n", "knot", "odd"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    )
)
@settings(max_examples=20)
def test_nothing_in_the_files_stops_the_page(value):
    for key in FACTS:
        shown({**FACTS, key: value})
        shown({**FACTS, key: [value]})


def test_the_facts_are_those_of_a_file(tmp_path: Path):
    (tmp_path / "x.json").write_text(json.dumps(FACTS))
    assert shown(json.loads((tmp_path / "x.json").read_text())) == shown(FACTS)
