"""What must hold of texts and drawings: they exist, they are read back as what they say, nonsense is refused."""

from collections import Counter
from typing import Any

import numpy as np

from tunesmith.engine.check.asking import Asker, shown
from tunesmith.engine.check.position import Seen
from tunesmith.games.errors import TunesmithError
from tunesmith.games.game import State
from tunesmith.games.texts import is_boxes, squares_in

NONSENSE = ("", "?", "no such thing", "[]", "{}", '"', "0", "\0", "9" * 400)


def check_state_text(asker: Asker, seen: Seen) -> None:
    """A state's text is one line, and read back it is the same position; a finished one may be refused."""
    text = _text(asker, "state_to_text", seen.state)
    try:
        state = asker.read("text_to_state", asker.game.text_to_state, text)
    except TunesmithError as error:
        if seen.moves:
            asker.note("texts", f"refuses the state's own text: {error}", "text_to_state", seen.state)
        return
    asker.checked(state, "text_to_state", seen.state)
    again = _text(asker, "state_to_text", state)
    if again != text:
        what = f"the text {text!r} read back prints as {again!r}"
        asker.note("texts", what, "text_to_state", seen.state)
    elif seen.moves:
        _same_position(asker, seen, state)


def _same_position(asker: Asker, seen: Seen, state: State) -> None:
    """Compare what matters: a text need not carry what only repetition or move order depends on."""
    if asker.call("mover", state) != seen.mover:
        asker.note("texts", "read back, the other side is to move", "text_to_state", seen.state)
    elif set(asker.moves("legal_moves", state)) != set(seen.moves):
        asker.note("texts", "read back, other moves are legal", "text_to_state", seen.state)
    elif state != seen.state and not np.array_equal(asker.features(state), asker.features(seen.state)):
        asker.note("texts", "read back, the features differ", "text_to_state", seen.state)


def check_move_texts(asker: Asker, seen: Seen) -> None:
    """Legal moves have different texts, each read back as the move."""
    texts = {move: _text(asker, "move_to_text", seen.state, move) for move in seen.moves}
    if len(set(texts.values())) < len(texts):
        text, times = Counter(texts.values()).most_common(1)[0]
        move = next(move for move, other in texts.items() if other == text)
        asker.note("texts", f"{times} legal moves are called {text!r}", "move_to_text", seen.state, move)
    for move in seen.few:
        try:
            found = asker.read("text_to_move", asker.game.text_to_move, seen.state, texts[move])
        except TunesmithError as error:
            what = f"refuses the text of a legal move: {error}"
            asker.note("texts", what, "text_to_move", seen.state, move)
            continue
        if type(found) is not int or found != move:
            what = f"reads {texts[move]!r} as {shown(found)}, expected {move}"
            asker.note("texts", what, "text_to_move", seen.state, move)


def check_refusals(asker: Asker, seen: Seen) -> None:
    """Nonsense is refused with an `InputError`, whatever it looks like, and so is what once was a position's text."""
    nonsense = seen.rng.choice(NONSENSE)
    text = _text(asker, "state_to_text", seen.state)
    at = seen.rng.randrange(len(text))
    for wrong in (nonsense, f"{text[:at]}~{text[at + 1 :]}"):
        try:
            state = asker.read("text_to_state", asker.game.text_to_state, wrong)
            asker.checked(state, "text_to_state")
        except TunesmithError:
            pass
    try:
        move = asker.read("text_to_move", asker.game.text_to_move, seen.state, nonsense)
    except TunesmithError:
        return
    if move not in seen.moves:
        what = f"accepts {nonsense!r:.40} as move {shown(move)}, which is not legal; raise InputError"
        asker.note("texts", what, "text_to_move", seen.state)


def check_drawings(asker: Asker, seen: Seen) -> None:
    """A position can be drawn, finished ones too."""
    if not asker.run("draw_text", asker.game.draw_text, seen.state):
        asker.note("drawing", "draws nothing", "draw_text", seen.state)
    picture = asker.run("draw_svg", asker.game.draw_svg, seen.state)
    if not isinstance(picture, str) or "<svg" not in picture or "viewBox" not in picture:
        asker.note("drawing", "expected an SVG text with a viewBox", "draw_svg", seen.state)
    if asker.game.squares is not None:
        _check_squares(asker, seen, asker.run("squares", asker.game.squares, seen.state))


def _check_squares(asker: Asker, seen: Seen, found: Any) -> None:
    """Squares are boxes by name, and texts of moves name them."""
    if not is_boxes(found):
        what = f"expected a dict of names to (x, y, width, height), found {shown(found)}"
        asker.note("drawing", what, "squares", seen.state)
        return
    named = [squares_in(_text(asker, "move_to_text", seen.state, move), found) for move in seen.moves]
    if len(named) > 1 and not any(named):
        what = "no text of a legal move names a square: nothing can be clicked"
        asker.note("drawing", what, "squares", seen.state)


def _text(asker: Asker, name: str, *arguments: Any) -> str:
    text = asker.run(name, getattr(asker.game, name), *arguments)
    if not isinstance(text, str) or not text or "\n" in text:
        what = f"expected a text of one line, found {shown(text)}"
        raise asker.stop("texts", what, name, arguments[0])
    return text


UNFINISHED = (check_state_text, check_move_texts, check_refusals)
FINISHED = (check_state_text,)
