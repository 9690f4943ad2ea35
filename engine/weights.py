"""Weight files: JSON, loaded by name and never by position, one definition for reading and writing.

Two names need no file: `random` plays any legal move, `greedy` looks at its own moves alone, by the game's
`hand` weights. They are weights like all others, with search options that make them what they are.

`digest` is the SHA-256 of the canonical JSON (sorted keys, no spaces, numbers as floats, name lists sorted) of
game, variant, features, stages, scale, weights and options: what decides how the player plays. A proof or
provenance added later does not change it, nor what is known of the length of games: these are covered by
`proof_digest`, the SHA-256 of the canonical JSON of all three. A file where it is wrong is refused, so that no damaged
proof is ever shown; one without it is read, and told as not covered. Files of version 1 call the options `search`, and
so does the canonical JSON for good: `digest` is the same in both. score = scale x sum of stage share x weight x
feature, in Elo.

Long because reading, checking and writing of one format belong together."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine import files
from tunesmith.engine.options import SearchOptions
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.games.texts import parse_json

FORMAT, VERSION = "tunesmith-weights", 2
_OPTIONS = {1: "search", VERSION: "options"}  # what a version calls how the player looks ahead
MOST_ELO = 1e12  # of a weight, a million million: sums of these are exact enough, and far from overflowing
_NEEDED = ("format", "version", "game", "variant", "features", "stages", "scale", "weights")
_KNOWN = (*_NEEDED, "digest", "moves_to_go", "provenance", "proof", "proof_digest")

Values = dict[str, dict[str, float]]

SIMPLE = ("random", "greedy")


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of one player.

    Attributes
    ----------
    values
        {stage: {feature: number}}, in the author's own unit.
    scale
        Elo per unit.
    options
        Search options that differ from the defaults.
    moves_to_go
        {stage: numbers}: among how many own moves a player shares out the time that is left for a game, in order of
        the plies played, `searcher.PLIES_A_CELL` for each number, the last one for all that follow; empty: not known.
    is_covered
        Whether proof and provenance are as they were written: false for those of a file without a `proof_digest`.
    """

    game: str
    variant: dict[str, Any]
    features: tuple[str, ...]
    stages: tuple[str, ...]
    scale: float
    values: Values
    options: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    proof: list[dict[str, Any]] = field(default_factory=list)
    moves_to_go: dict[str, list[float]] = field(default_factory=dict)
    is_covered: bool = True

    @property
    def digest(self) -> str:
        """SHA-256 of what decides how the player plays, hexadecimal."""
        deciding = {
            "game": self.game,
            "variant": self.variant,
            "features": sorted(self.features),
            "stages": sorted(self.stages),
            "scale": float(self.scale),
            "weights": {
                stage: {name: float(value) for name, value in row.items()}
                for stage, row in self.values.items()
            },
            "search": self.options,
        }
        return _digest_of(deciding)

    @property
    def proof_digest(self) -> str:
        """SHA-256 of what decides no move by itself, hexadecimal; a proof says itself of which weights it is."""
        known = {"moves_to_go": self.moves_to_go} if self.moves_to_go else {}
        return _digest_of({"proof": self.proof, "provenance": self.provenance, **known})

    @property
    def is_simple(self) -> bool:
        """Whether these are `random` or `greedy`, whose search options must stay what they are."""
        return self.provenance.get("player") in SIMPLE

    @property
    def search_options(self) -> SearchOptions:
        """All search options, with the defaults of those that the file does not name."""
        return SearchOptions.from_mapping(self.options)

    def array(self, game: Game) -> npt.NDArray[np.float64]:
        """Return the weights as float64 (stages, features) in the order of the game's names."""
        return np.array(
            [[self.values[s][f] for f in game.feature_names] for s in game.stage_names], np.float64
        )

    def to_go(self, game: Game) -> npt.NDArray[np.float64] | None:
        """Return `moves_to_go` as float64 (stages, cells) in the order of the game's names, None if not known."""
        if not self.moves_to_go:
            return None
        return np.array([self.moves_to_go[stage] for stage in game.stage_names], np.float64)

    def with_proof(self, verdict: dict[str, Any]) -> Weights:
        """Return a copy with one more verdict; the digest stays."""
        return replace(self, proof=[*self.proof, verdict])

    def to_json(self) -> dict[str, Any]:
        """Return the file's content."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "variant": self.variant,
            "features": list(self.features),
            "stages": list(self.stages),
            "scale": self.scale,
            "weights": self.values,
            "options": self.options,
            "digest": self.digest,
            **({"moves_to_go": self.moves_to_go} if self.moves_to_go else {}),
            "provenance": self.provenance,
            "proof": self.proof,
            "proof_digest": self.proof_digest,
        }


def _digest_of(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def from_array(game: Game, array: Any, scale: float = 1.0, **rest: Any) -> Weights:
    """Return weights made of float64 (stages, features) in the order of the game's names."""
    values = {
        stage: dict(zip(game.feature_names, map(float, row), strict=True))
        for stage, row in zip(game.stage_names, array, strict=True)
    }
    return Weights(
        game.name, dict(game.variant), game.feature_names, game.stage_names, float(scale), values, **rest
    )


