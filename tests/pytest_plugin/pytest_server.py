"""A process that forks a run of pytest for each line of stdin and writes its exit code to stdout.

A run in it saves the second of processor time in which a new process imports pytest and treeproof.
"""

import atexit
import gc
import importlib
import json
import os
import sys
import traceback

import pytest
from _pytest.config import default_plugins

IMPORTED = (
    *(f"_pytest.{name}" for name in default_plugins),
    "treeproof.pytest_plugin.conformance",
    "treeproof.verdict.causes",
    "treeproof.report.terminal",
    "treeproof.run.parallel_run",
    "treeproof.run.runner",
)


def run(arguments: list[str], folder: str, environment: dict[str, str], output: str) -> int:
    """Run pytest as ``python -m pytest`` would in a folder; ``output`` gets stdout and stderr."""
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(written, 1)
    os.dup2(written, 2)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder
    sys.argv = ["pytest", *arguments]
    return int(pytest.main(arguments))


def serve() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = run(**json.loads(line))
            except BaseException:
                traceback.print_exc()
            finally:
                atexit._run_exitfuncs()  # pytest's temporary folders
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
