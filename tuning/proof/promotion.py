"""When may weights call themselves a game's `tuned` ones, and how is that taken back?

`promote` puts a proven file in the place of `weights/tuned.json` and keeps the file that was there in
`weights/history/`; `rollback` brings the last one back. Proven means: a verdict "stronger" on these very weights
(their digest), against the game's `hand` or `tuned` weights as they are now, under the game's code as it is now.
A reason may stand in for the proof; it is written into the provenance. Every step is a rename: a kill between two
leaves the old file or the new one, and a copy in the history that the next command recognises."""

import hashlib
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tunesmith.engine import weights as weight_files
from tunesmith.engine.source import code_digest
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.games.texts import shown
from tunesmith.tuning.documents.document import Options
from tunesmith.tuning.documents.history import Promotion, Rollback, TunedRow
from tunesmith.tuning.files import locked, read_object
from tunesmith.tuning.proof.verdict import verdict_of

_KEPT = re.compile(r"tuned-(\d+)\.json")


@dataclass(frozen=True)
class TunedWeights:
    """Where a game's tuned weights stand, and those that they replaced."""

    game: Game
    folder: Path

    @property
    def tuned(self) -> Path:
        """The file that the name `tuned` means."""
        return self.folder / "tuned.json"

    @property
    def history(self) -> Path:
        """The folder of the replaced files."""
        return self.folder / "history"

    def kept(self) -> list[Path]:
        """Return the replaced files, oldest first, without a copy that an interrupted command has left."""
        paths = sorted((p for p in self.history.glob("tuned-*.json") if _KEPT.fullmatch(p.name)), key=_number)
        while paths and self.tuned.is_file() and paths[-1].read_bytes() == self.tuned.read_bytes():
            paths.pop()
        return paths

    def next(self) -> Path:
        """Return the name under which the present file is kept."""
        last = max(map(_number, self.kept()), default=0)
        return self.history / f"tuned-{last + 1:03d}.json"

    def load(self, path: Path) -> Weights:
        """Return weights of this game, of whichever variant."""
        return weight_files.load(path, self.game, allow_variant=True)


