"""A game that goes wrong on request, to be played as plain Python.

Ten moves of 0 to 3 each, most of them forced, because plain Python searches slowly; the first player wins if
a hash of them is odd. `trouble` says what goes wrong in
games whose first four moves spell `bad` (or the three numbers after it, in base 4): nothing, `raise`, `hang`,
`exit` (the process dies), `state` (apply_move returns nonsense), `stuck` (no legal move before the end),
`nan` (so is the feature), `result` (7 for the first player), `gate` (nothing, but it heeds the gate), `text` (the
text of the position after the fifth move is another's).

The gate is a folder, named by the variable BRITTLE_GATE, whose files say what happens at an opening, so that a test
stops a run at a place and not at a time: games from opening `hold-N` on wait there until that file is gone; who
comes to opening `death-N` first takes the file away and is killed, and later openings wait for that."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from tunesmith.games.game import ONGOING, Game, State

PLIES = 10


def is_closed(name: str, opening: int) -> bool:
    """Whether a file of the gate lets an opening wait."""
    kind, _, first = name.partition("-")
    return int(first) < opening + (kind == "hold")


def pass_gate(gate: Path, opening: int) -> None:
    """Wait as long as the gate wants it, and die if it wants that."""
    while any(is_closed(path.name, opening) for path in gate.iterdir()):
        time.sleep(0.01)
    try:
        (gate / f"death-{opening}").unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def make(trouble: str = "none", bad: int = 255, last: int = 255) -> Game:
    """Return the game; openings `bad` to `last` are the bad ones."""

    def initial() -> State:
        return (0, 0)

    def is_bad(state: State) -> bool:
        return state[0] == 6 and bad <= state[1] // 16 <= last

    def legal_moves(state: State, out: Any) -> int:
        if trouble == "stuck" and is_bad(state):
            return 0
        n = 4 if state[0] < 4 or state[0] == 7 else 1
        out[:n] = (0, 1, 2, 3)[:n]
        return n

    def apply_move(state: State, move: int) -> State:
        if trouble not in ("none", "text", "nan", "result") and is_bad(state):
            return go_wrong(state, move)
        return (state[0] + 1, 4 * state[1] + move)

    def go_wrong(state: State, move: int) -> State:
        if trouble == "raise":
            raise ValueError(f"cannot play {move} in {state}")
        if trouble == "exit":
            os._exit(7)
        while trouble == "hang":
            time.sleep(0.1)
        if trouble == "gate":
            pass_gate(Path(os.environ["BRITTLE_GATE"]), state[1] // 16)
            return (state[0] + 1, 4 * state[1] + move)
        return (state[0],)

    def outcome(state: State) -> int:
        if state[0] < PLIES:
            return ONGOING
        if trouble == "result" and bad <= state[1] >> 12 <= last:
            return 7
        return 1 if (state[1] * 2654435761) >> 7 & 1 else -1

    def features(state: State, out: Any) -> None:
        out[0] = float("nan") if trouble == "nan" and is_bad(state) else state[1] % 7

    def state_to_text(state: State) -> str:
        wrong = trouble == "text" and is_bad(state)
        return f"{state[0]} {state[1] + wrong}"

    return Game(
        name="brittle",
        variant={"trouble": trouble, "bad": bad, "last": last},
        initial=initial,
        legal_moves=legal_moves,
        apply_move=apply_move,
        mover=lambda state: state[0] % 2,
        outcome=outcome,
        features=features,
        feature_names=("rest",),
        feature_meanings=("the moves, modulo 7",),
        max_moves=4,
        state_to_text=state_to_text,
        text_to_state=lambda text: tuple(map(int, text.split())),
        move_to_text=lambda state, move: str(move),
        text_to_move=lambda state, text: int(text),
        draw_text=str,
        draw_svg=lambda state: "<svg/>",
    )
