"""An engine that needs a file of its own folder, and looks for it in the working directory."""

import os
import sys
import zlib

import chess

HERE = os.path.dirname(os.path.abspath(__file__))


def say(text):
    print(text, flush=True)


def choose(board):
    return max(
        board.legal_moves,
        key=lambda move: (board.is_capture(move), zlib.crc32(f"{board.fen()} {move}".encode())),
    ).uci()


def main():
    board = chess.Board()
    name = "WRONG PROGRAM 0.1" if "wrong" in sys.argv else "Adapter 2.0"
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            say(f"id name {name}")
            say("id author nobody")
            say("uciok")
        elif words[0] == "isready":
            if not os.path.exists(
                "adapter.eng"
            ):  # looked for in the working directory, as adapters and nets are
                say("info string Error starting engine: adapter.eng not found in " + os.getcwd())
                sys.exit(1)
            say("readyok")
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            say("info depth 1 nodes 7 score cp 0")
            say(f"bestmove {choose(board)}")
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()
