"""The documentation is correct: commands print the shown output, examples are valid, links and messages exist.

The first line of a fenced block declares its kind. ``console`` is executed: lines that begin with ``$ `` are commands,
the others their output, and ``…`` stands for any text. On pages with commands, ``LANGUAGE FILE`` writes that file, and
``diff FILE`` changes it: ``@@`` separates the places, each of which must be there once. ``json NAME`` must be valid
for the published schema NAME. ``toml manifest`` and ``toml baseline`` must be readable. tests/test_glue_pages.py runs
the files of other pages. Other blocks are not checked.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Target, manifest, tool_mapping
from treeproof.candidate.schema import load_schema, validator_for
from treeproof.cli import main
from treeproof.spec import bundled_packs, load_pack
from treeproof.spec.gherkin import parse_feature
from treeproof.verdict import baseline

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SPECIFICATIONS = [folder.name for folder in bundled_packs()]
GENERATED = [
    *("index.md", "contributing.md", "vulnerabilities.md", "changelog.md", "spec-toml.md", "specifications/index.md"),
    *(f"specifications/{name}.md" for name in SPECIFICATIONS),
    *(f"books/{name}.html" for name in SPECIFICATIONS),
]
"""The pages that `make pages` writes to docs/, from where git ignores them."""
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(page for page in DOCS.glob("*.md") if page.name not in GENERATED),
    *sorted((DOCS / "glue").glob("*.md")),
    *sorted(ROOT.glob("examples/*/README.md")),
    ROOT / "gallery" / "README.md",
]
ELLIPSIS = "…"
TIMEOUT_SECONDS = 300
FILE_BLOCK = r"(?:markdown|gherkin|toml|python|diff) [\w/]+\.\w+"
OTHER_BLOCK = r"(?:php|perl|cpp|csharp|xml) candidate\.\w+|dockerfile Containerfile"
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the line of its fence, its kind and its text."""

    page: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    fence, lines = None, list[str]()
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        mark = line.strip()
        if mark.startswith("```") and fence is None:
            fence, lines = (number, mark[3:].strip(), len(line) - len(line.lstrip())), []
        elif mark == "```" and fence is not None:
            yield Block(page, fence[0], fence[1], "\n".join(lines))
            fence = None
        elif fence is not None:
            lines.append(line[fence[2] :])


BLOCKS = [block for page in PAGES for block in blocks(page)]


def blocks_of(kind: str) -> list[Block]:
    return [block for block in BLOCKS if re.fullmatch(kind, block.kind)]


def commands_with_output(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with its shown output."""
    pairs: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            pairs.append((line[2:], []))
        else:
            pairs[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in pairs]


def output_pattern(shown: str) -> re.Pattern[str]:
    """Return a pattern for the shown output; a line with only ``…`` stands for any number of lines."""
    lines = [re.escape(line).replace(ELLIPSIS, "[^\n]*") + "\n" for line in shown.splitlines()]
    return re.compile("".join("(?:[^\n]*\n)*?" if line == "[^\n]*\n" else line for line in lines))


def write_or_edit(block: Block, folder: Path) -> None:
    """Make the file of a block, or change it as the block shows."""
    language, name = block.kind.split()
    file = folder / name
    if language != "diff":
        file.write_text(f"{block.text}\n", "utf-8")
        return
    text = file.read_text("utf-8")
    for place in block.text.split("\n@@\n"):
        lines = place.splitlines()
        old, new = ("".join(f"{line[1:]}\n" for line in lines if line[:1] != mark) for mark in "+-")
        assert text.count(old) == 1, f"{block}: {name} has these lines {text.count(old)} times:\n{old}\n{text}"
        text = text.replace(old, new)
    file.write_text(text, "utf-8")


def run_script(script: str, cwd: Path) -> str:
    """Run the commands of a page in one shell; return stdout, and stderr if there is any."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=cwd, env=environment, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
    )
    return done.stdout.decode() + (f"\nstderr: {done.stderr.decode()}" if done.stderr else "")


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({block.page for block in blocks_of("console")}), ids=lambda page: page.name)
def test_commands_print_the_shown_output(page: Path, tmp_path: Path) -> None:
    own = [block for block in blocks_of(rf"console|{FILE_BLOCK}") if block.page == page]
    for is_file, group in groupby(own, lambda block: block.kind != "console"):
        if is_file:
            for block in group:
                write_or_edit(block, tmp_path)
        else:
            check_commands(list(group), tmp_path)


def check_commands(console_blocks: list[Block], folder: Path) -> None:
    """Run the commands of consecutive blocks in one shell, and compare their output."""
    commands = [(block, command, shown) for block in console_blocks for command, shown in commands_with_output(block)]
    end = "----- end of a command -----"
    script = "\n".join(f"{command}\necho '{end}'" for _, command, _ in commands)
    outputs = run_script(script, folder).split(f"{end}\n")
    assert len(outputs) == len(commands) + 1, outputs[-1]
    for (block, command, shown), output in zip(commands, outputs, strict=False):
        assert output_pattern(shown).fullmatch(output), (
            f"{block}: $ {command}\n--- shown\n{shown}\n--- actual\n{output}{outputs[-1]}"
        )


