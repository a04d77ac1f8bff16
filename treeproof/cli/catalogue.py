"""The verbs that tell what the suite knows: list, explain, trace."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from treeproof.cli.packs import packs_of
from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.report.document import Document
    from treeproof.report.page import Page
    from treeproof.spec import Pack


def list_(words: argparse.Namespace) -> int:
    from treeproof.report.catalogue import print_list
    from treeproof.report.page import Page, console_for

    if words.format == "md":
        return _table_of(words.what, packs_of(words.spec))
    print_list(words.what, packs_of(words.spec), Page(console_for(sys.stdout)))
    return 0


def _table_of(what: str, packs: Sequence[Pack]) -> int:
    from treeproof.adequacy.zoo import zoo
    from treeproof.report.specifications import markdown

    if what != "specs":
        raise UsageError(f"list {what}: --format md is there for specs only; leave it out")
    sys.stdout.write(markdown(packs, lambda pack: sum(one.kind == "wrong" for one in zoo(pack).values())))
    return 0


def explain(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.report.document import load
    from treeproof.report.found import print_found
    from treeproof.report.page import Page, console_for

    run = load(Path(words.report)) if words.report else None
    page = Page(console_for(sys.stdout))
    try:
        _explain_id(words, page)
    except UsageError:
        # What a run of another version found for an id can be told without its catalogue.
        if run is None or not _knows(run, words.id):
            raise
    if run is not None:
        print_found(run, words.report, words.id, page)
    return 0


def _knows(run: Document, id: str) -> bool:
    lists = ("requirements", "scenarios", "interpretations")
    return any(entry["id"] == id for spec in run["specs"] for kind in lists for entry in spec[kind])


def _explain_id(words: argparse.Namespace, page: Page) -> None:
    from treeproof.adequacy.zoo import caught_by
    from treeproof.report.catalogue import print_explanation
    from treeproof.spec.trace import read, unknown_id

    traces = [read(pack) for pack in packs_of(words.spec)]
    of_it = next((trace for trace in traces if words.id in trace.ids), None)
    if of_it is None:
        raise UsageError(unknown_id(words.id, traces))
    print_explanation(of_it, words.id, page, partial(caught_by, of_it.pack))


def trace(words: argparse.Namespace) -> int:
    from treeproof.adequacy.zoo import caught_by
    from treeproof.report.traceability import FORMATS, rows

    packs = packs_of(words.spec)
    if words.format == "html":
        from treeproof.report.html import trace_page

        told = trace_page.dump(packs, caught_by)
    else:
        told = FORMATS[words.format](list(rows(packs, caught_by))).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(told)  # UTF-8 wherever it goes: a locale that lacks a character loses nothing
    return 0
