"""How did a whole game go? One page with a board for every move, to scroll through or to page through.

The strip of boards is plain HTML; a small script adds a large board with buttons and keys (arrows, Home, End,
space) and leaves everything readable where no script runs. Each picture is in the page once, as a checked
image; a game that cannot draw a position shows it as text. Players are named first and second; evaluations
are Elo, the view of the player who made the move.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.engine.board import RESULT_WORDS, Board
from tunesmith.engine.evaluation import CENTI, EVALUATION_MAX
from tunesmith.engine.files import write
from tunesmith.games.game import State
from tunesmith.tuning.report.board import picture
from tunesmith.tuning.report.html import Content, Markup, el, join, page
from tunesmith.tuning.report.numbers import clip, code, command, counted, fixed

WHO = ("first player", "second player")
PARTS = ("game.css", "game.js")  # style and script of a page that holds a game
_LONGEST = 60  # characters of a move's text


@dataclass(frozen=True)
class Choice:
    """One move: who made it, its text, and what the record says of it (empty = nothing)."""

    player: int
    text: str
    note: Content = None


@dataclass(frozen=True)
class Frame:
    """A position of the game and the moves that led to it from the one before (both of a turn where
    players choose at once; none at the start)."""

    choices: tuple[Choice, ...]
    state: State
    text: str


@dataclass(frozen=True)
class Neighbour:
    """Another game of the same source: what it is to this one, and its page, or else the command that shows it."""

    label: str
    page: str | None
    command: str = ""


@dataclass(frozen=True)
class Story:
    """A game as a page tells it.

    Attributes
    ----------
    board
        The game, played to its last recorded move.
    notes
        What is known of each move, by number of moves before it.
    ending
        Reason for the end as recorded, for a game that the rules did not end; None = it just stops.
    source
        Where the game is from, in a few words.
    players
        Names of the first and the second player, None where nobody said.
    scores
        What the search of the player who moved said of some moves, by number of moves before it: Elo, its own view.
    result
        The first player's, as recorded: also of a game that was decided before its end by the rules.
    neighbours
        The games before and after this one, to be linked to.
    """

    board: Board
    notes: dict[int, Content]
    ending: str | None = None
    source: str | None = None
    players: tuple[str, str] | None = None
    scores: dict[int, float] = field(default_factory=dict)
    result: int | None = None
    neighbours: tuple[Neighbour, ...] = ()


def write_strip(story: Story, target: Path) -> Path:
    """Write the page of a game and return its path.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    write(target, render(story))
    return target


def render(story: Story) -> str:
    """Return the page of a game."""
    found = frames(story)
    title = f"{story.board.game.name}: {outcome(story)}"
    shown = [_figure(story.board, i, frame) for i, frame in enumerate(found)]
    body = el("main", _head(story, len(found) - 1), _replay(shown), _near(story), class_="replay whole")
    return page(clip(title, 120), body, *PARTS)


def replay(story: Story, most: int) -> Markup:
    """Return a game to page through as part of another page, which needs the files of `PARTS`.

    What would take more than `most` characters is left out at the end, and this is said.
    """
    shown: list[Markup] = []
    for i, frame in enumerate(found := frames(story)):
        shown.append(_figure(story.board, i, frame))
        most -= len(shown[-1])
        if most < 0 and i < len(found) - 1:
            rest = el("p", f"The {counted(len(found) - 1 - i, 'position')} after these are left out.")
            return el("div", _replay(shown), rest, class_="replay")
    return el("div", _replay(shown), class_="replay")


def _replay(shown: list[Markup]) -> Markup:
    return join(_stage(len(shown) - 1), el("h2", "Move by move"), el("ol", shown, class_="strip", start=0))


def frames(story: Story) -> list[Frame]:
    """Return the positions that the page shows; a choice that is still hidden is not shown."""
    board, game = story.board, story.board.game
    found, open_choices = [Frame((), board.states[0], _text(board, 0))], []
    for i, move in enumerate(board.moves):
        before, after = board.states[i], board.states[i + 1]
        mover = game.mover(before)
        open_choices.append(Choice(mover, game.move_to_text(before, move), story.notes.get(i)))
        is_hidden = game.simultaneous and mover == 0 and i + 1 < len(board.moves)
        if not is_hidden:
            found.append(Frame(tuple(open_choices), after, _text(board, i + 1)))
            open_choices = []
    return found