@pytest.mark.parametrize("block", blocks_of(r"json \S+"), ids=str)
def test_json_examples_are_valid(block: Block) -> None:
    name = block.kind.split()[1]
    assert load_schema(name)
    value = json.loads(block.text)
    if name in ("request", "response"):
        from jsonschema import Draft202012Validator
        from referencing import Registry, Resource

        parts = [load_schema(f"{m}.params") for m in ("initialize", "describe", "call", "shutdown")]
        registry: Registry[Any] = Registry().with_resources(
            [(part["$id"], Resource.from_contents(dict(part))) for part in parts]
        )
        assert list(Draft202012Validator(dict(load_schema(name)), registry=registry).iter_errors(value)) == []
    else:
        assert validator_for(name)(value) is None


@pytest.mark.parametrize("block", blocks_of("toml manifest"), ids=str)
def test_manifests_are_valid(block: Block, tmp_path: Path) -> None:
    (tmp_path / "treeproof.toml").write_text(block.text, "utf-8")
    assert Target.parse(str(tmp_path)).kind in manifest.ADAPTER_KINDS


@pytest.mark.parametrize("block", blocks_of("toml baseline"), ids=str)
def test_baselines_are_valid(block: Block, tmp_path: Path) -> None:
    (tmp_path / "baseline.toml").write_text(block.text, "utf-8")
    packs = [load_pack(folder) for folder in bundled_packs()]
    ids = {requirement.id for pack in packs for requirement in pack.requirements}
    ids |= {case.id for pack in packs for file in pack.feature_files() for case in parse_feature(file).scenarios}
    assert baseline.read_baseline(tmp_path / "baseline.toml", ids)


def test_every_block_declares_a_known_kind() -> None:
    written = rf"javascript \w+\.mjs|{FILE_BLOCK}|{OTHER_BLOCK}"
    known = rf"|console|gherkin|yaml|toml|json \S+|toml (manifest|baseline)|{written}"
    assert [str(block) for block in BLOCKS if not re.fullmatch(known, block.kind)] == []


def test_links_have_a_target() -> None:
    broken = []
    for page in PAGES:
        prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in LINK.findall(prose):
            file, _, anchor = target.partition("#")
            other = page if not file else (page.parent / file).resolve()
            if other in [DOCS / name for name in GENERATED]:
                continue  # `make site` checks these links
            if not other.exists() or (anchor and anchor not in anchors(other)):
                broken.append(f"{page.name}: {target}")
    assert broken == []


def test_named_paths_and_modules_exist() -> None:
    # Not the folders that commands write: `report/` of `make demo` has the name of a package.
    generated = set((ROOT / ".gitignore").read_text("utf-8").replace("/", "").split())
    own = (path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != ".")
    folders = "|".join(name for name in own if name not in generated)
    path_or_module = re.compile(rf"(?:{folders})/[\w./-]*|treeproof(?:\.(?!toml|json|xml|html|md|sarif)\w+)+")
    unknown = [
        f"{page.name}: {name}"
        for page in PAGES
        for name in re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
        if path_or_module.fullmatch(name) and not ((ROOT / name).exists() if "/" in name else is_importable(name))
    ]
    assert unknown == []


def is_importable(name: str) -> bool:
    """Return whether ``name`` is a module or an attribute of one."""
    owner, _, last = name.rpartition(".")
    return hasattr(importlib.import_module(owner), last) or bool(importlib.util.find_spec(name))


def test_pictures_exist_and_are_small() -> None:
    shown = {
        page.parent / source
        for page in PAGES
        for source in re.findall(r'<(?:img src|source [^>]*srcset)="([^"]+)"', page.read_text("utf-8"))
    }
    assert shown
    assert [picture.name for picture in shown if not picture.is_file() or picture.stat().st_size > 150_000] == []


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_linked() -> None:
    reached, pending = set[Path](), [ROOT / "README.md"]
    while pending:
        page = pending.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in LINK.findall(page.read_text("utf-8")):
            file = (page.parent / target.partition("#")[0]).resolve()
            if file.suffix == ".md" and file.is_file():
                pending.append(file)
    assert [page.name for page in PAGES if page not in reached] == []


def test_every_key_of_a_manifest_is_explained() -> None:
    page = (ROOT / "docs" / "manifest.md").read_text("utf-8")
    keys = {key for names in named_keys(manifest.SCHEMA.content) for key in names} | set(tool_mapping.CONVERSIONS)
    prose = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    explained = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", prose))))
    assert keys - explained == set()


def named_keys(schema: object) -> Iterator[Iterable[str]]:
    """Yield the names in each `properties` of a schema."""
    if isinstance(schema, dict):
        yield from [schema["properties"]] if "properties" in schema else []
        for inner in schema.values():
            yield from named_keys(inner)


