"""Mutants: `list_directory` violates its own specification, or differs where it is called by another of its names."""

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import At, Entries, flag_in, with_context

from ..shared.mutant import Mutant
from .rows import row

ALIASES = "listdir ls dir"
FILTERS = ("recursive", "max_depth", "include_hidden", "include_files", "include_dirs", "include_symlinks")


def whole_seconds(entries: Entries) -> Entries:
    key = "modified_epoch_ms"
    return [{**entry, key: entry[key] and entry[key] // 1000 * 1000} for entry in entries]


def the_root_instead(at: At) -> CallResult:
    result = at.sent.answer()
    fails = result.error_kind in ("BadArgs", "ExecutionFailed", "SandboxViolation")
    return at.sent.answer({"path": "."}) if fails else result


def nothing_instead(at: At) -> CallResult:
    empty = {"path": ".", "include_files": False, "include_dirs": False, "include_symlinks": False}
    result = at.sent.answer()
    return at.sent.answer(empty) if result.error_kind == "ExecutionFailed" else result


def as_built_in(at: At) -> CallResult:
    """Return the listing without the configured depth."""
    table = flag_in(at.context.get("config"), "tools", key="list_directory")
    others = {key: value for key, value in table.items() if key != "max_depth"}
    return with_context(at.sent, {**at.context, "config": {"tools": {"list_directory": others}}}).answer()


def with_own_table(at: At) -> CallResult:
    table = flag_in(at.context.get("config"), "tools", key=at.name)
    config = None if table is None else {"tools": {"list_directory": table}}
    return with_context(at.sent, {**at.context, "config": config}).answer()


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-FO-275", "A listing has no sizes.", "FR-FOPS-LS-01")(
        on="list", entries=lambda entries: [{**entry, "size_bytes": None} for entry in entries]
    ),
    row("MUT-FO-300", "A listing is sorted up to its fiftieth entry.", "T-FOPS-LS-01 FR-FOPS-LS-01")(
        on="list", entries=lambda entries: entries[:50] + entries[:49:-1]
    ),
    row("MUT-FO-276", "A listing ignores its filters.", "FR-FOPS-LS-01")(
        on="list", arguments=lambda given: {key: value for key, value in given.items() if key not in FILTERS}
    ),
    row("MUT-FO-277", "A listing has as many entries as there are.", "FR-FOPS-LS-01")(
        on="list", arguments=lambda given: {key: value for key, value in given.items() if key != "max_entries"}
    ),
    row("MUT-FO-278", "A listing that fails is the listing of the working directory.", "FR-FOPS-LS-01")(
        on="list", answer=the_root_instead
    ),
    row("MUT-FO-348", "Under the name `ls`, hidden entries are listed.", "FR-FOPS-LS-01")(
        on="ls", arguments=lambda given: {"include_hidden": True, **given}
    ),
    row("MUT-FO-009", "Under the name `listdir`, hidden entries are listed.", "FR-FOPS-LS-01 T-FOPS-LS-01")(
        on="listdir", arguments=lambda given: {**given, "include_hidden": True}
    ),
    row("MUT-FO-008", "Under the name `dir`, the listing is reversed.", "T-FOPS-LS-01 FR-FOPS-LS-01")(
        on="dir", entries=lambda entries: entries[::-1]
    ),
    row("MUT-FO-349", "Entries of a directory follow it at once.", "T-FOPS-LS-01 FR-FOPS-LS-01")(
        on="list", entries=lambda entries: sorted(entries, key=lambda entry: str(entry["path"]).split("/"))
    ),
    row("MUT-FO-350", "Times of a listing are whole seconds.", "FR-FOPS-LS-01")(on="list", entries=whole_seconds),
    row("MUT-FO-402", "By its aliases, a listing has a hundred entries at most.", "T-FOPS-LS-01 FR-FOPS-LS-01")(
        on=ALIASES, arguments=lambda given: {"max_entries": 100, **given}
    ),
    row("MUT-FO-403", "Entries are sorted by UTF-16 units.", "T-FOPS-LS-01")(
        on="list",
        entries=lambda entries: sorted(entries, key=lambda entry: entry["path"].encode("utf-16-be", "surrogatepass")),
    ),
    row("MUT-FO-452", "A listing is sorted by the names of its entries.", "T-FOPS-LS-01 FR-FOPS-LS-01")(
        on="list", entries=lambda entries: sorted(entries, key=lambda entry: str(entry["name"]))
    ),
    row("MUT-FO-478", "A recursive listing goes four levels deep, whatever is configured.", "FR-FOPS-LS-01")(
        on="list",
        where=lambda at: (
            at.argument("recursive") is True
            and at.argument("max_depth") is None
            and isinstance(flag_in(at.context.get("config"), "tools", key="list_directory"), dict)
        ),
        answer=as_built_in,
    ),
    row("MUT-FO-479", "Pipes and sockets are listed.", "FR-FOPS-LS-01")(
        on="list", arguments=lambda given: {"include_other": True, **given} if "path" in given else given
    ),
    row("MUT-FO-432", "By an alias, what cannot be listed is listed as empty.", "FR-FOPS-LS-01")(
        on=ALIASES, answer=nothing_instead
    ),
    row("MUT-FO-433", "By an alias, the working directory is listed where the path is left out.", "FR-FOPS-LS-01")(
        on=ALIASES, arguments=lambda given: given or {"path": "."}
    ),
    row("MUT-FO-434", "An alias of list_directory lists a thousand entries by default.", "FR-FOPS-LS-01")(
        on=ALIASES,
        where=lambda at: at.context.get("config") is None,
        arguments=lambda given: {"max_entries": 1000, **given},
    ),
    row("MUT-FO-438", "Called by an alias, list_directory reads the table of that name.", "FR-FOPS-LS-01")(
        on=ALIASES, answer=with_own_table
    ),
    row("MUT-FO-480", "Called as dir, list_directory is recursive.", "FR-FOPS-LS-01 T-FOPS-LS-01")(
        on="dir",
        where=lambda at: at.argument("path") and at.argument("max_depth") is None,
        arguments=lambda given: {"recursive": True, **given},
    ),
    row(
        *("MUT-FO-447", "By an alias, list_directory lists what a link outside leads to."),
        "NFR-FOPS-SEC-01 FR-FOPS-LS-01",
    )(on=ALIASES, context=lambda context: {**context, "roots": ["/"]}),
)
