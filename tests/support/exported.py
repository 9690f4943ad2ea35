"""Tables of weights to export, some with hostile names, vectors to evaluate, and programs that evaluate them.

A program holds all tables as pasted sources, reads lines `table, features, shares` and prints a score for each."""

import math
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import numpy as np
from hypothesis import strategies as st

from tunesmith.engine import evaluation
from tunesmith.engine import weights as weight_files
from tunesmith.engine.player import evaluation_parts
from tunesmith.games import registry
from tunesmith.games.clone import specialise
from tunesmith.tuning import export
from tunesmith.tuning.export import Constants

N_TABLES, N_VECTORS = 24, 40
HOSTILE = (
    "*/ int main(void) { abort(); } /*",
    'x" + System.exit(1) + "',
    "\\u000a System.exit(1); // \\u0022",
    "ends with a backslash \\",
    "trigraph ??/",
    "-} main = undefined {-",
    "</script><script>alert(1)</script><!-- -->",
    "line\nbreak\r\u2028\u2029\x0b\x0c\x85 import os; os.abort()",
    "coding: no-such-codec",
    "'''\"\"\"`${process.exit(1)}`",
    "\ud800 lone, \u202e turned, \x00 nothing",
    "Ünïcödé ± ×",
    "class",
    "1st",
    "",
    "a-b",
    "a_b",
    "A b",
)


class Case(NamedTuple):
    """A table and what to evaluate with it: features (n, F), shares (n, S), and what the engine says."""

    table: Constants
    features: Any
    shares: Any
    expected: list[int]


def table(
    rows: Any, scale: float = 1.0, features: Any = None, stages: Any = None, text: str = "made up"
) -> Constants:
    """Return constants with these numbers and names; `text` is what provenance says."""
    n_stages, n_features = np.shape(rows)
    names = features or tuple(f"f{i}" for i in range(n_features))
    return Constants(
        text,
        text,
        stages or tuple(f"s{i}" for i in range(n_stages)),
        tuple(names),
        tuple(names),
        tuple(tuple(map(float, row)) for row in rows),
        scale,
        {"study": text, "how": text},
        (text,),
        {},
    )


def ours(made: Constants, values: Any, shares: Any) -> int | None:
    """Return the engine's evaluation; None where the sum is no number."""

    def give(source: Any) -> Callable[[Any, Any], None]:
        def fill(state: Any, out: Any) -> None:
            out[:] = source

        return fill

    n_stages, n_features = np.shape(made.rows)
    slots = {"features": give(values), "stages": give(shares), "N_STAGES": n_stages, "N_FEATURES": n_features}
    weighted_sum = specialise({"f": evaluation.weighted_sum}, slots)["f"]
    with np.errstate(over="ignore", invalid="ignore"):
        weights, used = np.array(made.rows), np.flatnonzero(np.any(made.rows, axis=0))
        total = weighted_sum((), weights, used, len(used), np.zeros(n_features), np.zeros(n_stages))
        return (
            None if math.isnan(made.elo_per_unit * total) else evaluation.to_score(total, made.elo_per_unit)
        )


WEIGHT = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-1000, 1000),
    st.integers(-900, 900).map(float),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e308, -1e22, 0.1, 1e-7, 2.0**53 + 2]),
)
SCALE = st.one_of(st.just(1.0), st.floats(1e-3, 1e3), st.sampled_from([1e-300, 1e300, 20.0]))
NAME = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12))


@st.composite
def tables(draw: st.DrawFn) -> Constants:
    """Draw constants of any size and with any names."""
    n_stages, n_features = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    rows = [[draw(WEIGHT) for _ in range(n_features)] for _ in range(n_stages)]
    features = draw(st.lists(NAME, min_size=n_features, max_size=n_features, unique=True))
    stages = draw(st.lists(NAME, min_size=n_stages, max_size=n_stages, unique=True))
    return table(rows, draw(SCALE), tuple(features), tuple(stages), draw(NAME))