def test_the_members_of_a_report_are_documented(tmp_path: Path) -> None:
    assert main(["run", "reference", "--select", "LD-LST-05-01", "--report", f"json={tmp_path / 'run.json'}"]) == 0
    run = json.loads((tmp_path / "run.json").read_bytes())
    rows = re.findall(
        r"^\| (`.*`) \| (.*) \|$", (ROOT / "docs" / "verdicts.md").read_text("utf-8").partition("| member |")[2], re.M
    )
    documented = {
        member: set(re.findall(r"`(\w+)`", text))
        for members, text in rows
        for member in re.findall(r"`(\S+)`", members)
    }
    assert {member for member in documented if "[]" not in member} == set(run)
    assert documented["candidate"] == set(run["candidate"])
    assert {"requirements", "interpretations", "scenarios"} == {
        m.removeprefix("specs[].") for m in documented if "[]" in m
    }
    for part in ("requirements", "interpretations", "scenarios"):
        assert documented[f"specs[].{part}"] == set(run["specs"][0][part][0])


def test_messages_of_the_troubleshooting_page_exist() -> None:
    texts = list(error_messages())
    page = (ROOT / "docs" / "trouble-shooting.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("|---")]
    messages = [message for row in rows for message in re.findall(r"`([^`]{12,})`", row.split(" | ")[0])]
    assert len(messages) > 60
    assert [message for message in messages if not is_in(texts, message)] == []


def is_in(texts: list[str], message: str) -> bool:
    """Return whether a text contains the message; those without its longest part are not searched for the rest."""
    longest = max((part.strip() for part in message.split(ELLIPSIS)), key=len)
    pattern = message_pattern(message)
    return any(pattern.search(text) for text in texts if longest in text)


def message_pattern(message: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part.strip()) for part in message.split(ELLIPSIS)), re.DOTALL)


def error_messages() -> Iterator[str]:
    """Yield every text of the code; a blank replaces computed parts."""
    for folder in ("treeproof", "steps", "adapters"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    yield "".join(str(p.value) if isinstance(p, ast.Constant) else " " for p in node.values)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value
    for file in (ROOT / "treeproof").rglob("*-toml.schema.json"):
        yield file.read_text("utf-8").replace('\\"', '"')


# The checks themselves detect errors.


def test_different_output_is_detected() -> None:
    assert output_pattern("a\n…\nz").fullmatch("a\nz\n")
    assert output_pattern("a … c\n…").fullmatch("a b c\nmore\n")
    assert not output_pattern("a").fullmatch("a\nb\n")
    assert not output_pattern("a\n…\nz").fullmatch("a\nb\n")
    assert not output_pattern("").fullmatch("something\n")


def test_an_edit_of_other_lines_is_detected(tmp_path: Path) -> None:
    write_or_edit(Block(DOCS, 1, "markdown a.md", "x\ny"), tmp_path)
    write_or_edit(Block(DOCS, 1, "diff a.md", "+w\n x\n@@\n-y\n+z"), tmp_path)
    assert (tmp_path / "a.md").read_text("utf-8") == "w\nx\nz\n"
    with pytest.raises(AssertionError, match=r"a\.md has these lines 0 times"):
        write_or_edit(Block(DOCS, 1, "diff a.md", "-y"), tmp_path)


def test_an_unknown_message_is_detected() -> None:
    assert message_pattern("a … c").search("message: a  and b c!")
    assert not message_pattern("a … c").search("c a")
    assert is_in(["x", "message: a  and b c!"], "a … c")
    assert not is_in(["x", "c a"], "a … c")


def test_every_page_with_another_source_can_be_written(tmp_path: Path) -> None:
    for folder in ("docs", "features"):
        (tmp_path / folder).mkdir()
    shutil.copy(DOCS / "pages.py", tmp_path / "docs")
    for name in SPECIFICATIONS:
        (tmp_path / "features" / name).symlink_to(ROOT / "features" / name)
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "docs/pages.py"], cwd=tmp_path, env=environment, check=True)
    written = {file.relative_to(tmp_path / "docs").as_posix() for file in (tmp_path / "docs").rglob("*.*")}
    assert written == {*GENERATED, "pages.py"}
    for page in (tmp_path / "docs").rglob("*.md"):
        for target in LINK.findall(page.read_text("utf-8")):
            file = (page.parent / target.partition("#")[0]).resolve()
            name = file.relative_to(tmp_path / "docs").as_posix()
            assert file.exists() or (DOCS / name).exists(), f"{page.name}: {target}"


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"(\S+\.md)$", navigation, re.MULTILINE)
    own = [page.relative_to(DOCS).as_posix() for page in PAGES if page.is_relative_to(DOCS)]
    assert sorted(named) == sorted([*own, *(name for name in GENERATED if name.endswith(".md"))])


def test_the_pages_stay_short() -> None:
    others = (DOCS / "public-reports.md", DOCS / "behaviour.md")  # a log, and a specification
    pages = [page for page in PAGES if page.parent in (ROOT, DOCS) and page not in others]
    prose = (re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL) for page in pages)
    assert sum(len(text.split()) for text in prose) <= 20_000
    glossary = (DOCS / "glossary.md").read_text("utf-8")
    assert 20 < len(re.findall(r"^\| (?!term)", glossary, re.MULTILINE)) <= 45
