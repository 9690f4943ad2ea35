"""A study as the pipeline leaves it: real Kalah positions, results drawn from known weights, real statistics.

Nothing is searched: games are random walks, and results follow from the weights called true. Everything is
drawn from one seed, so the numbers are the same every time. Long because it writes every file of a study once."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.pages import Page
from tunesmith import games
from tunesmith.games.game import ONGOING, State
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.documents.matches import Run
from tunesmith.tuning.fit import calibration, texel
from tunesmith.tuning.fit.constraints import Constraints, Names
from tunesmith.tuning.fit.facts import usual_mix, weight_rows
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.notes import notes
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.proof import verdict
from tunesmith.tuning.report import study_page
from tunesmith.tuning.stats import elo as stats
from tunesmith.tuning.stats import sprt

Files = dict[str, Any]

GAME = games.load("kalah")
N_PAIRS, PER_PAIR = 700, 8
COMMAND = "tunesmith run experiments/kalah.toml --preset quick"
BASELINE, CANDIDATE = "5f1d" * 16, "c0de" * 16

PINNED = {"code of the game": "ab1d134d39bd433a", "digest of the baseline": BASELINE}
VERSIONS = {"python": "3.12.4", "tunesmith": "0.1.0", "numpy": "2.3.1", "numba": "0.68.0"}

HOSTILE = "</td></table><script>alert(1)</script><img src=x onerror=alert(1)>\"'`&amp;\u202e"

HAND = {"bank": 20.0, "won": 720.0, "tempo": 40.0}
OPENING = {"bank": 29.0, "ponds": 4.0, "won": 480.0, "tempo": 62.0, "mobility": 9.0, "exposed": -7.0}
OPENING |= {"best_capture": 11.0, "free_turn_by_pond_6": 24.0, "free_turn_by_pond_5": 19.0, "pond_1": 2.5}
ENDING = {"bank": 46.0, "ponds": 13.0, "won": 430.0, "tempo": -35.0, "mobility": 16.0, "exposed": -12.0}
ENDING |= {"best_capture": 15.0, "free_turn_by_pond_6": 31.0, "need": -80.0, "overflow": -3.0}

CONFIG: Files = {
    "name": "kalah-quick",
    "game": "kalah",
    "seed": 1,
    "baseline": "hand",
    "hash_mb": 8,
    "options": {},
    "openings": {"plies": 8, "max_score": 150.0},
    "play": {"limit": "nodes:400", "pairs": N_PAIRS, "generations": 2, "noise": 0.1, "noise_plies": 30},
    "fit": {
        "positions_per_game": 4,
        "quiet": True,
        "loss": "cross-entropy",
        "ridge": "auto",
        "held_out": 0.2,
    },
    "verify": {"limit": "nodes:400", "elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05},
}


def write(folder: Path, files: Files | None = None) -> Path:
    """Write a study into a folder; text instead of an object is written as it is."""
    for name, content in (study() if files is None else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


def study() -> Files:
    """Return the files of a finished study, a fresh copy every time."""
    return deepcopy(_study())


def small_study() -> Files:
    """Return the study with a tenth of its weights and no pictures."""
    files = study()
    for name in ("fit/gen-1.json", "fit/gen-2.json"):
        files[name].update(weights=files[name]["weights"][:4], examples=files[name]["examples"][:1])
    return files


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy with every leaf replaced by `change(leaf)`."""
    if isinstance(value, dict):
        return {key: changed(inner, change) for key, inner in value.items()}
    if isinstance(value, list):
        return [changed(inner, change) for inner in value]
    return change(value)


def page_of(folder: Path, files: Files | None = None) -> Page:
    """Write the report of a study and read it back."""
    return Page(html_of(folder, files))


def html_of(folder: Path, files: Files | None = None) -> str:
    """Write the report of a study and return its text."""
    write(folder, files)
    return study_page.write_report(folder).read_text(encoding="utf-8")


