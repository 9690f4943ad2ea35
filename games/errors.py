"""The error tree. Everything a user can cause is a `TunesmithError`; its text is one line that names
the file or argument, the field, what was expected and what was found."""


class TunesmithError(Exception):
    """Base of all errors that the command line shows as one line."""

    exit_code = 2


class InputError(TunesmithError, ValueError):
    """Wrong input: a file, an option, a text form. Exit code 2."""


class GameError(TunesmithError):
    """A game breaks the contract of `games.game` (duplicates, writes outside the buffer, ...)."""


class StudyError(TunesmithError):
    """A study folder cannot be used: changed settings, damaged middle, unwritable."""


class FaultError(TunesmithError):
    """Too many games ended by a fault of the code under test."""

    exit_code = 1
