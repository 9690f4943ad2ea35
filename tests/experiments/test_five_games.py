"""The five studies, the weights that came out of them, and what the README says of both."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tunesmith.engine import weights as weight_files
from tunesmith.engine.player import evaluation_parts
from tunesmith.engine.source import code_digest
from tunesmith.experiments import five_games
from tunesmith.games import registry
from tunesmith.tuning.config import load

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", five_games.GAMES)
def test_a_study_and_its_quick_preset_tune_the_hand_written_weights(name: str) -> None:
    path = ROOT / "experiments" / f"{name}.toml"
    whole, quick = load(path), load(path, "quick")
    assert (whole.game, whole.baseline) == (name, "hand")
    assert quick.play.pairs < whole.play.pairs
    assert quick.verify.measure_pairs <= whole.verify.measure_pairs


@pytest.mark.parametrize("name", five_games.GAMES)
def test_tuned_weights_carry_a_proof_that_still_holds(name: str) -> None:
    """The proof is of these weights, against `hand` as it is now, under the game's code as it is now."""
    game = registry.load(name)
    tuned, proof = weight_files.load("tuned", game), weight_files.load("tuned", game).proof[-1]
    assert proof["outcome"] == "stronger" and proof["candidate"] == tuned.digest
    hand = weight_files.with_options(weight_files.load("hand", game), proof["baseline"]["options"])
    assert proof["baseline"]["digest"] == hand.digest
    assert proof["code"] == code_digest(game)
    assert proof["gain"]["elo_low"] > 0
    assert evaluation_parts(game, tuned, game.initial())[1].keys() == set(game.feature_names)


def test_the_readme_shows_the_figures_of_the_proofs() -> None:
    assert five_games.table() in (ROOT / "README.md").read_text(encoding="utf-8")
    assert five_games.PICTURE.read_text(encoding="utf-8") == five_games.picture()


def test_the_picture_is_drawn_from_the_gains() -> None:
    drawn = ElementTree.fromstring(five_games.picture())
    shown = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    for name in five_games.GAMES:
        assert {name, f"{five_games.proved(name)[1]['elo']:+.0f}"} <= set(shown)


def test_every_question_is_answered_and_linked_or_said_to_be_open() -> None:
    place = ROOT / "experiments" / "results" / "questions"
    text = (place / "README.md").read_text(encoding="utf-8")
    answered, _, still_open = text.partition("## Not answered yet")
    for path in sorted((ROOT / "experiments" / "questions").glob("*.toml")):
        page = place / f"{path.stem}.md"
        assert f"`{path.stem}`" in (answered if page.is_file() else still_open), path.stem
