"""What a study of engines may say: whatever is wrong is said before the first game."""

from pathlib import Path

import pytest

from tests.support.uci_study import engine, study

__all__ = ["study"]  # fixtures


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (engine(), "a match takes two [[engine]] tables, found one"),
        (engine() + engine().replace("Own Skill", "Own Skil"), "no option 'Own Skil'; did you mean 'Own Skill'"),
        (engine() + engine(skill=900), "expected a whole number, 0 .. 100, found 900"),
        (engine() + engine("deaf"), "does not heed nodes:9"),
        (engine() + engine("silent").replace("[[engine]]", "[[engine]]", 1), "hang"),
        (engine() + '[[engine]]\ncommand = "no-such-engine"\n', "no such program"),
        (engine() + engine(more='limit = "plies:3"\n'), "limit: expected nodes:N"),
        (engine() + '[openings]\nfile = "none.epd"\n' + engine(), "cannot be read"),
        (engine() + engine() + "[openings]\nplies = 0\n", "expected 3 different ones, found 1"),
        (engine() + '[search]\n[search.space]\n"Own Skil" = {}\n', "did you mean 'Own Skill'"),
        (engine() + '[search]\n[search.space]\n"Own Skill" = { low = 0, high = 200 }\n', "0 .. 100, found 200"),
        (engine() + '[search]\n[search.space]\n"Own Skill" = { low = 60, high = 90 }\n', "has to lie within 60 .. 90"),
        (engine() + '[search]\n[search.space]\nBookFile = {}\n', "is text: expected choices"),
        (engine() + '[search]\n[search.space]\nStyle = { low = 1 }\n', "is a choice"),
        (engine() + "[search]\ntrails = 3\n", "did you mean 'trials'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_the_first_game(study, text, words):
    code, _, said = study("pairs = 3\n".replace("5.0", "1.0") + text)
    assert code == 2
    assert words in said
    assert len(said.strip().splitlines()) == 1
    assert not Path("out/match").exists()
