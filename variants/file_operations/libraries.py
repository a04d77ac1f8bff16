"""Variants: what the libraries of usual languages do where the document leaves it open."""

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.rows.file_operations.row import Values, row
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .definitions import takes_back
from .glue import WITHOUT_EXECUTOR, WITHOUT_FRAMEWORK
from .overwriting import (
    CopiesOntoEmptyDirectory,
    FileOntoEmptyDirectory,
    RenamesDirectories,
    ReplacesEmptyDirectories,
)
from .overwriting_links import (
    MakesTheTarget,
    copies_through,
    has_other_names,
    leads_to_file,
)
from .stages import ARGUMENTS, PATHS
from .trees import CopiesWhatLinksLeadTo, MovesTrees, checks_links

FLAGS: Mapping[Any, bool] = {"true": True, "false": False, "True": True, "False": False}
NAMES_OF_ARGUMENTS = ("source", "destination", "overwrite")


def decoding(decode: Callable[[Values], Values]) -> Row:
    """Return the row that reads the arguments of `move` and `copy` as a library does."""
    return row(stage=ARGUMENTS, arguments=decode)


def truth(given: Values) -> Values:
    """Take whatever counts as true for true, as Python does."""
    return {**given, "overwrite": bool(given["overwrite"])} if "overwrite" in given else given


def scalars(given: Values) -> Values:
    """Convert scalars to the type of the field, and a list of one text to this text, as Jackson of Java does."""
    return {name: _convert(name, value) for name, value in given.items()}


def _convert(name: str, value: Any) -> Any:
    if name == "overwrite" and isinstance(value, (str, int)):
        return FLAGS.get(value, value) if isinstance(value, str) else bool(value)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    if name in ("source", "destination") and isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return value


def names_in_any_case(given: Values) -> Values:
    return {(name.lower() if name.lower() in NAMES_OF_ARGUMENTS else name): value for name, value in given.items()}


def fields_in_any_case(given: Values) -> Values:
    """Find a field in any case, and let null leave it as it is, as encoding/json of Go does."""
    return {name: value for name, value in names_in_any_case(given).items() if value is not None}


empty_is_here = row(stage=PATHS, path=lambda path: path or ".")
takes_steps_back = row(stage=PATHS, path=takes_back)


VARIANTS = (
    variant("AMB-FO-50=flag", "What counts as true as `overwrite` is true.")(
        decoding(truth), candidate_class=WITHOUT_FRAMEWORK
    ),
    variant("AMB-FO-50=all", "Scalars are converted to texts and flags.")(
        decoding(scalars), candidate_class=WITHOUT_FRAMEWORK
    ),
    variant("AMB-FO-51=here", "An empty path is the working directory.")(empty_is_here),
    variant("AMB-FO-52=folded", "Names of arguments are found in any case.")(
        decoding(names_in_any_case), candidate_class=WITHOUT_FRAMEWORK
    ),
    variant(
        "VAR-FO-72", "Scalars are converted to texts and flags by a tool that follows the policy.", {"AMB-FO-50": "all"}
    )(decoding(scalars), candidate_class=WITHOUT_EXECUTOR),
    variant(
        "VAR-FO-61",
        "Rust: std::fs::copy writes through names, std::fs::rename replaces an empty directory.",
        {"AMB-FO-05": "replace", "AMB-FO-40": "through", "AMB-FO-42": "through"},
    )(
        copy_transfer=copies_through(lambda transfer: leads_to_file(transfer) or has_other_names(transfer)),
        move_resolution=ReplacesEmptyDirectories,
        move_transfer=RenamesDirectories,
    ),
    variant(
        "VAR-FO-62",
        "Java: Jackson converts scalars, Files.copy with REPLACE_EXISTING deletes an empty directory first.",
        {"AMB-FO-50": "all"},
        excludes=("AMB-FO-42=through", "VAR-FO-05", "VAR-FO-07"),
    )(
        decoding(scalars),
        candidate_class=WITHOUT_FRAMEWORK,
        copy_resolution=FileOntoEmptyDirectory,
        copy_transfer=CopiesOntoEmptyDirectory,
    ),
    variant(
        "VAR-FO-63",
        "Node: path.resolve makes paths, and fs.existsSync of a copy follows a link that leads nowhere.",
        {"AMB-FO-32": "resolve", "AMB-FO-38": "created", "AMB-FO-51": "here"},
    )(
        empty_is_here,
        takes_steps_back,
        copy_resolution=MakesTheTarget,
    ),
    variant(
        "VAR-FO-64",
        "Python: what counts as true is true, shutil.copytree follows links, and shutil.move keeps them.",
        {"AMB-FO-33": "complete", "AMB-FO-34": "complete", "AMB-FO-45": "followed", "AMB-FO-50": "flag"},
    )(
        decoding(truth),
        candidate_class=WITHOUT_FRAMEWORK,
        copy_resolution=checks_links(lambda target: True),
        copy_transfer=CopiesWhatLinksLeadTo,
        move_transfer=MovesTrees,
    ),
    variant(
        "VAR-FO-65",
        "Go: encoding/json finds fields in any case and leaves out null, filepath.Join takes steps back.",
        {"AMB-FO-03": "ignore", "AMB-FO-32": "resolve", "AMB-FO-52": "folded"},
    )(decoding(fields_in_any_case), takes_steps_back, candidate_class=WITHOUT_FRAMEWORK),
)
