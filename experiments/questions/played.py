"""Answers that come from games: matches, gauntlets, whole studies.

Elo with 95 % intervals from pairs; the first player's share counts draws as half."""

import hashlib
import itertools
import json
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tunesmith import games as game_registry
from tunesmith.engine import book as book_files
from tunesmith.engine import weights as weight_files
from tunesmith.engine.book import Book
from tunesmith.engine.book.build import BookTerms, build
from tunesmith.engine.weights import Weights
from tunesmith.experiments.questions import foreseen
from tunesmith.experiments.questions.terms import Foresight, Gauntlet, Match, Question, Side, StudyPart
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning import config
from tunesmith.tuning.documents.matches import MachineLoad
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play import gauntlet, load, rating, selfplay, store
from tunesmith.tuning.play.match import judge
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.openings.file import read
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import pair_results, summarise
from tunesmith.tuning.stats import elo


def player(game: Game, side: Side) -> Weights:
    """Return the weights of a side with its search options, and without some of its features.

    Raises
    ------
    InputError
        The weights, an option or a feature is not known.
    """
    made = replace(weight_files.load(side.weights, game, allow_variant=True), variant=dict(game.variant))
    values = made.array(game).copy()
    if side.stage is not None:
        if side.stage not in game.stage_names:
            raise InputError(f"stage: expected one of {', '.join(game.stage_names)}, found {side.stage!r}")
        values[:] = values[game.stage_names.index(side.stage)]
    for pattern in side.without:
        found = [at for at, name in enumerate(game.feature_names) if fnmatchcase(name, pattern)]
        if not found:
            raise InputError(f"without: expected a feature of {game.name}, found {pattern!r}")
        values[:, found] = 0.0
    if side.without or side.stage is not None:
        made = weight_files.from_array(game, values, made.scale, options=made.options)
    return weight_files.with_options(made, side.options)


@dataclass(frozen=True)
class QuestionRun:
    """Where games are played: the question, the folder that keeps them, workers, and who is told."""

    question: Question
    folder: Path
    resources: Resources

    def match(self, part: Match) -> dict[str, Any]:
        """Play a match at each of its limits."""
        spec = part.game or self.question.game
        game = game_registry.load(spec)
        first, second = player(game, part.first), player(game, part.second)
        books = self._book(game, first, part.first), self._book(game, second, part.second)
        numbers = {limit: part.pairs_at(limit) for limit in part.limits}
        openings = self._openings(game, (first, second), max(map(len, numbers.values())))
        terms = part.model_dump(mode="json", exclude={"pairs", "timed_pairs", "limits"})
        found = []
        for limit, pairs in numbers.items():
            folder = self.folder / _slug(part.name, terms, limit)
            matchup = Matchup(
                spec,
                first,
                second,
                (part.first.limit or limit, part.second.limit or limit),
                self.question.seed,
                Noise(part.noise, 1000),
                hash_mb=self.question.hash_mb,
                books=books,
            )
            before = load.find(folder)
            selfplay.play(matchup, openings, pairs, folder, self.resources)
            busy = _load(before, load.find(folder))
            found.append({"limit": limit, **_figures(store.read_games(folder, pairs)), **busy})
        return {
            "kind": "match",
            "name": part.name,
            "weights": [first.digest, second.digest],
            "figures": found,
        }

    def gauntlet(self, part: Gauntlet) -> dict[str, Any]:
        """Play everybody against everybody at each limit."""
        question, found = self.question, []
        for limit in part.limits:
            terms = gauntlet.Terms(
                question.game,
                part.pairs,
                limit,
                question.seed,
                question.openings.plies,
                question.openings.max_score,
                question.hash_mb,
            )
            folder = self.folder / f"{_plain(part.name)}-{_plain(limit)}"
            before = load.together(map(load.find, _games_below(folder)))
            played = gauntlet.run(terms, part.players, rating.Scale(), folder, self.resources)
            busy = _load(before, load.together(map(load.find, _games_below(folder))))
            found.append({**played.content(), **busy})
        return {"kind": "gauntlet", "name": part.name, "figures": found}

    def foresight(self, part: Foresight) -> dict[str, Any]:
        """Play against one opponent with each of the models of it, on the same openings (not kept in the folder)."""
        game = game_registry.load(self.question.game)
        first, second = player(game, part.first), player(game, part.second)
        openings = self._openings(game, (first, second), part.pairs)
        own, other = foreseen.evaluation(game, first), foreseen.evaluation(game, second)
        found = []
        for name in part.models:
            expected = foreseen.evaluation(game, player(game, Side(weights=name)))
            minds = foreseen.Mind(own, expected, part.depth), foreseen.Mind(other, other, part.second_depth)
            found.append(foreseen.figures(name, foreseen.play_pairs(game, *minds, openings)))
        return {"kind": "foresight", "name": part.name, "figures": found}

    def study(self, part: StudyPart) -> dict[str, Any]:
        """Run a study in each of its variations, with each seed."""
        found = []
        seeds = [[f"seed={seed}"] for seed in part.seeds] or [[]]
        for run, seed in itertools.product(part.run, seeds):
            changes = [*part.changes, *run.changes, *seed]
            settings = config.load(Path(part.file), part.preset, changes)
            folder = self.folder / _slug(part.name, {"changes": changes, "preset": part.preset}, run.name)
            verdict = run_study(settings, folder, self.resources)
            found.append({"variation": run.name, "changes": changes, **_from_here(verdict.content())})
        return {"kind": "study", "name": part.name, "figures": found}

    def _book(self, game: Game, weights: Weights, side: Side) -> Book | None:
        """Return the book of a side, built unless the folder holds it."""
        if side.book is None:
            return None
        path = (
            self.folder
            / f"book-{weights.digest[:8]}-{_plain(side.book.judge)}-{side.book.plies}-{side.book.games}.json"
        )
        if not path.is_file():
            made = build(game, weights, BookTerms(side.book.plies, side.book.games, judge=side.book.judge))
            self.folder.mkdir(parents=True, exist_ok=True)
            book_files.save(made, path)
        return book_files.load(path, game)

    def _openings(self, game: Game, players: tuple[Weights, ...], count: int) -> list[Opening]:
        settings = self.question.openings
        return choose_openings(
            game,
            judge(game, *players),
            settings,
            count=count,
            purpose="verify",
            seed=self.question.seed,
            file=read(game, Path(settings.file)) if settings.file else None,
        )


# --- figures


def _figures(games: Games) -> dict[str, Any]:
    counts = list(pair_results(games).counts)
    return {"counts": counts, **summarise(games).content(), **asdict(elo.estimate(counts))}


def _from_here(found: dict[str, Any]) -> dict[str, Any]:
    """Return figures whose files are named as from this folder: a page is read on other machines."""
    named: dict[str, Any] = json.loads(json.dumps(found).replace(json.dumps(f"{Path.cwd()}/")[1:-1], ""))
    return named


def _games_below(folder: Path) -> list[Path]:
    return sorted((folder / "games").glob("*"))


def _load(before: MachineLoad | None, after: MachineLoad | None) -> dict[str, Any]:
    """Return the load of the machine for a limit in time, and how many of its games were played by this call."""
    if after is None:
        return {}
    return {"load": after.content(), "played_now": after.games - (before.games if before else 0)}


def _plain(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text)


def _slug(name: str, terms: dict[str, Any], last: str) -> str:
    """Return the name of a folder that changed terms do not share."""
    digest = hashlib.sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()[:8]
    return f"{_plain(name)}-{digest}-{_plain(last)}"
