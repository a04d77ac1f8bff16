"""An MCP server over stdio, written with the standard library only.

Environment: INITIALIZE (JSON) is merged into the result of ``initialize``, TOOLS replaces its tools, with REFUSES
it refuses every call, with DIES it exits at the start. The argument ``do`` of a call names its action; by default the
text of the result is a JSON object with the received message and the state of the server.
"""

import json
import os
import sys
import time
from typing import Any

calls = 0
TOOL: dict[str, Any] = {
    "name": "list_directory",
    "description": "Lists.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}, "do": {}}},
}


def write(text: str) -> None:
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def answer(number: Any, **members: Any) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": number, **members}) + "\n")


def state(line: str) -> str:
    umask = os.umask(0)
    os.umask(umask)
    more = {"argv": sys.argv[1:], "cwd": os.getcwd(), "umask": umask, "colour": os.environ.get("COLOUR")}
    return json.dumps({"calls": calls, "pid": os.getpid(), "line": line.rstrip("\n"), **more})


def handle_call(number: Any, params: dict[str, Any], line: str) -> None:
    arguments = params.get("arguments")
    action = arguments if isinstance(arguments, dict) else {}
    text = {"content": [{"type": "text", "text": state(line)}]}
    match "refuse" if os.environ.get("REFUSES") else action.get("do"):
        case "refuse":
            answer(number, error={"code": -32602, "message": "no"})
        case "result":
            answer(number, result=action["result"])
        case "error":
            answer(number, error=action["error"])
        case "hang":
            if "marker" in action:
                open(action["marker"], "w").close()
            time.sleep(600)
        case "exit":
            print("the disk is on fire", file=sys.stderr, flush=True)
            os._exit(3)
        case "close":
            os.close(1)
            time.sleep(600)
        case "half":
            write('{"jsonrpc": "2.0",')
            os._exit(0)
        case "write":
            write(action["text"])
            time.sleep(600)
        case "flood":
            while True:
                write("x" * 65536)
        case "notify":
            while True:
                write('{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}\n')
        case "answer_and_exit":
            answer(number, result=text)
            os._exit(7)
        case "stubborn":
            import signal

            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            answer(number, result=text)
            time.sleep(600)
        case "request_roots":
            write('{"jsonrpc": "2.0", "id": "mine", "method": "roots/list"}\n')
            reply = sys.stdin.readline()
            answer(number, result={"content": [{"type": "text", "text": reply}]})
        case _:
            answer(number, result=text)


def list_tools(number: Any, params: dict[str, Any]) -> None:
    """Return one tool per page."""
    tools = json.loads(os.environ.get("TOOLS", "null")) or [TOOL]
    page = int(params.get("cursor", 0))
    more = {"nextCursor": str(page + 1)} if page + 1 < len(tools) else {}
    answer(number, result={"tools": tools[page : page + 1], **more})


def main() -> None:
    global calls
    for line in sys.stdin:
        message = json.loads(line)
        number, params = message.get("id"), message.get("params") or {}
        match message.get("method"):
            case "initialize":
                changes = json.loads(os.environ.get("INITIALIZE", "{}"))
                result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
                answer(number, result={**result, "serverInfo": {"name": "by hand", "version": "7"}, **changes})
            case "tools/list":
                list_tools(number, params)
            case "tools/call":
                calls += 1
                handle_call(number, params, line)
            case _ if number is not None:
                answer(number, error={"code": -32601, "message": "no such method"})


if os.environ.get("DIES"):
    sys.exit("usage: give me a folder")
main()
