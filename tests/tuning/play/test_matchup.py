"""Self-play against a mix of opponents: who plays which pair follows from its number and is on record."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.support.small_matches import LIMIT, QUICK, digests, hand, kalah, play
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError
from tunesmith.tuning import config
from tunesmith.tuning.cli import run
from tunesmith.tuning.pipeline.context import load_players
from tunesmith.tuning.pipeline.generations import _opponents
from tunesmith.tuning.play.match import shares
from tunesmith.tuning.play.matchup import Matchup, Opponent
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.play.summary import by_opponent

CHANCE = weight_files.load("random", kalah())
OPPONENTS = (Opponent(CHANCE, 0.25), Opponent(hand("hand-1"), 0.25))
PAIRS = range(70)
MATCHUP = Matchup("kalah", hand(), hand(), (LIMIT, LIMIT), 1, opponents=OPPONENTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play against a mix."""
    path = tmp_path_factory.mktemp("mix")
    play(path, PAIRS, opponents=OPPONENTS)
    return path


@pytest.mark.parametrize("first", [0, 1, 1000, 123_456])
def test_every_run_of_pairs_has_its_shares(first: int) -> None:
    counts = Counter(MATCHUP.opponent_of(number) for number in range(first, first + 200))
    assert counts[0] == pytest.approx(50, abs=2)
    assert counts[1] == pytest.approx(50, abs=2)
    assert counts[-1] == pytest.approx(100, abs=2)


def test_shares_that_fill_everything_leave_no_pair_to_the_player_itself() -> None:
    full = Matchup(
        "kalah", hand(), hand(), (LIMIT, LIMIT), 1, opponents=(Opponent(CHANCE, 0.4), Opponent(CHANCE, 0.6))
    )
    assert {full.opponent_of(number) for number in range(500)} == {0, 1}


def test_each_pair_is_played_by_its_opponent_on_both_sides(folder: Path) -> None:
    games = read_games(folder)
    first, second = (games.table[f"{side}_weights"].to_pylist() for side in ("first", "second"))
    for row, pair in enumerate(games.pair.tolist()):
        opponent = MATCHUP.against(MATCHUP.opponent_of(pair)).second.digest
        players = [hand().digest, opponent]
        assert [first[row], second[row]] == (players if games.game[row] == 0 else players[::-1])
        assert games.opponent[row] == opponent
    assert games.settings["opponents"] == [
        [opponent.weights.digest, opponent.share] for opponent in OPPONENTS
    ]
    assert [options["algorithm"] for options in games.settings["options"]][2] == "random"


def test_pairs_of_the_player_itself_are_those_of_a_run_without_opponents(
    folder: Path, tmp_path: Path
) -> None:
    play(tmp_path, PAIRS)
    alone, mixed = read_games(tmp_path), read_games(folder)
    own = mixed.opponent == hand().digest
    assert own.sum() == pytest.approx(70, abs=4)
    assert mixed.take(own).lines() == alone.take(own).lines()


@pytest.mark.parametrize(("jobs", "backend"), [(3, "threads"), (2, "loky")])
def test_files_do_not_depend_on_workers(folder: Path, tmp_path: Path, jobs: int, backend: str) -> None:
    play(tmp_path, range(20), opponents=OPPONENTS, jobs=jobs, backend=backend)
    play(tmp_path, PAIRS, opponents=OPPONENTS, jobs=jobs, backend=backend)
    assert digests(tmp_path) == digests(folder)


def test_games_of_opponents_are_told_apart(folder: Path) -> None:
    parts = dict(by_opponent(read_games(folder)))
    assert set(parts) == {hand().digest, CHANCE.digest, hand("hand-1").digest}
    assert sum(len(part) for part in parts.values()) == 140
    lost = parts[CHANCE.digest]
    points = [r if g == 0 else -r for r, g in zip(lost.result.tolist(), lost.game.tolist(), strict=True)]
    assert sum(points) > 0.7 * len(points)  # nobody loses to a player who draws lots


