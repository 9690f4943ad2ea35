"""What is gained by games, by nodes, and by each part of an evaluation? Drawn from answers, and said in a sentence.

Figures are Elo with 95 % intervals: from pairs, or, where several seeds were measured, of the mean over them (t)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tunesmith.engine.limits import parse_limit
from tunesmith.experiments.five_games import GAMES
from tunesmith.experiments.pictures.frame import Curve, Point, Row, curves, rows
from tunesmith.experiments.questions.page import Mean
from tunesmith.tuning.stats.elo import Estimate, estimate
from tunesmith.tuning.stats.words import interval_words

Answers = Mapping[str, Any]  # what `results/questions` holds, by the name of the question
FEWEST = 3  # seeds of a mean
WAYS = {"defaults": "now", "as before": "before"}  # of learning curves, and what they are called here


def point(x: float, found: Estimate) -> Point:
    """Return a figure at its place."""
    return Point(x, found.elo, found.elo_low, found.elo_high)


# --- by games


def by_games(cells: Mapping[str, Any]) -> list[Curve]:
    """Return what studies gain by the games they played, by game and way (`results/learning-curves.json`)."""
    found = []
    for game, one in cells.items():
        colour = GAMES.index(game.partition(",")[0])
        for way, called in WAYS.items():
            own = [
                (int(games), ways[way])
                for games, ways in one["cells"].items()
                if len(ways.get(way, ())) >= FEWEST  # fewer seeds have an interval as wide as the picture
            ]
            points = tuple(_mean(games, seeds) for games, seeds in sorted(own, key=lambda row: row[0]))
            if points:
                found.append(Curve(f"{game}, {called}", points, colour, dashed=way != "defaults"))
    return found


def _mean(games: int, seeds: Mapping[str, Any]) -> Point:
    mean = Mean.of([one["elo"] for one in seeds.values()])
    return Point(games, mean.value, mean.value - mean.half, mean.value + mean.half)


def picture_by_games(cells: Mapping[str, Any]) -> str:
    """Draw `by_games`."""
    found = by_games(cells)
    return curves("Elo gained over hand, by games of self-play", "games", found, _spoken(found, "games"))


def words_by_games(cells: Mapping[str, Any]) -> str:
    """Say what the picture shows, with the terms of its figures."""
    said = "; ".join(
        f"{curve.name} ({one['terms']['limit']}, {2 * one['terms']['pairs']:,} games a seed) "
        + ", ".join(f"{_words(at)} after {at.x:,.0f}" for at in curve.points)
        for game, one in cells.items()
        for curve in by_games({game: one})
    )
    return (
        "Mean over seeds. Before: labels from results alone, 12 quiet positions a game, one ridge for all weights. "
        f"{said}."
    )


# --- by nodes


def by_nodes(answers: Answers) -> list[Curve]:
    """Return what the tuned weights gain by nodes a move: as `nodes` has it, other games as `tuned` has it."""
    found = []
    for colour, game in enumerate(GAMES):
        points = _points(answers.get("nodes"), (game, f"{game}, deep")) or _points(answers["tuned"], (game,))
        found.append(Curve(game, tuple(points), colour))
    return found


def _points(answer: Any, names: Sequence[str]) -> list[Point]:
    parts = [part for part in answer["parts"] if part["name"] in names] if answer else []
    figures = [one for part in parts for one in part["figures"] if one["limit"].startswith("nodes:")]
    return [point(parse_limit(one["limit"]).value, estimate(one["counts"])) for one in figures]


def picture_by_nodes(answers: Answers) -> str:
    """Draw `by_nodes`."""
    found = by_nodes(answers)
    return curves(
        "Elo of the tuned weights over hand, by nodes", "nodes a move", found, _spoken(found, "nodes")
    )


def words_by_nodes(answers: Answers) -> str:
    """Say what is left of each gain with the most nodes."""
    ends = ((curve.name, curve.points[0], curve.points[-1]) for curve in by_nodes(answers))
    said = "; ".join(
        f"{name} {_words(first)} at {first.x:,.0f}, {_words(last)} at {last.x:,.0f}"
        for name, first, last in ends
    )
    return f"The weights that ship, both sides with the same nodes: {said}."


# --- by parts of an evaluation


def by_parts(answers: Answers) -> list[Row]:
    """Return what each part of a game's tuned evaluation brings, by matches of the weights without it against all."""
    found = []
    for colour, game in enumerate(GAMES):
        own = sorted(_parts(answers, game), key=lambda row: -row[1].elo)
        found += [Row(f"{game}, {_limits(answers, game)}", None, colour)] if own else []
        found += [Row(name, at, colour) for name, at in own]
    return found


def _parts(answers: Answers, game: str) -> Iterator[tuple[str, Point]]:
    for part in _matches(answers, game):
        yield _short(part["name"]), point(0, estimate(part["figures"][0]["counts"][::-1]))


def _limits(answers: Answers, game: str) -> str:
    return ", ".join(dict.fromkeys(part["figures"][0]["limit"] for part in _matches(answers, game)))


def _matches(answers: Answers, game: str) -> Iterator[Any]:
    """Yield the matches of a game in which the first player lacks a part of what the second has."""
    for answer in answers.values():
        terms = {one["name"]: one for one in answer["settings"]["match"]}
        for part in answer["parts"] if answer["game"] == game else ():
            term = terms.get(part["name"])
            if term and term["first"]["without"] and not term["second"]["without"]:
                yield part


def _short(name: str) -> str:
    """Return what a match leaves out: the middle of `Tuned without captures against tuned`."""
    return name.partition("ithout ")[2].partition(" against")[0]


def picture_by_parts(answers: Answers) -> str:
    """Draw `by_parts`."""
    found = by_parts(answers)
    spoken = "; ".join(f"{row.name} {row.at.elo:+z.0f}" if row.at else row.name for row in found)
    title = "Elo that a part of the tuned evaluation brings"
    return rows(title, found, f"{title}: {spoken}")


def words_by_parts(answers: Answers) -> str:
    """Say of how many parts nothing is shown."""
    parts = [row.at for row in by_parts(answers) if row.at]
    shown, harm = sum(at.elo_low > 0 for at in parts), sum(at.elo_high < 0 for at in parts)
    return (
        f"The tuned weights against the same without a part; the weights left were not fitted anew. {shown} of "
        f"{len(parts)} parts are shown to bring something, {harm} to cost something; of the others the interval holds "
        "no difference too."
    )


def _words(at: Point) -> str:
    return interval_words(at, 0)


def _spoken(found: Sequence[Curve], unit: str) -> str:
    return "; ".join(
        f"{curve.name}: " + ", ".join(f"{at.elo:+z.0f} Elo at {at.x:,.0f} {unit}" for at in curve.points)
        for curve in found
    )
