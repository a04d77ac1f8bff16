"""Randomly generated wrong files and arguments give one line and a documented exit code, and never a traceback."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.scaffold.specification import new_spec

RunCommand = Callable[..., tuple[int, str]]
ODD_VALUES: tuple[Any, ...] = (
    *(True, 0, -1, 10**30, 1.5, float("nan"), "", " ", "x", "a\nb", "\x1b[31m", "\x00", "../..", "-", "x" * 3000),
    *([], [1], [[]], ["x"], {}, {"a": 1}, {"": {"": []}}),
)
MANIFEST = {"candidate": {"adapter": "stdio", "command": ["/no/such/program"], "name": "x", "call_timeout": 1}}
BASELINE = {"known": [{"id": "FR-LD-OUT-02a", "reason": "r", "issue": "A", "platform": "Linux"}]}
SERVER = {"tools": {"list_directory": {"max_entries": 5}}, "budgets": {"max_output_bytes": 100}}
CALL = {"tree": "a", "tool": "list_directory", "arguments": {"path": "."}, "context": {"config": {}}}
COUNTEREXAMPLE = {
    "format": 1,
    **dict.fromkeys(("requirement", "message", "expected", "got", "scenario"), "x"),
    **{"spec": "list_directory", "family": "trees", "outside": "", "target": "nope:x", "profile": "default"},
    **{"answer": {}, "agreement": "", "candidate": {}, "seed": 0, "case": CALL},
}


def to_toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {to_toml_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(to_toml_value, value)) + "]"
    return "nan" if value != value else json.dumps(value)


def dump_toml(tables: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(key)} = {to_toml_value(value)}\n" for key, value in tables.items()).encode()


def dump_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def mutate_value(rng: random.Random, value: Any) -> Any:
    """Return a copy with one member removed, replaced or added at any depth."""
    copy = json.loads(json.dumps(value))
    places: list[tuple[Any, Any]] = []
    todo = [copy]
    while todo:
        one = todo.pop()
        pairs = list(one.items() if isinstance(one, dict) else enumerate(one))
        places += [(one, key) for key, _ in pairs]
        todo += [member for _, member in pairs if isinstance(member, (dict, list))]
    holder, key = rng.choice(places)
    how = rng.random()
    if how < 0.3:
        del holder[key]
    elif how < 0.8 or isinstance(holder, list):
        holder[key] = rng.choice(ODD_VALUES)
    else:
        holder[rng.choice(["", "x", "\x1b", "reasn"])] = rng.choice(ODD_VALUES)
    return copy


def corrupt_bytes(rng: random.Random, data: bytes) -> bytes:
    """Return the bytes cut, with foreign bytes inside, empty, or after a byte order mark."""
    at = rng.randrange(len(data) + 1)
    foreign = [b"\x00", b"\xff", b"\xef\xbb\xbf", b"[" * 5000, b'"""', b"'", b"\r", b"9" * 5000, b"{", b"NaN"]
    return rng.choice([data[:at], data[:at] + rng.choice(foreign) + data[at:], b"", b"\xef\xbb\xbf" + data])


def wrong_bytes(rng: random.Random, value: Any, dump: Callable[[Any], bytes]) -> bytes:
    return dump(mutate_value(rng, value)) if rng.random() < 0.6 else corrupt_bytes(rng, dump(value))


@pytest.fixture
def run_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> RunCommand:
    """Return a function that runs the command line and checks that a message is one harmless line."""
    monkeypatch.chdir(tmp_path)

    def execute(*arguments: str) -> tuple[int, str]:
        code = main(list(arguments))
        out, err = capfd.readouterr()
        assert code in range(5), arguments
        assert "Traceback" not in err and "\x1b" not in err and "\x00" not in err, (arguments, err)
        if code == 2 and arguments[0] != "lint":
            assert (err.count("\n"), out) == (1, ""), (arguments, err)
            assert err.startswith("treeproof: "), err
        return code, err

    return execute


def test_wrong_files_are_refused_in_one_line(run_command: RunCommand, tmp_path: Path) -> None:
    rng = random.Random(0)
    file = tmp_path / "file"
    run = ("run", "nope:x", "--baseline", "file")
    serve = ("serve", "reference", "--protocol", "mcp", "--config", "file", "--http", "zz")
    cases: tuple[tuple[Any, Callable[[Any], bytes], tuple[str, ...]], ...] = (
        (MANIFEST, dump_toml, ("run", "./file", "--select", "LD-VAL-01-01")),
        (BASELINE, dump_toml, run),
        (SERVER, dump_toml, serve),
        (COUNTEREXAMPLE, dump_json, ("replay", "file")),
        (COUNTEREXAMPLE, dump_json, ("new", "scenario", "--from", "file", "--into", "no.feature")),
        ({"treeproof": "0.1.0", "verdict": "conformant", "specs": [{"name": "x"}]}, dump_json, ("merge", "file")),
    )
    for _ in range(20):
        for value, dump, arguments in cases:
            file.write_bytes(wrong_bytes(rng, value, dump))
            assert run_command(*arguments)[0] == 2


def test_a_wrong_pack_is_refused_or_reported_by_the_lint(run_command: RunCommand, tmp_path: Path) -> None:
    rng = random.Random(0)
    new_spec("mine", tmp_path / "mine")
    files = [path for path in sorted((tmp_path / "mine").iterdir()) if path.suffix in (".toml", ".feature")]
    for _ in range(12):
        file = rng.choice(files)
        original = file.read_bytes()
        if file.suffix == ".toml" and rng.random() < 0.7:
            file.write_bytes(dump_toml(mutate_value(rng, tomllib.loads(original.decode()))))
        else:
            file.write_bytes(corrupt_bytes(rng, original))
        for arguments in (
            ("lint", "mine"),
            ("list", "requirements", "--spec", "./mine"),
            ("explain", "x", "--spec", "./mine"),
        ):
            run_command(*arguments)
        file.write_bytes(original)


ARGUMENTS = (
    *[
        "run",
        "merge",
        "list",
        "explain",
        "trace",
        "lint",
        "doctor",
        "search",
        "replay",
        "new",
        "serve",
        "reference",
        "file",
        "folder",
        "specs",
        "scenario",
    ],
    *[
        "--spec",
        "--select",
        "X",
        "--profile",
        "foo",
        "--report",
        "json=",
        "=x",
        "badge=-",
        "html=folder",
        "json=file/x",
        "--seed",
        "1e9",
        "--shard",
        "0/1",
    ],
    *[
        "2/1",
        "a/b",
        "--jobs",
        "0",
        "--format",
        "yaml",
        "candidate",
        "--language",
        "cobol",
        "--from",
        "--into",
        "--save",
        "nope:x",
        "python:x",
        ":",
        "kind:",
    ],
    *[
        "mcp+http://[",
        "mcp:",
        "stdio:'",
        "command:",
        "--http",
        "99999",
        "--config",
        "--write-baseline",
        "--nonsense",
        "--",
        "-",
    ],
    *("", " ", "\x1b[31m", "\udcff", "a\nb", "n" * 300, "/", "/proc/self/mem"),
)


def test_arguments_in_any_order_are_refused_in_one_line(run_command: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    rng = random.Random(0)
    for _ in range(40):
        verb = rng.choice(["run", "merge", "explain", "lint", "doctor", "search", "replay", "new", "serve"])
        arguments = [verb, *(rng.choice(ARGUMENTS) for _ in range(rng.randrange(1, 6))), "--nonsense-at-the-end"]
        assert run_command(*arguments)[0] == 2
    for verb in ("run", "merge", "doctor", "replay", "search"):
        for word in ARGUMENTS:
            if word != "reference" and not word.startswith("-"):
                run_command(verb, word)
