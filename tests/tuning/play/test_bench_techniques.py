"""The ladder of techniques: every exact rung finds minimax's values, and pruning saves nodes."""

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.tuning.cli import run
from tunesmith.tuning.play.bench_techniques import EXACT_RUNGS, ladder


def test_exact_rungs_agree_and_alpha_beta_saves_nodes():
    game = games.load("kalah")
    depth, n_positions, rungs = ladder(game, weights.load("hand", game), depth=4)
    exact = rungs[: len(EXACT_RUNGS)]
    assert depth == 4
    assert all(rung.exact and rung.finished and rung.same == n_positions for rung in exact)
    nodes = {rung.name: rung.nodes for rung in rungs}
    assert nodes["+ hints of the game"] < nodes["+ alpha-beta"] < nodes["minimax"]
    assert all(0.0 <= rung.first_cuts <= 1.0 for rung in rungs if rung.name != "minimax")


def test_the_command_prints_a_rung_a_line(capsys):
    assert run(["bench", "kalah", "--techniques", "--depth", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "kalah, hand: 5 positions to depth 2"
    assert sum(line.startswith("+ ") for line in lines) >= 10
    assert run(["bench", "kalah", "--techniques", "--depth", "0"]) == 2
