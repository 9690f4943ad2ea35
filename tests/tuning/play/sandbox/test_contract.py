"""The check in a process of its own: endless loops and crashes become problems with a position."""

from pathlib import Path

import pytest

from tunesmith.engine.compile import jit
from tunesmith.games.errors import GameError, InputError
from tunesmith.tuning.play.sandbox import contract
from tunesmith.tuning.play.sandbox.contract import check_spec

HEAD = """
from tests.support import toys
from tests.support.toys import features, legal_moves, outcome, piles
"""


@pytest.fixture
def write(tmp_path: Path) -> "Writer":
    return Writer(tmp_path)


class Writer:
    """Writes game files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, source: str) -> str:
        path = self._folder / "mine.py"
        path.write_text(HEAD + source, encoding="utf-8")
        return str(path)


def test_a_good_game_passes_whatever_it_prints(write: Writer, capfd: pytest.CaptureFixture[str]) -> None:
    spec = write("print('loading', {'problems': []})\nGAME = piles()\n")
    assert check_spec(spec, 60, compiled=False).problems == []
    out, err = capfd.readouterr()
    assert out == ""
    assert "loading" in err


def test_problems_arrive_as_they_were_found(write: Writer) -> None:
    spec = write("def mover(state):\n    return state[2] + 1\n\nGAME = piles(mover=mover)\n")
    (problem,) = check_spec(spec, 60, compiled=False).problems
    assert (problem.rule, problem.function) == ("mover", "mover")
    assert isinstance(problem.state, tuple)
    assert problem.position == " ".join(map(str, problem.state))


def test_an_endless_loop_is_named_with_its_position(write: Writer) -> None:
    spec = write(
        "def endless(state, out):\n"
        "    while state[0] == 2:\n"
        "        pass\n"
        "    return legal_moves(state, out)\n\n"
        "GAME = piles(legal_moves=endless)\n"
    )
    (problem,) = check_spec(spec, 60, compiled=False, patience=1.5).problems
    assert (problem.rule, problem.function) == ("time", "legal_moves")
    assert problem.what == "did not return within 1.5 s"
    assert problem.state is not None
    assert problem.state[0] == 2
    assert problem.position == " ".join(map(str, problem.state))


def test_an_endless_loop_in_the_file_itself_ends_too(write: Writer) -> None:
    (problem,) = check_spec(write("while True:\n    pass\n"), patience=1).problems
    assert (problem.rule, problem.function, problem.state) == ("time", contract.LOADING, None)


def test_a_single_operation_without_end_ends_too(write: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python cannot even switch threads during a huge sum."""
    monkeypatch.setattr(contract, "_SILENCE", 1.0)
    spec = write(
        "def endless(state):\n    return outcome(state) + 0 * sum(range(10**12))\n\n"
        "GAME = piles(outcome=endless)\n"
    )
    (problem,) = check_spec(spec, 60, compiled=False, patience=3).problems
    assert problem.rule == "time"
    assert "the process stopped answering for 4 s in or after this call" in problem.what


@pytest.mark.skipif(not jit.COMPILED, reason="plain Python only")
def test_a_crash_of_compiled_code_is_named_with_its_position(write: Writer) -> None:
    """Plain Python is fine; compiled, the index overflows and hits memory that is not ours."""
    spec = write(
        "BIG = 1 << 62\n\n"
        "def wild(state, out):\n"
        "    features(state, out)\n"
        "    out[10**12 * (4 - ((state[0] + BIG) * 4 >> 62))] = 1.0\n\n"
        "GAME = piles(features=wild)\n"
    )
    assert check_spec(spec, 60, compiled=False).problems == []
    (problem,) = check_spec(spec, 60).problems
    assert (problem.rule, problem.function) == ("crash", "compiled code")
    assert "the process died" in problem.what
    assert problem.position == " ".join(map(str, problem.state))


def test_what_cannot_be_loaded_is_an_error_not_a_problem(write: Writer) -> None:
    with pytest.raises(GameError, match="ZeroDivisionError"):
        check_spec(write("1 / 0\n"))
    with pytest.raises(GameError, match="expected GAME to be a"):
        check_spec(write("GAME = 3\n"))
    with pytest.raises(InputError, match="no-such-game"):
        check_spec("no-such-game")
