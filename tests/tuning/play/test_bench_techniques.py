"""Technique by technique: every exact one finds minimax's values, and pruning saves nodes."""

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.tuning.cli import run
from tunesmith.tuning.play.bench_techniques import EXACT, measure


def test_exact_techniques_agree_and_alpha_beta_saves_nodes():
    game = games.load("kalah")
    depth, n_positions, techniques = measure(game, weights.load("hand", game), depth=4)
    exact = techniques[: len(EXACT)]
    assert depth == 4
    assert all(one.exact and one.finished and one.same == n_positions for one in exact)
    nodes = {one.name: one.nodes for one in techniques}
    assert nodes["+ hints of the game"] < nodes["+ alpha-beta"] < nodes["minimax"]
    assert all(0.0 <= one.first_cuts <= 1.0 for one in techniques if one.name != "minimax")


def test_the_command_prints_a_technique_a_line(capsys):
    assert run(["bench", "kalah", "--techniques", "--depth", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "kalah, hand: 5 positions to depth 2"
    assert sum(line.startswith("+ ") for line in lines) >= 10
    assert run(["bench", "kalah", "--techniques", "--depth", "0"]) == 2
