"""The slow network: what passes is the same, late by what was asked for, and counted."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tunesmith.experiments.cluster.relay import Relay

MESSAGE = bytes(range(256)) * 1000


@pytest.fixture
def echo() -> Iterator[str]:
    """Answer one connection with what it says, until it says no more."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                while piece := line.recv(1 << 16):
                    line.sendall(piece)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def asked(address: str, message: bytes) -> bytes:
    """Say something; return all that comes back."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(message)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(1 << 16), b""))


def test_what_passes_is_late_the_same_and_counted(echo: str) -> None:
    with Relay(echo, 0.05) as relay:
        began = time.monotonic()
        assert asked(relay.address, MESSAGE) == MESSAGE
        assert time.monotonic() - began >= 0.1  # there and back
        assert relay.passed == [len(MESSAGE), len(MESSAGE)]


def test_who_falls_silent_still_hears_the_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                said = b"".join(iter(lambda: line.recv(1 << 16), b""))
                time.sleep(0.1)
                line.sendall(said)

        threading.Thread(target=serve, daemon=True).start()
        with Relay(f"tcp://127.0.0.1:{server.getsockname()[1]}", 0.0) as relay:
            assert asked(relay.address, MESSAGE) == MESSAGE


def test_nobody_behind_it_is_nobody_in_front_of_it() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        target = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with Relay(target, 0.0) as relay:
        with contextlib.suppress(ConnectionError):
            assert asked(relay.address, b"") == b""
        assert relay.passed == [0, 0]
