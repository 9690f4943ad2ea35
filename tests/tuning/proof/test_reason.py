"""Why nothing was shown: one reason is named, by the figures, and a command that exists."""

import shlex
from pathlib import Path

import pytest

from tests.support.made_up_fit import generation_fit
from tests.tuning.proof.test_verdict import run
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.evaluation import wanted_features
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.fit import GenerationFit, HeldOutGain
from tunesmith.tuning.documents.limits import Boosted
from tunesmith.tuning.documents.matches import Reason
from tunesmith.tuning.proof import reason as reasons
from tunesmith.tuning.proof.contest import describe
from tunesmith.tuning.stats.sprt import Sprt
from tunesmith.tuning.study import Study

FEW, LEVEL = [4, 10, 20, 14, 6], [250, 500, 2500, 500, 250]  # +31 ± 60 Elo, and 0 ± 9 of 4,000 pairs


@pytest.fixture
def why(tmp_path: Path):
    """Return the reason of a study with a test of [0, 20] and a measurement, and with or without a fit."""
    kalah = games.load("kalah")
    hand = weight_files.load("hand", kalah)

    def find(
        counts: list[int],
        fit: GenerationFit | None = None,
        limit: str = "nodes:1000",
        decision: str = "inconclusive",
        game: str = "kalah",
    ) -> Reason:
        if fit is not None:
            fit.write(tmp_path / "fit" / "gen-1.json")
        main = run(counts, "main", decision, limit=limit)
        runs = [main.model_copy(update={"sprt": describe(Sprt(0, 20))}), run(counts, limit=limit)]
        study = Study(tmp_path, StudyConfig(name="s", game=game))
        return reasons.reason(study, kalah, hand, hand, runs)

    return find


def fit(mean: float, error: float, boosted: Boosted | None = None) -> GenerationFit:
    """Return a made-up fit whose gain on held-out games is given."""
    gain = HeldOutGain(mean=mean, error=error)
    return generation_fit(1, "d", 10).model_copy(update={"gain_held_out": gain, "boosted": boosted})


def test_a_gain_that_is_still_possible_asks_for_more_games(why):
    """And says how many: the command verifies the same weights with a limit that is enough."""
    found = why(FEW, fit(0.02, 0.001))
    assert found.cause == "games" and "too few games" in found.sentence and "54" in found.sentence
    words = shlex.split(found.command)
    assert words[:4] == ["tunesmith", "verify", "kalah", "STUDY/weights/candidate.json"]
    assert found.words(Path("a b"))[1].split("kalah ")[1].startswith("'a b'/weights/candidate.json hand")
    pairs = int(words[words.index("--max-pairs") + 1])
    assert f"{pairs:,} pairs" in found.sentence and pairs > 500
    assert words[words.index("--edition") + 1] == "2"  # openings that this proof did not use


@pytest.mark.parametrize("limit", ["nodes:1000", "time:0.01"])
def test_the_next_command_names_the_game_as_the_study_does(why, monkeypatch, limit):
    """A game of one's own is its file: nobody can load it by the name that it gives itself."""
    monkeypatch.setattr(reasons, "slowdown", lambda *_: 1.3)
    found = why(FEW, fit(0.02, 0.001), limit, game="games/mine.py:size=4")
    assert shlex.split(found.command)[2] == "games/mine.py:size=4"


@pytest.mark.parametrize("made", [None, fit(0.02, 0.001)])
def test_a_rejected_gain_is_not_called_possible(why, made):
    found = why(FEW, made, decision="H0")
    assert found.cause == "features" and "rejected a gain of 20 normalised Elo" in found.sentence
    assert found.command.startswith("tunesmith dataset" if made else "tunesmith weights diff")


def test_weaker_weights_are_given_up(why):
    found = why([40, 60, 50, 20, 5], fit(0.02, 0.001))
    assert found.cause == "weaker" and "keep the old ones" in found.sentence
    assert "too few" not in found.sentence and found.command == "tunesmith dataset STUDY"


def test_no_games_without_number_are_advised_for_a_gain_next_to_nothing(why):
    """A gain of 2 is not looked for with hundreds of times the games; one worth showing is."""
    found = why([10, 20, 100, 20, 11], fit(0.02, 0.001))
    words = shlex.split(found.command)
    assert found.cause == "games" and "a gain of 20 normalised Elo shows" in found.sentence
    assert int(words[words.index("--max-pairs") + 1]) < 100 * 161


def test_games_that_would_have_shown_it_leave_no_room_for_a_gain(why):
    found = why(LEVEL, fit(0.02, 0.001))
    assert found.cause == "features" and "the games were enough" in found.sentence
    assert found.command.startswith("tunesmith dataset ")


def test_weights_from_anywhere_have_no_dataset_to_look_at(why):
    assert why(LEVEL).command.startswith("tunesmith weights diff ")


def test_a_fit_that_learned_nothing_blames_the_features(why):
    found = why(FEW, fit(0.0004, 0.0003))
    assert found.cause == "features" and "0.00040 ± 0.00060" in found.sentence


@pytest.mark.parametrize(
    ("fall", "said"), [(0.01, "products of features are worth a try"), (0.0001, "other features are needed")]
)
def test_trees_tell_what_a_weighted_sum_cannot_say(why, fall, said):
    trees = Boosted(linear=0.6, additive=0.6, boosted=0.6 - fall, fall=fall, error=0.001, rows=100)
    assert said in why(FEW, fit(0.0, 0.001, trees)).sentence


@pytest.mark.parametrize(("ratio", "cause"), [(1.3, "speed"), (1.05, "games")])
def test_a_slower_evaluation_counts_where_time_is_the_limit(why, monkeypatch, ratio, cause):
    monkeypatch.setattr(reasons, "slowdown", lambda *_: ratio)
    found = why(FEW, fit(0.02, 0.001), "time:0.01")
    assert found.cause == cause
    assert ("1.30 times as long" in found.sentence) == (cause == "speed")


def test_at_equal_nodes_no_clock_is_asked(why, monkeypatch):
    monkeypatch.setattr(reasons, "slowdown", lambda *_: 1 / 0)
    assert why(FEW, fit(0.02, 0.001)).cause == "games"


def test_weights_that_ask_for_more_features_are_slower(monkeypatch):
    """Rates are those that the benchmark measures; the same features take the same time, whatever the weights."""
    kalah = games.load("kalah")
    tuned, hand = (weight_files.load(name, kalah) for name in ("tuned", "hand"))
    rates = {wanted_features(kalah, one.array(kalah)): rate for one, rate in ((tuned, 1e6), (hand, 3e6))}
    assert len(rates) == 2
    monkeypatch.setattr(
        "tunesmith.tuning.play.bench.evaluation_rate", lambda game, wanted, seconds: (rates[wanted], 1)
    )
    assert reasons.slowdown(kalah, tuned, hand) == pytest.approx(3.0)
    assert reasons.slowdown(kalah, hand, tuned) == pytest.approx(1 / 3)
    assert reasons.slowdown(kalah, hand, hand) == 1.0
