"""Cases in which a call names an entry by another spelling than its own: where names are folded, it is found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeproof.model.case import Case, Unmodelled
from treeproof.tree import ROOT_NAME, Host, fold_name


def folds_names(host: Host) -> bool:
    """Return whether names that differ in case or in Unicode normalisation are one name on this host."""
    return not (host.supports("case_sensitive") and host.supports("normal_forms"))


def check_spelling(case: Case) -> None:
    """Raise Unmodelled if a text of the call, or the target of a link, spells a name of the trees otherwise.

    Models distinguish all names, so what they expect there holds where names are not folded.
    """
    nodes = [entry for tree in (case.tree, case.outside) for entry in tree.walk()]
    names = {ROOT_NAME, *(name for path, _ in nodes for name in path.split(b"/"))}
    folded = set(filter(None, map(_fold, names)))
    texts = [text.encode("utf-8", "surrogatepass") for text in _texts([case.arguments, case.context])]
    for text in (*texts, *(node.target for _, node in nodes if node.target is not None)):
        for part in set(text.split(b"/")) - names:
            if _fold(part) in folded:
                raise Unmodelled("a name is spelt otherwise than the entry's, and names are folded here")


def _fold(name: bytes) -> str | None:
    try:
        return fold_name(name) or None
    except OSError:  # no name there
        return None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