def outcome(story: Story) -> str:
    """Say in words how the game ended."""
    board = story.board
    if board.result is not None:
        return f"{RESULT_WORDS[board.result]} ({_words(board.reason)})"
    return f"no result ({_words(story.ending)})" if story.ending else "not finished"


def _words(reason: str | None) -> str:
    return (reason or "").replace("_", " ")


def _text(board: Board, i: int) -> str:
    """Return the text form of the position after `i` moves."""
    return board.text if i == len(board.moves) else board.game.state_to_text(board.states[i])


def _head(story: Story, n_frames: int) -> Markup:
    game, n_moves = story.board.game, len(story.board.moves)
    turns = [" in ", counted(n_frames, "turn")] if game.simultaneous else None
    return el(
        "header",
        el("p", "A game of ", el("code", clip(game.spec, 120)), class_="eyebrow"),
        el("h1", capital(outcome(story))),
        el("p", counted(n_moves, "move"), turns, ".", f" {story.source}." if story.source else None),
        el("p", _who(story), class_="players") if story.players else None,
        _near(story),
    )


def _who(story: Story) -> Content:
    first, second = story.players or WHO
    return join("First player: ", code(first, 60), ". Second player: ", code(second, 60), ".")


def _near(story: Story) -> Markup | None:
    """Return links to the games before and after this one, or the commands that show them."""
    if not story.neighbours:
        return None
    parts = [
        el("a", near.label, href=near.page) if near.page else join(f"{near.label}: ", command(near.command))
        for near in story.neighbours
    ]
    return el("nav", [el("p", part) for part in parts], class_="neighbours")


def _stage(last: int) -> Markup:
    """Return the large board with its controls; the script shows and fills it."""
    buttons = [
        _button("start", "Start of the game (Home)", "M6 5v14M19 5L9 12l10 7z"),
        _button("back", "One move back (left arrow)", "M15 5l-7 7 7 7"),
        _button("play", "Play or pause (space)", "M8 5l11 7-11 7z"),
        _button("next", "One move on (right arrow)", "M9 5l7 7-7 7"),
        _button("end", "End of the game (End)", "M18 5v14M5 5l10 7-10 7z"),
    ]
    slider = el("input", type="range", min=0, max=last, value=0, id="at", aria_label="Number of the move")
    return el(
        "section",
        el("div", class_="large", id="large"),
        el("p", id="said", class_="said", aria_live="polite"),
        el("div", buttons, class_="buttons"),
        slider,
        class_="stage",
        hidden=True,
        aria_label="Page through the game",
    )


def _button(name: str, label: str, shape: str) -> Markup:
    is_area = shape.endswith("z")
    icon = el(
        "svg",
        el("path", d=shape, class_=None if is_area else "open"),
        viewBox="0 0 24 24",
        aria_hidden="true",
    )
    return el("button", icon, type="button", id=name, aria_label=label, title=label)


def _figure(board: Board, number: int, frame: Frame) -> Markup:
    caption = [_said(choice) for choice in frame.choices] or [el("span", "Start", class_="who")]
    return el(
        "li",
        el("figure", _drawn(board, frame), el("figcaption", el("b", f"{number}"), caption)),
        id=f"move-{number}",
        tabindex=0,
    )


def _said(choice: Choice) -> Markup:
    text = el("code", clip(choice.text, _LONGEST), title=choice.text)
    note = el("span", choice.note, class_="note") if choice.note is not None else None
    return el("span", el("span", WHO[choice.player], class_="who"), " ", text, " ", note, class_="choice")


def _drawn(board: Board, frame: Frame) -> Markup:
    svg = _tried(board.game.draw_svg, frame.state)
    drawing = frame.text if svg else _tried(board.game.draw_text, frame.state)
    return picture(svg, drawing or frame.text)


def _tried(draw: Callable[[State], str], state: State) -> str | None:
    """Return a drawing; None where the game's own function has none to give or fails."""
    try:
        drawn = draw(state)
    except Exception:  # a user's function may raise anything, and a picture is no reason to stop
        return None
    return drawn if isinstance(drawn, str) and drawn.strip() else None


def capital(text: str) -> str:
    """Return a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def score_note(score: float) -> Content:
    """Return an evaluation of the record, in the view of the player who made the move."""
    if is_forced(score):
        return "sees a win" if score > 0 else "sees a loss"
    return join(fixed(score, 0, sign=True), " Elo")


def is_forced(score: float) -> bool:
    """Whether a score (Elo) is no evaluation but the end of the game, seen by the search."""
    return abs(score) > EVALUATION_MAX / CENTI
