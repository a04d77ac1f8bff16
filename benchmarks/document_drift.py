"""Edit the document of a specification in ten ways, and show that each edit is found and reflowed text is not.

    python benchmarks/document_drift.py SPEC DOCUMENT [ROUNDS]

SPEC is a bundled specification or a folder whose catalogue is confirmed against DOCUMENT (Markdown). Prints a line for
each kind of edit with its number of edits and how many were found by `lint --document`; exits with 1 if one was not
found, or if a reflowed document has a finding. ROUNDS (default 3) are the edits of each kind, at different places.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path

from treeproof.spec.catalogue import Pack
from treeproof.spec.lint_document import lint_document
from treeproof.spec.packs import open_pack

Lines = list[str]


def _prose(lines: Lines) -> list[int]:
    """Return the numbers of lines of text: no heading, table rule, fence or list of contents."""
    is_other = re.compile(r"\s*(#|```|\|[\s:|-]+$)").match
    return [at for at, line in enumerate(lines) if re.search(r"\w.*\w.*\w", line) and not is_other(line)]


def _places(lines: Lines) -> list[int]:
    """Return the numbers of empty lines outside of code, where a paragraph can be added."""
    fenced, found = False, []
    for at, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if not fenced and not line.strip():
            found.append(at)
    return found


def change_word(lines: Lines, pick: random.Random) -> None:
    at = pick.choice(_prose(lines))
    words = list(re.finditer(r"\w+", lines[at]))
    word = pick.choice(words)
    lines[at] = f"{lines[at][: word.start()]}altered{lines[at][word.end() :]}"


def negate(lines: Lines, pick: random.Random) -> None:
    at = pick.choice(_prose(lines))
    words = list(re.finditer(r"\s", lines[at].strip())) or list(re.finditer(r"$", lines[at].strip()))
    place = pick.choice(words).start()
    text = lines[at].strip()
    lines[at] = f"{text[:place]} not{text[place:]}"


def change_number(lines: Lines, pick: random.Random) -> None:
    found = [at for at in _prose(lines) if re.search(r"\w.*\d", lines[at].lstrip("0123456789.-* "))]
    at = pick.choice(found or _prose(lines))
    number = re.match(r"(.*?)(\d+)([^\d]*)$", lines[at])
    lines[at] = f"{number[1]}{int(number[2]) + 1}{number[3]}" if number else f"{lines[at]} 17"


def remove_line(lines: Lines, pick: random.Random) -> None:
    del lines[pick.choice(_prose(lines))]


def repeat_line(lines: Lines, pick: random.Random) -> None:
    at = pick.choice(_prose(lines))
    lines.insert(at + 1, lines[at])


def add_rule(lines: Lines, pick: random.Random) -> None:
    at = pick.choice(_places(lines))
    lines[at : at + 1] = ["", "A new rule: the tool MUST count the entries first.", ""]


def add_chinese_rule(lines: Lines, pick: random.Random) -> None:
    at = pick.choice(_places(lines))
    lines[at : at + 1] = ["", "工具必须先返回条目的数量。", ""]


def add_remark(lines: Lines, pick: random.Random) -> None:
    at = pick.choice(_places(lines))
    lines[at : at + 1] = ["", "Some call this a catalogue of entries.", ""]


def swap_lines(lines: Lines, pick: random.Random) -> None:
    found = [at for at in _prose(lines)[:-1] if lines[at + 1] != lines[at] and at + 1 in set(_prose(lines))]
    at = pick.choice(found)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def rename_heading(lines: Lines, pick: random.Random) -> None:
    found = [
        at
        for at, line in enumerate(lines[:-1])
        if line.startswith("#") and any(_is_content(rest) for rest in _until_heading(lines[at + 1 :]))
    ]
    numbered = re.compile(r"(\d+\.)+ \S").match
    at = pick.choice(found or [at for at, line in enumerate(lines) if numbered(line) and not lines[at - 1].strip()])
    lines[at] += " of old"


def _is_content(line: str) -> bool:
    return bool(re.search(r"\w", line)) and not line.startswith(("```", "#"))


def _until_heading(lines: Lines) -> Iterable[str]:
    for line in lines:
        if line.startswith("#"):
            return
        yield line


EDITS: tuple[Callable[[Lines, random.Random], None], ...] = (
    change_word,
    negate,
    change_number,
    remove_line,
    repeat_line,
    add_rule,
    add_chinese_rule,
    add_remark,
    swap_lines,
    rename_heading,
)


def reflow(text: str) -> str:
    """Return the text with its paragraphs wrapped elsewhere, and blanks at the ends of lines."""
    lines: Lines = []
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        is_paragraph = not fenced and re.match(r"[A-Za-z*]", line) and "|" not in line and len(line) > 60
        lines += textwrap.wrap(line, 50, break_long_words=False, break_on_hyphens=False) if is_paragraph else [line]
    return "\n".join(f"{line}  " for line in lines) + "\n\n"


def findings(pack: Pack, text: str, folder: Path) -> int:
    """Return the number of diagnostics on a text of the document."""
    document = folder / pack.source
    document.write_text(text, encoding="utf-8")
    return len(list(lint_document(pack, document)))


def main() -> int:
    """Print the table; return the exit code."""
    pack, document = open_pack(sys.argv[1]), Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    text, missed = document.read_text(encoding="utf-8"), 0
    with tempfile.TemporaryDirectory() as name:
        for kind in EDITS:
            counts = []
            for number in range(rounds):
                lines = text.splitlines()
                kind(lines, random.Random(f"{kind.__name__} {number}"))
                counts.append(findings(pack, "\n".join(lines) + "\n", Path(name)))
            missed += counts.count(0)
            found, mean = rounds - counts.count(0), sum(counts) / rounds
            print(f"{pack.name:16} {kind.__name__:18} {found} of {rounds} found, {mean:.1f} findings each")
        alarms = findings(pack, text, Path(name)) + findings(pack, reflow(text), Path(name))
        print(f"{pack.name:16} {'reflowed':18} {alarms} false alarms")
    return 1 if missed or alarms else 0


if __name__ == "__main__":
    sys.exit(main())
