"""Where does the game that is shown come from? Texts of moves, a file of them, or a folder of played games.

A folder is a study, a match below its `verify`, or any folder with shards (`selfplay --out`, a match). Moves are
checked one by one, so that the error names the move. A game that ended by a fault is told as far as it can be played
again; if it took its worker along, without its last move."""

import contextlib
import math
from dataclasses import replace
from pathlib import Path

from tunesmith.engine import weights as weight_files
from tunesmith.engine.board import Board
from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.player import evaluation_parts, seen_by_mover
from tunesmith.engine.weights import Weights
from tunesmith.games import registry
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.games.game import Game
from tunesmith.tuning.config import HAND
from tunesmith.tuning.documents.matches import FaultLine
from tunesmith.tuning.play.matchup import FAULT
from tunesmith.tuning.play.openings.file import split_moves
from tunesmith.tuning.play.openings.opening import position_of
from tunesmith.tuning.play.worker import DEADLY, ENDLESS
from tunesmith.tuning.report.game_page import Story, is_forced, outcome, score_note
from tunesmith.tuning.report.html import Content

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "*"}  # of the first player


def from_text(game: Game, lines: list[str], state: str | None, where: str) -> Story:
    """Return the game of a text: moves separated by white space, or one a line where they hold spaces.

    Parameters
    ----------
    lines
        Lines of moves; what follows a `#` is a comment.
    state
        Text form of the position that the game starts from (None = the start position).
    where
        What errors call the text.

    Raises
    ------
    InputError
        A move is not legal, or the text of the position is wrong.
    """
    board = Board(game, state)
    for number, line in enumerate(lines, start=1):
        moves = line.partition("#")[0].strip()
        if moves.rpartition(" ")[2] in RESULTS.values():  # behind the moves stands the result
            moves = moves.rpartition(" ")[0].strip()
        for text in split_moves(board, moves):
            try:
                board.push(text)
            except InputError as error:
                told = str(error).partition("; legal are")[0]
                raise InputError(f"{where}: line {number}, move {len(board.moves) + 1}: {told}") from None
    return Story(board, {})


def from_file(game: Game, path: Path, state: str | None) -> Story:
    """Return the game of a file of moves; raises InputError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: expected a text file of moves: {error}") from None
    return from_text(game, lines, state, str(path))


def from_folder(game: Game, folder: Path, pair: int, which: int) -> Story:
    """Return game `which` (0 or 1) of a pair that was played and stored.

    Raises
    ------
    InputError
        There are no games, they are of another game, the pair is missing, or a move is not legal.
    StudyError
        The files are damaged.
    """
    from tunesmith.tuning.play import store

    shards = _shards(folder)
    source = f"Game {which} of pair {pair} in {folder.name or folder}"
    games = store.read_games(shards, range(pair, pair + 1))
    games = games.take((games.pair == pair) & (games.game == which))
    if not len(games):
        row = _fault(shards, pair, which)
        if row is None:
            raise InputError(f"{shards}: expected game {which} of pair {pair}, found no such game")
        where = position_of(row.opening, row.n_opening)
        return _until_fault(game, where, row.moves, row.n_opening, row.reason, source)
    stored = str(games.settings.get("game", game.spec))
    if ".py" not in stored and registry.load(stored).spec != game.spec:  # where a file lies is not stored
        raise InputError(f"{shards}: holds games of {stored}, not of {game.spec}")
    where = games.positions()[0]
    if games.is_fault[0]:
        n_opening, reason = int(games.n_opening[0]), str(games.end_reason[0])
        return _until_fault(game, where, games.moves.tolist(), n_opening, reason, source)
    board = Board(game, where)
    notes: dict[int, Content] = {}
    scores: dict[int, float] = {}
    for i, (move, score) in enumerate(zip(games.moves, games.scores, strict=True)):
        _play(board, int(move), f"{shards}: pair {pair}, game {which}, move {i + 1}")
        if i < int(games.n_opening[0]):
            notes[i] = "opening"
        elif math.isfinite(score):
            scores[i] = float(score)
            notes[i] = score_note(scores[i])
    first, second = (str(games.table[name][0].as_py()) for name in ("first_weights", "second_weights"))
    names = names_of(game, shards, (first, second))
    result = int(games.result[0])
    return Story(
        board, notes, str(games.end_reason[0]), source, names, scores, None if result == NO_RESULT else result
    )


def evaluated(story: Story, weights: Weights) -> Story:
    """Return a game with the evaluation of each position in which nobody has said a score: before the move, in Elo."""
    shown = story.board
    board = Board(shown.game, shown.game.state_to_text(shown.states[0]))
    notes, scores = dict(story.notes), dict(story.scores)
    for at, move in enumerate(shown.moves):
        if at not in notes:
            scores[at] = evaluation_parts(shown.game, weights, seen_by_mover(board)[0])[0] / 100
            notes[at] = score_note(scores[at])
        board.play(move)
    return replace(story, notes=notes, scores=scores)


def names_of(game: Game, folder: Path, digests: tuple[str, str]) -> tuple[str, str]:
    """Return what two players are called: by the game's own weights, those of the study around, or their digests."""
    known: dict[str, str] = {}
    places = [above / "weights" for above in (folder, *folder.resolve().parents[:4])]
    if game.folder is not None:
        places.insert(0, game.folder / "weights")
    for path in (path for place in places for path in sorted(place.glob("*.json"), key=_rank)):
        with contextlib.suppress(TunesmithError):
            known.setdefault(weight_files.load(path, game, allow_variant=True).digest, path.stem)
    for name in weight_files.SIMPLE:
        with contextlib.suppress(TunesmithError):
            known.setdefault(weight_files.load(name, game, allow_variant=True).digest, name)
    first, second = (known.get(digest, digest[:12]) for digest in digests)
    return first, second