@cache
def _study() -> Files:
    states, rows = _positions(np.random.default_rng(1))
    rng = np.random.default_rng(8)
    runs = [
        _sequential(rng),
        _fixed(rng, "measure", "hand", "nodes:400", 38.0, 500),
        _fixed(rng, "second-limit", "hand", "nodes:1600", 27.0, 200),
        _fixed(rng, "opponent-1", "hand-1", "nodes:400", 95.0, 200),
    ]
    return {
        "study.json": {
            "format": "tunesmith-study",
            "version": 1,
            "config": CONFIG,
            "pinned": PINNED,
            "fingerprint": "ab12" * 16,
            "versions": VERSIONS,
        },
        "fit/gen-1.json": _fit(rows.take(rows.group < N_PAIRS // 2), states, 1),
        "fit/gen-2.json": _fit(rows, states, 2),
        "generations.json": _path(rng),
        "openings/file.json": _openings(),
        **{f"verify/{run['name']}.json": run for run in runs},
        "verdict.json": _conclude(runs),
    }


def _path(rng: np.random.Generator) -> Files:
    """Return how two generations followed each other; the first did not pass its check."""
    steps: list[Files] = []
    for number, (elo, kept) in enumerate(((-12.0, False), (25.0, True)), 1):
        check = _fixed(rng, f"gen-{number}", "baseline", "nodes:400", elo, 100)
        step = {"generation": number, "player": "baseline", "made": f"gen-{number}", "is_kept": kept}
        steps.append({**step, "check": check, "step": elo})
    return {"chosen": "gen-2", "digest": CANDIDATE, "path": steps}


def _audit(generation: int) -> Files:
    """Return what the audit of a generation's adjudicated games found (`tuning.play.adjudication`), without its games."""
    return {
        "score": 1500.0, "plies": 6, "games": 700, "adjudicated": 310, "played": 100, "no_result": 0,
        "wrong": generation, "drawn": 0, "reversed": generation, "share": generation / 100,
        "low": 0.0003, "high": 0.07, "level": 0.95, "sample": [], "ends": [],
    }  # fmt: skip


def _openings() -> Files:
    """Return what a file of openings held (`tuning.play.openings.file`)."""
    return {
        "file": "mine.txt",
        "digest": "cd34" * 16,
        "openings": 12000,
        "purposes": {"train": 6000, "search": 1800, "verify": 4200},
        "left_out": {"illegal move": [7], "repeated": [9, 11, 400]},
        "examples": {
            "illegal move": "line 7: move 2: not legal",
            "repeated": "line 9: the position of line 3",
        },
    }


def _conclude(runs: list[Files]) -> Files:
    """Return the verdict as `tuning.proof.verdict` words it."""
    measured = runs[1]
    keys = ("elo", "elo_half_width", "elo_low", "elo_high", "nelo")
    gain = {"run": "measure", "limit": measured["limit"], "games": measured["games"]}
    return {
        "sentence": verdict.sentence(
            "kalah", "hand", "stronger", [Run.of(run, Path(run["name"])) for run in runs]
        ),
        "outcome": "stronger",
        "candidate": CANDIDATE,
        "baseline": {"name": "hand", "digest": BASELINE, "options": {}},
        "game": "kalah",
        "code": "ab1d134d39bd433a",
        "decision": "H1",
        "gain": gain | {key: measured["estimate"][key] for key in keys},
        "runs": [],
        "seed": 7,
        "command": COMMAND,
        "report": "report.html",
        "openings": "unused in play",
    }


# --- positions


def _weights(opening: dict[str, float], ending: dict[str, float]) -> Floats:
    table = [[stage.get(name, 0.0) for name in GAME.feature_names] for stage in (opening, ending)]
    return np.array(table, np.float64)


def _random_game(rng: np.random.Generator) -> list[State]:
    """Play at random and return some of the positions, all of them undecided."""
    moves = np.zeros(GAME.max_moves, np.int64)
    state, passed = GAME.initial(), []
    while GAME.outcome(state) == ONGOING:
        passed.append(state)
        state = GAME.apply_move(state, int(moves[rng.integers(GAME.legal_moves(state, moves))]))
    chosen = rng.choice(np.arange(6, max(len(passed), 20)), PER_PAIR, replace=False)
    return [passed[min(i, len(passed) - 1)] for i in sorted(chosen)]


def _positions(rng: np.random.Generator) -> tuple[list[State], Rows]:
    """Draw positions; their results follow from the true weights, a pair shares some luck."""
    states = [state for _ in range(N_PAIRS) for state in _random_game(rng)]
    n = len(states)
    features, shares = np.zeros((n, GAME.n_features)), np.zeros((n, GAME.n_stages))
    for state, row, share in zip(states, features, shares, strict=True):
        GAME.features(state, row)
        assert GAME.stages is not None
        GAME.stages(state, share)
    group = np.arange(n) // PER_PAIR
    rows = Rows(features, shares, np.full(n, 0.5), np.ones(n), group)
    luck = rng.normal(0, 60, N_PAIRS)[group]
    chance = expected_result(scores(rows, _weights(OPENING, ENDING)) + luck)
    labels = (rng.random(n) < chance).astype(np.float64)
    return states, replace(rows, labels=labels)


# --- the fit


def _fit(rows: Rows, states: list[State], generation: int) -> Files:
    prior = _weights(HAND, HAND)
    fixed = np.zeros(prior.shape, dtype=np.bool_)
    fixed[:, GAME.feature_names.index("won")] = True
    is_held_out = rows.group % 5 == 0
    training, held_out = rows.take(~is_held_out), rows.take(is_held_out)
    ran = run_fit(training, held_out, prior, FitOptions(), Constraints.of(rows.shape, fixed=fixed))
    found, ridge_path = ran.fit, ran.ridge_path
    assert found.held_out is not None
    residuals = calibration.residuals_by_stage(held_out, found.weights)
    gain = calibration.gain(held_out, prior, found.weights)
    n_games = 2 * len(np.unique(rows.group))
    results = {"first": 0.52, "draw": 0.06, "second": 0.42}
    return {
        "generation": generation,
        "games": n_games,
        "distinct_games": n_games - 3,
        "faults": 0,
        "rows": rows.n,
        "rows_training": training.n,
        "rows_held_out": held_out.n,
        "selection": {"games": n_games, "positions": 24300, "opening": 11200, "noisy": 5310, "rows": rows.n},
        "results": results,
        "audits": [_audit(at) for at in range(1, generation + 1)],
        "scale_before": 20.0 * found.prior_scale,
        "ridge": found.ridge,
        "ridge_path": {"grid": ridge_path.grid, "losses": ridge_path.losses},
        "loss": {
            "training": {"prior": found.training.prior, "fit": found.training.fit},
            "held_out": {"prior": found.held_out.prior, "fit": found.held_out.fit},
        },
        "gain_held_out": {"mean": gain.mean, "error": gain.error},
        "weights": _weight_rows(found),
        "usual": _usual(found, training),
        "notes": notes(found, GAME.feature_names, GAME.stage_names),
        "calibration": _calibration(held_out, found.weights),
        "residuals": [
            {"stage": stage, "n": residuals.n[i], "mean": residuals.residual[i], "error": residuals.error[i]}
            for i, stage in enumerate(GAME.stage_names)
        ],
        "rows_per_weight": found.n_rows / found.n_fitted,
        "groups_per_weight": found.n_groups / found.n_fitted,
        "mean_abs_score": list(found.mean_abs_score),
        "sources": [_source(n + 1, n_games // generation, results) for n in range(generation)],
        "examples": _examples(rows, states, prior, found.weights),
    }


def _source(generation: int, n_games: int, results: dict[str, float]) -> Files:
    return {
        "generation": generation,
        "limit": "nodes:400",
        "games": n_games,
        "pairs": n_games // 2,
        "distinct_games": n_games - 2,
        "results": {name: round(share * n_games) for name, share in results.items()},
        "first_player_share": 0.55,
    }


def _weight_rows(found: texel.Fit) -> list[Files]:
    meanings = dict(zip(GAME.feature_names, GAME.feature_meanings, strict=True))
    rows = weight_rows(Names(tuple(GAME.stage_names), tuple(GAME.feature_names)), found, found.weights)
    return [row.content() | {"meaning": meanings[row.feature]} for row in rows]


def _usual(found: texel.Fit, rows: Rows) -> Files:
    names = Names(tuple(GAME.stage_names), tuple(GAME.feature_names))
    mix = usual_mix(names, found, rows, found.weights)
    assert mix is not None
    return mix.content()


def _calibration(rows: Rows, weights: Floats) -> list[Files]:
    table = []
    for stage, s in (("all", None), *((name, i) for i, name in enumerate(GAME.stage_names))):
        found = calibration.calibrate(rows, weights, stage=s)
        columns = zip(found.n, found.predicted, found.actual, found.error, strict=True)
        table += [
            {"stage": stage, "n": n, "predicted": p, "actual": a, "error": e}
            for n, p, a, e in columns
            if n > 0
        ]
    return table


def _examples(rows: Rows, states: list[State], prior: Floats, weights: Floats) -> list[Files]:
    assert rows.stages is not None
    before, after = scores(rows, prior), scores(rows, weights)
    apart = np.abs(expected_result(after) - expected_result(before))
    furthest = np.argsort(-apart, kind="stable")[:10]
    examples = []
    for i in furthest:
        features, shares = rows.features[i], rows.stages[i]
        parts = [
            {"feature": name, "value": features[f], "before": shares @ prior[:, f] * features[f],
             "after": shares @ weights[:, f] * features[f]}
            for f, name in enumerate(GAME.feature_names)
        ]  # fmt: skip
        state = states[i]
        pictures = {
            "text": GAME.state_to_text(state),
            "board_text": GAME.draw_text(state),
            "svg": GAME.draw_svg(state),
        }
        scores_ = {"before": before[i], "after": after[i], "result": rows.labels[i]}
        examples.append({**pictures, **scores_, "parts": parts})
    return examples


# --- matches


def _results(rng: np.random.Generator, elo: float, n: int) -> list[int]:
    """Draw results of pairs for a player that much stronger; openings favour one side by 60 Elo."""
    shares = stats.pair_outcome(stats.elo_to_bayeselo(elo, 60.0, (60.0,)), 60.0, (60.0,))
    return [int(cell) for cell in rng.choice(5, size=n, p=shares)]


def _match(name: str, opponent: str, limit: str, counts: list[int]) -> Files:
    pairs = sum(counts)
    return {
        "name": name,
        "opponent": {"name": opponent, "digest": BASELINE if opponent == "hand" else "0123" * 16},
        "candidate": {"digest": CANDIDATE},
        "limit": limit,
        "kind": "fixed",
        "sprt": None,
        "counts": counts,
        "decision": None,
        "path": [],
        "estimate": asdict(stats.estimate(counts)),
        "games_needed": stats.games_needed(counts),
        "pairs": pairs,
        "games": 2 * pairs,
        "distinct_games": 2 * pairs - 2,
        "faults": 0,
        "results": {"first": pairs, "draw": 0, "second": pairs},
        "result_shares": {"first": 0.5, "draw": 0.0, "second": 0.5},
        "first_player_share": 0.537,
        "first_player_half_width": 0.02,
        "capped": 0,
        "adjudicated": 0,
        "ends": {"end": 2 * pairs},
        "mean_length": 40.0,
        "warnings": [],
    }


def _fixed(rng: np.random.Generator, name: str, opponent: str, limit: str, elo: float, pairs: int) -> Files:
    counts = np.bincount(_results(rng, elo, pairs), minlength=5).tolist()
    return _match(name, opponent, limit, counts)


def _sequential(rng: np.random.Generator) -> Files:
    test = sprt.Sprt(0.0, 20.0, max_pairs=1500)
    walked = sprt.walk(test, _results(rng, 38.0, 1500))
    match = _match("main", "hand", "nodes:400", list(walked.counts))
    expected = sprt.expected_length(test, 20.0).expected_games / 2
    return {
        **match,
        "kind": "sequential",
        "decision": walked.decision.decision,
        "path": [[i + 1, value] for i, value in enumerate(walked.path)],
        "sprt": {
            "elo0": 0.0,
            "elo1": 20.0,
            "alpha": 0.05,
            "beta": 0.05,
            "model": "normalized",
            "max_pairs": 1500,
            "lower": test.lower,
            "upper": test.upper,
            "expected_pairs": expected,
            "longest_pairs": 2 * expected,
            "resolvable": 15.0,
        },
    }
