"""How is an answer shown? Tables, and under each a sentence a row that says what its figures show.

Everything is made of the figures in an answer, anew each time. Sentences are those of the terminal (`stats.words`): a
page claims what an interval shows and nothing else. Elo is the first-named player's."""

from collections.abc import Callable, Mapping, Sequence
from statistics import mean, stdev
from typing import Any, NamedTuple

from scipy.stats import t as student

from tunesmith.engine.limits import parse_limit
from tunesmith.experiments.questions.ratio import Ratio, of_totals
from tunesmith.tuning.cli.printing import print_grid
from tunesmith.tuning.documents.matches import MachineLoad
from tunesmith.tuning.play import load
from tunesmith.tuning.stats.elo import Estimate, estimate, games_needed
from tunesmith.tuning.stats.words import first_move, interval_words, judged, saving, share_words

Part = Mapping[str, Any]
Table = tuple[list[str], list[list[str]]]  # header and rows


class Mean(NamedTuple):
    """A mean over seeds, half its 95 % interval (t; inf for one seed), and how many seeds there are."""

    value: float
    half: float
    seeds: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """Return the mean of some values."""
        n = len(values)
        half = float(student.ppf(0.975, n - 1)) * stdev(values) / n**0.5 if n > 1 else float("inf")
        return cls(mean(values), half, n)

    def judged_as(self, more: str, less: str) -> str:
        """Return one of two words, or that no difference is shown: the interval holds 0."""
        if abs(self.value) <= self.half:
            return "no difference is shown"
        return more if self.value > 0 else less

    @property
    def words(self) -> str:
        """The mean with its interval."""
        return f"{self.value:+z.0f}" + (f" ± {self.half:.0f}" if self.seeds > 1 else " (one seed)")


def page(found: dict[str, Any], command: str) -> str:
    """Return an answer as a Markdown page with the command that gives it."""
    lines = [f"# {found['question']}", "", f"{found['game']}: `{command}`"]
    for part in found["parts"]:
        lines += ["", f"## {part['name']}", "", *markdown(*table(part)), ""]
        lines += [f"- {text}" for text in sentences(part, found["settings"])]
        lines += [line for note in notes(part) for line in ("", f"Note: {note}")]
    return "\n".join(lines) + "\n"


def claims(found: dict[str, Any]) -> list[str]:
    """Return all sentences of an answer as a list in Markdown, each under the name of its part."""
    return [
        f"- {part['name']}: {text}" for part in found["parts"] for text in sentences(part, found["settings"])
    ]


def show(found: dict[str, Any]) -> None:
    """Print an answer."""
    print(f"{found['game']}: {found['question']}")
    for part in found["parts"]:
        print(f"\n{part['name']}")
        header, rows = table(part)
        print_grid(rows, header)
        print("\n".join(sentences(part, found["settings"])))
        for note in notes(part):
            print(f"note: {note}")


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table in Markdown."""
    return [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]


def table(part: Part) -> Table:
    """Return header and rows of a part."""
    return _KINDS[part["kind"]][0](part["figures"])


def sentences(part: Part, settings: Part) -> list[str]:
    """Return what the figures of a part show, a sentence a row."""
    return _KINDS[part["kind"]][1](part, settings)


def notes(part: Part) -> list[str]:
    """Return what else there is to say of a part."""
    if part["kind"] == "match":
        return [f"{one['limit']}: {text}" for one in part["figures"] for text in one["warnings"]]
    if part["kind"] == "gauntlet":
        return [f"{one['terms']['limit']}: {text}" for one in part["figures"] for text in one["notes"]]
    return []


def load_words(limit: str, one: Part) -> str:
    """Return the load beside a limit in time, and how many games other calls had played before."""
    if parse_limit(limit).is_deterministic:
        return "-"
    if "load" not in one:
        return load.words(None)
    earlier = one["load"]["games"] - one["played_now"]
    when = f", {earlier if one['played_now'] else 'all'} games of earlier runs" if earlier else ""
    return load.words(MachineLoad.of(one["load"], "load")) + when


def _at(limit: str, said: str, one: Part) -> str:
    """Return a sentence with its limit, and for a limit in time with the load of the machine."""
    busy = "" if parse_limit(limit).is_deterministic else f" (load {load_words(limit, one)})"
    return f"{limit}: {said}{busy}"


# --- matches


def _match_table(figures: Sequence[Part]) -> Table:
    header = ["limit", "games", "Elo", "draws", "first player", "plies", "load"]
    return header, [_match_row(one) for one in figures]


def _match_row(one: Part) -> list[str]:
    share, half = one["first_player_share"], one["first_player_half_width"]
    return [
        one["limit"],
        str(2 * sum(one["counts"])),
        interval_words(estimate(one["counts"]), 0),
        f"{one['result_shares']['draw']:.0%}",
        f"{share:.1%} ± {half:.1%}" if half is not None else f"{share:.1%}",
        f"{one['mean_length']:.1f}",
        load_words(one["limit"], one),
    ]


def _match_claims(part: Part, settings: Part) -> list[str]:
    terms = next(one for one in settings["match"] if one["name"] == part["name"])
    first, second = player_words(terms["first"]), player_words(terms["second"])
    return [_at(one["limit"], _match_claim(first, second, one), one) for one in part["figures"]]


def _match_claim(first: str, second: str, one: Part) -> str:
    if first == second:
        return first_move(one["first_player_share"], one["first_player_half_width"])
    counts = one["counts"]
    return judged(first, second, estimate(counts), games_needed(counts), 0)


def player_words(side: Part) -> str:
    """Return a side's weights with what else sets it apart."""
    without = [f"without {', '.join(side['without'])}"] if side["without"] else []
    stage = [f"{side['stage']} throughout"] if side["stage"] else []
    book = ["with a book"] if side["book"] else []
    own = [side["limit"]] if side["limit"] else []
    parts = [*(f"{name}={value}" for name, value in side["options"].items()), *without, *stage, *book, *own]
    return f"{side['weights']} ({', '.join(parts)})" if parts else str(side["weights"])


