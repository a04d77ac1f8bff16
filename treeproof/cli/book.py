"""The command that writes a specification for readers: book."""

from __future__ import annotations

import argparse


def book(args: argparse.Namespace) -> int:
    """Write the book of a specification.

    It contains every requirement with its basis and place, and its scenarios as text. It also contains the mutants in
    words, the readings with their reasons, and what is excluded. Nothing is run.
    """
    import sys

    from treeproof.errors import UsageError
    from treeproof.report.book import book_as_html, book_as_markdown, make_book
    from treeproof.spec.mutants import mutants_violating, requirements_without_mutant
    from treeproof.spec.packs import load_packs

    packs = load_packs(args.spec)
    if len(packs) != 1:
        names = ", ".join(pack.name for pack in packs)
        raise UsageError(f"book: a book is about one specification; write --spec with one of: {names}")
    content = make_book(packs[0], mutants_violating, requirements_without_mutant(packs[0]))
    text = book_as_html(content) if args.format == "html" else book_as_markdown(content).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(text)  # UTF-8 in every locale
    return 0
