"""Options of the command line that a study can say as well: one default for both, and one error."""

import re
from typing import Any

import pytest
import typer

from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.app import app
from tunesmith.tuning.cli.options import asked, resources_of
from tunesmith.tuning.config import DEFAULTS

OF_A_STUDY = {
    "seed": DEFAULTS.seed,
    "hash_mb": DEFAULTS.hash_mb,
    "plies": DEFAULTS.openings.plies,
    "max_score": DEFAULTS.openings.max_score,
    "edition": DEFAULTS.openings.edition,
    "limit": DEFAULTS.play.limit,
    "noise": DEFAULTS.play.noise,
    "noise_plies": DEFAULTS.play.noise_plies,
    "move_cap": DEFAULTS.play.move_cap,
}
OF_A_PROOF = DEFAULTS.verify.model_dump()
NOTHING = {"seed": None, "hash_mb": None, "plies": None, "max_score": None}


@pytest.mark.parametrize("command", ["match", "gauntlet", "selfplay", "verify"])
def test_a_command_leaves_to_the_settings_what_it_is_not_told_and_its_help_quotes_them(command):
    known = OF_A_STUDY | (OF_A_PROOF if command == "verify" else {})
    group: Any = typer.main.get_command(app)
    told = {option.name: option for option in group.commands[command].params}
    for name in sorted({*known} & {*told} - {"second_limit"}):
        quoted = re.search(r"\(default: ([^)]*)\)", getattr(told[name], "help", ""))
        assert told[name].default is None and quoted, name
        default = known[name]
        assert quoted[1] == (f"{default:g}" if isinstance(default, int | float) else default), name


def test_what_was_asked_for_stands_over_the_defaults():
    found = asked("kalah", **{**NOTHING, "plies": 3}, limit="nodes:50", noise=None)
    assert (found.openings.plies, found.play.limit) == (3, "nodes:50")
    assert found.openings.max_score == DEFAULTS.openings.max_score and found.play.noise == DEFAULTS.play.noise


def test_a_study_in_verify_takes_no_terms_from_the_command_line(tmp_path, capsys):
    assert run(["verify", str(tmp_path), "--elo1", "5"]) == 2
    assert "--elo1: is for GAME A B; a study has terms of its own" in capsys.readouterr().err


def test_a_number_that_a_study_would_refuse_is_refused_by_its_option(capsys):
    assert run(["match", "kalah", "hand", "hand-1", "--max-score", "-1"]) == 2
    assert "--max-score: input should be greater than 0, found -1.0" in capsys.readouterr().err


def test_more_workers_than_cores_are_as_many_as_cores_and_told(monkeypatch, capsys):
    monkeypatch.setattr("tunesmith.tuning.threads.cores", lambda: 2)
    assert [resources_of(jobs).jobs for jobs in (None, 1, 2)] == [2, 1, 2]
    assert capsys.readouterr().err == ""
    assert resources_of(64).jobs == 2
    assert capsys.readouterr().err == "--jobs 64: there are 2 cores, so 2 play (the games are the same)\n"