# --- gauntlets


def _gauntlet_table(figures: Sequence[Part]) -> Table:
    by_limit = [{one["name"]: one for one in result["players"]} for result in figures]
    names = [one["name"] for one in figures[0]["players"]]
    rows = [[name, *(_rating(rated[name]) for rated in by_limit)] for name in names]
    return ["player", *(result["terms"]["limit"] for result in figures)], rows


def _rating(one: Part) -> str:
    return f"{one['elo']:+z.0f} ({one['low']:+z.0f} .. {one['high']:+z.0f})"


def _gauntlet_claims(part: Part, settings: Part) -> list[str]:
    """Compare each player with one of them, by the games of the two."""
    terms = next(one for one in settings["gauntlet"] if one["name"] == part["name"])
    against, found = terms["against"] or terms["players"][0], []
    for result in part["figures"]:
        met = {(one["first"], one["second"]): one["counts"] for one in result["pairings"]}
        for name in (one["name"] for one in result["players"] if one["name"] != against):
            counts = met.get((name, against)) or met[against, name][::-1]
            said = judged(name, against, estimate(counts), games_needed(counts), 0)
            found.append(_at(result["terms"]["limit"], said, result))
    return found


# --- searches to a fixed depth


def _techniques_table(figures: Sequence[Part]) -> Table:
    header = ["techniques", "measured by", "nodes", "share", "CPU s", "share", "cut at 1st", "same value"]
    return header, [_techniques_row(one, figures) for one in figures]


def _techniques_row(one: Part, figures: Sequence[Part]) -> list[str]:
    is_first = one["against"] == one["rung"]
    nodes, seconds = _shares(one, figures)
    return [
        one["rung"],
        "-" if is_first else one["against"],
        f"{'' if one['finished'] else '> '}{one['nodes']:,}",
        "-" if is_first else share_words(*nodes),
        f"{one['seconds']:.2f}",
        "-" if is_first else share_words(*seconds),
        "-" if one["first_cuts"] is None else f"{one['first_cuts']:.1%}",
        f"{one['same']} of {len(one['values'])}",
    ]


def _techniques_claims(part: Part, _: Part) -> list[str]:
    found = []
    for one in part["figures"]:
        if one["against"] != one["rung"]:
            nodes, seconds = _shares(one, part["figures"])
            said = f"{saving('nodes', *nodes)}; {saving('CPU time', *seconds)}"
            found.append(f"{one['rung']}, measured by {one['against']}: {said}")
    return found


def _shares(one: Part, figures: Sequence[Part]) -> tuple[Ratio, Ratio]:
    """Return the shares of nodes and of CPU time that a search takes of the one that it is measured by."""
    own, other = one["each"], next(row["each"] for row in figures if row["rung"] == one["against"])
    return of_totals([own["nodes"]], [other["nodes"]]), of_totals(own["seconds"], other["seconds"])


# --- the opponent's evaluation in the search


def _foresight_table(figures: Sequence[Part]) -> Table:
    rows = [
        [one["model"], str(2 * sum(one["counts"])), interval_words(estimate(one["counts"]), 0)]
        for one in figures
    ]
    return ["expects moves by", "games", "Elo"], rows


