"""Tuned weights of a game: proven or taken for a stated reason, brought back one step at a time, nothing lost."""

import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.promoted import changed, proven, saved, tuned
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.proof import promotion


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A user's game, new for every test."""
    return write_game("mine", tmp_path)[0]


@pytest.fixture
def game(file: Path) -> Game:
    return games.load(str(file))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- what is proven


def test_a_proven_file_becomes_the_tuned_weights_and_says_since_when(game, tmp_path):
    path = saved(proven(game, 3.0), tmp_path)
    found = promotion.promote(game, path)
    assert tuned(game).digest == found.digest == changed(game, 3.0).digest
    note = tuned(game).provenance["promoted"]
    assert note["from"] == str(path) and note["on"].endswith("+00:00") and "forced" not in note
    assert tuned(game).proof == proven(game, 3.0).proof


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outcome": "not shown"}, "the verdict is 'not shown', not 'stronger'"),
        ({"outcome": "stronger", "decision": "inconclusive"}, "not 'stronger'"),
        ({"candidate": "0" * 64}, "the proof is of 000000000000, the weights are"),
        ({"code": "of another day"}, "rules or features of the game have changed since"),
        ({"baseline": {"name": "hand", "digest": "1" * 64}}, "against hand 111111111111, and now hand is"),
        ({"baseline": "hand"}, "expected a verdict with its baseline"),
    ],
)
def test_what_does_not_prove_these_weights_is_refused(game, tmp_path, changes, words):
    path = saved(proven(game, 3.0, **changes), tmp_path)
    with pytest.raises(InputError, match="not proven") as error:
        promotion.promote(game, path)
    assert words in str(error.value) and '--force "reason"' in str(error.value)
    assert not (game.folder / "weights" / "tuned.json").exists()


def test_a_file_without_a_proof_is_refused(game, tmp_path):
    with pytest.raises(InputError, match="not proven: no proof in the file"):
        promotion.promote(game, saved(changed(game, 3.0), tmp_path))


def test_an_edited_number_is_refused_with_and_without_the_digest(game, tmp_path):
    path = saved(proven(game, 3.0), tmp_path)
    data = json.loads(path.read_text())
    data["weights"]["all"]["centre"] = 21
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="digest: expected"):
        promotion.promote(game, path, "a reason does not help")
    del data["digest"]
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="not proven: the proof is of"):
        promotion.promote(game, path)


def test_a_baseline_that_changed_since_is_refused(game, tmp_path):
    path = saved(proven(game, 3.0), tmp_path)
    saved(changed(game, 2.5), game.folder / "weights", "hand.json")
    with pytest.raises(InputError, match="the proof is against hand .*, and now hand is"):
        promotion.promote(game, path)


def test_a_proof_against_an_easy_opponent_is_none(game, tmp_path):
    saved(changed(game, 0.1), game.folder / "weights", "easy.json")
    with pytest.raises(InputError, match="the proof is against easy"):
        promotion.promote(game, saved(proven(game, 3.0, "easy"), tmp_path))
    (game.folder / "weights" / "hand.json").unlink()  # a game whose only guess is called otherwise
    promotion.promote(game, saved(_unhand(game, "easy"), tmp_path))


def _unhand(game: Game, baseline: str) -> Weights:
    made = replace(weight_files.load(baseline, game), scale=5.0)
    digest = weight_files.load(baseline, game).digest
    proof = {
        "outcome": "stronger",
        "candidate": made.digest,
        "baseline": {"name": baseline, "digest": digest},
    }
    return made.with_proof(proof)


def test_search_options_of_the_study_belong_to_the_baseline(game, tmp_path):
    with_options = weight_files.with_options(weight_files.load("hand", game), {"max_depth": 3})
    baseline = {"name": "hand", "digest": with_options.digest, "options": {"max_depth": 3}}
    made = changed(game, 3.0)
    proof = {"outcome": "stronger", "candidate": made.digest, "baseline": baseline}
    promotion.promote(game, saved(made.with_proof(proof), tmp_path))
    assert tuned(game).scale == 3.0


