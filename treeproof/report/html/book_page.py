"""The book of a specification as one HTML file."""

from __future__ import annotations

from typing import Any

from treeproof import __version__
from treeproof.report.book import Book
from treeproof.report.catalogue import TREATMENTS
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import used_levels
from treeproof.report.specification_page import BASES


def dump(book: Book) -> bytes:
    """Return the book as UTF-8. Ids of requirements, scenarios and interpretations are anchors."""
    values: dict[str, Any] = {
        "version": __version__,
        "book": book,
        "pack": book.pack,
        "levels": used_levels(one.data.level for one in book.requirements),
        "bases": BASES,
        "used_bases": [basis for basis in BASES if any(one.data.basis == basis for one in book.requirements)],
        "treatments": TREATMENTS,
    }
    return render("book", values)
