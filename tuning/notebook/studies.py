"""What does a study's folder hold, as objects and frames? And how is one run from Python?

Reads only what is on the disk, so that a study may be looked at while it runs. What is not there yet is an empty
frame, or a sentence that says how far the study is; what is damaged is a StudyError, as for the commands."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import StudyConfig, load
from tunesmith.tuning.documents.fit import GenerationFit
from tunesmith.tuning.documents.matches import Run, Verdict
from tunesmith.tuning.external.report import is_engines
from tunesmith.tuning.files import read_lines, read_object
from tunesmith.tuning.notebook.boards import load_game
from tunesmith.tuning.notebook.players import LoadedWeights
from tunesmith.tuning.notebook.progress import Progress, resources_for
from tunesmith.tuning.pipeline.status import describe_status, stage_words
from tunesmith.tuning.proof.verdict import verdict_of
from tunesmith.tuning.report.html import el, join
from tunesmith.tuning.study import chosen_weights, require, stored_config

if TYPE_CHECKING:
    import pandas as pd

STAGES = {
    "play": "games",
    "check": "check",
    "verify": "verify",
    "search": "search/games",
}  # and their folders


@dataclass(frozen=True, repr=False)
class StudyVerdict:
    """What a study has shown, in one sentence and the figures behind it.

    Attributes
    ----------
    outcome
        `stronger`, `weaker`, `not shown`, or `unfinished`.
    document
        The whole of `verdict.json`; None while the study is unfinished.
    """

    sentence: str
    outcome: Literal["stronger", "weaker", "not shown", "unfinished"]
    document: Verdict | None

    @property
    def elo(self) -> float:
        """The measured gain in Elo, of the new weights over the baseline; NaN while the study is unfinished."""
        return float("nan") if self.document is None else self.document.gain.elo

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of its 95 % interval, in Elo."""
        if self.document is None:
            return float("nan"), float("nan")
        return self.document.gain.elo_low, self.document.gain.elo_high

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return el("p", el("strong", self.outcome), " ", self.sentence)


