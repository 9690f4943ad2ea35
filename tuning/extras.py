"""What only some need is an extra of the package: which one is missing, and how is it installed?"""

import contextlib
from collections.abc import Iterator

from tunesmith.games.errors import InputError


@contextlib.contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Let the block import what an extra brings; where it is not installed, say so.

    Parameters
    ----------
    name
        The extra, as `pyproject.toml` calls it.
    what
        What needs it, in the words of whoever asked for it.

    Raises
    ------
    InputError
        Naming the package that is missing and the extra that brings it.
    """
    try:
        yield
    except ImportError as error:
        raise missing(name, what, (error.name or "a package").partition(".")[0]) from error


def missing(name: str, what: str, package: str) -> InputError:
    """Return the error that a package of an extra is missing; see `extra`."""
    return InputError(
        f"{what}: needs {package}, which is not installed: pip install 'tunesmith[{name}]' "
        f"(in a clone: make install EXTRAS={name})"
    )
