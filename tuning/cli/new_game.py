"""`tunesmith new-game`: a small complete game, Connect Four, to be changed into one's own.

The files come from `tuning/cli/templates`: the game with comments, its tests, hand-made weights, and a study that
tunes them. Nothing that exists is touched."""

import keyword
import re
from pathlib import Path

from tunesmith.games import names
from tunesmith.games.errors import InputError

TEMPLATES = Path(__file__).parent / "templates"
FILES = {
    "game.py": "game.py.txt",
    "test_game.py": "test_game.py.txt",
    "study.toml": "study.toml.txt",
    "weights/hand.json": "hand.json.txt",
}


def write_game(name: str, folder: Path) -> list[Path]:
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
        texts = {path: (TEMPLATES / file).read_text(encoding="utf-8") for path, file in FILES.items()}
        return [_write(home / path, text.replace("@NAME@", name)) for path, text in texts.items()]
    except OSError as error:
        raise InputError(f"{home}: cannot be written: {error.strerror}") from error


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
