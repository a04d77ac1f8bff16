"""Write the pages of the site that have another source: specifications, keys, books, README, CONTRIBUTING, CHANGELOG.

    make pages

Git ignores these pages, because each changes with its source. The module is also a hook of mkdocs.
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
# Links and pictures in docs/, which are beside the copy of a page.
IN_DOCS = re.compile(r'(?<=\]\()docs/|(?<=src=")docs/|(?<=srcset=")docs/')
# The examples and the gallery are no part of the site.
TO_EXAMPLES = re.compile(r"\[([^\]]+)\]\((?:examples|gallery)/[^)]*\)")


def output_of(*arguments: str) -> str:
    """Return the standard output of a command of treeproof. Raises CalledProcessError if it fails."""
    command = [sys.executable, "-m", "treeproof", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode()


def copy_of(source: str) -> str:
    """Return a page of the root with its links as they are in docs/."""
    text = TO_EXAMPLES.sub(r"\1", IN_DOCS.sub("", (ROOT / source).read_text("utf-8")))
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


def on_page_markdown(markdown: str, **_: object) -> str:
    """Return a page with the second word of each fence as the title of the block; mkdocs calls this hook."""
    return re.sub(r"^( *```\w+) manifest$|^( *```\w+) (\S+)$", _with_title, markdown, flags=re.MULTILINE)


def _with_title(fence: re.Match[str]) -> str:
    return f'{fence[1]} title="treeproof.toml"' if fence[1] else f'{fence[2]} title="{fence[3]}"'


def main() -> None:
    for path, text in generated_pages():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
