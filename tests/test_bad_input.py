"""Files and words that are wrong in every way that a seeded generator comes upon: one line, the exit codes of the
verdicts page, and never a traceback. What it is to say in the cases that people meet stands in the tests of each part.
"""

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

ODD: tuple[Any, ...] = (
    *(True, 0, -1, 10**30, 1.5, float("nan"), "", " ", "x", "a\nb", "\x1b[31m", "\x00", "../..", "-", "x" * 3000),
    *([], [1], [[]], ["x"], {}, {"a": 1}, {"": {"": []}}),
)
MANIFEST = {"candidate": {"adapter": "stdio", "command": ["/no/such/program"], "name": "x", "call_timeout": 1}}
BASELINE = {"known": [{"id": "FR-LD-OUT-02a", "reason": "r", "issue": "A", "platform": "Linux"}]}
SERVER = {"tools": {"list_directory": {"max_entries": 5}}, "budgets": {"max_output_bytes": 100}}
CALL = {"tree": "a", "tool": "list_directory", "arguments": {"path": "."}, "context": {"config": {}}}
BUNDLE = {
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


def mutate_value(chance: random.Random, value: Any) -> Any:
    """Return a copy with one member taken away, replaced or added, wherever it stands."""
    copy = json.loads(json.dumps(value))
    places: list[tuple[Any, Any]] = []
    todo = [copy]
    while todo:
        one = todo.pop()
        pairs = list(one.items() if isinstance(one, dict) else enumerate(one))
        places += [(one, key) for key, _ in pairs]
        todo += [member for _, member in pairs if isinstance(member, (dict, list))]
    holder, key = chance.choice(places)
    how = chance.random()
    if how < 0.3:
        del holder[key]
    elif how < 0.8 or isinstance(holder, list):
        holder[key] = chance.choice(ODD)
    else:
        holder[chance.choice(["", "x", "\x1b", "reasn"])] = chance.choice(ODD)
    return copy


def corrupt_bytes(chance: random.Random, data: bytes) -> bytes:
    """Return the bytes cut, with something foreign inside, or not there at all."""
    at = chance.randrange(len(data) + 1)
    foreign = [b"\x00", b"\xff", b"\xef\xbb\xbf", b"[" * 5000, b'"""', b"'", b"\r", b"9" * 5000, b"{", b"NaN"]
    return chance.choice([data[:at], data[:at] + chance.choice(foreign) + data[at:], b"", b"\xef\xbb\xbf" + data])


def wrong_bytes(chance: random.Random, value: Any, dump: Callable[[Any], bytes]) -> bytes:
    return dump(mutate_value(chance, value)) if chance.random() < 0.6 else corrupt_bytes(chance, dump(value))


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Run the command line; a message is one harmless line, and what raises fails the test."""
    monkeypatch.chdir(tmp_path)

    def tell(*words: str) -> tuple[int, str]:
        code = main(list(words))
        out, err = capfd.readouterr()
        assert code in range(5), words
        assert "Traceback" not in err and "\x1b" not in err and "\x00" not in err, (words, err)
        if code == 2 and words[0] != "lint":
            assert (err.count("\n"), out) == (1, ""), (words, err)
            assert err.startswith("treeproof: "), err
        return code, err

    return tell


@pytest.mark.parametrize("seed", range(3))
def test_wrong_files_are_refused_in_one_line(told: Callable[..., tuple[int, str]], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    file = tmp_path / "file"
    run = ("run", "nope:x", "--baseline", "file")
    serve = ("serve", "reference", "--protocol", "mcp", "--config", "file", "--http", "zz")
    asked: tuple[tuple[Any, Callable[[Any], bytes], tuple[str, ...]], ...] = (
        (MANIFEST, dump_toml, ("run", "./file", "--select", "LD-VAL-01-01")),
        (BASELINE, dump_toml, run),
        (SERVER, dump_toml, serve),
        (BUNDLE, dump_json, ("replay", "file")),
        (BUNDLE, dump_json, ("new", "scenario", "--from", "file", "--into", "no.feature")),
        ({"treeproof": "0.1.0", "verdict": "conformant", "specs": [{"name": "x"}]}, dump_json, ("merge", "file")),
    )
    for _ in range(25):
        for value, dump, words in asked:
            file.write_bytes(wrong_bytes(chance, value, dump))
            assert told(*words)[0] == 2


@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_pack_is_refused_or_told_by_lint(
    told: Callable[..., tuple[int, str]], tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    new_spec("mine", tmp_path / "mine")
    files = [path for path in sorted((tmp_path / "mine").iterdir()) if path.suffix in (".toml", ".feature")]
    for _ in range(12):
        file = chance.choice(files)
        right = file.read_bytes()
        if file.suffix == ".toml" and chance.random() < 0.7:
            file.write_bytes(dump_toml(mutate_value(chance, tomllib.loads(right.decode()))))
        else:
            file.write_bytes(corrupt_bytes(chance, right))
        for words in (
            ("lint", "mine"),
            ("list", "requirements", "--spec", "./mine"),
            ("explain", "x", "--spec", "./mine"),
        ):
            told(*words)
        file.write_bytes(right)


WORDS = (
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


def test_words_in_any_order_are_refused_in_one_line(told: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    chance = random.Random(0)
    for _ in range(120):
        verb = chance.choice(["run", "merge", "explain", "lint", "doctor", "search", "replay", "new", "serve"])
        words = [verb, *(chance.choice(WORDS) for _ in range(chance.randrange(1, 6))), "--nonsense-at-the-end"]
        assert told(*words)[0] == 2
    for verb in ("run", "merge", "doctor", "replay", "search"):
        for word in WORDS:
            if word != "reference" and not word.startswith("-"):
                told(verb, word)
