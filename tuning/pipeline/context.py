"""What is a study's run made of: its game and players, who plays whom with which seed, from which openings?

Everything here is read by the stages of a study and plays nothing. What decides a number is pinned in
`study.json` (`pins`)."""

from dataclasses import dataclass
from pathlib import Path

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.source import code_pins
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import SEED_PARTS, StudyConfig
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings import choose_openings, pick
from tunesmith.tuning.play.openings.file import OpeningFile, describe
from tunesmith.tuning.play.openings.file import read as read_openings
from tunesmith.tuning.play.openings.opening import Opening, read_rows, to_rows
from tunesmith.tuning.play.player import read_weights
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.study import Study, chosen_weights

BASELINE, PREVIOUS = "baseline", "previous"  # names of opponents in self-play that a study gives itself


@dataclass(frozen=True)
class Players:
    """The game and the players of a study, and its file of openings, if it has one.

    `verify_opponents` are met in the proof, `play_opponents` play along in self-play, both by their names.
    """

    game: Game
    baseline: Weights
    verify_opponents: tuple[tuple[str, Weights], ...]
    openings: OpeningFile | None = None
    play_opponents: tuple[tuple[str, Weights], ...] = ()


def load_players(config: StudyConfig, *, tunes: bool = True, proves: bool = True) -> Players:
    """Return the game and the weights that a study names, all checked; what it `tunes` is no simple player.

    Whoever proves nothing needs no opponents of the proof. Weights made for another variant will do: it is measured
    what they are worth here.
    """
    game = game_registry.load(config.game)

    def load(name: str) -> Weights:
        return read_weights(name, game, config.options, allow_variant=True)

    baseline = load(config.baseline)
    if tunes and baseline.is_simple:
        raise InputError(
            f"baseline: expected weights to improve, found the simple player {config.baseline!r} "
            "(search options can make a player as simple: options = {max_depth = 1})"
        )
    verify_opponents = tuple((name, load(name)) for name in config.verify.opponents if proves)
    file = config.openings.file
    openings = read_openings(game, Path(file)) if file else None
    names = {opponent.weights for opponent in config.play.opponents} - {BASELINE, PREVIOUS}
    play_opponents = tuple((name, load(name)) for name in sorted(names))
    return Players(game, baseline, verify_opponents, openings, play_opponents)


def keep(study: Study, name: str, weights: Weights) -> None:
    """Write a weight file of a study, and when that was."""
    weight_files.save(weights, study.path("weights", f"{name}.json"))
    study.note_weights(name, weights.digest)


def pins(players: Players) -> dict[str, str]:
    """Return what decides a study's numbers besides its settings."""
    pinned = code_pins(players.game) | {"digest of the baseline": players.baseline.digest}
    if players.openings is not None:
        pinned["digest of the openings"] = players.openings.digest
    others = (*players.verify_opponents, *players.play_opponents)
    return pinned | {f"digest of {name}": weights.digest for name, weights in others}


# A study's one seed gives a seed to each of its parts: pairs of two parts are never the same games.

_CHECKS, _SEARCH, _PROOF = 300, 400, 500  # generations take 1 ... 20


def play_seed(config: StudyConfig, generation: int) -> int:
    """Return the seed of a generation's self-play."""
    return config.seed * SEED_PARTS + generation


def check_seed(config: StudyConfig, generation: int) -> int:
    """Return the seed of the match that checks a generation."""
    return config.seed * SEED_PARTS + _CHECKS + generation


def search_seed(config: StudyConfig) -> int:
    """Return the seed of all trials of a search."""
    return config.seed * SEED_PARTS + _SEARCH


def proof_seed(config: StudyConfig, run: int) -> int:
    """Return the seed of a run of the proof, by its place in the plan."""
    return config.seed * SEED_PARTS + _PROOF + run


def matchup_of(config: StudyConfig, first: Weights, second: Weights, limit: str, seed: int) -> Matchup:
    """Return a match of a study: all but players, limit and seed is the same in all its parts."""
    return Matchup(
        config.game,
        first,
        second,
        (limit, limit),
        seed,
        move_cap=config.play.move_cap,
        hash_mb=config.hash_mb,
    )


def openings_needed(config: StudyConfig) -> dict[str, int]:
    """Return how many openings a study needs for each purpose, the search's further ones left out."""
    v, tuned = config.verify, bool(config.search.trials)
    played = 0 if tuned and config.search.start == "baseline" else config.play.openings
    proof = v.max_pairs + v.measure_pairs + v.second_pairs + len(v.opponents) * v.opponent_pairs
    return {"train": played, "search": config.search.pairs if tuned else 0, "verify": proof}


def note_openings(study: Study, players: Players, resources: Resources, needed: dict[str, int]) -> None:
    """Tell what the file of openings holds, and refuse one that is too short before the first game."""
    if players.openings is None:
        return
    edition = study.config.openings.edition
    facts = players.openings.facts(edition)
    for line in describe(facts):
        resources.listener.note(line)
    for purpose, count in needed.items():
        pick(players.openings, purpose, count, study.config.seed, edition)
    facts.write(study.path("openings", "file.json"))


def opening_set(
    study: Study, players: Players, purpose: str, count: int, resources: Resources
) -> list[Opening]:
    """Return `count` openings of a purpose, made on the first call and read back later."""
    path = study.path("openings", f"{purpose}.json")
    stored = read_rows(players.game, path)
    if stored is None:
        study.note_stage("openings", purpose=purpose)
        resources.listener.note(f"openings: {count:,} for {purpose}")
        stored = choose_openings(
            players.game,
            players.baseline,
            study.config.openings,
            count=count,
            purpose=purpose,
            seed=study.config.seed,
            file=players.openings,
        )
        study.write(to_rows(stored), "openings", f"{purpose}.json")
    if len(stored) < count:
        raise StudyError(
            f"{path}: expected {count} openings, found {len(stored)}; without this file `tunesmith run` makes it again"
        )
    return stored


def candidate_of(study: Study, players: Players) -> Weights:
    """Return the weights that a study has chosen; refuse a study that still tunes."""
    chosen = chosen_weights(study.root)
    if chosen is None:
        raise StudyError(f"{study.root}: has no weights to verify yet; tunesmith run goes on with it")
    return chosen.load(study.root, players.game)
