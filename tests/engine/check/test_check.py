"""The contract check: every rule is broken once by a toy game, found, and named; shipped games pass."""

from typing import Any

import pytest

from tests.support import broken
from tests.support.toys import hands, piles
from tunesmith import games
from tunesmith.engine.check import RULES, Problem, Watch, check_game, examine
from tunesmith.engine.compile import jit

needs_compiler = pytest.mark.skipif(not jit.COMPILED, reason="plain Python only")
Changes = dict[str, Any]


def found_in(problems: list[Problem], rule: str, function: str, words: str) -> Problem:
    """Return the problem of that rule and function, which must be there."""
    for problem in problems:
        if (problem.rule, problem.function) == (rule, function) and words in problem.what:
            return problem
    pytest.fail(f"no {rule} of {function!r} with {words!r} among:\n" + "\n".join(map(str, problems)))


@pytest.mark.parametrize("game", [piles(), hands()], ids=lambda game: game.name)
def test_games_that_keep_the_contract_pass(game: games.Game) -> None:
    assert check_game(game, 300) == []


@pytest.mark.parametrize("name", games.names())
def test_shipped_games_pass(name: str) -> None:
    assert check_game(games.load(name), 60, compiled=False) == []


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("name", games.names())
def test_shipped_games_pass_compiled(name: str) -> None:
    assert check_game(games.load(name), 300, seed=1) == []


@pytest.mark.parametrize(("rule", "function", "changes", "words"), broken.BROKEN)
def test_each_defect_is_found(rule: str, function: str, changes: Changes, words: str) -> None:
    problem = found_in(check_game(piles(**changes), 150, compiled=False), rule, function, words)
    assert "\n" not in problem.what
    if rule not in ("facts", "values", "array-size") and function != "text_to_state":
        assert isinstance(problem.state, tuple)
        assert str(problem.state) in str(problem)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"swap_sides": None}, "whether features are seen from the player to move: there is no swap_sides"),
        (
            {"outcome": lambda state: 0 if sum(state[:2]) == 0 else 2},
            "how a win of the second player is told",
        ),
        ({"legal_moves": broken.writes_beyond}, "compiled code: what is wrong above comes first"),
        ({"max_moves": 0}, "anything that is played"),
    ],
)
def test_what_could_not_be_checked_is_said(changes: Changes, words: str) -> None:
    assert any(words in what for what in examine(piles(**changes), 60).unchecked)


def test_of_a_whole_game_nothing_is_left_unchecked() -> None:
    assert [
        what for what in examine(piles(), 60, compiled=False).unchecked if "no compiler" not in what
    ] == []


def test_who_cannot_move_is_told_of_passes() -> None:
    problem = check_game(piles(legal_moves=broken.no_moves), 60, compiled=False)[0]
    assert "return a pass move, or let mover stay the player who can move" in problem.what


@pytest.mark.parametrize(("rule", "function", "changes", "words"), broken.BROKEN_HANDS)
def test_each_defect_of_a_simultaneous_game_is_found(
    rule: str, function: str, changes: Changes, words: str
) -> None:
    found_in(check_game(hands(**changes), 60, compiled=False), rule, function, words)


@needs_compiler
@pytest.mark.parametrize(("rule", "function", "changes", "words"), broken.BROKEN_COMPILED)
def test_each_defect_of_compiled_code_is_found(
    rule: str, function: str, changes: Changes, words: str
) -> None:
    game = piles(**changes)
    assert check_game(game, 60, compiled=False) == []
    found_in(check_game(game, 60), rule, function, words)


def test_every_rule_is_broken_somewhere() -> None:
    """A rule that nothing breaks is not known to work (time and crash: tests of tuning.play.sandbox.contract)."""
    lists = (broken.BROKEN, broken.BROKEN_HANDS, broken.BROKEN_COMPILED)
    assert {case[0] for cases in lists for case in cases} | {"time", "crash"} == set(RULES)


def test_the_line_of_an_exception_is_the_authors() -> None:
    """A helper's line is named, not that of the contract function or of the check."""
    line = broken.raises.__code__.co_firstlineno + 1
    for function in (broken.raises, broken.calls_helper_that_raises):
        problem = found_in(
            check_game(piles(is_quiet=function), 60, compiled=False), "raises", "is_quiet", "Zero"
        )
        assert f"{broken.__file__}:{line}: ZeroDivisionError" in problem.what


def test_the_first_position_is_shown_and_the_others_counted() -> None:
    problem = found_in(
        check_game(piles(features=broken.forgets_one), 150, compiled=False), "features", "features", "rest"
    )
    assert problem.times > 10
    text = str(problem)
    assert text.startswith("features: 'rest' is not written\n    in ")
    assert f"state {problem.state} (the first of {problem.times})" in text
    assert problem.position == " ".join(map(str, problem.state))


def test_the_same_seed_finds_the_same() -> None:
    game = piles(noisy_moves=broken.noisy_illegal)
    one, two, other = (check_game(game, 100, seed, compiled=False) for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_the_watch_knows_what_runs() -> None:
    """Every question is counted, and names its function and position."""
    asked: set[str] = set()

    class Listening(Watch):
        def start(self, function: str, state: Any = None, limited: bool = True) -> None:
            super().start(function, state, limited)
            asked.add(function)

    game, watch = piles(), Listening()
    assert check_game(game, 60, compiled=False, watch=watch) == []
    assert watch.calls > 1000
    assert set(game.functions()) | {"text_to_move", "draw_svg", "end_reason"} <= asked