def test_openings_that_proved_earlier_tuned_weights_are_named_with_the_next_edition(game, tmp_path):
    def promoted(scale: float, **changes: object) -> int | None:
        return promotion.promote(game, saved(proven(game, scale, **changes), tmp_path)).unused_edition

    assert promoted(3.0) is None  # a verdict from before there were editions: of the first
    assert promoted(3.0) is None  # the same weights once more
    assert promoted(4.0, edition=1) == 2
    assert promoted(5.0, edition=2) is None
    assert promoted(6.0, edition=1) == promoted(6.0, edition=2) == 3


def test_a_proof_of_another_edition_than_was_asked_for_is_none(game, tmp_path):
    path = saved(proven(game, 3.0, edition=2), tmp_path)
    with pytest.raises(InputError, match="not proven: the proof is on openings of edition 2, not 3"):
        promotion.promote(game, path, edition=3)
    assert promotion.promote(game, path, edition=2).edition == 2
    wrong = saved(proven(game, 4.0, edition="two"), tmp_path)
    with pytest.raises(InputError, match="edition: expected a whole number, found 'two'"):
        promotion.promote(game, wrong)


# --- a reason instead


def test_a_reason_takes_what_is_not_proven_and_is_recorded(game, tmp_path):
    found = promotion.promote(game, saved(changed(game, 3.0), tmp_path), "for the class on Monday")
    note = tuned(game).provenance["promoted"]
    assert note["forced"] == found.forced == "for the class on Monday"
    assert "no proof in the file" in note["although"]
    with pytest.raises(InputError, match="--force: expected a reason"):
        promotion.promote(game, saved(changed(game, 4.0), tmp_path), "  ")


def test_a_reason_is_not_recorded_where_there_is_a_proof(game, tmp_path):
    assert promotion.promote(game, saved(proven(game, 3.0), tmp_path), "to be sure").forced is None


def test_no_reason_makes_a_simple_player_the_tuned_weights(game, tmp_path):
    path = saved(weight_files.load("random", game), tmp_path)
    with pytest.raises(InputError, match="simple player"):
        promotion.promote(game, path, "funny")


# --- back


def test_promotions_are_taken_back_one_by_one_to_the_same_bytes(game, tmp_path):
    states = []
    for scale in (3.0, 4.0, 5.0):
        promotion.promote(game, saved(proven(game, scale), tmp_path))
        states.append((game.folder / "weights" / "tuned.json").read_bytes())
    for earlier in (1, 0):
        assert promotion.rollback(game).left == earlier
        assert (game.folder / "weights" / "tuned.json").read_bytes() == states[earlier]
    with pytest.raises(InputError, match="no earlier tuned weights are kept; nothing is changed"):
        promotion.rollback(game)
    assert (game.folder / "weights" / "tuned.json").read_bytes() == states[0]
    kept = {path.read_bytes() for path in (game.folder / "weights" / "history").glob("undone-*.json")}
    assert kept == {states[1], states[2]}


def test_the_same_weights_again_leave_no_second_copy(game, tmp_path):
    path = saved(proven(game, 3.0), tmp_path)
    promotion.promote(game, path)
    assert promotion.promote(game, path).kept is None
    with pytest.raises(InputError, match="no earlier"):
        promotion.rollback(game)


def test_more_than_nine_promotions_come_back_in_order(game, tmp_path):
    for scale in range(3, 15):
        promotion.promote(game, saved(proven(game, float(scale)), tmp_path))
    for scale in reversed(range(3, 14)):
        promotion.rollback(game)
        assert tuned(game).scale == scale


def test_kept_files_are_no_weights_by_name(game, tmp_path):
    for scale in (3.0, 4.0):
        promotion.promote(game, saved(proven(game, scale), tmp_path))
    with pytest.raises(InputError, match=r"names \(hand, tuned, random, greedy\)"):
        weight_files.load("tuned-001", game)


