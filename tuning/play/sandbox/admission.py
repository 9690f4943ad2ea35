"""Is a game fit to be played at all? Asked once for each game by the commands, before its first game.

The cheap part of the contract check (`engine.check.taste`), in plain Python and with a deadline: a game with no room
for its moves would have compiled code write anywhere in memory. Games that have passed are remembered by the digest
of their code, in the folder of compiled code."""

import contextlib
from weakref import WeakSet

from tunesmith.engine.check import Problem, taste
from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.facts import check_facts
from tunesmith.engine.compile.jit import wanted_folder
from tunesmith.engine.source import code_digest
from tunesmith.games.errors import GameError
from tunesmith.games.game import Game
from tunesmith.games.texts import shown
from tunesmith.tuning.play.sandbox.deadline import watched

_passed: WeakSet[Game] = WeakSet()


def admit(game: Game) -> None:
    """Refuse a game that breaks its contract.

    Raises
    ------
    GameError
        What is wrong first, in one line.
    """
    if game in _passed:
        return
    asker = Asker(game)
    check_facts(asker)  # before the digest, which is of what they name
    _refuse(game, asker.problems)
    digest = code_digest(game)
    with contextlib.suppress(OSError, RuntimeError):  # no folder, or no home
        if (wanted_folder() / "passed" / digest).is_file():
            _passed.add(game)
            return
    with watched(game, "checking it") as ask:
        _refuse(game, ask(taste, game))
    _passed.add(game)
    with contextlib.suppress(OSError, RuntimeError):
        note = wanted_folder() / "passed" / digest
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()


def _refuse(game: Game, problems: list[Problem]) -> None:
    if not problems:
        return
    first = problems[0]
    where = f" in {first.position!r}" if first.position else ""
    raise GameError(
        f"game {shown(game.name)}: cannot be played: {first.where}: {first.what:.300}{where:.100}; "
        "tunesmith check says more"
    )