def test_another_mix_is_another_folder(folder: Path) -> None:
    from tunesmith.games.errors import StudyError

    with pytest.raises(StudyError, match="other settings"):
        play(folder, PAIRS)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], []),
        (["random:0.2"], [("random", 0.2)]),
        (["random"], [("random", 0.5)]),
        (["random:0.4", "greedy"], [("random", 0.4), ("greedy", 0.3)]),
        (["a:b.json:0.25"], [("a:b.json", 0.25)]),
        (["a:b.json"], [("a:b.json", 0.5)]),
    ],
)
def test_shares_may_be_left_out(texts: list[str], expected: list[tuple[str, float]]) -> None:
    assert shares(texts) == [(name, pytest.approx(share)) for name, share in expected]


@pytest.mark.parametrize(
    "texts", [["random:0"], ["random:-0.1"], ["random:0.6", "greedy:0.5"], ["random:1", "greedy"]]
)
def test_impossible_shares_are_refused(texts: list[str]) -> None:
    with pytest.raises(InputError, match="--opponent: expected"):
        shares(texts)


def test_self_play_tells_of_each_opponent(tmp_path: Path, capsys) -> None:
    arguments = [
        "selfplay",
        "kalah",
        *QUICK,
        "--pairs",
        "16",
        "--plies",
        "6",
        "--out",
        str(tmp_path),
        "--opponent",
        "random:0.25",
        "--opponent",
    ]
    assert run([*arguments, "hand-1:0.25", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["opponents"]
    assert {row["name"]: row["pairs"] for row in found} == {"hand": 8, "random": 4, "hand-1": 4}
    assert run([*arguments, "nobody"]) == 2
    assert "one of kalah's names" in capsys.readouterr().err


# --- in a study --------------------------------------------------------------------------------------------

STUDY = """
game = "kalah"
[play]
opponents = [
  { weights = "random", share = 0.1 },
  { weights = "previous", share = 0.2 },
  { weights = "baseline", share = 0.2 },
  { weights = "mine.json", share = 0.1 },
]
"""


def test_a_study_names_opponents_and_pins_them(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    weight_files.save(hand("hand-1"), tmp_path / "mine.json")
    study = config.load(tmp_path / "study.toml")
    team = load_players(study)
    mine = str((tmp_path / "mine.json").resolve())
    assert [name for name, _ in team.play_opponents] == sorted(["random", mine])

    class Folder:
        config = study

    opponents = _opponents(Folder(), team, ("gen-1", CHANCE))  # type: ignore[arg-type]
    assert [(one.name, one.weights.digest, one.share) for one in opponents] == [
        ("random", CHANCE.digest, 0.1),
        ("gen-1", CHANCE.digest, 0.2),
        ("baseline", hand().digest, 0.2),
        (mine, hand("hand-1").digest, 0.1),
    ]


def test_the_strongest_weights_play_along_under_their_name(tmp_path: Path) -> None:
    """Whose they are stands in the study, whatever ships later; where nobody has measured there are none."""
    text = 'game = "{}"\n[play]\nopponents = [{{ weights = "strongest", share = 0.2 }}]\n'
    (tmp_path / "study.toml").write_text(text.format("kalah"))
    (found,) = config.load(tmp_path / "study.toml").play.opponents
    assert found.weights == config.strongest("kalah", ("hand",)) and found.share == 0.2
    (tmp_path / "study.toml").write_text(text.format("kalah:ponds=4"))
    assert config.load(tmp_path / "study.toml").play.opponents == []


def test_an_opponent_may_have_search_options_and_no_limit_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace("mine.json", "hand@max_depth=2"))
    (_, shallow) = load_players(config.load(tmp_path / "study.toml")).play_opponents[0]
    assert shallow.options["max_depth"] == 2 and shallow.digest != hand().digest
    (tmp_path / "study.toml").write_text(STUDY.replace("mine.json", "hand@limit=nodes:9"))
    with pytest.raises(InputError, match="here all have one limit"):
        load_players(config.load(tmp_path / "study.toml"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("share = 0.8", "play.opponents: expected shares that sum to at most 1, found 1.3 in all"),
        ("share = 0", "play.opponents.0.share: "),
        ('share = 0.1, name = "x"', "play.opponents.0.name: unknown key"),
    ],
)
def test_wrong_mixes_are_refused_with_their_line(tmp_path: Path, change: str, told: str) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace("share = 0.1", change, 1))
    with pytest.raises(InputError) as error:
        config.load(tmp_path / "study.toml")
    assert told in str(error.value)