def with_options(weights: Weights, changes: dict[str, Any], keep_simple: bool = False) -> Weights:
    """Return the weights with other search options on top of their own.

    A simple player takes none: it stays as it is with `keep_simple`, else that is an error.
    """
    if not changes or (weights.is_simple and keep_simple):
        return weights
    if weights.is_simple:
        player = weights.provenance["player"]
        raise InputError(f"weights {player!r}: a simple player takes no search options, found {changes}")
    return replace(weights, options={**weights.options, **changes})


def simple(name: str | os.PathLike[str], game: Game) -> str | None:
    """Return which simple player a weights argument means (`random`, `kalah/greedy`), None if it means a file.

    Raises
    ------
    InputError
        A file of the game's weights has the name of a simple player.
    """
    text = os.fspath(name)
    short = text.removeprefix(f"{game.name}/")
    if short not in SIMPLE:
        return None
    path = game.folder / "weights" / f"{short}.json" if game.folder else None
    if path is not None and os.path.isfile(path):
        raise InputError(
            f"weights {text!r}: a simple player has this name, and so has {path}: give the file another one"
        )
    return short


def _simple(name: str, game: Game, allow_variant: bool) -> Weights:
    """Return the weights of a simple player; `random` needs none, so they are 0."""
    provenance = {"player": name, "how": f"the simple player {name}"}
    if name == "random":
        nothing = np.zeros((game.n_stages, game.n_features))
        return from_array(game, nothing, options={"algorithm": "random"}, provenance=provenance)
    hand = load("hand", game, allow_variant)
    turn = 2 if game.simultaneous else 1  # half-moves: a choice has an effect when both have chosen
    return replace(hand, options={"max_depth": turn}, provenance=provenance, proof=[])


def find(name: str | os.PathLike[str], game: Game) -> Path:
    """Return the file of a weights argument: a name (`hand`), `game/name` (`kalah/hand-1`), or a path.

    A name is the game's, whatever lies in the folder where we are: a file is given by a path (`./hand`) or has a
    suffix.
    """
    text = os.fspath(name)
    path = Path(text)
    short = text.removeprefix(f"{game.name}/")
    folder = game.folder / "weights" if game.folder else None
    is_name = path.suffix == "" and not has_folder(short)
    if folder is not None and is_name and os.path.isfile(shipped := folder / f"{short}.json"):
        return shipped
    if os.path.isfile(path) and (has_folder(text) or path.suffix or isinstance(name, Path)):
        return path
    if folder is not None and is_name:
        known = ", ".join([*sorted(file.stem for file in folder.glob("*.json")), *SIMPLE])
        hint = f"; the file of that name here is ./{text}" if os.path.isfile(path) else ""
        raise InputError(f"weights {text!r}: expected a file, or one of {game.name}'s names ({known}){hint}")
    raise InputError(f"weights {text!r}: no such file")


def has_folder(name: str) -> bool:
    """Whether a name says in which folder it lies, so that it means a file."""
    return bool(os.path.dirname(name))


def load(name: str | os.PathLike[str], game: Game, allow_variant: bool = False) -> Weights:
    """Return the weights of a file, a name or a simple player, checked against `game`.

    Raises
    ------
    InputError
        Naming file and field: missing, cut, another format, version, game or variant (unless
        `allow_variant`), features missing, extra or doubled, a number that is not finite, a wrong digest, of the
        weights or of proof and provenance.
    """
    if (player := simple(name, game)) is not None:
        return _simple(player, game, allow_variant)
    path = find(name, game)
    data = _read(path)
    weights = _parse(data, path)
    require_game(weights, game, path, allow_variant)
    if "digest" in data and data["digest"] != weights.digest:
        raise InputError(
            f"{path}: digest: expected {weights.digest} (of the content), found {data['digest']!r}"
        )
    if weights.is_covered and data["proof_digest"] != weights.proof_digest:
        raise InputError(
            f"{path}: proof, provenance or moves_to_go is damaged: proof_digest: expected {weights.proof_digest} "
            f"(of the content), found {data['proof_digest']!r:.100}; put a copy of the file back (who changes its "
            "provenance by hand removes the field)"
        )
    return weights


def save(weights: Weights, path: str | os.PathLike[str]) -> None:
    """Write a weight file, whole or not at all."""
    files.write(Path(path), json.dumps(weights.to_json(), indent=1, allow_nan=False) + "\n")


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    try:
        data = parse_json(text, object_pairs_hook=_no_doubles)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}: expected JSON, found an error at line {error.lineno}: {error.msg}"
        ) from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: expected a JSON object, found {type(data).__name__}")
    return data


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"given twice: {', '.join(map(repr, twice))}")
    return made


