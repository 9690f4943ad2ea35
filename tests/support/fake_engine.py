"""A chess engine in few lines, for tests: `python fake_engine.py HOW...`; it plays legal moves chosen by a hash.

HOW: `crash`, `hang`, `illegal` or `none` at its fifth move of a game; `deaf` (searches past any number of nodes),
`silent` (never says uciok), `slow` (half a second a move), `stubborn` (ignores quit and has a child of its own),
`twice` (answers every move twice), `leaving` (puts children into sessions of their own, one of them twice removed),
`second` (what it does at the fifth move, it does in second games of pairs, as Black, only)."""

import subprocess
import sys
import time
import zlib

import chess

HOW = set(sys.argv[1:])
VALUES = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}


def say(text: str) -> None:
    print(text, flush=True)


def mates(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    is_mate = board.is_checkmate()
    board.pop()
    return is_mate


def choose(board: chess.Board, skill: int) -> str:
    """The move that takes most, seen through as much noise as skill leaves; from skill 50 on, a mate."""

    def worth(move: chess.Move) -> float:
        taken = board.piece_type_at(move.to_square)
        noise = zlib.crc32(f"{board.fen()} {move}".encode()) % 1000 / 1000
        if skill >= 50 and mates(board, move):
            return 100.0
        return (VALUES[taken] if taken else 0) * skill / 100 + noise * 3

    return max(board.legal_moves, key=lambda move: (worth(move), move.uci())).uci()


def answer(board: chess.Board, moves: int, skill: int, words: list[str]) -> None:
    if "deaf" in HOW and words[1] == "nodes":
        nodes = 1
        while True:
            nodes *= 2
            say(f"info nodes {nodes}")
            time.sleep(0.001)
    if "slow" in HOW:
        time.sleep(0.5)
    is_time = moves >= 8 and not ("second" in HOW and board.turn == chess.WHITE)
    if is_time and "crash" in HOW:
        sys.exit(3)
    if is_time and "hang" in HOW:
        time.sleep(1000)
    if is_time and "illegal" in HOW:
        say("bestmove a1a1")
    elif is_time and "none" in HOW and words[1] == "nodes":
        say("bestmove (none)")
    else:
        say("info depth 1 nodes 7")
        for _ in range(1 + ("twice" in HOW)):
            say(f"bestmove {choose(board, skill)}")


def main() -> None:
    board, skill, n_moves = chess.Board(), 50, 0
    if "leaving" in HOW:
        subprocess.Popen(["sleep", "1001"], start_new_session=True)
        subprocess.run(["sh", "-c", "setsid sleep 1002 & exit"], check=True)
    if "stubborn" in HOW:
        subprocess.Popen(["sleep", "1000"])
    for line in sys.stdin:
        words = line.split()
        match words[0]:
            case "uci" if "silent" not in HOW:
                say("a banner that is no part of the protocol")
                say("id name Fake 1.0")
                say("option name Own Skill type spin default 50 min 0 max 100")
                say("option name Style type combo default Calm var Calm var Very Wild")
                say("option name OwnBook type check default true")
                say("option name BookFile type string default book.bin")
                say("option name Clear Hash type button")
                say("option name Hash type spin default 64 min 2 max 128")
                say("uciok")
            case "isready":
                say("readyok")
            case "setoption" if line.startswith("setoption name Own Skill value "):
                skill = int(words[-1])
            case "position":
                at = words.index("moves") if "moves" in words else len(words)
                board = chess.Board(" ".join(words[2:at]))
                for move in words[at + 1 :]:
                    board.push_uci(move)
                n_moves = len(words[at + 1 :])
            case "go":
                answer(board, n_moves, skill, words)
            case "quit" if "stubborn" not in HOW:
                return
    while "stubborn" in HOW:
        time.sleep(1)


if __name__ == "__main__":
    main()
