"""The cross table: what one has won the other has lost."""

from xml.etree import ElementTree

import pytest

from tunesmith.experiments.pictures import league

TABLE = {
    "terms": {"limit": "nodes:10"},
    "players": [
        {"name": "strong", "elo": 60.0, "low": 30.0, "high": 90.0},
        {"name": "weak", "elo": -60.0, "low": -90.0, "high": -30.0},
    ],
    "pairings": [{"first": "weak", "second": "strong", "counts": [6, 0, 3, 0, 1], "games": 20}],
}


def test_both_see_the_same_games() -> None:
    found = league.scores(TABLE)
    assert found["weak", "strong"] == pytest.approx(0.25) and found["strong", "weak"] == pytest.approx(0.75)
    texts = [
        one.text
        for one in ElementTree.fromstring(league.cross_table(TABLE)).iter()
        if one.tag.endswith("text")
    ]
    assert {"75", "25", "+60", "-60", "strong", "weak"} <= set(texts)


def test_the_sentence_names_who_leads() -> None:
    assert league.words(TABLE) == (
        "20 games a cell. By ratings over all games strong leads with +60 (+30 .. +90) before weak with -60 (-90 .. -30)."
    )
