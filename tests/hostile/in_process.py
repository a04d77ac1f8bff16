"""A candidate in treeproof's process. It answers correctly and runs the function that the argument `bad` names.

The functions change the interpreter or the process.
"""

import atexit
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from typing import Any


class Candidate:
    def initialize(self, params: Any) -> Any:
        return {
            "protocol": 1,
            "candidate": {"name": "in process", "version": "1", "language": "python"},
            "tools": {"say": "hostile@1"},
            "capabilities": [],
        }

    def describe(self, params: Any) -> Any:
        return {"name": params["tool"]}

    def call(self, params: Any) -> Any:
        root = params["context"]["roots"][0]
        answer = {"status": "ok", "content": ", ".join(sorted(os.listdir(root)))}
        if bad := params["arguments"].get("bad"):
            globals()[bad](root)
        return answer


def exit_with_zero(root: str) -> None:
    os._exit(0)


def exit_hook(root: str) -> None:
    atexit.register(os._exit, 0)


def change_the_tree_with_an_exit_hook(root: str) -> None:
    exit_hook(root)
    with open(root + "/mine", "w"):
        pass


def kill_the_process(root: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stop_the_process(root: str) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def remaining_thread(root: str) -> None:
    threading.Thread(target=time.sleep, args=(600,)).start()


def writing_thread(root: str) -> None:
    def write() -> None:
        while os.path.isdir(root):
            with open(root + "/mine", "w"):
                pass
            time.sleep(0.001)

    threading.Thread(target=write, daemon=True).start()
    while not os.path.exists(root + "/mine"):
        time.sleep(0.001)


def returning_fork(root: str) -> None:
    os.fork()


def late_returning_fork(root: str) -> None:
    if os.fork() == 0:
        time.sleep(0.3)


def other_directory(root: str) -> None:
    os.chdir(root)


def deleted_directory(root: str) -> None:
    deleted = tempfile.mkdtemp()
    os.chdir(deleted)
    os.rmdir(deleted)


def umask(root: str) -> None:
    os.umask(0o777)


def few_descriptors(root: str) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (4, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def ignored_children(root: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def ignored_signals(root: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)


def alarm(root: str) -> None:
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    signal.alarm(1)


def low_recursion_limit(root: str) -> None:
    sys.setrecursionlimit(200)


def profiler(root: str) -> None:
    sys.setprofile(lambda *_: None)


def descriptors_closed(root: str) -> None:
    os.closerange(3, 400)


def standard_streams_closed(root: str) -> None:
    for number in (0, 1, 2):
        os.close(number)


def other_json(root: str) -> None:
    json.JSONEncoder.encode = lambda *_: "{}"  # type: ignore[method-assign]


def other_clock(root: str) -> None:
    time.monotonic = time.time = time.perf_counter = lambda: 0.0
