"""Exceptions of a user's code, and of the compiler about it, in words."""

from typing import Any

import numpy as np
import pytest

from tests.support import broken, uncompilable
from tunesmith.engine.check.words import explain_compiler, explain_exception
from tunesmith.engine.compile import jit
from tunesmith.games.game import Cloner

needs_compiler = pytest.mark.skipif(not jit.COMPILED, reason="plain Python only")


def test_an_exception_without_a_line_names_the_function() -> None:
    """A function that does not take its arguments fails at the call, outside the author's file."""
    assert explain_exception(TypeError("no"), broken.raises).startswith(
        f"{broken.__file__}:{broken.raises.__code__.co_firstlineno}: TypeError: no"
    )


@needs_compiler
@pytest.mark.parametrize(("function", "line", "words"), uncompilable.CASES)
def test_compiler_errors_are_said_in_words(function: Any, line: int, words: str) -> None:
    """The message names the author's file and line, and what to change."""
    compiled = Cloner(lambda name, value: value, jit.compile_function).clone(function)
    with pytest.raises(Exception, match=".") as error:
        compiled((1, 2), np.zeros(4, np.int64))
    first = function.__code__.co_firstlineno
    said = explain_compiler(error.value, function)
    assert said.startswith(f"{uncompilable.__file__}:{first + line}: ")
    assert words in said
    assert "\n" not in said
