"""Parts are worked on side by side, and what is made of them comes in their order."""

import multiprocessing
import threading

import pytest

from tunesmith.tuning.threads import cores, number, side_by_side


def test_answers_come_in_the_order_of_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first part waits for the second, which only another thread can work on."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    is_second_done = threading.Event()

    def square(part: int) -> int:
        if part == 2:
            is_second_done.set()
        elif part == 1:
            assert is_second_done.wait(60)
        return part * part

    assert list(side_by_side(square, [1, 2, 3])) == [1, 4, 9]


def test_one_thread_is_the_one_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert set(side_by_side(lambda part: threading.get_ident(), range(3))) == {threading.get_ident()}


@pytest.mark.parametrize(
    ("said", "expected"), [("3", 3), ("4,2", 4), ("0", None), ("all", None), (None, None)]
)
def test_as_many_threads_as_are_said_or_as_there_are_cores(
    said: str | None, expected: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other programs take lists, one number for each level of nesting; what is no number says nothing."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if said is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert number() == (expected or cores())


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system forks no processes"
)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the pool stay behind: a fit in it would wait for ever."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    both = threading.Barrier(2)  # so that both threads are there, and idle when the process forks
    list(side_by_side(lambda part: both.wait(60), range(2)))
    child = multiprocessing.get_context("fork").Process(target=_fit_in_a_child)
    child.start()
    child.join(60)
    is_hanging = child.is_alive()
    child.kill()
    assert not is_hanging and child.exitcode == 0


def _fit_in_a_child() -> None:
    assert list(side_by_side(abs, [-3, 4])) == [3, 4]