def _foresight_claims(part: Part, settings: Part) -> list[str]:
    """Say what each model wins, and beside the first model, on the same openings, what it is worth."""
    terms = next(one for one in settings["foresight"] if one["name"] == part["name"])
    plain, *others = part["figures"]
    found = []
    for one in part["figures"]:
        first = f"{player_words(terms['first'])}, which expects moves by {one['model']},"
        counts = one["counts"]
        found.append(judged(first, player_words(terms["second"]), estimate(counts), games_needed(counts), 0))
    for one in others:
        more = Mean.of([50 * (a - b) for a, b in zip(one["each"], plain["each"], strict=True)])
        found.append(
            f"to expect moves by {one['model']} instead of {plain['model']}: "
            f"{more.value:+z.1f} ± {more.half:.1f} of 100 points on the same openings: "
            f"{more.judged_as('it helps', 'it harms')}"
        )
    return found


# --- the form of an evaluation


def _squash_table(one: Part) -> Table:
    n = one["positions"]
    row = [str(n), str(one["depth"]), f"{one['same_move']} of {n}", f"{one['same_nodes']} of {n}"]
    return ["positions", "depth", "same move", "same nodes"], [row]


def _squash_claims(part: Part, _: Part) -> list[str]:
    one, n = part["figures"], part["figures"]["positions"]
    moves, nodes = n - one["same_move"], n - one["same_nodes"]
    return [f"another move in {moves} of {n} positions, another number of nodes in {nodes}"]


# --- studies


def _study_table(figures: Sequence[Part]) -> Table:
    names = list(dict.fromkeys(row["variation"] for row in figures))
    if len(names) < len(figures):  # several seeds
        by_name = {name: _by_seed(figures, name) for name in names}
        n_seeds = str(len({row["seed"] for row in figures}))
        rows = [[name, n_seeds, *_means(gains)] for name, gains in by_name.items()]
        return ["study", "seeds", *by_name[names[0]]], rows
    labels = list(dict.fromkeys(label for row in figures for label in _gains(row)))
    rows = [
        [row["variation"], row["outcome"], *(_gains(row).get(at, "-") for at in labels)] for row in figures
    ]
    return ["study", "verdict", *labels], rows


def _gains(row: Part) -> dict[str, str]:
    """Return the measured gains of a study by opponent and limit, in words."""
    return {label: interval_words(found, 0) for label, found in _measured(row).items()}


def _measured(row: Part) -> dict[str, Estimate]:
    """Return what a study measured by opponent and limit; a test that stopped measures nothing."""
    return {
        f"{run['opponent']['name']} at {run['limit']}": estimate(run["counts"])
        for run in row["runs"]
        if run["name"] != "main"
    }


def _by_seed(figures: Sequence[Part], variation: str) -> dict[str, dict[int, float]]:
    """Return the measured gains of a variation in Elo, by opponent and limit, and seed."""
    rows = [row for row in figures if row["variation"] == variation]
    return {label: {row["seed"]: _measured(row)[label].elo for row in rows} for label in _measured(rows[0])}


def _means(gains: Mapping[str, Mapping[int, float]]) -> list[str]:
    return [Mean.of(list(own.values())).words for own in gains.values()]


def _beside_the_first(figures: Sequence[Part]) -> list[str]:
    """Say what each variation gains over the first, paired by seed."""
    first, *others = dict.fromkeys(row["variation"] for row in figures)
    plain, found = _by_seed(figures, first), []
    for name in others:
        for label, own in _by_seed(figures, name).items():
            more = Mean.of([elo - plain[label][seed] for seed, elo in own.items()])
            found.append(
                f"{name}, beside {first}: {more.words} Elo against {label}: {more.judged_as('more', 'less')}"
            )
    return found


def _study_claims(part: Part, _: Part) -> list[str]:
    if len({one["variation"] for one in part["figures"]}) < len(part["figures"]):
        return _beside_the_first(part["figures"])
    return [f"{one['variation']}: {one['sentence']}" for one in part["figures"]]


_KINDS: dict[str, tuple[Callable[[Any], Table], Callable[[Part, Part], list[str]]]] = {
    "match": (_match_table, _match_claims),
    "gauntlet": (_gauntlet_table, _gauntlet_claims),
    "techniques": (_techniques_table, _techniques_claims),
    "squash": (_squash_table, _squash_claims),
    "foresight": (_foresight_table, _foresight_claims),
    "study": (_study_table, _study_claims),
}
