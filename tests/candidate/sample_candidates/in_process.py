"""A candidate in treeproof's own process; ``arguments.do`` names its misbehaviour."""

import os
import signal
import sys
import time
from typing import Any

__version__ = "2.5"

INITIALIZE_RESULT: dict[str, Any] = {
    "protocol": 1,
    "candidate": {"name": "in process", "version": "1", "language": "python"},
    "tools": {"list_directory": "list_directory@1.1"},
    "capabilities": ["config", "log"],
}


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class Candidate:
    def __init__(self) -> None:
        self.calls = 0

    def initialize(self, params: dict[str, Any]) -> Any:
        return INITIALIZE_RESULT

    def describe(self, params: dict[str, Any]) -> Any:
        return {"name": params["tool"]}

    def call(self, params: dict[str, Any]) -> Any:
        self.calls += 1
        arguments = params["arguments"]
        match arguments.get("do"):
            case "hang":
                time.sleep(600)
            case "spin":
                while True:
                    pass
            case "hang_on_and_on":
                while True:
                    try:
                        time.sleep(600)
                    except BaseException:
                        return {"status": "ok", "content": "at last"}
            case "open_a_fifo":
                os.close(os.open(arguments["path"], os.O_RDONLY))
            case "exit":
                sys.exit(3)
            case "interrupt":
                raise KeyboardInterrupt
            case "real_interrupt":
                signal.raise_signal(signal.SIGINT)
            case "real_termination":
                signal.raise_signal(signal.SIGTERM)
                time.sleep(600)
            case "recursion":
                return self.call(params)
            case "memory":
                raise MemoryError
            case "raise":
                raise ValueError("bad \x1b[31m day")
            case "unprintable":
                raise Unprintable
            case "print":
                print("on stdout")
                print("on stderr\x1b[31m", file=sys.stderr)
                sys.stdout.buffer.write(b"\xff\n")
            case "close_stdout":
                sys.stdout.close()
            case "read_stdin":
                return {"status": "ok", "content": repr(sys.stdin.read())}
            case "bytes":
                return {"status": "ok", "content": b"x"}
            case "none":
                return None
            case "cycle":
                cycle: dict[str, Any] = {"status": "ok", "content": ""}
                cycle["cycle"] = cycle
                return cycle
            case "nan":
                return {"status": "ok", "content": "", "context": {"n": float("nan")}}
            case "deep":
                deep: list[Any] = []
                for _ in range(300):
                    deep = [deep]
                return {"status": "ok", "content": "", "context": {"deep": deep}}
            case "long":
                return {"status": "ok", "content": "x" * arguments["size"]}
            case "spoil":
                arguments["do"] = params["context"]["roots"] = "spoilt"
            case "read":
                try:
                    with open(arguments["path"]) as file:
                        return {"status": "ok", "content": file.read()}
                except PermissionError as refused:
                    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": str(refused)}}
            case "result":
                return arguments["result"]
        return {"status": "ok", "content": str(self.calls)}


def candidate() -> Candidate:
    return Candidate()


def one_function(tool: str, arguments: Any, context: Any) -> Any:
    """List nothing."""
    return {"status": "ok", "content": f"{tool} {arguments} {context['working_dir']}"}


def exits() -> None:
    sys.exit("no licence")


def returns_nothing() -> None:
    return None


an_object = Candidate()