@dataclass(frozen=True, repr=False)
class StudyResults:
    """A study's folder, finished or not; see `tuning.notebook.frames` for the columns of the frames.

    Attributes
    ----------
    root
        The folder.
    config
        The settings that the study was made with.
    """

    root: Path
    config: StudyConfig

    @cached_property
    def game(self) -> Game:
        """The game; an error if its file is no longer where it was."""
        return load_game(self.config.game)

    @property
    def verdict(self) -> StudyVerdict:
        """What the proof came to; of an unfinished study, how far it is."""
        found = verdict_of(self.root)
        if found is not None:
            return StudyVerdict(found.sentence, found.outcome, found)
        status = describe_status(self.root)
        present = status.present
        games = "" if present is None else f" ({present.games:,} of at most {present.planned:,} games)"
        where = f"the study is at {stage_words(status)}{games}; run_study goes on with it"
        return StudyVerdict(f"{self.config.name}: no verdict yet: {where}", "unfinished", None)

    @property
    def chosen(self) -> LoadedWeights:
        """The weights that the study has settled on; an error while it still tunes."""
        found = chosen_weights(self.root)
        if found is None:
            raise StudyError(f"{self.root}: no weights are chosen yet; run_study goes on with it")
        return LoadedWeights.of(found.load(self.root, self.game), found.name)

    def games(self, stage: str = "play") -> pd.DataFrame:
        """Return the games of a stage: `play` (self-play), `check`, `verify` or `search`, one a row.

        Index: run (`gen-1`, `verify/main`), pair, game. Columns: first, second (names of the players), result (1, 0 or
        -1 of the player who moves first; missing where there is none), end_reason, plies, opening_plies (moves),
        opening (in notation), seed. The frame holds no moves: `board` plays a game again.
        """
        from tunesmith.tuning.notebook.frames import games_frame

        return games_frame([(run, _read(folder)) for run, folder in self._runs(stage)], self._players())

    def board(self, run: str, pair: int, game: int = 0, ply: int | None = None) -> Board:
        """Return a game played again, up to a ply or to its end: `study.board(*frame.index[0])`.

        run, pair, game and ply are those of an index of `games` (of any stage) or `positions`.
        """
        from tunesmith.tuning.report.game_source import from_folder

        folders = [folder for stage in STAGES for name, folder in self._runs(stage) if name == run]
        if not folders:
            raise InputError(f"run {run!r}: {self.root} holds no games of that name")
        board = from_folder(self.game, folders[0], int(pair), int(game)).board
        if ply is not None and not 0 <= ply <= len(board.moves):
            raise InputError(f"ply: expected 0 to {len(board.moves)}, found {ply}")
        while ply is not None and len(board.moves) > ply:
            board.pop()
        return board

    def positions(self, **changes: Any) -> pd.DataFrame:
        """Return the positions that the fit of all generations learns from, one a row, features as columns.

        Index: run, pair, game and ply of the position's first occurrence. Columns: held_out (only judges), result
        (1, 1/2, 0), expected (by the search; NaN where scores take no part), weight (games with this position),
        `stage.NAME` (shares, 0 to 1), and each feature by its name. Results and features are seen by the side to move
        (with `fit.quiet` = resolve: at the end of the noisy line that begins there).

        Parameters
        ----------
        **changes
            Settings of the section [fit], such as `quiet="off"` or `positions_per_game=4`.
        """
        from tunesmith.tuning.data.describe import load as load_positions
        from tunesmith.tuning.notebook.frames import no_positions, positions_frame

        runs = self._runs("play")
        if not runs:
            return no_positions(self.game)
        data, settings = load_positions(self.root, as_changes(changes), None)
        return positions_frame(data, [name for name, _ in runs], settings.held_out)

    def weights(self) -> pd.DataFrame:
        """Return the weights of each file of the study in Elo, and what the fit says of them.

        Index: stage, feature. A column for each file (`baseline`, `gen-1`, ..., `search`, `candidate`), then what the
        fit says that the study went on with, or the last one: prior (the baseline as results scale it), error and
        data_error (standard errors), all in Elo per unit of the feature; status, size (of the feature), rows, pairs,
        meaning.
        """
        from tunesmith.tuning.notebook.frames import weights_frame

        files = {name: weight_files.load(path, self.game) for name, path in self._weight_files()}
        fits = [GenerationFit.read(path) for path in _numbered((self.root / "fit").glob("gen-*.json"))]
        used = [fit for fit in fits if f"gen-{fit.generation}" == self._chosen_generation()] or fits
        return weights_frame(self.game, files, used[-1].weights if used else [])

    def matches(self) -> pd.DataFrame:
        """Return checks of generations and the matches of the proof, one a row, seen by the new weights.

        Index: run. Columns: kind, opponent, limit, pairs, games, distinct_games, counts of pairs worst first (LL to
        WW), score (points a game), elo with elo_low and elo_high (95 %), nelo, los, decision of a sequential test.
        """
        from tunesmith.tuning.notebook.frames import matches_frame

        return matches_frame(
            [
                (f"{stage}/{path.stem}", Run.read(path))
                for stage in ("check", "verify")
                for path in _numbered((self.root / stage).glob("*.json"))
            ]
        )

    def trials(self) -> pd.DataFrame:
        """Return the trials of the search, one a row.

        Index: number. Columns: state, score (points a game) and elo as observed (luck and all: the best trial is no
        recommendation), games, counts of pairs worst first (LL to WW), sampler, digest, and each parameter by its name;
        all are seen by the setting, against the search's opponents.
        """
        from tunesmith.tuning.notebook.frames import trials_frame

        path = self.root / "search" / "trials.jsonl"
        rows = [row for row in read_lines(path) if not row.get("ghost")]
        for at, row in enumerate(rows, start=1):
            if not isinstance(row.get("number"), int) or not isinstance(row.get("state"), str):
                raise StudyError(f"{path}:{at}: expected a number and a state, found {row!r:.100}")
        return trials_frame(rows)

    def _runs(self, stage: str) -> list[tuple[str, Path]]:
        """Return the folders of games of a stage, by the names of their runs."""
        if stage not in STAGES:
            raise InputError(f"stage: expected one of {', '.join(STAGES)}, found {stage!r}")
        top = self.root / STAGES[stage]
        above = () if stage == "play" else (stage,)
        return [
            ("/".join([*above, *(part for part in folder.relative_to(top).parts if part != "games")]), folder)
            for folder in _numbered({path.parent for path in top.rglob("shard-*.parquet")})
        ]

    def _weight_files(self) -> Iterator[tuple[str, Path]]:
        order = ("baseline", "gen", "search", "candidate")
        paths = _numbered((self.root / "weights").glob("*.json"))
        for kind in order:
            yield from ((path.stem, path) for path in paths if path.stem.partition("-")[0] == kind)

    def _chosen_generation(self) -> str | None:
        from tunesmith.tuning.study import fitted_weights

        found = fitted_weights(self.root)
        return None if found is None else found.name

    def _players(self) -> dict[str, str]:
        """Return the names of the study's players by their digests; opponents by those of the study file."""
        pinned = require(self.root).pinned
        found = {digest: name.removeprefix("digest of ") for name, digest in pinned.items()}
        for name, path in self._weight_files():  # the game's file may be gone: games are shown all the same
            found.setdefault(str((read_object(path) or {}).get("digest")), name)
        return found | {require(self.root).pinned.get("digest of the baseline", ""): "baseline"}

    def __repr__(self) -> str:
        return f"<study {self.root}>\n{self.verdict}"

    def _repr_html_(self) -> str:
        columns = ["kind", "opponent", "limit", "games", "elo", "elo_low", "elo_high", "decision"]
        found = self.matches()
        table = str(found[columns].to_html(float_format="{:+z.1f}".format)) if len(found) else ""
        return join(el("p", str(self.root)), self.verdict._repr_html_()) + table


