"""Every language that is entered writes; a name that is not is an error that lists them."""

import pytest

from tunesmith.engine import weights as weight_files
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.export import of_weights
from tunesmith.tuning.export.languages import LANGUAGES, source


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_prints_the_numbers_unit_and_digest(language, capsys):
    assert run(["weights", "export", "kalah/hand", "--to", language]) == 0
    text = capsys.readouterr().out
    digest = weight_files.load("hand", registry.load("kalah")).digest
    assert digest in text and "free_turn_by_pond_6" in text and "36.0" in text and "20.0" in text
    assert text.isascii()


def test_the_help_lists_the_languages_that_there_are(capsys):
    assert run(["weights", "export", "--help"]) == 0
    assert ", ".join(LANGUAGES) in " ".join(capsys.readouterr().out.replace("│", " ").split())


def test_another_language_is_refused_with_those_that_there_are():
    game = registry.load("kalah")
    constants = of_weights(weight_files.load("hand", game), game)
    with pytest.raises(InputError, match=f"expected one of {', '.join(LANGUAGES)}, found 'cobol'"):
        source(constants, "cobol")
