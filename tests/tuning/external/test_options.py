"""What an engine offers, and what of it may be set."""

import pytest

from tests.support.fake_engines import engines
from tunesmith.games.errors import InputError
from tunesmith.tuning.external.options import check_settings, read_option

__all__ = ["engines"]  # fixtures


def test_options_are_read_with_names_of_several_words():
    spin = read_option("option name Mobility (Middle Game) type spin default 100 min 0 max 200")
    assert (spin.name, spin.default, spin.low, spin.high) == ("Mobility (Middle Game)", 100, 0, 200)
    combo = read_option("option name Pruning type combo default Always var Always var Fail High var Never")
    assert (combo.default, combo.words) == ("Always", ("Always", "Fail High", "Never"))
    assert read_option("option name OwnBook type check default true").default is True
    assert read_option("option name Path type string default /usr/share/egbb/").default == "/usr/share/egbb/"
    assert read_option("option name Clear Hash type button").kind == "button"
    assert read_option("info depth 1") is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"Own Skil": 1}, "no option 'Own Skil'; did you mean 'Own Skill'"),
        ({"own skill": 1}, "did you mean 'Own Skill'"),
        ({"Own Skill": 101}, "expected a whole number, 0 .. 100, found 101"),
        ({"Own Skill": True}, "expected a whole number"),
        ({"Style": "Wild"}, "expected one of Calm, Very Wild, found 'Wild'"),
        ({"OwnBook": 1}, "expected true or false"),
        ({"BookFile": "a\nquit"}, "expected text of one line"),
        ({"Clear Hash": True}, "button"),
    ],
)
def test_an_option_that_the_engine_would_ignore_is_refused(engines, settings, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        check_settings(engines().options, settings, "options")
