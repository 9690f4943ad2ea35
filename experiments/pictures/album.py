"""Which pictures does the page of experiments show, and what does it say below each?

A picture and its sentences are made of files in `results`, so a test can tell whether they still say the same."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.experiments.pictures import boards, gains, league
from tunesmith.tuning.files import read_json

LEAGUE, LIMIT = "kalah-heuristics", "nodes:1000"  # question and limit of the cross table


@dataclass(frozen=True)
class Shown:
    """What stands on the page between the marks of a figure, and the files that it shows."""

    text: str
    files: dict[Path, str]


def shown(results: Path) -> dict[str, Shown]:
    """Return the figures of the page, by the names of their marks, as the files in `results` have them."""
    answers = {path.stem: read_json(path) for path in sorted((results / "questions").glob("*.json"))}
    curves, positions = read_json(results / "learning-curves.json"), read_json(results / "boards.json")
    table = next(one for one in answers[LEAGUE]["parts"][0]["figures"] if one["terms"]["limit"] == LIMIT)
    place = results / "pictures"
    return {
        "by-games": _one(place / "by-games.svg", gains.picture_by_games, gains.words_by_games, curves),
        "by-nodes": _one(place / "by-nodes.svg", gains.picture_by_nodes, gains.words_by_nodes, answers),
        "by-parts": _one(place / "by-parts.svg", gains.picture_by_parts, gains.words_by_parts, answers),
        "league": _one(place / "league.svg", league.cross_table, league.words, table),
        "boards": _boards(place, positions),
    }


def _one(path: Path, draw: Callable[[Any], str], words: Callable[[Any], str], found: Any) -> Shown:
    return Shown(f"{_image(path, path.stem)}\n\n{words(found)}\n", {path: draw(found)})


def _boards(place: Path, positions: dict[str, Any]) -> Shown:
    files = {place / f"board-{name}.svg": boards.drawn(one) for name, one in positions.items()}
    images = [_image(path, name) for path, name in zip(files, positions, strict=True)]
    said = [
        f"- {name}, of {one['seen']:,} positions: {boards.words(one)}." for name, one in positions.items()
    ]
    return Shown("\n".join(images) + "\n\n" + "\n".join(said) + "\n", files)


def _image(path: Path, name: str) -> str:
    return f"![{name}](results/pictures/{path.name})"
