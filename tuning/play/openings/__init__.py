"""Where do the openings of a purpose come from: a user's file, or random first plies?

A seed orders those of a file; asking for more adds to the end.

- `file`: Which openings does a user's file hold?
- `opening`: How does a game begin, and which purpose does that beginning serve?
- `random`: Openings made of random first plies, judged balanced by a shallow search, distinct, and split by
  purpose"""

from tunesmith.engine.compile.arith import mix
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.tuning.config import DEFAULTS, Openings
from tunesmith.tuning.play.openings.file import ALL, OpeningFile, shares_in_words
from tunesmith.tuning.play.openings.opening import Opening, TooFewOpenings, purpose_of
from tunesmith.tuning.play.openings.random import make_openings


def choose_openings(
    game: Game,
    judge: Weights,
    terms: Openings,
    *,
    count: int,
    purpose: str,
    seed: int,
    file: OpeningFile | None = None,
) -> list[Opening]:
    """Return `count` openings for a purpose: those of the file, if there is one, else random balanced ones."""
    if file is not None:
        return pick(file, purpose, count, seed, terms.edition)
    return make_openings(game, judge, terms, count=count, purpose=purpose, seed=seed)


def pick(
    file: OpeningFile, purpose: str, count: int, seed: int, edition: int = DEFAULTS.openings.edition
) -> list[Opening]:
    """Return `count` of the file's openings for a purpose (or `ALL`), in the order that the seed gives.

    Raises
    ------
    TooFewOpenings
        There are fewer: no opening is ever played twice.
    """
    own = [key for key in file.openings if purpose in (ALL, purpose_of(key, edition))]
    own.sort(key=lambda key: (mix(key ^ mix(seed)), key))
    if len(own) < count:
        whole = (
            f" ({len(file.openings)} in all; a hash of the position keeps {shares_in_words(edition)} apart)"
        )
        raise TooFewOpenings(
            f"{file.path}: holds {len(own)} openings for {purpose!r}{'' if purpose == ALL else whole}, and "
            f"{count} pairs need one each: give more openings, or ask for fewer pairs",
            [file.openings[key] for key in own],
        )
    return [file.openings[key] for key in own[:count]]
