"""Folders that play without Tunesmith, with the engine's moves."""

import ast
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.compile import bind
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player, seen_by_mover
from tunesmith.engine.search.dispatch import thinking_once
from tunesmith.engine.searcher import MAX_PLY, new_searcher
from tunesmith.engine.weights import Weights, from_array, load, with_options
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.export.agent import write
from tunesmith.tuning.export.agent.comparison import random_boards
from tunesmith.tuning.export.agent.write import write_agent

LIMIT = "nodes:60"


def ask(folder: Path, lines: list[str], *flags: str) -> list[str]:
    """Ask an agent, in a process that sees neither Tunesmith nor any package."""
    call = [sys.executable, "-I", "-S", *flags, str(folder)]
    answer = subprocess.run(
        call,
        input="\n".join(lines),
        capture_output=True,
        text=True,
        cwd="/",
        env={},
        check=False,
        timeout=300,
    )
    assert answer.stderr == ""
    assert answer.returncode == 0
    return answer.stdout.splitlines()


def positions(game: Game, n: int) -> list[str]:
    """Return texts of unfinished positions of random games."""
    texts = []
    for board in random_boards(game, random.Random(5)):
        try:
            game.text_to_state(board.text)
        except InputError:
            continue
        texts.append(board.text)
    return random.Random(6).sample(texts, n)


def plain_move(game: Game, weights: Weights, text: str) -> str:
    """Return the move of the engine run as plain Python."""
    board = Board(game, text)
    array = weights.array(game)
    searcher = new_searcher(game, array, weights.scale, weights.search_options, parse_limit(LIMIT))
    think = bind.uncompiled(thinking_once(searcher), game)
    state, history = seen_by_mover(board)
    keys = np.array(history + [0] * (MAX_PLY + 1), np.int64)
    move = int(think(searcher.memory, searcher.transposition, state, keys, len(history), board.n_plies))
    is_turned = game.simultaneous and board.mover == 1 and game.swap_move is not None
    return game.move_to_text(board.state, game.swap_move(move) if is_turned and game.swap_move else move)


