"""`tunesmith new-game`: what is written is a complete game that passes its tests, the check, and can be tuned."""

import itertools
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests import IMPORTS
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.check import examine
from tunesmith.engine.compile import jit
from tunesmith.engine.weights import load as load_weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.cli import new_game
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.config import load as load_study

ROOT = Path(__file__).parents[3]


KINDS = {"small": False, "full": True}


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """The files of a game of each kind."""
    folder = tmp_path_factory.mktemp("new")
    return {kind: write_game("fourup", folder / kind / "down", full) for kind, full in KINDS.items()}


@pytest.fixture(params=KINDS)
def any_files(request: pytest.FixtureRequest, every: dict[str, list[Path]]) -> list[Path]:
    """Once the files of the small game, once those of the full one."""
    return every[request.param]


@pytest.fixture(scope="module")
def files(every: dict[str, list[Path]]) -> list[Path]:
    return every["full"]


@pytest.fixture(scope="module")
def game(files: list[Path]) -> Game:
    return games.load(str(files[0]))


def test_the_files_stand_in_a_folder_of_the_games_name(any_files: list[Path]) -> None:
    home = any_files[0].parent
    assert home.name == "fourup"
    assert [path.relative_to(home).as_posix() for path in any_files] == list(new_game.FILES)
    assert sorted(path for path in home.rglob("*") if path.is_file()) == sorted(any_files)


def test_no_placeholder_is_left(any_files: list[Path]) -> None:
    assert not any(re.search("@[A-Z]+@", path.read_text(encoding="utf-8")) for path in any_files)
    assert all("fourup" in path.read_text(encoding="utf-8") for path in any_files)


def test_every_template_is_used_and_part_of_the_package() -> None:
    """The wheel takes whatever stands in the package's folder."""
    found = {path.name for path in new_game.TEMPLATES.iterdir()}
    assert found == {new_game.template(file, full).name for file in new_game.FILES for full in KINDS.values()}
    assert new_game.TEMPLATES.parent == Path(new_game.__file__).parent


def test_the_small_game_is_small(every: dict[str, list[Path]]) -> None:
    """What a game needs and no more: to be read in five minutes."""
    assert len(every["small"][0].read_text(encoding="utf-8").splitlines()) <= 150


def test_the_game_keeps_the_contract_and_nothing_is_left_unchecked(any_files: list[Path]) -> None:
    found = examine(games.load(str(any_files[0])), 400, compiled=False)
    assert (found.problems, [what for what in found.unchecked if "compiled" not in what]) == ([], [])


def test_passes_are_explained(any_files: list[Path]) -> None:
    """In the template, and where `check` finds that somebody cannot move."""
    assert re.search(r"list a pass\s+(?:# )?move", any_files[0].read_text(encoding="utf-8"))


def test_the_weights_fit_the_game(any_files: list[Path]) -> None:
    game = games.load(str(any_files[0]))
    assert load_weights("hand", game).array(game).shape == (game.n_stages, game.n_features)


@pytest.mark.parametrize("preset", [None, "quick"])
def test_the_study_finds_the_game_and_its_weights(any_files: list[Path], preset: str | None) -> None:
    game, study = games.load(str(any_files[0])), load_study(any_files[2], preset)
    assert study.name == "fourup" + (f"-{preset}" if preset else "")
    assert games.load(study.game).name == "fourup"
    assert load_weights(study.baseline, games.load(study.game)).digest == load_weights("hand", game).digest
    assert (study.play.pairs, study.verify.max_pairs) == ((400, 400) if preset else (2000, 1500))


