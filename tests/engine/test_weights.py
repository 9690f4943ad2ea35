"""Weight files: their digests, and what versions 1 and 2 call things."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError

ROOT = Path(__file__).parents[2]
PINNED = json.loads((ROOT / "tests" / "golden" / "weights" / "digests.json").read_text(encoding="utf-8"))


def spec_of(data):
    variant = ",".join(f"{name}={str(value).lower()}" for name, value in data["variant"].items())
    return f"{data['game']}:{variant}" if variant else data["game"]


def version_1(tmp_path, **changes):
    """Kalah's hand weights as a file of version 1, which a player of depth 3 uses and has a proof."""
    data = json.loads((ROOT / "games" / "kalah" / "weights" / "hand.json").read_text(encoding="utf-8"))
    del data["options"], data["digest"], data["proof_digest"]
    proof = {"sentence": "stronger", "baseline": {"name": "hand", "digest": "f00", "search": {"pvs": False}}}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data | {"version": 1, "search": {"max_depth": 3}, "proof": [proof]} | changes))
    return path


def test_every_weight_file_that_ships_has_its_pinned_digest():
    shipped = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("games/*/weights/*.json")]
    assert set(shipped) <= set(PINNED)
    for name, digest in PINNED.items():
        game = games.load(spec_of(json.loads((ROOT / name).read_text(encoding="utf-8"))))
        assert weight_files.load(ROOT / name, game).digest == digest, name


def test_a_file_of_version_1_is_read_and_written_as_version_2(tmp_path):
    kalah = games.load("kalah")
    found = weight_files.load(version_1(tmp_path), kalah)
    assert found.options == {"max_depth": 3} and found.search_options.max_depth == 3
    assert found.digest == "d59c56a74ecc6e323a2b939f4ac373b7870e08180cdf306c3ba321ecb3c34857"
    weight_files.save(found, tmp_path / "new.json")
    data = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))
    assert (data["version"], data["options"], data["digest"]) == (2, {"max_depth": 3}, found.digest)
    assert "search" not in data
    assert data["proof"][0]["baseline"] == {"name": "hand", "digest": "f00", "options": {"pvs": False}}