def test_a_damaged_tuned_file_is_rolled_back_and_kept(game, tmp_path):
    for scale in (3.0, 4.0):
        promotion.promote(game, saved(proven(game, scale), tmp_path))
    (game.folder / "weights" / "tuned.json").write_bytes(b"\xff{")
    found = promotion.rollback(game)
    assert tuned(game).scale == 3.0 and Path(found.kept).read_bytes() == b"\xff{"


def test_tuned_weights_of_another_variant_are_not_replaced_without_a_reason(tmp_path):
    kalah = replace(games.load("kalah"), folder=tmp_path)
    other = replace(games.load("kalah:seeds=4"), folder=tmp_path)
    (tmp_path / "weights").mkdir()
    hand = weight_files.load(games.load("kalah").folder / "weights" / "hand.json", kalah)
    for game, name in ((kalah, "hand"), (other, "hand-4")):
        saved(replace(hand, variant=dict(game.variant)), tmp_path / "weights", f"{name}.json")
    promotion.promote(kalah, saved(proven(kalah, 3.0), tmp_path))
    second = replace(hand, variant=dict(other.variant), scale=9.0)
    digest = weight_files.load("hand-4", other).digest
    second = second.with_proof(
        {"outcome": "stronger", "candidate": second.digest, "baseline": {"name": "hand-4", "digest": digest}}
    )
    with pytest.raises(InputError, match="the tuned weights are of another variant"):
        promotion.promote(other, saved(second, tmp_path))
    promotion.promote(other, saved(second, tmp_path), "we play with four seeds now")
    assert weight_files.load("tuned", other).scale == 9.0
    promotion.rollback(other)
    assert weight_files.load("tuned", kalah).scale == 3.0


# --- what cannot be written, and kills


def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_lost(game, tmp_path, monkeypatch):
    for scale in (3.0, 4.0):
        promotion.promote(game, saved(proven(game, scale), tmp_path))
    before, path = contents(game.folder / "weights"), saved(proven(game, 5.0), tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    for name in ("tunesmith.engine.files.replace", "shutil.copyfile", "pathlib.Path.replace"):
        with monkeypatch.context() as patch:
            patch.setattr(name, refuse)
            with pytest.raises(InputError, match="cannot be written: Read-only file system"):
                promotion.promote(game, path)
        assert contents(game.folder / "weights") == before
    for name in ("shutil.copyfile", "pathlib.Path.replace"):
        with monkeypatch.context() as patch:
            patch.setattr(name, refuse)
            with pytest.raises(InputError, match="cannot be written: Read-only file system"):
                promotion.rollback(game)
        assert contents(game.folder / "weights") == before


def test_a_file_where_the_history_should_be_is_said(game, tmp_path):
    (game.folder / "weights" / "history").write_text("mine")
    with pytest.raises(StudyError, match="history: cannot be written"):
        promotion.promote(game, saved(proven(game, 3.0), tmp_path))
    assert not (game.folder / "weights" / "tuned.json").exists()


def test_killed_between_two_steps_the_next_command_goes_on(game, tmp_path, monkeypatch):
    promotion.promote(game, saved(proven(game, 3.0), tmp_path))
    promotion.promote(game, saved(proven(game, 4.0), tmp_path))

    class Killed(BaseException):
        pass

    def kill(source: Path, target: Path) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(promotion, "_move", kill)
        with pytest.raises(Killed):
            promotion.promote(game, saved(proven(game, 5.0), tmp_path))
    assert tuned(game).scale == 4.0
    promotion.rollback(game)  # not to the copy of the present file that the kill has left
    assert tuned(game).scale == 3.0


def test_a_game_made_in_memory_has_no_tuned_weights(game, tmp_path):
    with pytest.raises(InputError, match="states no folder"):
        promotion.promote(replace(game, folder=None), saved(proven(game, 3.0), tmp_path))
