"""A candidate over stdio that lists a directory correctly, except for the misbehaviour that its first argument names.

It implements the protocol without treeproof and site-packages. A misbehaviour is the function of this name; it happens
in calls with the argument `bad`. Misbehaviour at the start or the end has no function.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

MODE = sys.argv[1]
JSONRPC = {"jsonrpc": "2.0"}


def write(data: str | bytes) -> None:
    sys.stdout.buffer.write(data.encode() if isinstance(data, str) else data)
    sys.stdout.buffer.flush()


def line(number: Any, result: Any) -> str:
    return json.dumps({**JSONRPC, "id": number, "result": result}) + "\n"


def listing(call: Any) -> Any:
    root = call["context"]["roots"][0]
    return {"status": "ok", "content": ", ".join(sorted(os.listdir(root)))}


def respond(number: int, call: Any) -> None:
    write(line(number, listing(call)))


# ---- no response --------------------------------------------------------------------------------------------------


def hang(number: int, call: Any) -> None:
    time.sleep(600)


def hang_at_every_call(number: int, call: Any) -> None:
    time.sleep(600)


def hang_and_ignore_sigterm(number: int, call: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(600)


def mark_and_hang(number: int, call: Any) -> None:
    write_marker()
    time.sleep(600)


def fail_mark_and_hang(number: int, call: Any) -> None:
    if remembered:
        mark_and_hang(number, call)
    remembered.append(0)
    wrong_list(number, call)


def wait_for_another_run(number: int, call: Any) -> None:
    write_marker(f"-{os.getpid()}")
    folder, name = os.path.split(os.environ["MARKER_FILE"])
    deadline = time.monotonic() + 60
    while sum(found.startswith(name) for found in os.listdir(folder)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    respond(number, call)


def write_marker(suffix: str = "") -> None:
    with open(os.environ["MARKER_FILE"] + suffix, "w"):
        pass


def spin(number: int, call: Any) -> None:
    while True:
        pass


def stop_itself(number: int, call: Any) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def exit_in_mid_response(number: int, call: Any) -> None:
    write(line(number, listing(call))[:25])
    os._exit(0)


def half_a_line_and_hang(number: int, call: Any) -> None:
    write(line(number, listing(call))[:25])
    time.sleep(600)


def segfault(number: int, call: Any) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def abort(number: int, call: Any) -> None:
    os.abort()


def respond_without_newline(number: int, call: Any) -> None:
    write(line(number, listing(call)).rstrip("\n"))
    time.sleep(600)


def endless_line(number: int, call: Any) -> None:
    while True:
        write("x" * 65536)


def dribble_forever(number: int, call: Any) -> None:
    while True:
        write(" ")
        time.sleep(0.01)


def close_stdout(number: int, call: Any) -> None:
    os.close(1)
    time.sleep(600)


def close_stdin(number: int, call: Any) -> None:
    respond(number, call)
    os.close(0)
    time.sleep(600)


def fork_that_keeps_the_pipe(number: int, call: Any) -> None:
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)


# ---- protocol errors ------------------------------------------------------------------------------------------------


def answer_twice(number: int, call: Any) -> None:
    write(line(number, listing(call)) * 2)


def answer_later_again(number: int, call: Any) -> None:
    respond(number, call)
    time.sleep(0.05)
    respond(number, call)


def answer_the_call_before(number: int, call: Any) -> None:
    write(line(number - 1, listing(call)))


def answer_another_id(number: int, call: Any) -> None:
    write(line(f"{number}", listing(call)))


def answer_null_id(number: int, call: Any) -> None:
    write(line(None, listing(call)))


def send_request(number: int, call: Any) -> None:
    write(json.dumps({**JSONRPC, "id": 1, "method": "call", "params": {}}) + "\n")


def invalid_utf8(number: int, call: Any) -> None:
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"status":"ok","content":"\xff"}}\n' % number)


def deep_json(number: int, call: Any) -> None:
    write(line(number, "DEEP").replace('"DEEP"', "[" * 100_000 + "]" * 100_000))


def not_a_number(number: int, call: Any) -> None:
    write(line(number, {"status": "ok", "content": "a", "log": float("nan")}))


def endless_number(number: int, call: Any) -> None:
    write(line(number, "LONG").replace('"LONG"', "9" * 50_000))


def other_status(number: int, call: Any) -> None:
    write(line(number, {"status": "great", "content": "a"}))


def content_is_no_text(number: int, call: Any) -> None:
    write(line(number, {"status": "ok", "content": ["a", "d"]}))


def rpc_error(number: int, call: Any) -> None:
    error = {"code": -32000, "message": "\x1b]0;owned\x07<script>alert(1)</script>"}
    write(json.dumps({**JSONRPC, "id": number, "error": error}) + "\n")


def banner_on_stdout(number: int, call: Any) -> None:
    write("Listing " + call["context"]["roots"][0] + " …\n" + line(number, listing(call)))


# ---- a correct response with a side effect on processes ---------------------------------------------------------


def flood_stderr(number: int, call: Any) -> None:
    for _ in range(300):
        sys.stderr.buffer.write(b"\x1b[31mnoise \xff\x00" * 4000 + b"\n")
    sys.stderr.flush()
    respond(number, call)


def leave_a_daemon(number: int, call: Any) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in (0, 1, 2):
                os.close(descriptor)
            time.sleep(600)
        os._exit(0)
    os.wait()
    respond(number, call)


def fork_repeatedly(number: int, call: Any) -> None:
    for _ in range(20):
        if os.fork() == 0:
            time.sleep(600)
    respond(number, call)


def many_descriptors(number: int, call: Any) -> None:
    remembered.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(200))
    respond(number, call)


remembered: list[int] = []
answers_wrongly: list[bool] = []


# ---- changes of the file system -------------------------------------------------------------------------------------


def root_of(call: Any) -> str:
    return str(call["context"]["roots"][0])


def change_a_file(number: int, call: Any) -> None:
    with open(root_of(call) + "/a", "w") as file:
        file.write("mine")
    respond(number, call)


def change_and_restore_times(number: int, call: Any) -> None:
    state = os.stat(root_of(call) + "/a")
    os.utime(root_of(call) + "/a", (1, 1))
    os.utime(root_of(call) + "/a", ns=(state.st_atime_ns, state.st_mtime_ns))
    respond(number, call)


def delete_the_fixture(number: int, call: Any) -> None:
    answer = listing(call)
    remove(root_of(call))
    write(line(number, answer))


def delete_the_workspace(number: int, call: Any) -> None:
    answer = listing(call)
    remove(os.path.dirname(os.path.dirname(root_of(call))))
    write(line(number, answer))


def workspace_of(call: Any) -> str:
    return os.path.dirname(os.path.dirname(root_of(call)))


def rename_the_workspace(number: int, call: Any) -> None:
    answer = listing(call)
    os.rename(workspace_of(call), workspace_of(call) + "-moved")
    write(line(number, answer))


def move_the_workspace_away(number: int, call: Any) -> None:
    answer = listing(call)
    os.rename(workspace_of(call), os.environ["MARKER_FILE"])
    write(line(number, answer))


def replace_the_workspace(number: int, call: Any) -> None:
    answer = listing(call)
    os.rename(workspace_of(call), workspace_of(call) + "-moved")
    os.symlink(os.environ["PRECIOUS"], workspace_of(call))
    write(line(number, answer))


def close_the_workspace(number: int, call: Any) -> None:
    answer = listing(call)
    os.chmod(workspace_of(call), 0)
    write(line(number, answer))


def take_later_places(number: int, call: Any) -> None:
    """Take every name that can be guessed, from the names in sight, with a file, a link or a directory."""
    workspace, own = workspace_of(call), os.path.basename(os.path.dirname(root_of(call)))
    names = {"owner.new", "strace.log", "control", *map(str, range(1, 200))}
    names |= {str(int(own, base) + step) for base in (10, 16) if own.isdigit() or base == 16 for step in range(1, 50)}
    names |= {f"{int(own, 16) + step:0{len(own)}x}" for step in range(1, 50)}
    for index, name in enumerate(sorted(names)):
        path = os.path.join(workspace, name)
        if index % 3 == 0:
            os.mkdir(path)
        elif index % 3 == 1:
            os.symlink(os.environ["PRECIOUS"], path)
        else:
            open(path, "w").close()
    answers_wrongly.append(True)
    respond(number, call)


def log_every_path(number: int, call: Any) -> None:
    print(f"listing {root_of(call)}, {workspace_of(call)}", file=sys.stderr, flush=True)
    if call["arguments"].get("bad"):
        os._exit(1)
    respond(number, call)


def remove(path: str) -> None:
    for parent, folders, files in os.walk(path, topdown=False):
        for name in files:
            os.unlink(os.path.join(parent, name))
        for name in folders:
            inner = os.path.join(parent, name)
            (os.unlink if os.path.islink(inner) else os.rmdir)(inner)
    os.rmdir(path)


def link_instead_of_root(number: int, call: Any) -> None:
    answer = listing(call)
    os.rename(root_of(call), root_of(call) + "-elsewhere")
    os.symlink(os.environ["PRECIOUS"], root_of(call))
    write(line(number, answer))


def link_instead_of_its_parent(number: int, call: Any) -> None:
    answer = listing(call)
    outside = os.path.dirname(root_of(call))
    os.rename(outside, outside + "-elsewhere")
    os.symlink(os.environ["PRECIOUS"], outside)
    write(line(number, answer))


def links_everywhere(number: int, call: Any) -> None:
    answer = listing(call)
    for name in ("1", "2", "3"):
        os.symlink(os.environ["PRECIOUS"], os.path.join(root_of(call), name))
    write(line(number, answer))


def remove_permissions(number: int, call: Any) -> None:
    answer = listing(call)
    os.chmod(root_of(call) + "/d", 0)
    os.chmod(root_of(call), 0)
    write(line(number, answer))


def fill_the_workspace(number: int, call: Any) -> None:
    with open(os.path.join(os.path.dirname(os.path.dirname(root_of(call))), "junk"), "wb") as file:
        file.write(b"x" * 8_000_000)
    respond(number, call)


def make_deep_directories(number: int, call: Any) -> None:
    answer = listing(call)
    os.chdir(root_of(call))
    for _ in range(300):
        os.mkdir("x" * 200)
        os.chdir("x" * 200)
    os.chdir("/")
    write(line(number, answer))


# ---- wrong results ----------------------------------------------------------------------------------------------


def wrong_list(number: int, call: Any) -> None:
    write(line(number, {"status": "ok", "content": "\x1b[2J<b>a</b>, \u202e\x00]]>&amp;"}))


def unprintable_error(number: int, call: Any) -> None:
    message = "\x1b[31m<img src=x onerror=alert(1)>\x9b\u2028" + "m" * 100_000
    write(line(number, {"status": "error", "error": {"kind": "BadArgs", "message": message}}))


def change_capabilities(number: int, call: Any) -> None:
    with open(os.environ["MARKER_FILE"], "w"):
        os._exit(1)


# ---- serving ----------------------------------------------------------------------------------------------------


def initialize_result() -> Any:
    offered = {"say": "hostile@1"}
    changed = MODE == "change_capabilities" and os.path.exists(os.environ["MARKER_FILE"])
    return {
        "protocol": 2 if MODE == "other_protocol" else 1,
        "candidate": {
            "name": "\x1b[5m<script>evil</script>" if MODE == "unprintable_name" else "hostile",
            "version": "1",
            "language": "python",
        },
        "tools": {} if MODE == "offer_nothing" else offered,
        "capabilities": ["log"] if changed else [],
    }


def serve(request: Any) -> None:
    number, params = request["id"], request["params"]
    match request["method"]:
        case "initialize":
            if MODE == "mark_and_hang_at_start":
                write_marker()
            if MODE in ("hang_at_start", "mark_and_hang_at_start"):
                time.sleep(600)
            if MODE == "die_at_start":
                sys.exit("no licence key \x1b[31mfound")
            write(line(number, initialize_result()))
        case "describe":
            write(line(number, {"name": params["tool"]}))
        case "call":
            misbehaving: Callable[[int, Any], None] | None = globals().get(MODE)
            is_bad = params["arguments"].get("bad") or MODE in ("hang_at_every_call", "log_every_path")
            if answers_wrongly and not is_bad:
                wrong_list(number, params)
            elif is_bad and misbehaving is not None:
                misbehaving(number, params)
            else:
                respond(number, params)
        case "shutdown":
            if MODE == "hang_at_shutdown":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(600)
            if MODE == "exit_with_9":
                os._exit(9)
            write(line(number, None))
            sys.exit(0)


for request in sys.stdin.buffer:
    serve(json.loads(request))
