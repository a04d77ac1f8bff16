"""Write the pages of the site that have another source: specifications, keys, books, README, CONTRIBUTING, CHANGELOG.

    make pages

Git ignores these pages, because each changes with its source.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
COPIES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "vulnerabilities.md",
    "CHANGELOG.md": "changelog.md",
}
# A link or a picture in the page of the root, and the same in its copy.
IN_DOCS = re.compile(r'(?<=\]\()docs/|(?<=src=")docs/|(?<=srcset=")docs/')


def output_of(*arguments: str) -> str:
    """Return the standard output of a command of treeproof. Raises CalledProcessError if it fails."""
    command = [sys.executable, "-m", "treeproof", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode()


def copy_of(source: str) -> str:
    """Return a page of the root with its links as they are in docs/."""
    text = IN_DOCS.sub("", (ROOT / source).read_text("utf-8"))
    for name, copy in COPIES.items():
        text = text.replace(f"]({name}", f"]({copy}")
    return text


def index_of(names: list[str]) -> str:
    """Return the page that lists the specifications."""
    lines = "".join(
        f"- `{name}`: [requirements and readings]({name}.md), [glue code](../glue/{name}.md), "
        f"[book](../books/{name}.html) with the scenarios and mutants\n"
        for name in names
    )
    return f"# The specifications\n\n{lines}\n{output_of('list', 'specs', '--format', 'md')}"


def generated_pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each page in docs/, and its text."""
    names = sorted(file.parent.name for file in (ROOT / "features").glob("*/spec.toml"))
    yield from ((copy, copy_of(source)) for source, copy in COPIES.items())
    yield "spec-toml.md", output_of("list", "keys", "--format", "md")
    yield "specifications/index.md", index_of(names)
    for name in names:
        yield f"specifications/{name}.md", output_of("list", "interpretations", "--format", "md", "--spec", name)
        yield f"books/{name}.html", output_of("book", "--spec", name)


def main() -> None:
    for path, text in generated_pages():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
