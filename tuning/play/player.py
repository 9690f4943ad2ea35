"""Who is meant by NAME or NAME@key=value,key=value: which weights, search options, limit and book?

NAME is a name of the game's (`hand`), GAME/NAME, or a file. What follows the @ is the player's own: search options on
top of the weight file's, `limit`, and `book` (a file). Commands that take a player take this text, so that a player is
written the same way wherever it plays.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.engine import book as book_files
from tunesmith.engine import weights as weight_files
from tunesmith.engine.book import Book
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.weights import Weights
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.games.texts import parse_json
from tunesmith.tuning.config import HAND, TUNED, parse_options

OWN = ("limit", "book")  # what a player may have besides search options


@dataclass(frozen=True, eq=False)
class NamedPlayer:
    """One player: as it was written, its name without what is its own, and what that means."""

    text: str
    name: str
    weights: Weights
    limit: str
    book: Book | None

    @property
    def key(self) -> str:
        """Digest of all that decides its moves: weights, limit and book."""
        text = f"{self.weights.digest} {self.limit} {self.book.digest if self.book else ''}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_player(
    text: str,
    game: Game,
    limit: str,
    options: Mapping[str, Any] | None = None,
    *,
    allow_variant: bool = False,
    keep_simple: bool = True,
) -> NamedPlayer:
    """Return the player of a text, for whom `limit` and `options` hold unless it has its own.

    keep_simple: whether `random` and `greedy` may be given `options`, which they do not take.

    Raises
    ------
    InputError
        No such weights or book, or an option that is not known.
    """
    name, tail = split(text)
    own = parse_options(tail, f"player {text!r}", others=OWN)
    stop = str(parse_limit(str(own.pop("limit", limit))))
    book = own.pop("book", None)
    weights = weight_files.load(name, game, allow_variant)
    if weights.variant != dict(
        game.variant
    ):  # what plays is of the variant that is played, and not proven there
        weights = replace(weights, variant=dict(game.variant), proof=[])
    weights = weight_files.with_options(weights, dict(options or {}), keep_simple)
    weights = weight_files.with_options(weights, own)
    return NamedPlayer(text, name, weights, stop, book_files.load(Path(str(book)), game) if book else None)


def read_weights(
    text: str,
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    allow_variant: bool = False,
    keep_simple: bool = True,
) -> Weights:
    """Return the weights and search options of a player where all have one limit and none has a book."""
    own = parse_options(split(text)[1], f"player {text!r}", others=OWN)
    for key in OWN:
        if key in own:
            raise InputError(
                f"player {text!r}: a {key} of its own is for match, gauntlet, probe and play; here all have one limit "
                "and no book"
            )
    return read_player(
        text, game, "nodes:1", options, allow_variant=allow_variant, keep_simple=keep_simple
    ).weights


def split(text: str) -> tuple[str, str]:
    """Return the name and what follows its @; a file may have an @ in its name."""
    name, at, tail = text.rpartition("@")
    is_file = os.path.isfile(text) and (weight_files.has_folder(text) or text.endswith(".json"))
    return (name, tail) if at and not is_file else (text, "")


def named_weights(text: str, spec: str | None, allow_variant: bool = False) -> tuple[Game, Weights]:
    """Return the game and the weights of a file, GAME/NAME, or NAME of the game `spec`; see `game_of`.

    Raises
    ------
    InputError
        No such game or weights, or the argument does not say of which game they are.
    """
    head, name = _game_and_name(text)
    game = registry.load(game_of(text, spec))
    is_plain = head in ("", *registry.names())  # then the engine knows what is meant, and of which game
    return game, weight_files.load(text if is_plain else name, game, allow_variant)


def game_of(text: str, spec: str | None) -> str:
    """Return the game spec of a weights argument: the one given, that of GAME/NAME, or the one in the file."""
    if spec is not None:
        return spec
    head, _ = _game_and_name(text)
    if head:
        return head
    is_path = os.path.dirname(text) != "" or Path(text).suffix != ""
    found = _spec_of(Path(text)) if is_path else None
    if found is None:
        raise InputError(
            f"weights {text!r}: expected a file, GAME/NAME such as kalah/hand, or a name with --game GAME"
        )
    if found.partition(":")[0] not in registry.names():
        raise InputError(
            f"{text}: game: expected one of {', '.join(registry.names())}, or --game path/to/game.py for a game of "
            f"your own, found {found!r}"
        )
    return found


def _game_and_name(text: str) -> tuple[str, str]:
    """Return GAME and NAME of `GAME/NAME`, where GAME may be the path of a game; both empty for anything else."""
    head, _, name = text.rpartition("/")
    spec = head.partition(":")[0]
    is_game = spec in registry.names() or (spec.endswith(".py") and os.path.isfile(spec))
    return (head, name) if is_game and name and not Path(name).suffix else ("", "")


def _spec_of(path: Path) -> str | None:
    """Return the game spec that a weight file names, None if it cannot be told."""
    try:
        data = parse_json(path.read_text(encoding="utf-8-sig"))
        variant = data["variant"]
        shown = ",".join(f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in variant.items())
        return f"{data['game']}:{shown}" if shown else str(data["game"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return registry.names()[0] if os.path.isfile(path) else None


def named_or_default(text: str | None, game: Game, allow_variant: bool) -> tuple[str, bool]:
    """Return who plays, and whether weights made for another variant will do: they do if nobody was named.

    The default is what the game says (`Game.default_weights`), else `tuned` where there are any, else `hand`.
    """
    if text is not None:
        return text, allow_variant
    has_tuned = game.folder is not None and (game.folder / "weights" / f"{TUNED}.json").is_file()
    return game.default_weights or (TUNED if has_tuned else HAND), True
