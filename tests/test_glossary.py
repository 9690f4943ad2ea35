"""Every word on screen that states a probability, an interval or a gain has its definition in the glossary."""

import re

import pytest

from tests import ROOT
from tunesmith.tuning.cli import run

GLOSSARY = (ROOT / "experiments" / "guides" / "glossary.md").read_text(encoding="utf-8")
DEFINED = " ".join(re.findall(r"(?m)^\*\*(.*?)\.?\*\*", GLOSSARY)).lower()
# As they stand in the sources, some beside others in one message.
SAID = (
    "normalised Elo",
    "BayesElo",
    "LOS",
    "likelihood of superiority",
    "LLR",
    "gain accepted",
    "gain rejected",
    "undecided",
    "not shown",
    "shows in 80 % of such matches",
    "better with probability",
    "best observed",
    "winner's curse",
    "held-out pairs",
    "standard error",
    "interval",
    "passes",
    "distinct",
    "capped",
    "fault",
    "adjudicated",
    "ridge",
    "prior",
    "calibration",
    "boosted trees",
    "first player's share",
    "Likelihood of superiority",
    "resampled tournaments",
    "circle",
    "Expected before the first game",
    "residual",
    "learning curve",
    "usual effect",
    "usual mix",
    "variance inflation",
    "with result",
    "score against",
    "worth",
    "pilot",
)


@pytest.mark.parametrize("word", SAID)
def test_a_word_that_is_said_is_defined(word: str) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tuning").rglob("*.py")]
    assert any(word in source for source in sources), f"no longer said: {word!r}; is there a new word for it?"
    assert word.lower() in DEFINED


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["elo", "34", "54", "63", "64", "75"], {"score", "elo", "nelo", "los"}),
        (["sprt", "34", "54", "63", "64", "75", "--bounds", "0", "20"], {"llr"}),
    ],
    ids=("elo", "sprt"),
)
def test_what_begins_a_line_of_statistics_is_defined(
    command: list[str], words: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", *command]) == 0
    begun = {
        line.split()[0].lower() for line in capsys.readouterr().out.splitlines() if re.search(r"\d", line)
    }
    assert begun == words
    assert all(word in DEFINED for word in begun)


def test_nothing_is_defined_twice() -> None:
    heads = re.findall(r"(?m)^\*\*(.*?)\.?\*\*", GLOSSARY)
    assert len(heads) == len(set(heads)) > 40