def _rank(path: Path) -> tuple[bool, str]:
    """Sort names so that `hand` comes before its copies."""
    return path.stem != HAND, path.stem


def numbers_in(folder: Path) -> list[tuple[int, int]]:
    """Return (pair, game) of every game in a folder, in order.

    Raises
    ------
    InputError
        There are none.
    StudyError
        The files are damaged.
    """
    from tunesmith.tuning.play import store

    games = store.read_games(_shards(folder))
    return list(zip(games.pair.tolist(), games.game.tolist(), strict=True))


def as_lines(story: Story) -> list[str]:
    """Return a game as text, which `--transcript` and `import` read again: comments say who plays and how it ended.

    Moves stand in one line with the result, or one a line where they hold spaces; scores are of the mover, in Elo.
    """
    board, texts = story.board, []
    for state, move in zip(board.states, board.moves, strict=False):
        texts.append(board.game.move_to_text(state, move))
    who = " - ".join(story.players) if story.players else ""
    head = ": ".join(filter(None, [story.source, ", ".join(filter(None, [who, outcome(story)]))]))
    lines = [f"# {head}"]
    start = board.game.state_to_text(board.states[0])
    if start != board.game.state_to_text(board.game.initial()):
        lines.append(f"# from {start}")
    if any(" " in text for text in texts):
        return [*lines, *(_with_score(text, story.scores.get(at)) for at, text in enumerate(texts))]
    if story.scores:
        said = (_score(story.scores.get(at)) for at in range(len(texts)))
        lines.append(f"# Elo {' '.join(said)}")
    return [*lines, " ".join([*texts, RESULTS[story.result if board.result is None else board.result]])]


def _with_score(text: str, score: float | None) -> str:
    unit = " Elo" if score is not None and not is_forced(score) else ""
    return text if score is None else f"{text}  # {_score(score)}{unit}"


def _score(score: float | None) -> str:
    """Return a score in a word; a dot where nobody said one."""
    if score is None:
        return "."
    return f"{score:+z.0f}" if not is_forced(score) else "win" if score > 0 else "loss"


def _fault(folder: Path, pair: int, which: int) -> FaultLine | None:
    """Return what is on record of a game that ended by a fault in a run that failed."""
    from tunesmith.tuning.files import read_lines
    from tunesmith.tuning.play.records import FAULTS

    path = folder / FAULTS
    rows = [FaultLine.of(row, path) for row in read_lines(path)]
    return next((row for row in rows if (row.pair, row.game) == (pair, which)), None)


def _until_fault(
    game: Game, where: str | None, moves: list[int], n_opening: int, reason: str, source: str
) -> Story:
    """Return a game that ended by a fault as far as it can be played again."""
    is_deadly = reason.removeprefix(FAULT).startswith((ENDLESS, DEADLY))
    board = Board(game, where)
    for at, move in enumerate(moves[:-1] if is_deadly and len(moves) > n_opening else moves):
        try:
            _play(board, move, source)
            game.state_to_text(board.state)
        except Exception:  # code of the game: this is what it is shown for
            board = Board(game, where)
            for sound in moves[:at]:
                board.play(sound)
            break
    notes: dict[int, Content] = dict.fromkeys(range(min(n_opening, len(board.moves))), "opening")
    left = moves[len(board.moves) :]
    return Story(board, notes, reason + (f"; move {left[0]} was under way" if left else ""), source)


def _play(board: Board, move: int, where: str) -> None:
    if board.is_over or move not in board.legal_moves():
        raise InputError(f"{where}: not legal; were the rules changed since it was played?")
    board.play(move)


def _shards(folder: Path) -> Path:
    """Return the folder with the shards: the one given, or a study's newest generation of self-play."""
    from tunesmith.tuning.play import store
    from tunesmith.tuning.play.records import FAULTS

    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of games, found none")
    for own in (folder, folder / "games"):  # of self-play or a match; of a match of a study
        if store.pieces(own) or (own / FAULTS).is_file():
            return own
    below = sorted((path for path in (folder / "games").glob("gen-*") if store.pieces(path)), key=_generation)
    if not below:
        raise InputError(f"{folder}: expected shard-*.parquet there or in games/gen-* below it, found none")
    return below[-1]


def _generation(path: Path) -> tuple[int, str]:
    number = path.name.rpartition("-")[2]
    return (int(number) if number.isdecimal() else -1), path.name
