"""Making an opening book: which positions does self-play come to, and what does a long search play there?

Games of a player against itself, with random moves in the first plies, say which positions matter; each of them is
searched longer than any game allows. Deterministic: one seed gives one book."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tunesmith.engine.board import Board
from tunesmith.engine.book import MOST_ENTRIES, Book, Entry
from tunesmith.engine.book.probe import key_and_image
from tunesmith.engine.compile.arith import mix
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.limits import Limit, parse_limit
from tunesmith.engine.match import NO_RESULT, Arena
from tunesmith.engine.player import Player
from tunesmith.engine.search.values import turned
from tunesmith.engine.searcher import Searcher, new_searcher
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game, State

Progress = Callable[[str, int, int], None]
Beginning = tuple[
    Sequence[int], State | None
]  # moves, and the position they start from (None: the game's own)


_TOLD = ("games", "limit", "judge", "noise", "min_games", "seed")  # in the file, of `BookTerms`


@dataclass(frozen=True)
class BookTerms:
    """How a book is made.

    Attributes
    ----------
    plies
        Moves of a game that the book may know.
    games, limit, noise
        Self-play: its length, the limit of a move, the chance that one of the first `plies` is random.
    min_games
        Number of games that a position must have come up in.
    judge
        Limit of the search that chooses the move, with a transposition table of `hash_mb` MiB.
    """

    plies: int = 6
    games: int = 200
    limit: str = "nodes:1000"
    judge: str = "nodes:100000"
    min_games: int = 4
    noise: float = 0.3
    seed: int = 1
    hash_mb: int = 64


def build(
    game: Game,
    weights: Weights,
    terms: BookTerms = BookTerms(),
    openings: Sequence[Beginning] = (),
    progress: Progress = lambda *_: None,
) -> Book:
    """Return a book of positions that self-play comes to.

    `openings` are how games begin, each in turn, if not at the start position.
    """
    if game.simultaneous:
        raise InputError(f"book: {game.name} has simultaneous choices: no single move is best")
    judge = parse_limit(terms.judge, "judge")  # a wrong one is said before the games
    seen, results, texts = _positions(game, weights, terms, openings, progress)
    common = [key for key, n in seen.most_common(MOST_ENTRIES) if n >= terms.min_games]
    judge_player = Player(game, weights, judge, hash_mb=terms.hash_mb)
    entries = []
    for done, key in enumerate(common):
        judge_player.new_game()
        found = judge_player.analyse(Board(game, texts[key]))
        share = results[key] / seen[key]
        entries.append(Entry(texts[key], found.move, round(found.score / 100, 1), seen[key], round(share, 4)))
        progress("judge", done + 1, len(common))
    how = {"weights": weights.digest, **{name: getattr(terms, name) for name in _TOLD}}
    return Book(game.name, dict(game.variant), terms.plies, tuple(entries), how)


def _positions(
    game: Game, weights: Weights, terms: BookTerms, openings: Sequence[Beginning], progress: Progress
) -> tuple[Counter[int], dict[int, float], dict[int, str]]:
    """Return games by position, the movers' results in them, and a text for each position."""
    parsed = parse_limit(terms.limit)
    first, second = _searcher(game, weights, parsed), _searcher(game, weights, parsed)
    arena = Arena(game, first, second, noise=(round(1000 * terms.noise), terms.plies))
    key_of = bind(key_and_image, game)
    seen: Counter[int] = Counter()
    results: dict[int, float] = defaultdict(float)
    texts: dict[int, str] = {}
    for pair in range((terms.games + 1) // 2):
        opening, root = openings[pair % len(openings)] if openings else ((), None)
        for record in arena.play_pair(opening, mix(mix(terms.seed) ^ pair), root):
            state = game.initial() if root is None else root
            for move in record.moves[: terms.plies]:
                key = int(key_of(state)[0])
                seen[key] += 1
                own = turned(0 if record.result == NO_RESULT else record.result, 0, game.mover(state))
                results[key] += (own + 1) / 2
                texts.setdefault(key, game.state_to_text(state))
                state = game.apply_move(state, int(move))
        progress("games", 2 * pair + 2, terms.games)
    return seen, results, texts


def _searcher(game: Game, weights: Weights, limit: Limit) -> Searcher:
    return new_searcher(game, weights.array(game), weights.scale, weights.search_options, limit)
