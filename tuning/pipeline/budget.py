"""How many pairs does a study play in the time that somebody has?

Before its first game the speed of play is measured here, and the numbers of pairs that the study file asks for are
scaled by one factor, so that self-play, search and proof keep their shares of the time; a fit takes little, and has a
tenth. The numbers are kept in `budget.json` of the study's folder and from then on are settings like all others:
whoever continues the study, with or without the option, on a faster machine or a slower one, plays the same games."""

import logging
import re
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tunesmith.engine.limits import parse_limit
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.config import MOST_PAIRS, StudyConfig
from tunesmith.tuning.documents.status import Budget
from tunesmith.tuning.files import BUDGET, is_unused
from tunesmith.tuning.pipeline import context
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.resources import Log, Resources

logger = logging.getLogger("tunesmith.tuning")

PLAYED = 0.9  # share of the time for games; fits, openings and the report have the rest
MEASURED = 0.02  # share of the time that goes into measuring the speed of one limit, at most
LEAST = {  # below, a stage says nothing
    "play.pairs": 20, "play.check_pairs": 10, "search.trials": 10, "verify.max_pairs": 20,
    "verify.measure_pairs": 20, "verify.second_pairs": 10, "verify.opponent_pairs": 10,
}  # fmt: skip
MOST_MEASURED = 4096  # pairs that are played to measure a limit
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0}


def seconds_in(text: str) -> float:
    """Return the seconds of `90s`, `30m`, `2h` or `1h30m`."""
    parts = re.findall(r"(\d+(?:\.\d+)?)([hms])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise InputError(f"--budget: expected a time such as 90s, 30m, 2h or 1h30m, found {text!r}")
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def settled(root: Path, budget: str | None) -> list[str]:
    """Return the settings, `key=value`, that a study's budget has come to; none where there is no budget.

    Raises
    ------
    StudyError
        The study began without the budget that is given now, or with another one.
    """
    stored = Budget.find(root / BUDGET)
    if budget is not None and not is_unused(root) and (stored is None or stored.budget != budget):
        began = "without a budget" if stored is None else f"with --budget {stored.budget}"
        raise StudyError(
            f"{root}: began {began}, and its numbers of pairs are fixed; without --budget it goes on"
        )
    return [] if stored is None else [f"{name}={value}" for name, value in stored.pairs.items()]


def settle(config: StudyConfig, root: Path, budget: str, resources: Resources) -> list[str]:
    """Measure, choose and keep the numbers of pairs for a study that has not begun; return them as settings."""
    limit, began = seconds_in(budget), time.monotonic()
    resources.listener.note(f"budget {budget}: the speed of play is measured")
    speed = measure(config, resources, MEASURED * limit)
    pairs = choose(config, limit - (time.monotonic() - began), speed, budget)
    Budget(budget=budget, seconds_a_pair=speed, pairs=pairs).write(root / BUDGET)
    told = ", ".join(f"{name} {value:,}" for name, value in pairs.items())
    resources.listener.note(f"budget {budget}: {told}")
    return settled(root, budget)


def asked(config: StudyConfig) -> dict[str, tuple[int, str]]:
    """Return how many pairs a study asks for, with their limit, by the name of the setting that says so.

    Of `search.trials` these are the pairs of all trials, of `play.pairs` those of all generations.
    """
    play, search, v = config.play, config.search, config.verify
    found = {
        "play.pairs": (play.generations * play.pairs, play.limit),
        "play.check_pairs": (play.generations * play.check_pairs if play.has_checks else 0, play.limit),
        "search.trials": (search.trials * search.pairs, search.limit),
        "verify.max_pairs": (v.max_pairs, v.limit),
        "verify.measure_pairs": (v.measure_pairs, v.limit),
        "verify.second_pairs": (v.second_pairs, v.second_limit),
        "verify.opponent_pairs": (len(v.opponents) * v.opponent_pairs, v.limit),
    }
    if search.trials and search.start == "baseline":  # nothing is fitted, nothing played for a fit
        del found["play.pairs"], found["play.check_pairs"]
    return {name: (pairs, limit) for name, (pairs, limit) in found.items() if pairs}


def choose(
    config: StudyConfig, seconds: float, speed: Mapping[str, float], budget: str = ""
) -> dict[str, int]:
    """Return the values of the settings of `asked` that fill the time; `speed`: seconds a pair, by limit."""
    wanted, settings = asked(config), config.flat()
    factor = PLAYED * seconds / sum(pairs * speed[limit] for pairs, limit in wanted.values())
    chosen = {name: min(MOST_PAIRS, max(LEAST[name], int(factor * settings[name]))) for name in wanted}
    needed = sum(
        chosen[name] / settings[name] * pairs * speed[limit] for name, (pairs, limit) in wanted.items()
    )
    if needed > max(seconds, 0.0):
        raise InputError(
            f"--budget {budget}: this study's least numbers of pairs take about {needed / PLAYED:,.0f} s here, and "
            f"{max(seconds, 0.0):,.0f} s are left now that the speed is measured; give more time, fewer generations "
            "or lower limits"
        )
    return chosen


def measure(config: StudyConfig, resources: Resources, seconds: float) -> dict[str, float]:
    """Return how long a pair takes, all workers together, in seconds by limit; nodes are measured once and scaled."""
    speed: dict[str, float] = {}
    nodes: dict[float, float] = {}
    for limit in sorted({limit for _, limit in asked(config).values()}):
        parsed = parse_limit(limit)
        if parsed.kind == "nodes" and nodes:
            known, taken = next(iter(nodes.items()))
            speed[limit] = taken * parsed.value / known
            continue
        speed[limit] = _seconds_a_pair(config, limit, resources, seconds)
        if parsed.kind == "nodes":
            nodes[parsed.value] = speed[limit]
    return speed


def _seconds_a_pair(config: StudyConfig, limit: str, resources: Resources, seconds: float) -> float:
    """Play more and more pairs of the baseline against itself, until so many seconds are full."""
    players, silent = context.load_players(config, proves=False), replace(resources, listener=Log())
    plain = context.matchup_of(config, players.baseline, players.baseline, limit, config.seed)
    matchup = replace(plain, noise=Noise(config.play.noise, config.play.noise_plies))
    selfplay.compile_search(matchup, players.game, resources.listener.note)
    n = 2 * resources.jobs
    began = 0.0
    while True:
        openings = choose_openings(
            players.game, players.baseline, config.openings, count=n, purpose="train", seed=config.seed,
            file=players.openings,
        )  # fmt: skip
        with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
            is_warm, start = began > 0, time.monotonic()
            quiet, logger.disabled = logger.disabled, True  # what so few games are worth is no news
            try:
                selfplay.play(matchup, openings, range(n), Path(folder) / "games", silent)
            finally:
                logger.disabled = quiet
            spent = time.monotonic() - start
        began = start
        if is_warm and (spent >= seconds or n >= MOST_MEASURED):
            return spent / n
        n *= 2 if is_warm else 1
