"""RoPaSci 360: rock, paper, scissors on a hexagon, both sides moving at once.

The board is a hexagon of 61 hexes (r, q) with -4 <= r, q, r + q <= 4: rows r = 4 (top, Upper's home) to -4
(Lower's home). It starts empty; each side has nine throws. Every turn both sides choose one move, seeing
only the board before the turn:
- *throw* (while throws are left): put a new rock, paper or scissors on a hex of the own zone. The first throw
  reaches the home row only, every further one a row more, the ninth the whole board. Occupied hexes too.
- *slide*: move a token to a neighbouring hex, occupied or not.
- *swing*: move a token round a neighbouring hex with an own token (the pivot): to a hex next to the pivot
  that is neither the start nor next to it, three at most. Tokens on the same hex are no pivots.

Both tokens arrive together; then all that stands on a hex fights at once, own tokens among each other too.
With two symbols there, all tokens of the beaten one go (rock beats scissors, scissors paper, paper rock);
with all three, every token goes. Equal symbols share a hex in any number, whoever owns them. Tokens that
swap hexes pass each other; a token that leaves escapes.

After every turn, the first of these that holds ends the game:
1. a side has neither throws nor tokens left: the other wins; both: draw;
2. both sides have an invincible token: draw. A token is invincible when the enemy has no throws left and no
   token of the symbol that beats it;
3. a side has an invincible token, the other exactly one token (and no throws left): the first side wins;
4. the same tokens on the same hexes, with the same throws made, for the third time: draw;
5. 360 turns have been played: draw.

Here a turn is two moves: Upper's is kept hidden in the state until Lower's has been chosen. There are no
variants."""

from pathlib import Path

from tunesmith.games.game import Game, functions_of
from tunesmith.games.ropasci360 import drawing, features, notation, rules, symmetry

__all__ = ["GAME", "make"]

_FUNCTIONS = functions_of(rules, symmetry, features, notation, drawing)


def make() -> Game:
    """Return RoPaSci 360."""
    return Game(
        name="ropasci360",
        variant={},
        feature_names=tuple(features.MEANINGS),
        feature_meanings=tuple(features.MEANINGS.values()),
        stage_names=features.STAGES,
        cheap_features=features.CHEAP,
        max_moves=328,  # 183 throws and 18 moves from each of 8 hexes are 327
        max_plies=2 * rules.MAX_TURNS,
        repetition_limit=3,
        simultaneous=True,
        n_symmetries=2,
        folder=Path(__file__).parent,
        default_weights="home",
        **_FUNCTIONS,  # type: ignore[arg-type]
    )


GAME = make()
