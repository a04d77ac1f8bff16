"""An event loop in a thread of its own, and the way into it from the thread that asks. Knows no protocol."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_STOP_SECONDS = 5.0


class EventLoopThread:
    """Runs coroutines for a caller who does not wait longer than he said, whatever they do.

    Processes are not started in this thread: they would die with it (``child_setup``).
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_forever, name="treeproof mcp", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result], seconds: float) -> Result:
        """The result of the coroutine, or what it raises. Raises TimeoutError, and then it is cancelled."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(max(0.0, seconds))
        except BaseException:  # KeyboardInterrupt, too: nobody waits for it any more
            future.cancel()
            raise

    def stop(self) -> bool:
        """Cancel what still runs, and end the thread; whether it has ended. Idempotent."""
        if self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_STOP_SECONDS)
        return not self._thread.is_alive()

    def _run_forever(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(_cancel_all(asyncio.all_tasks(self._loop)))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            asyncio.set_event_loop(None)
            self._loop.close()


async def _cancel_all(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_STOP_SECONDS / 2)
    for task in tasks:
        if task.done() and not task.cancelled():
            task.exception()  # looked at, so that nobody complains that it was not
    await asyncio.sleep(0)  # transports that were closed let go of their pipes one turn later
