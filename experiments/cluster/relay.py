"""A slow network on this machine: whoever connects here is passed on, later, and what passes is counted.

Linux can do the same to a whole network device (`tc qdisc add dev DEVICE root netem delay 100ms`), but not every
kernel has it, and it needs root. Here each direction is delayed by itself and nothing is lost or cut; how much passes
at a time is not limited."""

import asyncio
import contextlib
import threading
from types import TracebackType
from typing import Self

PIECE = 1 << 16  # bytes read at a time


class Relay:
    """Passes on what comes to `address` to another TCP address; a context.

    Attributes
    ----------
    delay
        Seconds by which each direction is late.
    passed
        Bytes to the target, and from it.
    """

    def __init__(self, target: str, delay: float) -> None:
        host, _, port = target.rpartition("://")[2].rpartition(":")
        self._target, self.delay = (host, int(port)), delay
        self.passed = [0, 0]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        start = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result()
        self.address = f"tcp://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, near: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        try:
            far, far_out = await asyncio.open_connection(*self._target)
        except OSError:  # nobody there: the same as without a relay
            near_out.close()
            return
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(self._pass(near, far_out, 0), self._pass(far, near_out, 1))
        for stream in (near_out, far_out):
            stream.close()

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, way: int) -> None:
        """Pass on one direction until it ends, each piece when its time has come."""
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()

        async def write() -> None:
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(due - loop.time())
                if not piece:
                    break
                sink.write(piece)
                await sink.drain()

        writing = loop.create_task(write())
        with contextlib.suppress(OSError):
            while True:
                piece = await source.read(PIECE)
                self.passed[way] += len(piece)
                pieces.put_nowait((loop.time() + self.delay, piece))
                if not piece:
                    break
            await writing
        writing.cancel()
        with contextlib.suppress(OSError):
            sink.write_eof()  # the other direction may still have something to say