@pytest.mark.skipif(not jit.COMPILED, reason="plain Python only: millions of moves are counted")
@pytest.mark.slow
def test_its_own_tests_pass_without_pytest(any_files: list[Path]) -> None:
    """Perft is in them, and the contract with compiled code; with what `make install` installs."""
    without = "import sys; sys.modules['pytest'] = None; import runpy; runpy.run_path('test_game.py', run_name='__main__')"
    environment = {**os.environ, "PYTHONPATH": IMPORTS}
    answer = subprocess.run(
        [sys.executable, "-c", without],
        cwd=any_files[0].parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert re.search(r"Ran [46] tests .*\n\nOK", answer.stderr, re.DOTALL)


def test_the_files_are_clean(any_files: list[Path]) -> None:
    """An example is read: it has the style of the project, but the small game has no types."""
    ignored = "ANN,D,E731,SIM"
    for action in (["check", "--ignore", ignored], ["format", "--check"]):
        call = [sys.executable, "-m", "ruff", *action, "--config", str(ROOT / "pyproject.toml"), "--no-cache"]
        answer = subprocess.run(
            [*call, *map(str, any_files[:2])], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert answer.returncode == 0, answer.stdout + answer.stderr


# --- a slow twin of the features, from the words that describe them


def naive_features(text: str) -> list[float]:
    """Count on the drawn board; rows are numbered from 1, the lowest."""
    rows, side = text.split()
    grid = {
        (c, 6 - r): sign
        for r, row in enumerate(rows.split("/"))
        for c, sign in enumerate(row, 1)
        if sign != "."
    }
    other = "xo".replace(side, "")
    stones = len(grid)

    def column(c: int, who: str) -> int:
        return sum(grid.get((c, r)) == who for r in range(1, 7))

    def ready(spot: tuple[int, int]) -> bool:
        return spot[1] == 1 or (spot[0], spot[1] - 1) in grid

    count = {"twos": 0, "threes": 0, "parity": 0, "wins": 0, "dangers": 0}
    for (c, r), (right, up) in itertools.product(
        itertools.product(range(1, 8), range(1, 7)), ((1, 0), (0, 1), (1, 1), (1, -1))
    ):
        line = [(c + n * right, r + n * up) for n in range(4)]
        if any(not (1 <= a <= 7 and 1 <= b <= 6) for a, b in line):
            continue
        signs = [grid.get(spot, ".") for spot in line]
        for who, sign in ((side, 1), (other, -1)):
            if signs.count(who) + signs.count(".") < 4:
                continue
            if signs.count(who) == 2:
                count["twos"] += sign
            if signs.count(who) == 3:
                gap = line[signs.index(".")]
                # Column by column, x gets the odd rows; it is x's turn when the number of stones is even.
                odd_rows = side if stones % 2 == 0 else other
                count["threes"] += sign
                count["parity"] += sign * ((gap[1] % 2 == 1) == (who == odd_rows))
                count["wins" if who == side else "dangers"] += ready(gap)
    centre = column(4, side) - column(4, other)
    inner = sum(column(c, side) - column(c, other) for c in (3, 5))
    return [1.0, centre, inner, *map(float, count.values())]


def test_features_equal_their_slow_twin(game: Game) -> None:
    """On 1,000 positions of random games."""
    rng, board, values = random.Random(7), Board(game), np.zeros(game.n_features)
    for _ in range(1000):
        if board.is_over:
            board = Board(game)
        game.features(board.state, values)
        assert values.tolist() == naive_features(board.text), board.text
        board.push(rng.choice(board.legal()))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("here", "6 rows of 7 signs"),
        ("......./......./......./......./......./....... z", "x or o to move"),
        ("......./......./......./......./x....../....... o", "no stone above an empty cell"),
        ("......./......./......./......./ooo..../xxxx... x", "no four in a line of x, who is to move"),
    ],
)
def test_texts_that_are_no_positions_are_refused(game: Game, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        game.text_to_state(text)


def test_a_won_position_is_read_as_such(game: Game) -> None:
    board = Board(game, "......./......./......./......./ooo..../xxxx... o")
    assert (board.result, board.reason) == (1, "four")


# --- refusals


@pytest.mark.parametrize(
    "name", ["", "Chess", "3d", "my-game", "a b", "../up", "x" * 41, "é", "class", "a\n"]
)
def test_names_that_are_none_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name: expected a letter a-z"):
        write_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_shipped_games_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'kalah' is a game of Tunesmith"):
        write_game("kalah", tmp_path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "other").write_text("precious")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("mine", "other", "dangling"):
        with pytest.raises(InputError, match=r"is there already"):
            write_game(name, tmp_path)
    assert (tmp_path / "other").read_text() == "precious"
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_game("fourup", tmp_path / "file")
