"""Rich's console behind the gate: what others have written is drawn as letters."""

import io

from rich.markdown import Markdown

from tunesmith.tuning.cli.console import console_of, text

EVIL = "a\x1b]0;title\x07[red]b"


def test_texts_of_others_are_letters_and_no_styles() -> None:
    stream = io.StringIO()
    console_of(stream, 80).print(text(EVIL))
    assert stream.getvalue() == "a\\x1b]0;title\\x07[red]b\n"


def test_whatever_is_rendered_is_harmless() -> None:
    stream = io.StringIO()
    console_of(stream, 80).print(Markdown("a\x1b[2Jb"))
    assert "\x1b" not in stream.getvalue()


def test_passwords_are_hidden() -> None:
    stream = io.StringIO()
    console_of(stream, 80).print(text("lost postgresql://me:secret@h/d"))
    assert "secret" not in stream.getvalue()


def test_a_terminal_that_was_closed_is_no_error() -> None:
    stream = io.StringIO()
    console = console_of(stream, 80)
    stream.close()
    console.print("x")
