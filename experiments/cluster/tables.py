"""The pages of what was measured: `results/cluster.md`, and `cluster/cost.md` from the same figures."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from tunesmith.experiments.cluster import cost
from tunesmith.experiments.cluster.cost import Play, Spent
from tunesmith.experiments.cluster.intake import Intake
from tunesmith.experiments.cluster.trouble import of_dask
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.texts import counted
from tunesmith.tuning.play.pool import AHEAD, BATCH_SECONDS, FEW

COMMAND = "python -m tunesmith.experiments.cluster --out experiments/results/cluster.json"
FISHTEST = Play("chess at 10+0.1 (fishtest's short control)", 30.0)
WIDE = 150  # characters of a line of prose
FISHTEST_SAYS = (
    "Fishtest beside it: a game at its short time control takes a core half a minute, one at the long one three",
    "minutes ([its FAQ](https://github.com/official-stockfish/fishtest/wiki/Fishtest-faq) has four of each). Its tests",
    "are in normalised Elo too, so a test of [0, 2] is as long there; in chess with many draws that is less than 2 Elo",
    "([its mathematics](https://github.com/official-stockfish/fishtest/wiki/Fishtest-mathematics)). Its first",
    "bottleneck",
    "is of the same kind as ours, the one server that hands out and takes in: with more than 20,000 cores a test grew",
    "by 300 games in a minute where about 1,500 were expected",
    "([2020](https://github.com/official-stockfish/fishtest/issues/553)), and with some 75,000 cores the server in",
    "distress answered 126 calls a second, most of them after 0.2 to 0.4 seconds",
    "([2024](https://github.com/official-stockfish/fishtest/issues/2003)). What was proposed against it are larger",
    "tasks, 1,000 games in place of 200 ([2021](https://github.com/official-stockfish/fishtest/pull/988)); ours grow",
    f"with the number of workers: {BATCH_SECONDS:g} s of play up to {FEW} of them,",
    f"{BATCH_SECONDS * 1000 / FEW:g} s for 1,000.",
)


def prose(*parts: str) -> list[str]:
    """Return a paragraph in lines, with an empty one behind it."""
    return [*textwrap.wrap(" ".join(parts), WIDE, break_long_words=False, break_on_hyphens=False), ""]


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, name in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:.1f} s"


def number(value: float) -> str:
    """Return three digits that count."""
    return f"{float(f'{value:.3g}'):,.10g}"


def intake_rows(rows: Sequence[Intake]) -> list[str]:
    """Return the table of loads."""
    header = (
        "workers", "a pair takes", "network, each way", "pairs in a batch", "games/s", "of what they could play",
        "controller, ms a game", "scheduler, ms a game",
    )  # fmt: skip
    return markdown(
        header,
        [
            (
                f"{row.threads}",
                f"{row.pair_seconds:g} s",
                "none" if row.delay is None else f"{1000 * row.delay:g} ms",
                f"{row.pairs / row.batches:.1f}",
                number(row.games_per_second),
                f"{100 * row.share:.0f} %",
                f"{1000 * row.controller_cpu / (2 * row.pairs):.2f}",
                f"{1000 * row.scheduler_cpu / (2 * row.pairs):.2f}",
            )
            for row in rows
        ],
    )


def trouble_rows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the table of what happened; a command that is refused leaves no files."""
    return markdown(
        ("what happens", "files compared", "the same, and none lost", "time", "what the command says"),
        [
            (
                row["what"],
                str(row["files"]) if row["files"] else "none played",
                "yes" if row["is_same"] else "NO",
                f"{row['seconds']:.0f} s",
                of_dask(row["said"]).replace("|", "/"),
            )
            for row in rows
        ],
    )


def loads_of(found: Mapping[str, Any]) -> list[Intake]:
    """Return the loads that a file holds."""
    return [Intake(**{name: row[name] for name in Intake.__dataclass_fields__}) for row in found["intake"]]


