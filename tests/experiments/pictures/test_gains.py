"""What is gained by games, nodes and parts: the figures are those of the records."""

from typing import Any

import pytest

from tunesmith.experiments.pictures import gains
from tunesmith.experiments.pictures.frame import Point
from tunesmith.tuning.stats.elo import estimate

COUNTS = [1, 2, 30, 20, 10]


def answer(game: str, *parts: tuple[str, list[str], dict[str, Any]]) -> dict[str, Any]:
    """Return an answer to a question of matches: name, features left out of the first player, counts by limit."""
    return {
        "game": game,
        "settings": {
            "match": [
                {"name": name, "first": {"without": without}, "second": {"without": []}}
                for name, without, _ in parts
            ]
        },
        "parts": [
            {"name": name, "figures": [{"limit": limit, "counts": counts} for limit, counts in found.items()]}
            for name, _, found in parts
        ],
    }


def test_gains_by_games_are_means_over_seeds_and_ways_that_were_not_measured_are_left_out() -> None:
    cells = {
        "kalah": {
            "terms": {"limit": "nodes:400", "pairs": 1000},
            "cells": {
                "640": {"defaults": {"1": {"elo": 190.0}, "2": {"elo": 180.0}, "3": {"elo": 185.0}}},
                "80": {
                    "defaults": {"1": {"elo": 100.0}, "2": {"elo": 120.0}, "3": {"elo": 110.0}},
                    "as before": {"1": {"elo": 9.0}, "2": {"elo": 8.0}},
                    "quiet only": {"1": {"elo": 1.0}},
                },
            },
        }
    }
    (curve,) = gains.by_games(cells)
    assert [(at.x, at.elo) for at in curve.points] == [(80, 110.0), (640, 185.0)]
    half = 4.303 * 10 / 3**0.5  # t with two degrees of freedom
    assert curve.points[0].elo_low == pytest.approx(110 - half, abs=0.1)
    assert "+185" in gains.words_by_games(cells) and "2,000 games" in gains.words_by_games(cells)


def test_gains_by_nodes_are_those_of_the_deepest_question() -> None:
    names = ("kalah", "pentago", "fanorona", "expendibots", "ropasci360")
    tuned = answer("kalah", *((name, [], {"nodes:250": COUNTS, "time:0.1": COUNTS}) for name in names))
    deep = answer("kalah", ("kalah", [], {"nodes:100": COUNTS}), ("kalah, deep", [], {"nodes:30000": COUNTS}))
    found = {
        curve.name: [at.x for at in curve.points] for curve in gains.by_nodes({"tuned": tuned, "nodes": deep})
    }
    assert found == {name: [250] for name in names} | {"kalah": [100, 30000]}


def test_what_a_part_brings_is_what_is_lost_without_it() -> None:
    answers = {
        "kalah-patterns": answer(
            "kalah",
            ("Tuned without captures against tuned", ["capture"], {"nodes:1000": COUNTS[::-1]}),
            ("Tuned without laps against tuned", ["laps"], {"nodes:1000": COUNTS}),
            ("Futility against none", [], {"nodes:1000": COUNTS}),
        )
    }
    heading, best, worst = gains.by_parts(answers)
    assert (heading.name, heading.at) == ("kalah, nodes:1000", None)
    found = estimate(COUNTS)
    assert best == ("captures", Point(0, found.elo, found.elo_low, found.elo_high), 0)
    assert worst.name == "laps" and worst.at is not None and worst.at.elo == pytest.approx(-found.elo)
    assert "1 of 2 parts are shown" in gains.words_by_parts(answers)
