"""The message of an uncaught exception in the stderr of a process, in several languages."""

from __future__ import annotations

import pytest

from treeproof.candidate.fault_headline import find_headline
from treeproof.candidate.untrusted import TailBuffer

STDERR = {
    "python": (
        "starting\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\nKeyError: 'x'\n",
        "KeyError: 'x'",
    ),
    "python, a message of two lines": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: first\nsecond\n',
        "ValueError: first",
    ),
    "python, chained": (
        'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1\n\nDuring handling of the above exception, '
        'another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py"\nRuntimeError: the last\n',
        "RuntimeError: the last",
    ),
    "python, a group": (
        '  + Exception Group Traceback (most recent call last):\n  |   File "a.py", line 1, in <module>\n'
        "  | ExceptionGroup: two of them (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n",
        "ExceptionGroup: two of them (2 sub-exceptions)",
    ),
    "go": (
        "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n"
        "\t/app/main.go:8 +0x1d\nexit status 2\n",
        "panic: runtime error: index out of range [3] with length 3",
    ),
    "go, deadlock": (
        "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n",
        "fatal error: all goroutines are asleep - deadlock!",
    ),
    "node": (
        "/app/index.js:3\n    throw new TypeError('no list');\n    ^\n\nTypeError: no list\n"
        "    at read (/app/index.js:3:11)\n    at Object.<anonymous> (/app/index.js:6:1)\n\nNode.js v22.1.0\n",
        "TypeError: no list",
    ),
    "node, a message of two lines": (
        "Error: first\nsecond\n    at read (/app/index.js:3:11)\n",
        "Error: first",
    ),
    "java": (
        'Exception in thread "main" java.lang.IllegalStateException: no list\n\tat Main.main(Main.java:5)\n'
        "Caused by: java.io.IOException: gone\n\tat Main.read(Main.java:9)\n\t... 1 more\n",
        "java.lang.IllegalStateException: no list",
    ),
    "rust": (
        "\nthread 'main' panicked at src/main.rs:3:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
        "thread 'main' panicked at src/main.rs:3:5: index out of bounds",
    ),
    "rust before 1.73": (
        "thread 'main' panicked at 'no list', src/main.rs:3:5\nnote: run with `RUST_BACKTRACE=1`\n",
        "thread 'main' panicked at 'no list', src/main.rs:3:5",
    ),
    "c++": (
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  no element 3\n",
        "std::out_of_range: no element 3",
    ),
    "c": ("tool: list.c:3: main: Assertion `list' failed.\n", "tool: list.c:3: main: Assertion `list' failed."),
    "c#": (
        "Unhandled exception. System.IO.IOException: no list\n   at Program.Main() in /app/Program.cs:line 3\n",
        "Unhandled exception. System.IO.IOException: no list",
    ),
    "ruby": (
        "a.rb:1:in `read': no list (KeyError)\n\tfrom a.rb:3:in `<main>'\n",
        "a.rb:1:in `read': no list (KeyError)",
    ),
    "a line": ("warning\nno licence key\n\n", "no licence key"),
    "nothing": ("", ""),
    "an earlier exception that was handled": (
        'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1\nINFO continuing\npanic: later\n',
        "panic: later",
    ),
}


@pytest.mark.parametrize("case", STDERR)
def test_the_headline_is_the_message_of_the_exception(case: str) -> None:
    text, headline = STDERR[case]
    assert find_headline(text) == headline


def test_headlines_are_bounded_and_escaped() -> None:
    tail = TailBuffer(10_000)
    tail.write(b"Traceback (most recent call last):\n  f\nError: \x1b[31m\xff" + b"x" * 1000 + b"\n")
    headline = tail.headline()
    assert headline.startswith("Error: \\x1b[31m\\xff") and len(headline) < 300 and headline.isprintable()


def test_hostile_output_takes_no_time() -> None:
    for line in ("Traceback (most recent call last):\n", "    at x\n", "Caused by: \n", "A" * 10_000 + "\n", "\n"):
        find_headline(line * 5000)