def result_page(found: Mapping[str, Any]) -> str:
    """Return the page of a run."""
    loads, own = loads_of(found), found["machine"]
    spent = cost.spent(loads)
    wrong = [row["what"] for row in found["trouble"] if not row["is_same"]]
    verdict = f"Not the same: {', '.join(wrong)}." if wrong else "All are the same, and nothing is lost."
    lines = [
        "# Many workers",
        "",
        *prose(
            "What a Dask cluster does to games, trials and speed, with all its processes on one machine.",
            "What follows for larger ones is [another page](../cluster/cost.md).",
        ),
        "## Whoever is killed",
        "",
        *prose(
            "Games of Kalah and a search, against those of a run without a cluster, byte for byte. Kills are kill -9,",
            f"once the first games are written. {verdict}",
        ),
        *trouble_rows(found["trouble"]),
        "",
        "## What the controller can take in",
        "",
        *prose(
            "The command that hands out and writes is real, and so are scheduler and files; workers sleep as long as",
            "the games would take and answer with made-up ones, so that one machine can have hundreds. Times a",
            "game are",
            "CPU times. The slow network is a relay on this machine between command and scheduler, which delays each",
            "direction: the kernel of the machine that measured has no netem. Where others take the cores meanwhile,",
            "games a second are fewer than they could be; CPU times hardly change.",
        ),
        *intake_rows(loads),
        "",
        *prose(
            f"A batch costs the controller {1000 * spent.controller_batch:.1f} ms and the scheduler",
            f"{1000 * spent.scheduler_batch:.1f} ms, a game the controller {1000 * spent.controller_game:.2f} ms",
            "more: at most",
            f"{number(1 / spent.controller_batch)} batches a second, and {number(1 / spent.controller_game)}",
            "games a second",
            f"in large ones. {number(spent.game_bytes)} bytes a game pass the network.",
        ),
        "## What stays on one machine",
        "",
        *prose(*learning_words(found["learning"], spent.controller_game)),
        *prose(
            f"Written by `{COMMAND}` at commit {own.get('commit') or 'unknown'}, {found['date'][:10]}, on",
            f"{own['cores']}",
            f"cores of {own['cpu']}, load {own['load'][0]:g} at the start, in {duration(found['took'])}. Seeds: 1.",
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def learning_words(row: Mapping[str, Any], taken_in: float) -> list[str]:
    """Say what a dataset and a fit take beside play, and beside the seconds in which a game is taken in."""
    learning = row["dataset_seconds"] + row["fit_seconds"]
    return [
        f"Of {row['games']:,} games of {row['name']}, a game takes {1000 * row['game_seconds']:.1f} ms of play on a",
        f"core, {1000 * row['dataset_seconds']:.2f} ms to become rows and {1000 * row['fit_seconds']:.2f} ms of",
        "the fit",
        f"(CPU times); the controller takes {1000 * taken_in:.2f} ms to take it in. So datasets and fits are not",
        "handed",
        "out: games and rows lie where the command writes, and reading them again takes",
        f"{learning / taken_in:.1f} times",
        f"what writing them took. A million games are {duration(1e6 * learning)} of work for one core. Selfplay,",
        "matches,",
        "proofs, generations, searches, ladders and gauntlets play on the cluster.",
    ]


def cost_page(found: Mapping[str, Any]) -> str:
    """Return what games, proofs and searches would cost."""
    spent = cost.spent(loads_of(found))
    plays = [*(Play(row["name"], row["game_seconds"]) for row in found["plays"]), FISHTEST]
    games = cost.proof_games()
    many = [counted(n, "worker") for n in cost.WORKERS]
    lines = [
        "# What it would cost",
        "",
        *prose(
            "A model on paper, from [measured overheads](../results/cluster.md). A worker is a thread with a",
            "core of its",
            "own; the one command that hands out and writes, the scheduler and a network of 1 Gbit/s can each be",
            "the limit.",
            "Start and end are left out. Nobody has played on 1,000 workers: those of the measurement sleep.",
        ),
        "## Games a second",
        "",
        *markdown(
            ("games", *many),
            [(play.name, *(_rate_cell(n, play, spent) for n in cost.WORKERS)) for play in plays],
        ),
        "",
        "A share in brackets is that of the workers' time that goes into play, where something else is the limit.",
        "",
        *(_bottleneck_words(play, spent) for play in plays),
        "",
        "## A proof of 2 Elo",
        "",
        *prose(
            f"A sequential test of [0, 2] normalised Elo (5 % errors each way) takes {games:,.0f} games on",
            "average where",
            "the true gain is 2. Twice the bounds and the gain take a quarter of the games; [0, 20], which a",
            "study tests by",
            "default, takes a hundredth. Games that are on their way when a test ends are lost: up to",
            f"{AHEAD} batches of each worker.",
        ),
        *markdown(
            ("games", "core hours", *many),
            [
                (
                    play.name,
                    number(games * play.game_seconds / 3600),
                    *(duration(games / cost.rate(n, play, spent).games) for n in cost.WORKERS),
                )
                for play in plays
            ],
        ),
        "",
        *prose(*FISHTEST_SAYS),
        "## A search",
        "",
        *prose(
            f"{cost.TRIALS} trials of {cost.PAIRS} pairs. Trials in flight (`at_once`) decide how many workers have",
            f"something to do: a pair is played by one, so 4 trials of {cost.PAIRS} pairs keep",
            f"{cost.busy_in_search(1000, 4)} workers busy, and the table has as many in flight as it takes, up to",
            f"{cost.at_once_for(1000)}. With more of them settings are asked for with less known, which costs",
            "more trials or",
            "some Elo; how much is not in this table. `at_once` is a setting of the study, so the trials are the same",
            "for any number of workers.",
        ),
        *markdown(
            ("games", *(f"{counted(n, 'worker')}, {_at_once(n)} in flight" for n in cost.WORKERS)),
            [
                (
                    play.name,
                    *(duration(cost.search_seconds(n, _at_once(n), play, spent)) for n in cost.WORKERS),
                )
                for play in plays
            ],
        ),
        "",
        f"Written by `{COMMAND}`, {found['date'][:10]}.",
    ]
    return "\n".join(lines) + "\n"


def _at_once(workers: int) -> int:
    return max(4, cost.at_once_for(workers))


def _rate_cell(workers: int, play: Play, spent: Spent) -> str:
    rate = cost.rate(workers, play, spent)
    limit = "" if rate.bottleneck == "the workers" else f" ({100 * rate.busy:.0f} %)"
    return f"{number(rate.games)}{limit}"


def _bottleneck_words(play: Play, spent: Spent) -> str:
    most = cost.full_load(play, spent)
    if most >= 1_000_000:
        return f"- {play.name}: the workers are the limit."
    rate = cost.rate(most, play, spent)
    return f"- {play.name}: up to about {number(most)} workers all of them play; then {rate.bottleneck} is the limit."
