"""An event loop in a thread of its own, called from the main thread. Contains nothing about protocols."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_STOP_SECONDS = 5.0


class EventLoopThread:
    """Runs coroutines for a caller that waits a limited time, even if they block.

    Processes must not be started in this thread: they would end with it (``make_preexec_fn``).
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_forever, name="treeproof mcp", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Result], seconds: float) -> Result:
        """Return the result of the coroutine, or raise its exception. Raises TimeoutError after cancelling it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(max(0.0, seconds))
        except BaseException:  # KeyboardInterrupt, too
            future.cancel()
            raise

    def stop(self) -> bool:
        """Cancel all tasks and end the thread; return whether it has ended. Idempotent."""
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
            task.exception()  # asyncio warns of exceptions that are not retrieved
    await asyncio.sleep(0)  # closed transports release their pipes in the next iteration of the loop
