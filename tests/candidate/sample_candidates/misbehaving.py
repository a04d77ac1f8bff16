"""A candidate over stdio; ``arguments.do`` names its misbehaviour, by default none.

It implements the protocol without treeproof. The content of a result is a JSON object with the number of calls of
this process, its pid and its environment. With the argument ``once`` it serves one message, for adapter kind
``command``.
"""

import json
import os
import signal
import sys
import time
from typing import Any

calls = 0


def write(data: str | bytes) -> None:
    sys.stdout.buffer.write(data.encode() if isinstance(data, str) else data)
    sys.stdout.buffer.flush()


def answer(number: int, result: Any) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}) + "\n")


def state() -> dict[str, Any]:
    with open("/proc/self/status") as status:
        capabilities = next(line.split()[1] for line in status if line.startswith("CapEff"))
    umask = os.umask(0)
    os.umask(umask)
    return {
        "calls": calls,
        "pid": os.getpid(),
        "capabilities": int(capabilities, 16),
        "cwd": os.getcwd(),
        "umask": umask,
        "colour": os.environ.get("COLOUR"),
        "home": os.environ.get("HOME"),
    }


def ok(number: int, **more: Any) -> None:
    answer(number, {"status": "ok", "content": json.dumps(state()), **more})


def sleeping_child(**options: Any) -> int:
    import subprocess  # imported only where needed: it slows down the start

    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], **options).pid


def mark(arguments: Any) -> None:
    """Create the file that a call names as its `marker`, if any."""
    if marker := arguments.get("marker"):
        open(marker, "w").close()


def misbehave(do: str | None, number: int, arguments: Any) -> None:
    good = json.dumps({"jsonrpc": "2.0", "id": number, "result": {"status": "ok", "content": ""}})
    match do:
        case "hang":
            mark(arguments)
            time.sleep(600)
        case "dribble":
            while True:
                write("x")
                time.sleep(0.02)
        case "exit":
            print("the disk is on fire", file=sys.stderr, flush=True)
            os._exit(3)
        case "exit_well":
            os._exit(0)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "close":
            os.close(1)
            time.sleep(600)
        case "half_a_line":
            write(good[:20])
            os._exit(0)
        case "answer_and_exit":
            write(good + "\n")
            os._exit(0)
        case "answer_and_fail":
            write(good + "\n")
            os._exit(7)
        case "two_answers":
            write(good + "\n" + good + "\n")
        case "later":
            write(good + "\n")
            time.sleep(0.1)
            write("by the way\n")
            mark(arguments)
        case "noise":
            write("Listening on port 8080\n" + good + "\n")
        case "endless":
            while True:
                write("x" * 65536)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            ok(number)
            while True:
                time.sleep(600)
        case "stderr":
            sys.stderr.write("\x1b[31mred\x07" + "e" * arguments["size"] + "\nlast line\n")
            sys.stderr.flush()
            ok(number)
        case "grandchild":
            ok(number, context={"pid": sleeping_child()})
        case "grandchild_then_exit":
            print(sleeping_child(), file=sys.stderr, flush=True)
            os._exit(0)
        case "grandchild_in_a_session":
            ok(number, context={"pid": sleeping_child(start_new_session=True)})
        case "write":
            write(arguments["text"].replace("{id}", str(number)).encode("latin-1") + b"\n")
        case "result":
            answer(number, arguments["result"])
        case _:
            ok(number)


def serve(line: bytes) -> None:
    global calls
    request = json.loads(line)
    number, params = request["id"], request["params"]
    match request["method"]:
        case "initialize":
            declared = json.loads(os.environ.get("DECLARED", "{}"))
            answer(
                number,
                {
                    "protocol": 1,
                    "candidate": {"name": "misbehaving", "version": "1", "language": "python"},
                    "tools": {"list_directory": "list_directory@1.1"},
                    "capabilities": ["config"],
                }
                | declared,
            )
        case "describe":
            answer(number, {"name": params["tool"], "aliases": ["ls"], "input_schema": {}, "x-more": 1})
        case "call":
            calls += 1
            arguments = params["arguments"]
            do = arguments.get("do") if isinstance(arguments, dict) else None
            if do == "raw":
                ok(number, context={"line": line.decode()})
            else:
                misbehave(do, number, arguments)
        case "shutdown":
            answer(number, None)
            sys.exit(int(os.environ.get("EXIT_CODE", "0")))


for line in sys.stdin.buffer:
    serve(line)
    if "once" in sys.argv:
        break