def _number(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def tuned_weights(game: Game) -> TunedWeights:
    """Return where the tuned weights of a game are; refuse a game that has no folder."""
    if game.folder is None:
        raise InputError(f"game {game.name!r}: states no folder, so there is no place for weights/tuned.json")
    return TunedWeights(game, game.folder / "weights")


# --- proof


def proof_of(weights: Weights, game: Game, edition: int | None = None) -> Mapping[str, Any]:
    """Return the proof that weights are stronger than the game's own; only one on openings of an `edition`, if given.

    Raises
    ------
    InputError
        There is none: what is missing, of the last verdict in the file.
    """
    problem = "no proof in the file"
    for proof in weights.proof:
        found = _problem(proof, weights, game) or _edition_problem(proof, edition)
        if found is None:
            return proof
        problem = found
    raise InputError(f"not proven: {problem}")


def _problem(proof: Any, weights: Weights, game: Game) -> str | None:
    """Return why a verdict does not prove that weights are stronger, or None."""
    if not isinstance(proof, Mapping) or not isinstance(proof.get("baseline"), Mapping):
        return f"expected a verdict with its baseline, found {proof!r:.60}"
    if proof.get("candidate") != weights.digest:
        return f"the proof is of {_short(proof.get('candidate'))}, the weights are {_short(weights.digest)}"
    if proof.get("outcome") != "stronger" or proof.get("decision", "H1") != "H1":
        return f"the verdict is {proof.get('outcome')!r:.60}, not 'stronger'"
    if "code" in proof and proof["code"] != code_digest(game):
        return "rules or features of the game have changed since"
    return _baseline_problem(proof["baseline"], game)


def _edition_problem(proof: Mapping[str, Any], wanted: int | None) -> str | None:
    found = edition_of(proof)
    if not isinstance(found, int):
        return f"edition: expected a whole number, found {shown(found)}"
    if wanted in (None, found):
        return None
    return f"the proof is on openings of edition {found}, not {wanted}"


def edition_of(proof: Mapping[str, Any]) -> Any:
    """Return of which edition the openings of a verdict are; of those that do not say it, the first."""
    return proof.get("edition", 1)


def unused_edition(weights: Weights, edition: int, earlier: Iterable[Weights]) -> int | None:
    """Return the next edition of openings if this one has proved other weights of the game before, else None."""
    others = [one for one in earlier if one.digest != weights.digest]
    used = {edition_of(proof) for one in others for proof in one.proof if isinstance(proof, Mapping)}
    return max(one for one in used if isinstance(one, int)) + 1 if edition in used else None


def _baseline_problem(baseline: Mapping[str, Any], game: Game) -> str | None:
    options = baseline.get("options") or {}
    known = {name: _digest_now(name, game, options) for name in ("hand", "tuned")}
    if known["hand"] is None:  # a variant, or somebody's game, whose guesses have other names
        known[str(baseline.get("name"))] = _digest_now(str(baseline.get("name")), game, options)
    if baseline.get("digest") in [digest for digest in known.values() if digest]:
        return None
    now = ", ".join(f"{name} is {_short(digest)}" for name, digest in known.items() if digest)
    return (
        f"the proof is against {baseline.get('name')!s:.60} {_short(baseline.get('digest'))}, and now "
        f"{now or 'there are no such weights'}"
    )


def _digest_now(name: str, game: Game, options: Options) -> str | None:
    try:
        found = weight_files.load(name, game)
        return None if found.is_simple else weight_files.with_options(found, options).digest
    except InputError:
        return None


def _short(digest: object) -> str:
    return str(digest)[:12]


def sentences(weights: Weights) -> list[str]:
    """Return what the verdicts on these very weights say; those on others are left out."""
    own = [p for p in weights.proof if isinstance(p, Mapping) and p.get("candidate") == weights.digest]
    return [str(p["sentence"]) for p in own if p.get("sentence")]


# --- promote and roll back


def of_study(root: Path) -> Path:
    """Return the file of a finished study's candidate: the weights it chose, with its verdict as their proof."""
    path, verdict = root / "weights" / "candidate.json", verdict_of(root)
    if verdict is None or not path.is_file():
        raise InputError(f"{root}: the study has no verdict yet; `tunesmith run` continues it")
    candidate = read_object(path) or {}
    if candidate.get("digest") != verdict.candidate:
        raise InputError(
            f"{path}: digest: expected {_short(verdict.candidate)}, which the study chose and proved, found "
            f"{_short(candidate.get('digest'))}"
        )
    if verdict.content() not in candidate.get("proof", []):
        raise InputError(f"{path}: proof: expected the study's verdict, found another one")
    return path


def promote(game: Game, path: Path, reason: str | None = None, edition: int | None = None) -> Promotion:
    """Make a file the game's tuned weights; return what was done.

    Parameters
    ----------
    reason
        Why weights without a proof are taken.
    edition
        The one whose openings the proof must be on; None: any.
    """
    place, weights = tuned_weights(game), weight_files.load(path, game)
    if weights.is_simple:
        raise InputError(f"{path}: a simple player cannot be the tuned weights")
    proof, problem = _judged(place, weights, reason, path, edition)
    note = {"on": datetime.now(UTC).isoformat(timespec="seconds"), "from": str(path)}
    if problem is not None:
        note |= {"forced": str(reason), "although": problem}
    signed = replace(weights, provenance={**weights.provenance, "promoted": note})
    with locked(place.history):
        before = place.load(place.tuned) if place.tuned.is_file() else None
        earlier = [*map(place.load, place.kept()), *([] if before is None else [before])]
        unused = None if proof is None else unused_edition(weights, edition_of(proof), earlier)
        kept = _install(place, signed, before)
    return Promotion(
        game=game.spec,
        file=str(place.tuned),
        digest=signed.digest,
        sentence=proof.get("sentence") if proof else None,
        forced=note.get("forced"),
        although=note.get("although"),
        replaced=None if before is None else before.digest,
        kept=None if kept is None else str(kept),
        compared=before is None or (proof is not None and proof["baseline"]["digest"] == before.digest),
        is_covered=weights.is_covered,
        edition=None if proof is None else edition_of(proof),
        unused_edition=unused,
    )


def _judged(
    place: TunedWeights, weights: Weights, reason: str | None, path: Path, edition: int | None
) -> tuple[Mapping[str, Any] | None, str | None]:
    """Return the proof, or what is wrong with it where a reason is given."""
    if reason is not None and not reason.strip():
        raise InputError("--force: expected a reason, found nothing")
    proof = None
    try:
        proof = proof_of(weights, place.game, edition)
        if place.tuned.is_file() and (other := place.load(place.tuned)).variant != weights.variant:
            raise InputError(f"the tuned weights are of another variant, {other.variant}")
    except InputError as error:
        if reason is None:
            raise InputError(f'{path}: {error} (--force "reason" takes it all the same)') from None
        return proof, str(error)
    return proof, None


def _install(place: TunedWeights, weights: Weights, before: Weights | None) -> Path | None:
    """Write the weights beside the history, read them back, keep the present file, and take its place."""
    draft = place.history / "next.json"
    kept = None if before is None or before.digest == weights.digest else place.next()
    try:
        weight_files.save(weights, draft)
        if place.load(draft).digest != weights.digest:
            raise InputError(f"{draft}: what was written is not what was read")
        if kept is not None:
            _copy(place.tuned, kept)
        _move(draft, place.tuned)
    finally:
        draft.unlink(missing_ok=True)
    return kept


def rollback(game: Game) -> Rollback:
    """Bring back the tuned weights that the present ones replaced; the present ones stay in the history.

    Raises
    ------
    InputError
        Nothing is kept, or what is kept cannot be read: nothing changes.
    """
    place = tuned_weights(game)
    kept = place.kept()
    if not kept:
        raise InputError(
            f"{game.name}: {place.history}: no earlier tuned weights are kept; nothing is changed"
        )
    with locked(place.history):
        last = place.kept()[-1]
        restored = place.load(last)
        undone = _digest_of(place)
        aside = None if undone is None else place.history / f"undone-{undone[:12]}.json"
        if aside is not None:
            _copy(place.tuned, aside)
        _move(last, place.tuned)
        left = len(place.kept())
    return Rollback(
        game=game.spec,
        file=str(place.tuned),
        digest=restored.digest,
        undone=undone,
        kept=None if aside is None else str(aside),
        left=left,
    )


def _digest_of(place: TunedWeights) -> str | None:
    """Return the digest of the present tuned weights, of the file's bytes if it is damaged."""
    if not place.tuned.is_file():
        return None
    try:
        return place.load(place.tuned).digest
    except InputError:
        return hashlib.sha256(place.tuned.read_bytes()).hexdigest()


def _copy(source: Path, target: Path) -> None:
    draft = target.with_suffix(".draft")
    try:
        shutil.copyfile(source, draft)
        draft.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def _move(source: Path, target: Path) -> None:
    try:
        source.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from error


def weights_over_time(game: Game) -> list[TunedRow]:
    """Return the game's tuned weights, those that were replaced first: file, digest and note of promotion."""
    place = tuned_weights(game)
    paths = [*place.kept(), *([place.tuned] if place.tuned.is_file() else [])]
    rows = []
    for path in paths:
        weights = place.load(path)
        note = weights.provenance.get("promoted", {})
        proof = sentences(weights)
        if not isinstance(note, Mapping):
            raise StudyError(f"{path}: provenance.promoted: expected an object, found {shown(note)}")
        known = {
            "file": str(path),
            "digest": weights.digest,
            "on": note.get("on"),
            "from": note.get("from"),
            "forced": note.get("forced"),
            "proof": proof[-1] if proof else None,
        }
        rows.append(TunedRow.of(known, path))
    return rows
