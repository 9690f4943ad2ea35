"""Openings: legal, balanced, distinct, the same for everybody, and never shared between purposes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.brittle_play import GAME
from tests.support.searching import all_as_python
from tests.support.small_matches import hand, kalah
from tunesmith.engine import Board
from tunesmith.engine import weights as weight_files
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.games import registry
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game, State
from tunesmith.tuning.config import Openings
from tunesmith.tuning.play.openings.opening import SHARES, purpose_of, shared_key
from tunesmith.tuning.play.openings.random import make_openings

PLIES, BOUND = 6, 100.0


def made(purpose: str = "train", count: int = 300, seed: int = 1, **changes: object) -> list[tuple[int, ...]]:
    """Make openings of Kalah; their moves."""
    settings = Openings.model_validate({"plies": PLIES, "max_score": BOUND, **changes})
    found = make_openings(kalah(), hand(), settings, count=count, purpose=purpose, seed=seed)
    return [opening.moves for opening in found]


def after(game: Game, moves: tuple[int, ...]) -> State:
    """Return the position after some moves."""
    state = game.initial()
    for move in moves:
        state = game.apply_move(state, move)
    return state


def key_of(game: Game, moves: tuple[int, ...]) -> int:
    """Return the key of the position after some moves."""
    return int(bind(shared_key, game)(after(game, moves)))


def test_openings_are_legal_unfinished_and_say_what_they_are() -> None:
    for opening in make_openings(kalah(), hand(), Openings(plies=PLIES), count=100, purpose="verify", seed=3):
        board = Board(kalah())
        texts = opening.text.split(" ")
        assert len(opening.moves) == len(texts) == PLIES
        for move, text in zip(opening.moves, texts, strict=True):
            assert text == kalah().move_to_text(board.state, move)
            board.push(text)
        assert not board.is_over


def test_openings_are_balanced_for_the_judge() -> None:
    player = Player(kalah(), hand(), parse_limit("nodes:200"), hash_mb=1)
    for moves in made(count=50):
        board = Board(kalah())
        for move in moves:
            board.push(kalah().move_to_text(board.state, move))
        player.new_game()
        assert abs(player.analyse(board).score) <= 100 * BOUND


def test_no_two_openings_lead_to_the_same_position() -> None:
    keys = [key_of(kalah(), moves) for moves in made()]
    assert len(set(keys)) == 300


def test_purposes_never_share_a_position_whatever_the_seed() -> None:
    sets = {
        purpose: {key_of(kalah(), moves) for seed in (1, 2) for moves in made(purpose, 200, seed)}
        for purpose in SHARES
    }
    assert not sets["train"] & sets["search"]
    assert not sets["train"] & sets["verify"]
    assert not sets["search"] & sets["verify"]
    assert all(purpose_of(key) == purpose for purpose, keys in sets.items() for key in keys)


def test_purposes_get_their_shares() -> None:
    numbers = np.random.default_rng(1).integers(0, 2**63 - 1, 20_000).tolist()
    drawn = [purpose_of(number) for number in numbers]
    for purpose, share in SHARES.items():
        assert drawn.count(purpose) / len(drawn) == pytest.approx(share / 100, abs=0.015)


def test_openings_of_a_proof_serve_no_proof_of_another_edition() -> None:
    proofs = [
        {key_of(kalah(), moves) for moves in made("verify", 150, edition=edition)} for edition in (1, 2, 3)
    ]
    assert len(set().union(*proofs)) == 450 == sum(map(len, proofs))
    assert made("verify", 40) == made("verify", 40, edition=1)


def test_the_same_request_gives_the_same_openings_and_more_only_adds() -> None:
    assert made(count=300) == made(count=300)
    assert made(count=300)[:40] == made(count=40)
    assert made(count=40, seed=2) != made(count=40)


def test_nothing_global_is_drawn_from() -> None:
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
    made(count=20)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index, union-attr]


def test_too_few_openings_are_counted_and_the_remedy_named() -> None:
    # Kalah has six first moves, one of them a free turn: no more than 36 positions after two plies.
    with pytest.raises(
        StudyError, match=r"only \d+ distinct balanced openings of 2 plies .* more plies"
    ) as caught:
        made(count=200, plies=2)
    found = int(str(caught.value).split("only ")[1].split()[0])
    assert len(made(count=found, plies=2)) == found
    with pytest.raises(StudyError):
        made(count=found + 1, plies=2)


def test_a_bound_that_leaves_nothing_is_named() -> None:
    with pytest.raises(StudyError, match=r"a wider bound than 1e-09 Elo"):
        made(count=3000, plies=4, max_score=1e-9)


def test_openings_longer_than_games_are_refused() -> None:
    endless = Openings.model_construct(plies=400, max_score=BOUND, edition=1)  # more than a study may ask for
    with pytest.raises(StudyError, match="most random games of kalah end within 400: take fewer"):
        make_openings(kalah(), hand(), endless, count=5, purpose="train", seed=1)


def test_an_opening_of_no_moves_is_the_start_position() -> None:
    found = make_openings(
        kalah(),
        hand(),
        Openings(plies=0, max_score=1e9),
        count=1,
        purpose=purpose_of(key_of(kalah(), ())),
        seed=1,
    )
    assert found == [((), "", None)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"purpose": "test"}, "purpose: expected one of train, search, verify, found 'test'"),
        ({"count": -1}, "count"),
        ({"count": 10**12}, "pairs need one each: expected at most 10,000,000, found 1,000,000,000,000"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_requests_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(**changes)  # type: ignore[arg-type]


def test_half_turns_are_refused_where_both_sides_choose_at_once() -> None:
    game = registry.load("ropasci360")
    player = weight_files.load("hand", game)
    with pytest.raises(InputError, match="even number, found 3"):
        make_openings(game, player, Openings(plies=3), count=1, purpose="train", seed=1)


@pytest.mark.parametrize(
    ("spec", "plies"), [("ropasci360", 6), ("pentago", 4), ("fanorona", 6), ("expendibots", 4)]
)
def test_other_games_have_openings_too(spec: str, plies: int) -> None:
    """As plain Python: what is compiled is the same for all games."""
    with all_as_python():
        check_openings(registry.load(spec), plies)


def check_openings(game: Game, plies: int) -> None:
    """Make a few openings for each purpose: balanced, distinct, unfinished, with nothing hidden pending."""
    limit = "nodes:20"
    player = weight_files.load("hand", game)
    sets = [
        make_openings(
            game,
            player,
            Openings(plies=plies, max_score=300.0),
            count=8,
            purpose=purpose,
            seed=1,
            judge_limit=limit,
        )
        for purpose in (*SHARES, "train")
    ]
    assert sets.pop() == sets[list(SHARES).index("train")]
    found = [opening for own in sets for opening in own]
    assert len({key_of(game, opening.moves) for opening in found}) == 8 * len(SHARES)
    if not game.simultaneous:  # there the difference of both sides' searches is what counts
        judge = Player(game, player, parse_limit(limit), hash_mb=1)
        for opening in found[::4]:
            board = Board(game)
            for move in opening.moves:
                board.push(game.move_to_text(board.state, move))
            judge.new_game()
            assert abs(judge.analyse(board).score) <= 100 * 300
    for opening in found:
        state = after(game, opening.moves)
        assert game.outcome(state) == 2
        if game.simultaneous:
            assert game.hide is not None
            assert game.hide(state) == state
        else:
            images = (
                [game.symmetries(state, k) for k in range(game.n_symmetries)] if game.symmetries else [state]
            )
            assert len({int(bind(shared_key, game)(image)) for image in images}) == 1


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        ("hang", "no end in sight after 1 s while openings are made: a function of the game hangs"),
        ("raise", "ValueError: cannot play "),
    ],
)
def test_a_game_that_fails_while_openings_are_made_is_one_clear_error(
    tmp_path: Path, trouble: str, told: str
) -> None:
    """In a process of its own, as plain Python; the look at the game before it plays would find it first."""
    code = "import sys; from tunesmith.tuning.play.sandbox import deadline as watched; from tunesmith.tuning import cli; watched.PATIENCE = 1.0; cli._admit = print; cli.main(sys.argv[1:])"
    spec = f"{GAME}:trouble={trouble},bad=0,last=255"
    play = ["selfplay", spec, "--weights", "random", "--plies", "8", "--pairs", "2", "--out", str(tmp_path)]
    found = subprocess.run(
        [sys.executable, "-c", code, *play],
        env={**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 2
    assert told in found.stderr and found.stderr.count("\n") == 1