def open_study(path: str | os.PathLike[str]) -> StudyResults:
    """Return a study's folder as an object, finished or not; nothing is changed in it.

    Raises
    ------
    StudyError
        The folder is not there, holds no study, or its settings are damaged.
    """
    root = Path(path)
    if not root.is_dir():
        found = "a file" if root.exists() else "nothing there"
        raise StudyError(f"{root}: expected the folder of a study, found {found}")
    if is_engines(root):
        raise StudyError(f"{root}: a study of engines: {root / 'report.html'} shows it; frames are of games")
    return StudyResults(root, stored_config(root))


def run_study(
    file: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    changes: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    progress: Progress = True,
) -> StudyResults:
    """Run a study, or continue it where it stopped; return its folder, with verdict, weights and report.

    Interrupt it at any time: the same call goes on. The numbers are the same for any number of workers.

    Parameters
    ----------
    file
        The study file (TOML).
    out
        Folder for everything (default: `studies/NAME`).
    preset
        A `[preset.NAME]` of the file.
    changes
        Settings by their dotted names: `{"play.pairs": 500}`.
    jobs
        Worker processes (default: all cores).
    progress
        True: lines on standard error. A function: called with what is played, and pairs done and in all.
        False: nothing.

    Raises
    ------
    InputError
        The file, the preset or a setting is wrong.
    StudyError
        The folder holds a study with other settings, or is damaged.
    """
    from tunesmith.tuning.pipeline import study
    from tunesmith.tuning.report.study_page import write_report

    said = as_changes(changes or {})
    config = load(Path(file), preset, said)
    root = Path("studies") / config.name if out is None else Path(out)
    load_game(config.game)
    parts = ["tunesmith", "run", os.fspath(file), *(["--preset", preset] if preset else [])]
    command = shlex.join([*parts, *(word for change in said for word in ("--set", change))])
    study.run_study(config, root, resources_for(jobs, progress), command)
    write_report(root)
    return open_study(root)


def as_changes(changes: Mapping[str, Any]) -> list[str]:
    """Return settings as the command line takes them: `key=value`."""
    return [f"{name}={json.dumps(value)}" for name, value in changes.items()]


def _read(folder: Path) -> Any:
    from tunesmith.tuning.play.store import read_games

    return read_games(folder)


def _numbered(paths: Any) -> list[Path]:
    """Return paths in the order of their names, numbers in them by size."""
    return sorted(paths, key=lambda path: (len(path.as_posix()), path.as_posix()))