def _parse(data: dict[str, Any], path: Path) -> Weights:
    def fail(name: str, expected: str) -> None:
        raise InputError(f"{path}: {name}: expected {expected}, found {data.get(name)!r:.100}")

    if data.get("format") != FORMAT:
        fail("format", repr(FORMAT))
    version = data.get("version")
    if type(version) is not int or version not in _OPTIONS:
        fail("version", " or ".join(map(str, _OPTIONS)))
    options = _OPTIONS[data["version"]]
    for name in _NEEDED:
        if name not in data:
            raise InputError(f"{path}: {name}: missing")
    for name in data:
        if name not in (*_KNOWN, options):
            hint = f"; version {version} calls it {options!r}" if name in _OPTIONS.values() else ""
            raise InputError(f"{path}: {name}: unknown field{hint}")
    for name in ("features", "stages"):
        names = data[name]
        if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
            fail(name, "a list of names")
        if len(set(names)) < len(names):
            fail(name, "names without repeats")
    for name, kind in (("variant", dict), ("weights", dict), (options, dict), ("provenance", dict)):
        if not isinstance(data.get(name, {}), kind):
            fail(name, "an object")
    if not isinstance(data["game"], str):
        fail("game", "a name")
    if not isinstance(data.get("proof", []), list):
        fail("proof", "a list")
    if not _is_number(data["scale"]) or not 0 < data["scale"] <= MOST_ELO:
        fail("scale", f"a positive number of at most {MOST_ELO:g}")
    SearchOptions.from_mapping(data.get(options, {}), f"{path}: {options}")
    return Weights(
        data["game"],
        data["variant"],
        tuple(data["features"]),
        tuple(data["stages"]),
        float(data["scale"]),
        _values(data, path),
        data.get(options, {}),
        data.get("provenance", {}),
        [_renamed(proof) for proof in data.get("proof", [])],
        _moves_to_go(data, path),
        "proof_digest" in data,
    )


def _renamed(proof: Any) -> Any:
    """Return a proof whose baseline calls its options as version 2 does."""
    baseline = proof.get("baseline") if isinstance(proof, dict) else None
    if not isinstance(baseline, dict) or _OPTIONS[1] not in baseline:
        return proof
    return proof | {
        "baseline": {_OPTIONS[VERSION] if name == _OPTIONS[1] else name: baseline[name] for name in baseline}
    }


def _values(data: dict[str, Any], path: Path) -> Values:
    _same_names(data["weights"], data["stages"], f"{path}: weights", "stage")
    for stage, row in data["weights"].items():
        if not isinstance(row, dict):
            raise InputError(f"{path}: weights.{stage}: expected an object, found {row!r:.100}")
        _same_names(row, data["features"], f"{path}: weights.{stage}", "feature")
        for name, value in row.items():
            if not _is_number(value):
                raise InputError(
                    f"{path}: weights.{stage}.{name}: expected a finite number, found {value!r:.100}"
                )
            if abs(value) * max(float(data["scale"]), 1.0) > MOST_ELO:
                raise InputError(
                    f"{path}: weights.{stage}.{name}: expected at most {MOST_ELO:g} Elo, the weight times the "
                    f"scale, found {value!r:.100} times {data['scale']!r:.100}"
                )
    return {stage: {name: float(v) for name, v in row.items()} for stage, row in data["weights"].items()}


def _moves_to_go(data: dict[str, Any], path: Path) -> dict[str, list[float]]:
    where, found = f"{path}: moves_to_go", data.get("moves_to_go", {})
    if not isinstance(found, dict):
        raise InputError(f"{where}: expected an object, found {found!r:.100}")
    if found:
        _same_names(found, data["stages"], where, "stage")
    n = {len(row) for row in found.values() if isinstance(row, list)}
    for stage, row in found.items():
        if (
            not isinstance(row, list)
            or not row
            or not all(_is_number(v) and v >= 1 for v in row)
            or len(n) > 1
        ):
            raise InputError(
                f"{where}.{stage}: expected numbers from 1 up, as many in each stage, found {row!r:.100}"
            )
    return {stage: [float(value) for value in row] for stage, row in found.items()}


def _same_names(found: Any, expected: Any, where: str, what: str) -> None:
    missing = [name for name in expected if name not in found]
    extra = [name for name in found if name not in expected]
    if missing or extra:
        parts = [f"missing {', '.join(missing)}"] if missing else []
        parts += [f"not expected {', '.join(extra)}"] if extra else []
        raise InputError(f"{where}: {what}s: {'; '.join(parts)}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(float(value)))


def require_game(weights: Weights, game: Game, path: Path | str, allow_variant: bool = False) -> None:
    """Refuse weights of another game or variant, or with other features; `path` begins the message."""
    if weights.game != game.name:
        raise InputError(f"{path}: game: expected {game.name!r}, found {weights.game!r}")
    if weights.variant != dict(game.variant) and not allow_variant:
        raise InputError(
            f"{path}: variant: expected {dict(game.variant)}, found {weights.variant} "
            "(commands with --allow-variant take it)"
        )
    _same_names(weights.features, game.feature_names, f"{path}", "feature")
    _same_names(weights.stages, game.stage_names, f"{path}", "stage")
