"""Study files: what is accepted, and what the one line says when something is wrong."""

import json
from pathlib import Path

import pytest

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.games.errors import InputError
from tunesmith.tuning import config

EXAMPLE = Path(__file__).parents[2] / "experiments" / "kalah.toml"


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str, preset: str | None = None, changes: tuple[str, ...] = ()) -> str:
    with pytest.raises(InputError) as error:
        config.load(write(folder, text), preset, changes)
    message = str(error.value)
    assert "\n" not in message
    return message.replace(str(folder), "")


def test_the_annotated_example_shows_every_key():
    text = EXAMPLE.read_text()
    for name in config.load(EXAMPLE).flat():
        assert name.rpartition(".")[2] in text, name


def test_a_preset_overrides_keys_and_names_the_study():
    plain, quick = config.load(EXAMPLE), config.load(EXAMPLE, "quick")
    assert plain.name == "kalah" and quick.name == "kalah-quick"
    assert quick.play.pairs < plain.play.pairs
    assert quick.openings == plain.openings


def test_a_change_on_the_command_line_wins_over_the_preset():
    study = config.load(EXAMPLE, "quick", ["play.pairs=7", "baseline=hand-1", "fit.ridge=0.5"])
    assert (study.play.pairs, study.baseline, study.fit.ridge) == (7, "hand-1", 0.5)


def test_a_study_needs_only_a_game(tmp_path):
    study = config.load(write(tmp_path, 'game = "kalah"\n'))
    assert study.name == "study" and study.baseline == "hand"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "game: missing"),
        ('game = "kalah"\nseeds = 2\n', ":2: seeds: unknown key; did you mean 'seed'?"),
        (
            'game = "kalah"\n[play]\nopponents = ["strongest"]\n',
            ":3: play.opponents.0: expected a table of weights, share, found 'strongest'",
        ),
        ('game = "kalah"\n[play]\npair = 2\n', ":3: play.pair: unknown key; did you mean 'pairs'?"),
        (
            'game = "kalah"\n[play]\npairs = "many"\n',
            ":3: play.pairs: input should be a valid integer, found 'many'",
        ),
        (
            'game = "kalah"\n[play]\npairs = true\n',
            ":3: play.pairs: input should be a valid integer, found True",
        ),
        (
            'game = "kalah"\n[search.space]\nscale = { low = nan }\n',
            "low: input should be a finite number, found nan",
        ),
        ('game = "kalah"\n[play]\npairs = 0\n', "greater than or equal to 1, found 0"),
        ('game = "kalah"\n[play]\nlimit = "fast"\n', ":3: play.limit: limit: expected depth:N"),
        ('game = "kalah"\n[fit]\nridge = "some"\n', ":3: fit.ridge: "),
        (
            'game = "kalah"\n[tune]\ntrials = 2\n',
            ":2: tune: unknown section: settings found by playing stand in [search]",
        ),
        (
            'game = "kalah"\nsearch = {pvs = true}\n',
            "search.pvs: unknown key: how the players look ahead stands in [options]",
        ),
        ('game = "kalah"\noptions = {pvss = true}\n', "unknown search option 'pvss'; did you mean 'pvs'?"),
        ('game = "kalah"\nname = "../up"\n', ":2: name: "),
        ('game = "kalah"\nseed = 9223372036854775\n', ":2: seed: input should be less than 9223372036854775"),
        ("game = \n", "expected TOML"),
    ],
)
def test_wrong_settings_are_named_with_line_and_field(tmp_path, text, expected):
    assert expected in refusal(tmp_path, text)


def test_several_mistakes_are_counted(tmp_path):
    assert refusal(tmp_path, 'game = "kalah"\na = 1\nb = 2\n').endswith("(and 1 more)")


def test_a_mistake_in_a_preset_is_found_at_its_line(tmp_path):
    text = 'game = "kalah"\n[play]\npairs = 3\n[preset.tiny]\nplay.pairs = -1\n'
    assert ":5: play.pairs" in refusal(tmp_path, text, "tiny")


