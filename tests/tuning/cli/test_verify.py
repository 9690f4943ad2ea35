"""The command `tunesmith verify`: exit codes, who is met, and one line for wrong input."""

import json
from pathlib import Path

import pytest

from tunesmith.tuning.cli import run

COMMAND = [
    "verify",
    "kalah",
    "hand",
    "random",
    "--limit",
    "nodes:40",
    "--second-limit",
    "nodes:80",
    "--plies",
    "6",
]
COMMAND += ["--max-pairs", "60", "--measure-pairs", "8", "--second-pairs", "2", "--opponent-pairs", "2"]
COMMAND += ["--jobs", "1", "--backend", "threads", "--hash", "1"]


def test_a_greedy_player_and_the_strongest_that_ships_are_met_unless_nobody_is_asked_for(
    tmp_path: Path, capsys
) -> None:
    assert run([*COMMAND, "--out", str(tmp_path / "v"), "--json", "--require", "stronger"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["outcome"] == "stronger"
    assert [one["opponent"]["name"] for one in found["runs"]] == [*3 * ["random"], "greedy", "hand-4"]
    assert run([*COMMAND, "--out", str(tmp_path / "w"), "--json", "--opponent", "none"]) == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3
    assert run(["verify", str(tmp_path / "w")]) == 0
    assert capsys.readouterr().out.startswith("kalah: hand is stronger than random: ")


def test_what_is_required_and_not_shown_fails(tmp_path: Path, capsys) -> None:
    swapped = [*COMMAND[:2], "random", "hand", *COMMAND[4:], "--out", str(tmp_path / "v")]
    assert run([*swapped, "--require", "stronger"]) == 1
    assert "random is weaker than hand" in capsys.readouterr().out
    assert run(swapped) == 0


def test_weights_against_themselves_are_asked_for_no_more_games(tmp_path: Path, capsys) -> None:
    same = [
        *COMMAND[:3],
        "hand",
        *COMMAND[4:],
        "--opponent",
        "none",
        "--max-pairs",
        "8",
        "--out",
        str(tmp_path / "v"),
    ]
    assert run(same) == 0
    said = capsys.readouterr().out
    assert said.startswith("kalah: nothing to prove, hand is hand itself: ") and "next" not in said
    assert json.loads((tmp_path / "v" / "verdict.json").read_text()).get("reason") is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kalah", "hand"], "expected STUDY or GAME A B, found 'kalah hand'"),
        (
            ["kalah", "hand", "hand-1", "--model", "elo"],
            "--model: input should be 'normalized', 'logistic' or",
        ),
        (["kalah", "hand", "hand-1", "--elo1", "-3"], "elo0 must be below elo1, found [0.0, -3.0]"),
        (["kalah", "hand", "hand-1", "--alpha", "2"], "--alpha: input should be less than 0.5, found 2.0"),
        (["kalah", "hand", "hand-1", "--limit", "5"], "limit: expected depth:N"),
        (["kalah", "nobody", "hand"], "weights 'nobody'"),
        (["kalah", "hand", "hand-1", "--require", "luck"], "--require: expected stronger, found 'luck'"),
        (["nowhere"], "nowhere: not a study"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], words: str, tmp_path: Path, capsys) -> None:
    assert (
        run(
            ["verify", *arguments, "--out", str(tmp_path / "v")]
            if len(arguments) > 1
            else ["verify", *arguments]
        )
        == 2
    )
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert words in said


def test_the_command_that_repeats_it_has_its_terms_and_no_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "proofs" / "v"
    assert run([*COMMAND, "--opponent", "none", "--seed", "4", "--out", str(out), "--quiet"]) == 0
    command = json.loads((out / "verdict.json").read_text())["command"]
    assert command == (
        "tunesmith verify kalah hand random --max-pairs 60 --measure-pairs 8 --limit nodes:40 --second-limit nodes:80 "
        "--second-pairs 2 --opponent-pairs 2 --seed 4 --hash 1 --opponent none --plies 6 --out proofs/v"
    )
    again = [*command.split()[1:-2], "--out", "w", "--jobs", "1", "--backend", "threads", "--quiet"]
    assert run(again) == 0
    runs = [json.loads((path / "verdict.json").read_text())["runs"] for path in (out, Path("w"))]
    assert runs[0] == runs[1]
