"""What is exported: the numbers of a weight file, in the order in which an agent's features must stand.

Weights stay in the file's own unit; `elo_per_unit` stands beside them and every exported function applies it,
so that all give the same integer: the score in 1/100 Elo, of the side to move or, for weights of a table whose
features are seen from the first player, of that one. A proof of other weights than these
is never quoted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.games.texts import counted
from tunesmith.tuning.documents.fit import SIDES
from tunesmith.tuning.export.spelling import identifiers, plain
from tunesmith.tuning.pipeline.table_weights import read_weights
from tunesmith.tuning.proof.promotion import sentences

Style = Callable[[str], str]

LARGEST = EVALUATION_MAX  # 1/100 Elo
_READING = ("empty", "scratch")  # what a table's reading found, told where it is not 0
UNPROVEN = "none: nobody has shown that these weights are stronger than others"


@dataclass(frozen=True)
class Constants:
    """Numbers (S, F) with names and origin.

    `stem` is the name of the game or table, `title` says the variant too; `origin` is what a comment says of
    them, `proof` sentences on these very weights, `facts` what else belongs in a file for programs, `side` whose
    view the features and the score are.
    """

    stem: str
    title: str
    stages: tuple[str, ...]
    features: tuple[str, ...]
    meanings: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    elo_per_unit: float
    origin: dict[str, str]
    proof: tuple[str, ...]
    facts: Mapping[str, object]
    side: str = SIDES["mover"]

    def notes(self, unit: str = "ELO_PER_UNIT") -> list[str]:
        """Return what a comment says first; `unit` is the name of Elo per unit in the language."""
        per = "points of 1 Elo" if self.elo_per_unit == 1 else f"units of {self.elo_per_unit!r} Elo"
        shape = f"{counted(len(self.features), 'feature')}, {counted(len(self.stages), 'stage')}"
        return [
            f"{self.title}: weights of {shape}, in {per}, written by Tunesmith.",
            *(f"{name}: {text}" for name, text in self.origin.items()),
            *(f"proof: {sentence}" for sentence in self.proof or (UNPROVEN,)),
            f"Features in the order below, seen from the {self.side}; shares of the stages, sum 1"
            f"{'' if len(self.stages) > 1 else ' (the one stage: 1)'}.",
            f"Score = {unit} x sum of share x weight x feature, as an integer of 1/100 Elo: rounded half to even, "
            f"within +/-{LARGEST}. Do not leave out {unit}.",
        ]

    def features_at(self, style: Style, prefix: str) -> list[tuple[str, int, str]]:
        """Return (identifier, index, comment) of each feature."""
        told = [f"{n}: {m}" if m else n for n, m in zip(self.features, self.meanings, strict=True)]
        return _numbered(identifiers(self.features, style, prefix), told)

    def stages_at(self, style: Style, prefix: str) -> list[tuple[str, int, str]]:
        """Return (identifier, index, comment) of each stage."""
        return _numbered(identifiers(self.stages, style, prefix), self.stages)

    def table(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield for each stage its comment and (number, comment) of each feature; numbers keep all their bits."""
        names = [plain(name) for name in self.features]
        for stage, row in zip(self.stages, self.rows, strict=True):
            yield plain(stage), list(zip(map(repr, row), names, strict=True))

    def lines(self, opening: str, entry: str, closing: str) -> Iterator[str]:
        """Yield the lines of `table`: the opening takes a stage, an entry its number and its comment."""
        for stage, row in self.table():
            yield opening % stage
            yield from (entry % cell for cell in row)
            yield closing


def _numbered(made: Sequence[str], told: Sequence[str]) -> list[tuple[str, int, str]]:
    return [(name, at, plain(text)) for at, (name, text) in enumerate(zip(made, told, strict=True))]


def of_weights(weights: Weights, game: Game) -> Constants:
    """Return the constants of a game's weight file, features in the order in which the game computes them."""
    digest = weights.digest
    proof = [p for p in weights.proof if isinstance(p, Mapping) and p.get("candidate") == digest]
    variant = ", ".join(f"{name}={str(value).lower()}" for name, value in weights.variant.items())
    origin = {"digest": digest, **_origin(weights.provenance)}
    facts = {"game": weights.game, "variant": weights.variant, "options": weights.options, "digest": digest,
             "provenance": weights.provenance, "proof": proof}  # fmt: skip
    return Constants(
        weights.game,
        f"{weights.game} ({variant})" if variant else weights.game,
        game.stage_names,
        game.feature_names,
        game.feature_meanings,
        tuple(tuple(row) for row in weights.array(game).tolist()),
        weights.scale,
        origin,
        tuple(sentences(weights)),
        facts,
    )


def _origin(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return what provenance says in words and numbers; its settings and versions fill pages."""
    told = {name: value for name, value in provenance.items() if isinstance(value, str | int | float)}
    return {name: str(value) for name, value in told.items() if name not in _READING or value}


def of_table(path: Path) -> Constants:
    """Return the constants of weights fitted to a table, features in the order of the file."""
    found = read_weights(path)
    source = found.source
    title = str(source.get("table", path.stem))
    return Constants(
        Path(title).stem,
        title,
        found.names.stages,
        found.names.features,
        ("",) * len(found.names.features),
        tuple(map(tuple, found.values.tolist())),
        found.unit,
        _origin(source),
        (),
        {"provenance": dict(source), "proof": []},
        SIDES[found.seen_from] + (" (White)" if found.seen_from == "first" else ""),
    )
