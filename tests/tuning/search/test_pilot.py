"""A pilot plays each parameter alone, and says which of them do nothing."""

from dataclasses import replace

from tests.support.made_up import HAND, MadeUpMatches, space
from tunesmith.tuning.config import Range
from tunesmith.tuning.search.pilot import pilot, pilot_line


def test_a_pilot_names_dead_parameters_and_shows_effects():
    class Deaf(MadeUpMatches):
        """Games do not depend on the scale."""

        def play(self, weights, pairs, mirrors=False):
            return super().play(replace(weights, scale=HAND.scale), pairs, mirrors)

    own = space(aspiration=Range(low=0, high=200), scale=Range())
    said: list[str] = []
    rows = pilot(own, Deaf(slope=0.9), 64, said.append)
    by_name = {row.name: row for row in rows}
    assert by_name["scale"].dead
    assert not by_name["aspiration"].dead
    _, end = by_name["aspiration"].ends
    assert end.value == 200
    assert end.elo_high < 0
    assert "scale: dead" in "\n".join(said)
    assert pilot_line(by_name["aspiration"]) in said


def test_a_pilot_stands_alone(tmp_path):
    assert pilot(space(), MadeUpMatches(), 16, lambda line: None)[0].name == "aspiration"
