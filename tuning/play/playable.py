"""Which matches cannot be played? They are refused before the first game."""

import logging
from collections.abc import Sequence

from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings.opening import Opening

logger = logging.getLogger("tunesmith.tuning")


def check(matchup: Matchup, game: Game, pairs: range, openings: Sequence[Opening]) -> None:
    """Refuse what cannot be played, before the first game."""
    check_players(matchup, game)
    if pairs.step != 1 or (len(pairs) and pairs.start < 0):
        raise InputError(f"pairs: expected consecutive numbers from 0 on, found {pairs}")
    if pairs and pairs.stop > len(openings):
        raise InputError(
            f"pairs: {pairs.stop} need as many openings, found {len(openings)}; no opening is played twice"
        )
    chosen = openings[pairs.start : pairs.stop]
    if len({(opening.moves, opening.root) for opening in chosen}) < len(chosen):
        raise InputError("openings: some are the same; every pair needs its own")
    longest = max((len(opening.moves) for opening in chosen), default=0)
    if matchup.move_cap <= longest:
        raise InputError(
            f"move_cap: expected more than the {longest} moves of an opening, found {matchup.move_cap}"
        )
    if matchup.is_mirror:
        logger.warning(
            "both players are the same and nothing is random: the two games of a pair will be identical"
        )


def check_players(matchup: Matchup, game: Game) -> None:
    """Refuse what cannot be played whatever the openings are: said before they are made, which takes long."""
    chance, plies = matchup.noise.chance, matchup.noise.plies
    if not 0 <= chance <= 1 or plies < 0:
        raise InputError(
            f"noise: expected a chance of 0 to 1 and a number of moves, found {chance:g} and {plies}"
        )
    share = sum(opponent.share for opponent in matchup.opponents)
    if any(not opponent.share > 0 for opponent in matchup.opponents) or share > 1 + 1e-9:
        raise InputError(f"opponents: expected shares above 0 that sum to at most 1, found {share:g} in all")
    _check_adjudication(matchup)
    opponents = [opponent.weights for opponent in matchup.opponents]
    for player, weights in enumerate((matchup.first, matchup.second, *opponents)):
        if weights.game != game.name or weights.variant != dict(game.variant):
            raise InputError(
                f"weights of player {player + 1}: are for {weights.game} {weights.variant}, the game is {game.spec}"
            )


def _check_adjudication(matchup: Matchup) -> None:
    if matchup.adjudicate is None:
        return
    in_points = [matchup.against(at).search_options(1) for at in range(-1, len(matchup.opponents))]
    if any(options.objective == "margin" for options in (matchup.search_options(0), *in_points)):
        raise InputError("adjudicate: expected players whose scores are Elo, found objective=margin (points)")