def test_every_weight_file_that_ships_covers_its_proof():
    shipped = list(ROOT.glob("games/*/weights/*.json"))
    assert len([path for path in shipped if path.stem == "tuned"]) == 5
    for path in shipped:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert weight_files.load(path, games.load(spec_of(data))).proof_digest == data["proof_digest"], path


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("proof", lambda proof: proof[0]["gain"].update(elo=proof[0]["gain"]["elo"] + 100)),
        ("proof", lambda proof: proof[0].update(sentence=proof[0]["sentence"].replace("189", "199"))),
        ("proof", lambda proof: proof.clear()),
        ("provenance", lambda provenance: provenance.update(how="by hand")),
        ("moves_to_go", lambda to_go: to_go["opening"].reverse()),
        ("proof_digest", None),
    ],
)
def test_a_proof_that_is_not_what_was_written_is_refused(field, change, tmp_path):
    kalah = games.load("kalah")
    data = weight_files.load("tuned", kalah).to_json()
    if change is None:
        data[field] = "0" * 64
    else:
        before = json.dumps(data[field])
        change(data[field])
        assert json.dumps(data[field]) != before
    (tmp_path / "w.json").write_text(json.dumps(data))
    with pytest.raises(
        InputError, match="w.json: proof, provenance or moves_to_go is damaged: proof_digest: expected"
    ):
        weight_files.load(tmp_path / "w.json", kalah)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([3], "moves_to_go: expected an object"),
        ({"opening": [3.0]}, "moves_to_go: stages: missing ending"),
        ({"opening": [3.0], "ending": []}, "moves_to_go.opening: expected numbers from 1 up"),
        (
            {"opening": [3.0], "ending": [0.5]},
            "moves_to_go.ending: expected numbers from 1 up",
        ),
        ({"opening": [3.0], "ending": [True]}, "moves_to_go.ending: expected numbers from 1 up"),
        (
            {"opening": [3.0, 2.0], "ending": [1]},
            "moves_to_go.opening: expected numbers from 1 up, as many in each stage",
        ),
    ],
)
def test_moves_to_go_that_say_nothing_are_refused(found, message, tmp_path):
    kalah = games.load("kalah")
    data = weight_files.load("hand", kalah).to_json() | {"moves_to_go": found}
    del data["proof_digest"]
    (tmp_path / "w.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match=f"w.json: {message}"):
        weight_files.load(tmp_path / "w.json", kalah)


def test_moves_to_go_come_in_the_order_of_the_games_stages_and_change_no_digest(tmp_path):
    kalah = games.load("kalah")
    made = weight_files.load("hand-1", kalah)
    rows = {"ending": [2.0, 1.0], "opening": [30.0, 20.0]}
    known, unknown = (dataclasses.replace(made, moves_to_go=to_go) for to_go in (rows, {}))
    assert known.digest == unknown.digest and known.proof_digest != unknown.proof_digest
    weight_files.save(known, tmp_path / "w.json")
    to_go = weight_files.load(tmp_path / "w.json", kalah).to_go(kalah)
    assert to_go is not None and to_go.tolist() == [[30.0, 20.0], [2.0, 1.0]]
    weight_files.save(unknown, tmp_path / "w.json")
    assert weight_files.load(tmp_path / "w.json", kalah).to_go(kalah) is None
    assert "moves_to_go" not in (tmp_path / "w.json").read_text()


def test_a_file_without_a_digest_of_its_proof_is_read_and_known_as_such(tmp_path):
    kalah = games.load("kalah")
    data = weight_files.load("tuned", kalah).to_json()
    del data["proof_digest"]
    (tmp_path / "w.json").write_text(json.dumps(data))
    assert not weight_files.load(tmp_path / "w.json", kalah).is_covered
    assert weight_files.load("tuned", kalah).is_covered


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": {}}, r"options: unknown field; version 1 calls it 'search'"),
        ({"version": 2}, r"search: unknown field; version 2 calls it 'options'"),
        ({"search": {"depht": 3}}, r"search: unknown search option 'depht'"),
    ],
)
def test_a_field_of_the_other_version_is_named(changes, message, tmp_path):
    with pytest.raises(InputError, match=message):
        weight_files.load(version_1(tmp_path, **changes), games.load("kalah"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scale": 1e300}, "scale: expected a positive number of at most 1e\\+12"),
        ({"scale": 1e11}, "weights.*expected at most 1e\\+12 Elo, the weight times the scale"),
        ({"version": [2]}, "version: expected 1 or 2"),
        ({"version": 2.0}, "version: expected 1 or 2"),
    ],
)
def test_numbers_beyond_what_an_evaluation_can_hold_are_refused(changes, message, tmp_path):
    kalah = games.load("kalah")
    content = weight_files.load("hand", kalah).to_json() | changes
    del content["digest"]
    path = tmp_path / "w.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=message):
        weight_files.load(path, kalah)
    whole = weight_files.load("hand", kalah).to_json()
    del whole["digest"]
    whole["weights"][whole["stages"][0]][whole["features"][0]] = -1e300
    path.write_text(json.dumps(whole))
    with pytest.raises(InputError, match="found -1e\\+300 times"):
        weight_files.load(path, kalah)


def test_a_bare_name_is_the_games_whatever_lies_in_the_folder(tmp_path, monkeypatch):
    kalah = games.load("kalah")
    hand = weight_files.load("hand", kalah).digest
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kalah").mkdir()
    for name in ("hand", "mine", "kalah/hand", "mine.json"):
        shutil.copy(ROOT / "tests" / "golden" / "cases" / "11" / "hand", tmp_path / name)
    assert weight_files.load("hand", kalah).digest == weight_files.load("kalah/hand", kalah).digest == hand
    others = {
        weight_files.load(name, kalah).digest for name in ("./hand", str(tmp_path / "hand"), "mine.json")
    }
    assert len(others) == 1 and hand not in others
    with pytest.raises(InputError, match=r"one of kalah's names .*the file of that name here is \./mine"):
        weight_files.load("mine", kalah)
