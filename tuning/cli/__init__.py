"""The command `tunesmith`.

Exit codes: 0 done, whatever the verdict; 1 a check failed; 2 wrong input (one line on standard error); 70 an error that
nobody foresaw (one line; its traceback is in a file that the line names); 130 interrupted. Results go to standard
output, progress and logs to standard error; `--json` prints one JSON object. Interrupts are heeded before the commands
(`tuning.cli.app`) are imported.

- `agent`: `tunesmith agent`: a folder that plays without Tunesmith
- `app`: All commands of `tunesmith` in one application
- `browser`: What the command line serves to a browser on this machine, until Ctrl-C
- `console`: Rich's console behind the gate (`tuning.cli.terminal`): its colours and cursor moves are ours, its
  texts harmless
- `dashboard`: The command that opens a dashboard
- `dataset`: `tunesmith import` makes a folder of games; `tunesmith dataset` describes the positions that a fit would
  see
- `engines`: The command `tunesmith engines`: matches of chess engines, and searches over their options
- `events`: A run told to programs: one JSON object a line on standard error, each with its kind as `event`
- `fit`: `tunesmith fit TABLE`: weights for somebody's own table of positions; `predict`: what weights say of one
- `games`: Commands about games and engines: games, perft, probe, check, new-game, play, bench
- `gauntlet`: The command `tunesmith gauntlet`: several players, all pairings, ratings
- `guard`: What does a command say when something goes wrong that nobody foresaw?
- `human`: A person against the engine in the terminal
- `interrupt`: What the command does when it is asked to stop: by Ctrl-C, by a termination signal, by a closed
  terminal
- `live`: What a person at a terminal sees of a run: lines above, and one region below that fits the window
- `new_game`: `tunesmith new-game`: a small complete game to be changed into one's own
- `options`: What several commands share: option types, what was given of them, and the number of workers
- `pace`: How fast are games played?
- `play`: Commands that play games: match, selfplay, ladder, book
- `printing`: How do commands print what they found: one JSON object, or a table?
- `progress`: Games being played, told in lines: how many, how fast, how long still, and how they end
- `show`: `tunesmith show`: a game as a page, games as text
- `stats`: `tunesmith stats elo|sprt|length`: statistics of anybody's match, from its counts alone
- `status`: `tunesmith status STUDY`: how far a study is, once or again and again; `studies`: all of a folder, or
  two compared
- `study`: Commands on a whole study: run, search, report
- `terminal`: Everything that a command prints goes through here: no control characters of others, and no
  passwords
- `verify`: The command `tunesmith verify`: is one player stronger than another, by a test fixed before the
  first game?
- `weights`: `tunesmith weights`: weight files for people, and for agents in other languages

To add a command, write a function in the file of its topic, name it in its `register` and in `TASKS` of `app`; a new
file is entered in `COMMANDS` (or `GROUPS`) there. Option types that several commands share are in `options`; what a
command computes belongs into the room of its question."""

from __future__ import annotations

import errno
import io
import logging
import os
import sys
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.cli import guard, interrupt
from tunesmith.tuning.cli.terminal import end_drawing, open_closed_streams, printing_harmlessly
from tunesmith.tuning.play.sandbox.process import leave_current_folder

if TYPE_CHECKING:
    from tunesmith.games.game import Game

# Full disk or quota, read-only, forbidden, failing: whatever it was for, the user has to see to it.
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO)
# Names that no file can have, or that something else has.
_NAMES = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.ELOOP)
_MAY_BE_EMPTY = ("options", "--moves")  # how options of a search, and moves, end: none are given


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    leave_current_folder()
    open_closed_streams()
    given = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name that is no text is shown, not stumbled over
            stream.reconfigure(errors="backslashreplace")
    with printing_harmlessly():
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="tunesmith: %(message)s")
        try:
            interrupt.listen(given)
            code = run(given)
            interrupt.end()
        except KeyboardInterrupt:  # in the very last moment
            code = interrupt.CODE
            interrupt.end()
    sys.exit(code)


@printing_harmlessly()
def run(arguments: list[str]) -> int:
    """Run the command line; return the exit code."""
    try:
        code = _run(arguments)
    except KeyboardInterrupt:
        code = interrupt.CODE
    except BaseException as error:
        if interrupt.was_asked():
            code = interrupt.CODE  # what a library has made of the interrupt
        elif guard.is_on() and isinstance(error, Exception):
            code = guard.tell(error, arguments)
        else:
            raise
    if code == interrupt.CODE:
        interrupt.tell(arguments)
    return code


def _run(arguments: list[str]) -> int:
    from tunesmith.games.errors import TunesmithError
    from tunesmith.games.registry import guarded
    from tunesmith.tuning.cli.app import app

    try:
        _require_words(arguments)
        with guarded(_admit):
            try:
                code: Any = app(arguments, standalone_mode=False)
            finally:
                end_drawing()
    except TunesmithError as error:
        if interrupt.was_asked():
            raise
        more = f"; {interrupt.advice(arguments)}" if error.is_break else ""
        interrupt.say(f"tunesmith: {error}{more}")
        return error.exit_code
    except BrokenPipeError:  # the reader of our output has gone: not our failure, and nothing to say to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # wherever no part of ours was asked to write: an Optuna journal, a scratch file
        if error.errno not in (*_DISK, *_NAMES):
            raise
        where = f"{error.filename!s:.200}: " if error.filename else ""
        what = "cannot be written: " if error.errno in _DISK else ""
        interrupt.say(f"tunesmith: {where}{what}{error.strerror}")
        return 2
    except Exception as error:
        if not hasattr(error, "exit_code") or not hasattr(error, "format_message"):
            raise
        message = error.format_message()  # wrong options, told by the command line's own library
        if message:
            interrupt.say(f"tunesmith: {message}")
        return int(error.exit_code)
    return code if isinstance(code, int) else 0


def _admit(game: Game) -> None:
    from tunesmith.tuning.play.sandbox.admission import admit

    admit(game)


def _require_words(arguments: list[str]) -> None:
    """Refuse names that are no text, as they could stand in no file of a study, and empty words.

    An empty word is a variable of a script that nobody has set: as a path it would mean the current folder.
    """
    from tunesmith.games.errors import InputError

    for what, name in (*(("argument", word) for word in arguments), ("current folder", os.getcwd())):
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(f"{what}: expected a name in UTF-8, found {name!r:.200}") from None
    for before, word in zip(["argument", *arguments], arguments, strict=False):
        option, is_joined, value = word.partition("=") if word.startswith("--") else (before, "=", word)
        if is_joined and not value and not option.endswith(_MAY_BE_EMPTY):
            what = option if option.startswith("--") else f"after {option}"
            raise InputError(f"{what}: expected a word, found an empty one")