def test_an_unknown_preset_lists_the_known(tmp_path):
    assert "'slow': expected one of quick" in refusal(
        tmp_path, 'game = "kalah"\n[preset.quick]\nseed = 2\n', "slow"
    )


def test_a_change_must_be_key_and_value(tmp_path):
    assert "--set: expected key=value" in refusal(tmp_path, 'game = "kalah"\n', changes=("play.pairs",))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no such study file"):
        config.load(tmp_path / "none.toml")


def test_files_resolve_beside_the_study_not_against_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "mine.json").write_text("{}")
    (tmp_path / "game.py").write_text("")
    (tmp_path / "old").mkdir()
    for name in ("old/mine", "hand"):
        (tmp_path / name).write_text("{}")
    opponents = '[verify]\nopponents = ["old/mine", "hand"]\n'
    path = write(tmp_path, f'game = "game.py"\nbaseline = "mine.json"\n{opponents}')
    monkeypatch.chdir(Path(__file__).parent)
    study = config.load(path)
    assert study.baseline == str(tmp_path / "mine.json")
    assert study.game == str(tmp_path / "game.py")
    assert study.verify.opponents == [str(tmp_path / "old" / "mine"), "hand"]


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path):
    plain = config.load(write(tmp_path, 'game = "kalah"\n[play]\npairs = 5\n'))
    (tmp_path / "study.toml").write_bytes(b'\xef\xbb\xbfgame = "kalah"\r\n[play]\r\npairs = 5\r\n')
    assert config.load(tmp_path / "study.toml") == plain


@pytest.mark.parametrize("path", sorted(EXAMPLE.parent.glob("kalah*.toml")), ids=lambda path: path.name)
def test_every_shipped_study_is_valid(path):
    assert config.load(path).game == "kalah"


@pytest.fixture
def met(tmp_path, monkeypatch):
    """The files of kalah have met: hand-2 won, before tuned, hand-4 and hand."""
    (tmp_path / "kalah").mkdir()
    players = [{"name": "hand-4", "elo": 10.0}, {"name": "tuned", "elo": 60.0}, {"name": "hand-2", "elo": 70.5},
               {"name": "hand", "elo": -80.5}]  # fmt: skip
    (tmp_path / "kalah" / "gauntlet.json").write_text(json.dumps({"players": players}))
    monkeypatch.setattr(config.games, "__file__", str(tmp_path / "__init__.py"))


@pytest.mark.parametrize(
    ("game", "baseline", "asked", "named"),
    [
        ("kalah", "hand", None, ["hand-2"]),
        ("kalah", "hand-2", None, ["hand-4"]),
        ("kalah", "hand", ["hand-1", "strongest", "hand-2"], ["hand-1", "hand-2"]),
        ("kalah", "hand", [], []),
        ("kalah:ponds=4", "hand", None, []),
        ("pentago", "hand", None, []),
        ("mine/kalah.py", "hand", None, []),
    ],
)
def test_the_strongest_file_that_ships_is_an_opponent_by_name(met, game, baseline, asked, named):
    verify = {} if asked is None else {"verify": {"opponents": asked}}
    made = config.StudyConfig.model_validate({"name": "s", "game": game, "baseline": baseline, **verify})
    assert made.verify.opponents == made.flat()["verify.opponents"] == named
    assert config.StudyConfig.model_validate(made.model_dump(mode="json")) == made


@pytest.mark.parametrize("path", sorted(Path(games.__file__).parent.glob("*/gauntlet.json")), ids=str)
def test_the_gauntlet_of_a_game_was_played_by_the_weights_that_ship(path):
    """Other weights ask for another gauntlet; whoever plays as another does, or another variant, need not meet."""
    players = {one["name"]: one["digest"] for one in json.loads(path.read_text())["players"]}
    game = games.load(path.parent.name)
    own = weights.load("hand", game).variant
    files = [file for file in (path.parent / "weights").glob("*.json") if file.stem != "tuned"]
    alike = [file for file in files if json.loads(file.read_text())["variant"] == own]
    shipped = {file.stem: weights.load(str(file), game).digest for file in alike}
    assert players.items() <= shipped.items() and set(players.values()) == set(shipped.values())
