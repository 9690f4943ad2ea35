"""An engine of piles (`toys`) in few lines, for tests: `python fake_ugi_engine.py HOW...`; it speaks UGI.

Moves are chosen by a hash, with the option `skill` 2 a win if there is one. HOW: at its second move of a game `illegal`,
`crash`, `hang`, `flood` (lines without end), `gush` (a line without end), `none`, `empty` and `garbage` (as its move);
`late` (five seconds after it was asked, and goes on); `lax` (like `illegal`, and lets illegal moves pass: without a word, without carrying them out); at its start `stillborn`
(ends), `once=FILE` (ends if it was started before); always `turn` (says that it is the other one's turn), `over` (says
that the game is over), `loser` (takes the last stone for a loss), `babble` (answers questions with `maybe`),
`scores=N` (tells that score with every move), `slow` (a tenth of a second a move); `mute` (never says ugiok)."""

import sys
import time
import zlib
from pathlib import Path

HOW = {word.partition("=")[0]: word.partition("=")[2] for word in sys.argv[1:]}


def say(text: str) -> None:
    print(text, flush=True)


def legal(piles: list[int]) -> list[str]:
    return [f"{'ab'[pile]}{stones}" for pile in (0, 1) for stones in (1, 2) if piles[pile] >= stones]


def go(piles: list[int], side: int, n_moves: int, skill: int) -> None:
    if "slow" in HOW:
        time.sleep(0.1)
    is_time = n_moves in (2, 3)
    if is_time and "crash" in HOW:
        print("out of luck", file=sys.stderr)
        sys.exit(3)
    if is_time and "hang" in HOW:
        time.sleep(1000)
    while is_time and "flood" in HOW:
        print("info string " + "la" * 200)
    while is_time and "gush" in HOW:
        sys.stdout.write("la" * 2000)
    if is_time and "late" in HOW:
        time.sleep(5)
    wrong = {"illegal": "c7", "lax": "c7", "none": "(none)", "empty": "", "garbage": "%\x07 \u2654 !"}
    for how, move in wrong.items():
        if is_time and how in HOW:
            say(f"bestmove {move}")
            return
    moves = sorted(legal(piles), key=lambda move: zlib.crc32(f"{piles} {move} {skill}".encode()))
    if skill >= 2:
        moves = [move for move in moves if sum(piles) == int(move[1])] or moves
    say(f"info depth 1 score cp {HOW.get('scores', '0')} nodes 7")
    say(f"bestmove {moves[0]}")


def main() -> None:
    piles, side, n_moves, skill = [4, 5], 0, 0, 1
    if "stillborn" in HOW or ("once" in HOW and Path(HOW["once"]).exists()):
        print("no licence", file=sys.stderr)
        sys.exit(4)
    if "once" in HOW:
        Path(HOW["once"]).touch()
    for line in sys.stdin:
        words = line.split()
        match words[0]:
            case "ugi" if "mute" not in HOW:
                say("id name Heap 1.0")
                say("option name skill type spin default 1 min 0 max 9")
                say("option name hash type spin default 16 min 1 max 64")
                say("ugiok")
            case "isready":
                say("readyok")
            case "setoption" if words[2] == "skill":
                skill = int(words[4])
            case "position":
                at = words.index("moves") if "moves" in words else len(words)
                start = [4, 5, 0] if words[1] == "startpos" else [int(word) for word in words[2:5]]
                piles, side, n_moves = start[:2], start[2], len(words[at + 1 :])
                for move in words[at + 1 :]:
                    if move not in legal(piles):
                        if "lax" not in HOW:
                            say(f"info string illegal move {move}")
                        break
                    piles["ab".index(move[0])] -= int(move[1])
                    side = 1 - side
            case "query":
                over = sum(piles) == 0 or ("over" in HOW and n_moves > 3)
                won = (side == 0) == ("loser" in HOW)
                answers = {
                    "p1turn": str((side == 0) != ("turn" in HOW and n_moves > 3)).lower(),
                    "gameover": str(over).lower(),
                    "result": ("p1win" if won else "p2win") if over else "none",
                }
                say("response " + ("maybe" if "babble" in HOW else answers[words[1]]))
            case "go":
                go(piles, side, n_moves, skill)
            case "quit":
                return


if __name__ == "__main__":
    main()