def vectors(made: Constants, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return features and shares: whole numbers, eighths (they make ties), all sizes; shares sum to about 1."""
    n_stages, n_features = np.shape(made.rows)
    features = rng.integers(-40, 41, (N_VECTORS, n_features)).astype(float)
    features[1::4] = rng.integers(-99, 100, features[1::4].shape) / 8
    features[2::4] = rng.normal(0, 1, features[2::4].shape) * 10.0 ** rng.integers(
        -12, 12, (N_VECTORS // 4, 1)
    )
    features[3::4] *= rng.random(features[3::4].shape) < 0.3
    shares = rng.dirichlet(np.ones(n_stages), N_VECTORS)
    shares[::3] = np.eye(n_stages)[rng.integers(0, n_stages, len(shares[::3]))]
    return features, shares


def case(made: Constants, seed: int) -> Case:
    """Return a table with vectors of which the engine has an evaluation."""
    features, shares = vectors(made, np.random.default_rng(seed))
    found = [ours(made, f, s) for f, s in zip(features, shares, strict=True)]
    kept = [at for at, score in enumerate(found) if score is not None]
    return Case(made, features[kept], shares[kept], [found[at] or 0 for at in kept])


@cache
def cases() -> tuple[Case, ...]:
    """Return drawn tables, one with all hostile names, one that gives ties, and Kalah's hand weights."""
    drawn: list[Constants] = []

    @hypothesis.settings(max_examples=N_TABLES, database=None, derandomize=True,
                         phases=[hypothesis.Phase.generate])  # fmt: skip
    @hypothesis.given(tables())
    def collect(made: Constants) -> None:
        drawn.append(made)

    collect()
    hostile = table([range(-3, len(HOSTILE) - 3)], 1.0, HOSTILE, ("*/ \\",), "\\u000a*/ ??/")
    ties = table([[1.0]])
    return (*(case(made, at) for at, made in enumerate([*drawn, hostile, ties])), kalah())


def kalah() -> Case:
    """Return Kalah's hand weights on positions of a random game, with the compiled engine's evaluations."""
    game = registry.load("kalah")
    weights = weight_files.load("hand", game)
    weights = replace(weights, proof=[{"candidate": "another", "sentence": "not these"}])
    state, moves, rng = game.initial(), np.zeros(game.max_moves, np.int64), np.random.default_rng(3)
    features, shares, expected = [], [], []
    while game.outcome(state) == 2:
        values, share = np.zeros(game.n_features), np.zeros(game.n_stages)
        game.features(state, values)
        game.stages(state, share)
        features.append(values)
        shares.append(share)
        expected.append(evaluation_parts(game, weights, state)[0])
        state = game.apply_move(state, int(moves[rng.integers(game.legal_moves(state, moves))]))
    return Case(export.of_weights(weights, game), np.array(features), np.array(shares), expected)


def name(at: int) -> str:
    """Return the name under which a table is exported."""
    return f"W{at}"


def sources(language: str) -> list[str]:
    """Return every table as source."""
    return [export.source(made.table, language, name(at)) for at, made in enumerate(cases())]


def lines() -> str:
    """Return what a program reads."""
    rows = [
        " ".join([str(at), *map(repr, [*features.tolist(), *shares.tolist()])])
        for at, made in enumerate(cases())
        for features, shares in zip(made.features, made.shares, strict=True)
    ]
    return "\n".join(rows) + "\n"


def expected() -> list[int]:
    """Return what it should print."""
    return [score for made in cases() for score in made.expected]


def shapes() -> list[tuple[int, int]]:
    """Return (stages, features) of every table."""
    return [(len(made.table.stages), len(made.table.features)) for made in cases()]


# --- programs


def in_c(pasted: Sequence[str]) -> str:
    """Return a program."""
    arms = [f"case {at}: read(f, {nf}); read(s, {ns}); printf(\"%d\\n\", w{at}_evaluate(f, s)); break;"
            for at, (ns, nf) in enumerate(shapes())]  # fmt: skip
    return "\n".join(["#include <stdio.h>", *pasted, "static double f[99], s[99];",
                      "static void read(double *a, int n) { for (int i = 0; i < n; i++) if (scanf(\"%lf\", a + i) != 1) return; }",
                      "int main(void) { int k; while (scanf(\"%d\", &k) == 1) switch (k) {", *arms, "} return 0; }", ""])  # fmt: skip


def in_java(pasted: Sequence[str]) -> str:
    """Return a program; its class is Main."""
    arms = [f"case {at}: System.out.println({name(at)}.evaluate(cut(p, 1, {nf}), cut(p, {1 + nf}, {ns}))); break;"
            for at, (ns, nf) in enumerate(shapes())]  # fmt: skip
    return "\n".join([*pasted, "final class Main {", "static double[] cut(String[] p, int from, int n) {",
                      "double[] a = new double[n]; for (int i = 0; i < n; i++) a[i] = Double.parseDouble(p[from + i]); return a; }",
                      "public static void main(String[] args) throws Exception {",
                      "var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)); String line;",
                      "while ((line = in.readLine()) != null) { String[] p = line.split(\" \");",
                      "switch (Integer.parseInt(p[0])) {", *arms, "} } } }", ""])  # fmt: skip


def in_rust(pasted: Sequence[str]) -> str:
    """Return a program."""
    arms = [f"{at} => {name(at)}::evaluate(p[..{nf}].try_into().unwrap(), p[{nf}..].try_into().unwrap()),"
            for at, (_, nf) in enumerate(shapes())]  # fmt: skip
    return "\n".join(["#![allow(non_snake_case)]", *pasted, "fn main() { for line in std::io::stdin().lines() {",
                      "let line = line.unwrap(); let (k, rest) = line.split_once(' ').unwrap();",
                      "let p: Vec<f64> = rest.split(' ').map(|x| x.parse().unwrap()).collect();",
                      "println!(\"{}\", match k.parse::<usize>().unwrap() {", *arms, "_ => unreachable!() }); } }", ""])  # fmt: skip


def in_javascript(pasted: Sequence[str]) -> str:
    """Return a program."""
    every = ", ".join(name(at) for at in range(len(pasted)))
    return "\n".join([*pasted, f"const all = [{every}];",
                      "for (const line of require('fs').readFileSync(0, 'utf8').trim().split('\\n')) {",
                      "const [k, ...p] = line.split(' ').map(Number), n = all[k].FEATURES.length;",
                      "console.log(all[k].evaluate(p.slice(0, n), p.slice(n))); }", ""])  # fmt: skip


def in_haskell() -> str:
    """Return the main module; the tables are modules of their own."""
    imports = [f"import qualified {name(at)}" for at in range(len(cases()))]
    arms = [
        f"answer {at} p = {name(at)}.evaluate (take {nf} p) (drop {nf} p)"
        for at, (_, nf) in enumerate(shapes())
    ]
    return "\n".join(["module Main (main) where", *imports, "answer :: Int -> [Double] -> Int", *arms,
                      "answer _ _ = error \"no such table\"",
                      "main :: IO ()", "main = interact (unlines . map line . lines)",
                      "  where line text = case words text of",
                      "          (k : p) -> show (answer (read k) (map read p))", "          [] -> \"\"", ""])  # fmt: skip


def call(*command: object, cwd: Path, text: str = "") -> str:
    """Run a program in a bare locale; return its output."""
    answer = subprocess.run(
        list(map(str, command)), cwd=cwd, input=text, capture_output=True, text=True, timeout=240, check=False
    )
    assert answer.returncode == 0, answer.stderr[:4000]
    return answer.stdout


def numbers(output: str) -> list[int]:
    """Read a program's answers."""
    return list(map(int, output.split()))