@pytest.fixture(scope="module")
def fourup(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return games.load(str(write_game("fourup", tmp_path_factory.mktemp("own"), full=True)[0]))


@pytest.fixture(scope="module")
def agent(
    tmp_path_factory: pytest.TempPathFactory, fourup: Game
) -> Callable[[str], tuple[Game, Weights, Path]]:
    """Write the agent of a game once; return game, hand-made weights and folder."""
    made: dict[str, tuple[Game, Weights, Path]] = {}

    def written(name: str) -> tuple[Game, Weights, Path]:
        if name not in made:
            game = fourup if name == "fourup" else games.load(name)
            weights = load("hand", game)
            folder = tmp_path_factory.mktemp("agents") / f"agent_{name}"
            made[name] = game, weights, write_agent(game, weights, folder, parse_limit(LIMIT))
        return made[name]

    return written


ALL = (*games.names(), "fourup")


@pytest.mark.parametrize("name", ALL)
def test_alone_it_plays_the_moves_of_the_engine(name, agent):
    game, weights, folder = agent(name)
    texts = positions(game, 6)
    answers = ask(folder, [f"state {text}" for text in texts])
    assert answers == [f"move {plain_move(game, weights, text)}" for text in texts]


def test_alone_it_plays_the_moves_of_the_compiled_engine(agent):
    """In one game: in all of them the compiled engine's moves are those of plain Python (test_jit)."""
    game, weights, folder = agent("kalah")
    texts = positions(game, 25)
    player = Player(game, weights, parse_limit(LIMIT))
    moves = []
    for text in texts:
        player.new_game()
        moves.append(f"move {player.choose(Board(game, text))}")
    assert ask(folder, [f"state {text}" for text in texts]) == moves


@pytest.mark.parametrize("name", ALL)
def test_every_file_is_python_3_6_that_needs_the_standard_library_alone(name, agent):
    for path in agent(name)[2].glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
        nodes = list(ast.walk(tree))
        roots = {a.name.split(".")[0] for n in nodes if isinstance(n, ast.Import) for a in n.names}
        roots |= {(n.module or "").split(".")[0] for n in nodes if isinstance(n, ast.ImportFrom)}
        assert roots <= set(sys.stdlib_module_names) - {"dataclasses", "__future__"}
        younger = (ast.AnnAssign, ast.NamedExpr, ast.JoinedStr, ast.Match)
        assert not [n for n in nodes if isinstance(n, younger)]


def test_it_starts_as_a_folder_as_a_file_and_as_a_package(agent):
    _, _, folder = agent("kalah")
    question = ["state [[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0]"]
    environment = {**os.environ, "PYTHONPATH": ""}
    package = subprocess.run(
        [sys.executable, "-m", folder.name], input=question[0], capture_output=True, text=True, cwd=folder.parent,
        env=environment, check=True,
    )  # fmt: skip
    assert ask(folder, question) == ask(folder / "player.py", question) == package.stdout.splitlines()


def test_answers_do_not_depend_on_what_was_asked_before(agent):
    game, _, folder = agent("fanorona")
    texts = positions(game, 5)
    once = ask(folder, [f"state {text}" for text in texts])
    assert ask(folder, [f"state {text}" for text in texts[::-1]])[::-1] == once
    assert ask(folder, [f"state {texts[0]}", "newgame", f"state {texts[0]}"]) == [once[0], "ok", once[0]]


def test_moves_after_a_state_are_played_and_remembered(agent):
    game, _, folder = agent("fanorona")
    board = Board(game)
    board.push(board.legal()[0])
    board.push(board.legal()[0])
    first = Board(game)
    moves = []
    for move in board.moves:
        moves.append(game.move_to_text(first.state, move))
        first.play(move)
    start = game.state_to_text(game.initial())
    answer = ask(folder, [f"state {start} moves {' '.join(moves)}", f"state {board.text}"])
    assert answer[0] == answer[1]
    assert answer[0].removeprefix("move ") in board.legal()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("go", "expected state TEXT"),
        ("state", "expected state TEXT"),
        ("newgame now", "expected state TEXT"),
        ("state [[6],[6],[0,0],0]", "kalah state"),
        ("state [[0,0,0,0,0,1],[6,6,6,6,6,6],[0,0],0] moves 3", "expected"),
        ("state \ufffd\u2028 x", "kalah state"),
        ("state [[0,0,0,0,0,0],[0,0,0,0,0,0],[36,36],null]", "error"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_survived(line, words, agent):
    good = "state [[6,6,6,6,6,6],[6,6,6,6,6,6],[0,0],0]"
    found = ask(agent("kalah")[2], [line, "", good, "quit", good])
    assert len(found) == 2
    assert found[0].startswith("error ")
    assert words in found[0]
    assert found[1].startswith("move ")


def test_the_folder_says_how_to_use_it_and_keeps_the_weights(agent):
    game, weights, folder = agent("expendibots")
    text = (folder / "README.md").read_text(encoding="utf-8")
    for words in (
        weights.digest,
        LIMIT,
        f"python -m referee {folder.name}",
        "newgame",
        "state TEXT",
        "update(colour, action)",
    ):
        assert words in text
    assert load(folder / "weights.json", game).digest == weights.digest


# --- search options, other games


SEARCHES = [
    {"algorithm": "uct", "rollouts": 30},
    {"quiescence": 3, "futility": 50, "reductions": 3, "internal_deepening": 3, "aspiration": 20},
    {"sort": 2, "best_k": 8, "path_free": False, "table_reuse": "equal", "replacement": "lru", "mtdf": True},
    {"objective": "margin", "margin_keys": True},
    {"table": False, "pvs": False, "deepening": False, "leaves": 500},
]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: next(iter(search)))
def test_it_searches_as_the_weight_file_says(search, tmp_path):
    game = games.load("kalah:ponds=4,seeds=3")
    weights = with_options(load("hand-2", games.load("kalah")), search)
    weights = from_array(
        game, np.linspace(-3, 5, game.n_features)[None, :].repeat(game.n_stages, 0), options=weights.options
    )
    folder = write_agent(game, weights, tmp_path / "agent", parse_limit(LIMIT))
    texts = positions(game, 5)
    assert ask(folder, [f"state {t}" for t in texts]) == [
        f"move {plain_move(game, weights, t)}" for t in texts
    ]


@pytest.mark.parametrize("guess", [0, 35])
def test_a_mix_of_simultaneous_choices_is_drawn_alike(guess, tmp_path):
    game = games.load("ropasci360")
    weights = with_options(load("hand", game), {"joint": "matrix", "joint_guess": guess})
    folder = write_agent(game, weights, tmp_path / "agent", parse_limit(LIMIT))
    texts = positions(game, 4)
    assert ask(folder, [f"state {t}" for t in texts]) == [
        f"move {plain_move(game, weights, t)}" for t in texts
    ]


def toy_weights(game: Game) -> Weights:
    return from_array(game, np.random.default_rng(3).normal(0, 5, (game.n_stages, game.n_features)))


OWN_GAME = '''
import itertools
import re
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game
from tests.support import toys

SHARES = np.array([[0.5, 1.5], [2.0, -1.0]])
PATTERN = re.compile(r"(\\d+) (\\d+) ([01]) (\\d+)")


def make(most: int = 9) -> Game:
    """Piles again, with numpy in its features and today's Python in its texts."""

    def features(state, out):
        piles = np.array([float(state[0]), float(state[1])])
        out[:] = 0.0
        out[:2] = SHARES @ piles
        out[2] = np.sum(piles) / most

    def text_to_state(text: str) -> tuple[int, ...]:
        if (found := PATTERN.fullmatch(text.strip())) is None or not isinstance(text, str | bytes):
            raise InputError(f"piles: expected {'four numbers':>{most}}, found {text!r}")
        numbers = tuple(int(part) for part in found.groups())
        if any(a > most for a, _ in itertools.pairwise(numbers[:3])) or not text.isascii():
            raise InputError(f"piles: too many in {text = }")
        return numbers

    def move_to_text(state, move, /) -> str:
        return f"{'ab'[move >> 1]}{(move & 1) + 1}".removeprefix("x")

    def text_to_move(state, text):
        kinds = {move_to_text(state, move): move for move in range(4)}
        if text not in kinds:
            raise InputError(f"piles: expected a move, found {text!r}")
        return kinds[text]

    return Game(
        name="ownpiles", variant={"most": most}, initial=toys.initial, legal_moves=toys.legal_moves,
        apply_move=toys.apply_move, mover=toys.mover, outcome=toys.outcome, features=features,
        feature_names=("a", "b", "c"), feature_meanings=("", "", ""), max_moves=4,
        state_to_text=lambda state: " ".join(map(str, state)), text_to_state=text_to_state,
        move_to_text=move_to_text, text_to_move=text_to_move, draw_text=str, draw_svg=str,
    )


GAME = make()
'''


def test_a_game_that_needs_arrays_keeps_them(tmp_path):
    """Closures, a walrus, positional-only parameters and numpy's arithmetic all come through."""
    (tmp_path / "own.py").write_text(OWN_GAME)
    game = games.load(str(tmp_path / "own.py"))
    weights = toy_weights(game)
    folder = write_agent(game, weights, tmp_path / "agent", parse_limit(LIMIT))
    assert "numpy" in (folder / "README.md").read_text()
    code = (folder / "player.py").read_text()
    ast.parse(code, feature_version=(3, 6))
    texts = positions(game, 5)
    call = [sys.executable, str(folder)]
    lines = "\n".join([f"state {t}" for t in texts] + ["state 1 2", "state 77 1 0 0"])
    answer = subprocess.run(call, input=lines, capture_output=True, text=True, cwd="/", check=True)
    found = answer.stdout.splitlines()
    assert found[:5] == [f"move {plain_move(game, weights, t)}" for t in texts]
    assert found[5] == "error piles: expected four numbers, found '1 2'"
    assert found[6] == "error piles: too many in text = '77 1 0 0'"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("    match text:\n        case _:\n            return (1, 2, 0, 0)", "match statement"),
        ("    global PATTERN\n    PATTERN = None\n    return (1, 2, 0, 0)", "global PATTERN"),
        ("    import dataclasses\n    return KEPT(1)", "dataclass"),
    ],
)
def test_what_python_3_6_cannot_say_is_refused(line, words, tmp_path):
    head = "import dataclasses\n@dataclasses.dataclass\nclass KEPT:\n    n: int\n\nPATTERN = 1\n"
    source = (
        head + f"def text_to_state(text):\n{line}\n" + OWN_GAME.replace("def text_to_state", "def unused")
    )
    (tmp_path / "own.py").write_text(source.replace("(found :=", "(found :="))
    game = games.load(str(tmp_path / "own.py"))
    with pytest.raises(InputError, match=words):
        write_agent(game, toy_weights(game), tmp_path / "agent", parse_limit(LIMIT))
    assert not (tmp_path / "agent").exists()


def test_force_replaces_an_agent_and_nothing_else(tmp_path, monkeypatch):
    # Which code it is does not matter.
    monkeypatch.setattr(write, "_faster", lambda builder, text, names: text)
    game, folder = games.load("kalah"), tmp_path / "a"
    write_agent(game, load("hand", game), folder, parse_limit(LIMIT))
    (folder / "mine.txt").write_text("keep")
    write_agent(game, load("hand-3", game), folder, parse_limit(LIMIT), force=True)
    assert load(folder / "weights.json", game).digest == load("hand-3", game).digest
    assert (folder / "mine.txt").read_text() == "keep"
    assert (
        write_agent(game, load("hand", game), folder, parse_limit(LIMIT), name="b", force=True)
        == folder / "b"
    )


def test_a_referees_package_needs_a_packages_name(tmp_path):
    game = games.load("expendibots")
    with pytest.raises(InputError, match="name of a package"):
        write_agent(game, load("hand", game), tmp_path / "no.name")


def test_names_of_the_agents_weights_are_checked_against_the_variant():
    with pytest.raises(InputError, match="variant"):
        weight_files.load("hand", games.load("kalah:ponds=4"))
