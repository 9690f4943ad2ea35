"""What the command line serves to a browser on this machine, until Ctrl-C."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer

    from tunesmith.tuning.report.play_page.game import BrowserGame

LOOPBACK = "127.0.0.1"


def play(game: BrowserGame, name: str, port: int) -> None:
    """Serve the page on which a person plays a game called `name`."""
    from tunesmith.tuning.report.play_page.app import play_app
    from tunesmith.tuning.report.server import serve

    until_interrupted(serve(play_app(game, name), LOOPBACK, port, "play"), LOOPBACK, "Ctrl-C ends the game")


def until_interrupted(server: WSGIServer, host: str, words: str) -> None:
    """Print the address and serve until Ctrl-C."""
    print(f"http://{host}:{server.server_port}/  ({words})", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
