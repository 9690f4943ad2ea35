"""`tunesmith new-game`: a small complete game to be changed into one's own.

The files come from `tuning/cli/templates`: the game, its tests, hand-made weights, and a study that tunes them; four in
a row with no more than a game needs, or (those called full) Connect Four with stages, quiet positions and
symmetries. Nothing that exists is touched."""

import keyword
import re
from pathlib import Path

from tunesmith.games import names
from tunesmith.games.errors import InputError

TEMPLATES = Path(__file__).parent / "templates"
FILES = ("game.py", "test_game.py", "study.toml", "weights/hand.json")


def write_game(name: str, folder: Path, full: bool = False) -> list[Path]:
    """Write the files of a new game into `folder/name`; return them, the game's own first.

    Raises
    ------
    InputError
        The name is no name, or a shipped game's; the folder is there already, or cannot be written.
    """
    _check_name(name)
    home = folder / name
    if home.exists() or home.is_symlink():
        raise InputError(f"{home}: is there already; expected a new folder (nothing is overwritten)")
    try:
        texts = {path: template(path, full).read_text(encoding="utf-8") for path in FILES}
        return [_write(home / path, text.replace("@NAME@", name)) for path, text in texts.items()]
    except OSError as error:
        raise InputError(f"{home}: cannot be written: {error.strerror}") from error


def template(path: str, full: bool) -> Path:
    """Return the template of a file of a new game."""
    return TEMPLATES / f"{'full_' if full else ''}{Path(path).name}.txt"


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise InputError(
            f"name: expected a letter a-z, then up to 39 letters, digits or underscores, found {name!r:.100}"
        )
    if name in names():
        raise InputError(f"name: {name!r} is a game of Tunesmith; expected another name")


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    return path
