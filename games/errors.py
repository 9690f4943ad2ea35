"""The error tree. Everything a user can cause is a `TunesmithError`; its text is one line that names
the file or argument, the field, what was expected and what was found."""


class TunesmithError(Exception):
    """Base of all errors that the command line shows as one line, whatever they quote; `listed` follow, a line each."""

    exit_code = 2
    is_break = False  # whether the same command goes on where it broke off

    def __init__(self, message: object = "", *listed: str) -> None:
        super().__init__(message, *listed)

    def __str__(self) -> str:
        message, *listed = (one_line(part) for part in self.args)
        return "".join([message, *(f"\n  {line}" for line in listed)])


def one_line(text: object) -> str:
    """Return a text in one line: what games and libraries raise may have several."""
    return " ".join(line.strip() for line in str(text).splitlines() if line.strip())


class InputError(TunesmithError, ValueError):
    """Wrong input: a file, an option, a text form. Exit code 2."""


class GameError(TunesmithError):
    """A game breaks the contract of `games.game` (duplicates, writes outside the buffer, ...)."""


class StudyError(TunesmithError):
    """A study folder cannot be used: changed settings, damaged middle, unwritable."""


class FaultError(TunesmithError):
    """Too many games ended by a fault of the code under test."""

    exit_code = 1
