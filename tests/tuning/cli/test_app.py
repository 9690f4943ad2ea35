"""One pattern for all commands: what is the same is called the same, told whole, and answered in JSON."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tunesmith.tuning.cli import options, run
from tunesmith.tuning.cli.app import TASKS, app, summary

# Commands that answer to people alone, each with its reason.
NO_JSON = {
    "play": "a conversation in the terminal",
    "ugi": "a conversation with a program",
    "dashboard": "serves pages until it is closed",
}
TREE: Any = typer.main.get_command(app)
OWN_GAME = "path/to/game.py"


def walk(group: Any = TREE, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command that does something, by its whole name."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from walk(command, f"{before}{name} ")
        else:
            yield before + name, command


COMMANDS = dict(walk())


def named(command: Any, name: str) -> Any:
    """Return the parameter of a command with this option or metavar, None if it has none."""
    return next((one for one in command.params if name in (*one.opts, one.metavar)), None)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_answers_in_json_or_is_listed_with_the_reason(name: str) -> None:
    assert (named(COMMANDS[name], "--json") is None) == (name in NO_JSON)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_of_a_game_says_that_a_path_works(name: str) -> None:
    for one in COMMANDS[name].params:
        is_game = one.metavar in ("GAME", "[GAME]") or "GAME" in (one.metavar or "").split()
        if is_game or (one.name == "game" and one.opts == ["--game"] and name != "show"):
            assert OWN_GAME in (one.help or ""), one.name


@pytest.mark.parametrize(
    "name", ["match", "gauntlet", "verify", "probe", "play", "selfplay", "agent", "book"]
)
def test_a_player_is_written_the_same_way_everywhere(name: str) -> None:
    command = COMMANDS[name]
    helps = [one.help or "" for one in command.params]
    assert any("NAME or NAME@key=value" in text for text in helps)
    assert named(command, "--options") is not None
    assert not {"--first-options", "--second-options", "--book"} & {
        opt for one in command.params for opt in one.opts
    }


@pytest.mark.parametrize("path", [[], ["weights"], ["stats"]])
def test_no_summary_is_cut_at_80_columns(path: list[str]) -> None:
    group = TREE
    for name in path:
        group = group.commands[name]
    shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "80"}, terminal_width=80).output
    words = " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80
    for name, command in group.commands.items():
        text = summary(command)
        assert text and not text.endswith("...")
        assert f"{name} {' '.join(text.split())}" in words


def test_every_command_has_one_task_and_every_task_only_commands() -> None:
    listed = [name for names in TASKS.values() for name in names]
    assert sorted(listed) == sorted(TREE.commands)


def test_the_version_and_the_completion_of_shells_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    name, number = capsys.readouterr().out.split()
    assert name == "tunesmith" and number[0].isdigit()
    assert {"--install-completion", "--show-completion"} <= {opt for one in TREE.params for opt in one.opts}
    shown = CliRunner().invoke(
        app, [], prog_name="tunesmith",
        env={"_TUNESMITH_COMPLETE": "complete_bash", "COMP_WORDS": "tunesmith ma", "COMP_CWORD": "1"},
    )  # fmt: skip
    assert shown.output.split() == ["match"]
    shown = CliRunner().invoke(
        app, [], prog_name="tunesmith",
        env={"_TUNESMITH_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "tunesmith ma"},
    )  # fmt: skip
    assert summary(COMMANDS["match"]) in shown.output and "..." not in shown.output


def test_the_texts_that_commands_share_stand_in_one_place() -> None:
    assert OWN_GAME in options.GAME and "NAME@key=value" in options.PLAYER
