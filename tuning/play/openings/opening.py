"""How does a game begin, and which purpose does that beginning serve?

An opening is known by the key of its last position, the same for all symmetric images and for the position
with sides exchanged (a pair plays both sides anyway). A stable hash of that key gives every position to one
purpose, so the sets of different purposes cannot meet, whatever their seeds and sizes.

Whoever tries again and again on the same openings of a proof ends with weights that these openings chose. So an
attempt may take another edition of the split: what an earlier edition has kept for the proof serves play and search
in all later ones, and never a proof again. That leaves edition e `0.35 * 0.65 ** (e - 1)` of all positions."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from tunesmith.engine.compile.arith import below, mix
from tunesmith.engine.compile.slots import swap_sides
from tunesmith.engine.search.transposition import position_key
from tunesmith.games.errors import StudyError, TunesmithError
from tunesmith.games.game import Game, State
from tunesmith.games.texts import shown
from tunesmith.tuning.config import DEFAULTS
from tunesmith.tuning.documents.document import Document
from tunesmith.tuning.files import read_json

SHARES = {"train": 50, "search": 15, "verify": 35}  # per cent of all positions
_PROOF = "verify"
_SPLIT_SALT = 0x6F70_656E  # the split must not follow other uses of the key


class Opening(NamedTuple):
    """How a game begins: with moves from the start position, or with a position of its own.

    text: the moves' texts joined by a space, or the position's text. root: the position, where it is one;
    it has no moves then, so that `position_of` can tell from a record.
    """

    moves: tuple[int, ...]
    text: str
    root: State | None = None


class TooFewOpenings(StudyError):
    """There are fewer openings than asked for; `found` are all there are."""

    def __init__(self, message: str, found: Sequence[Opening]) -> None:
        super().__init__(message)
        self.found = list(found)


def position_of(text: str, n_moves: int) -> str | None:
    """Return the text of the position that games of an opening start from; None is the start position."""
    return text if text and n_moves == 0 else None


def to_rows(openings: Sequence[Opening]) -> list[dict[str, list[int] | str]]:
    """Return openings as a study stores them."""
    return [{"moves": list(opening.moves), "text": opening.text} for opening in openings]


class StoredOpening(Document):
    """An opening as a study stores it."""

    moves: list[int]
    text: str


def read_rows(game: Game, path: Path) -> list[Opening] | None:
    """Return the openings that a study has stored, None where there is no file.

    Raises
    ------
    StudyError
        The file is damaged, or holds something else.
    """
    stored = read_json(path)
    if stored is None:
        return None
    if not isinstance(stored, list):
        raise StudyError(f"{path}: expected a list of openings, found {shown(stored)}")
    rows = (StoredOpening.of(row, path) for row in stored)
    try:
        return [opening_of(game, tuple(row.moves), row.text) for row in rows]
    except StudyError:
        raise
    except (TunesmithError, ValueError) as error:
        raise StudyError(f"{path}: {error}") from error


def opening_of(game: Game, moves: tuple[int, ...], text: str) -> Opening:
    """Return the opening of some moves, or, where there are none, of the position that the text is."""
    position = position_of(text, len(moves))
    return Opening(moves, text, None if position is None else game.text_to_state(position))


def purpose_of(key: int, edition: int = DEFAULTS.openings.edition) -> str:
    """Return the one purpose that the opening position `key` serves in an edition, 1 or more."""
    has_proved = any(_draw(key, earlier, SHARES) == _PROOF for earlier in range(1, edition))
    left = {purpose: share for purpose, share in SHARES.items() if not (has_proved and purpose == _PROOF)}
    return _draw(key, edition, left)


def shares_of(edition: int) -> dict[str, float]:
    """Return which share of all positions, per cent, serves each purpose in an edition, 1 or more."""
    unused = (1 - SHARES[_PROOF] / 100) ** (edition - 1)
    others = 100 - SHARES[_PROOF]
    return {
        purpose: share * unused + (0 if purpose == _PROOF else share / others * 100 * (1 - unused))
        for purpose, share in SHARES.items()
    }


def _draw(key: int, edition: int, shares: Mapping[str, int]) -> str:
    place = below(mix(key ^ (_SPLIT_SALT + edition - 1)), sum(shares.values()))
    ends = dict(zip(shares, accumulate(shares.values()), strict=True))
    return next(purpose for purpose, end in ends.items() if place < end)


def shared_key(state: State) -> int:
    """Return one key for a state, its symmetric images, and all of them with sides exchanged (template)."""
    return min(position_key(state, True, True), position_key(swap_sides(state), True, True))
