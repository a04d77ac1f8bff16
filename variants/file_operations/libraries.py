"""Variants: what the libraries of usual languages do where the document leaves it open."""

from collections.abc import Iterable, Mapping
from typing import Any

from treeproof.reference_impl.file_operations.request import ArgumentParser, RequestedPath
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result, ToolDefinition
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.variant import variant
from .definitions import TakesBack
from .glue import OWN_NAMES, WithoutExecutor, WithoutFramework
from .overwriting import (
    CopiesOntoEmptyDirectory,
    FileOntoEmptyDirectory,
    RenamesDirectories,
    ReplacesEmptyDirectories,
)
from .overwriting_links import (
    CopiesThroughHardLinks,
    CopiesThroughLinks,
    DanglingIsFree,
    MakesTheTarget,
    RenamesOverLinks,
)
from .trees import ChecksLinksOfCopies, CopiesWhatLinksLeadTo, MovesTrees

Arguments = dict[str, Any]


class Decodes(Executor):
    """Reads the arguments of `move` and `copy` as a library does, before anything else."""

    def decode(self, arguments: Arguments) -> Arguments:
        return arguments

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        own = name in OWN_NAMES and isinstance(arguments, dict)
        return super().execute(name, self.decode(arguments) if own else arguments, context, flavour)

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        own = definition.name in OWN_NAMES and isinstance(arguments, dict)
        super()._check_arguments(definition, self.decode(arguments) if own else arguments)


class Truth(Decodes):
    """Python: whatever counts as true is true."""

    def decode(self, arguments: Arguments) -> Arguments:
        arguments = super().decode(arguments)
        return {**arguments, "overwrite": bool(arguments["overwrite"])} if "overwrite" in arguments else arguments


class Scalars(Decodes):
    """Java, Jackson: scalars are converted to the type of the field, and a list of one text is this text."""

    flags: Mapping[Any, bool] = {"true": True, "false": False, "True": True, "False": False}

    def decode(self, arguments: Arguments) -> Arguments:
        arguments = super().decode(arguments)
        return {name: self.convert(name, value) for name, value in arguments.items()}

    def convert(self, name: str, value: Any) -> Any:
        if name == "overwrite" and isinstance(value, (str, int)):
            return self.flags.get(value, value) if isinstance(value, str) else bool(value)
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            return value[0]
        if name in ("source", "destination") and isinstance(value, (bool, int, float)):
            return str(value).lower() if isinstance(value, bool) else str(value)
        return value


class NamesInAnyCase(Decodes):
    """The name of an argument is found in any case."""

    names: Iterable[str] = ("source", "destination", "overwrite")

    def decode(self, arguments: Arguments) -> Arguments:
        found = super().decode(arguments).items()
        return {(name.lower() if name.lower() in self.names else name): value for name, value in found}


class FieldsInAnyCase(NamesInAnyCase):
    """Go, encoding/json: a field is found in any case, and null leaves it as it is."""

    def decode(self, arguments: Arguments) -> Arguments:
        return {name: value for name, value in super().decode(arguments).items() if value is not None}


class EmptyIsHere(ArgumentParser):
    """Node, path.resolve: an empty text adds nothing."""

    def parse_path(self, key: str) -> RequestedPath:
        self.arguments = {**self.arguments, key: self.arguments[key] or "."}
        return super().parse_path(key)


class ResolvesTexts(TakesBack, EmptyIsHere):
    """Node, path.resolve: a `..` takes back the name before it, and an empty text adds nothing."""


class WritesThrough(CopiesThroughLinks, CopiesThroughHardLinks):
    """Rust, std::fs::copy: the content of the file that is there is replaced."""


VARIANTS = (
    variant("AMB-FO-50=flag", "What counts as true as `overwrite` is true.")(
        executor=Truth, candidate_class=WithoutFramework
    ),
    variant("AMB-FO-50=all", "Scalars are converted to texts and flags.")(
        executor=Scalars, candidate_class=WithoutFramework
    ),
    variant("AMB-FO-51=here", "An empty path is the working directory.")(argument_parser=EmptyIsHere),
    variant("AMB-FO-52=folded", "Names of arguments are found in any case.")(
        executor=NamesInAnyCase, candidate_class=WithoutFramework
    ),
    variant(
        "VAR-FO-72", "Scalars are converted to texts and flags by a tool that follows the policy.", {"AMB-FO-50": "all"}
    )(executor=Scalars, candidate_class=WithoutExecutor),
    variant(
        "VAR-FO-61",
        "Rust: std::fs::copy writes through names, std::fs::rename replaces an empty directory.",
        {"AMB-FO-05": "replace", "AMB-FO-40": "through", "AMB-FO-42": "through"},
    )(copy_transfer=WritesThrough, move_resolution=ReplacesEmptyDirectories, move_transfer=RenamesDirectories),
    variant(
        "VAR-FO-62",
        "Java: Jackson converts scalars, Files.copy with REPLACE_EXISTING deletes an empty directory first.",
        {"AMB-FO-50": "all"},
        excludes=("AMB-FO-42=through", "VAR-FO-05", "VAR-FO-07"),
    )(
        executor=Scalars,
        candidate_class=WithoutFramework,
        copy_resolution=FileOntoEmptyDirectory,
        copy_transfer=CopiesOntoEmptyDirectory,
    ),
    variant(
        "VAR-FO-63",
        "Node: path.resolve makes paths, and fs.existsSync follows a link that leads nowhere.",
        {"AMB-FO-32": "resolve", "AMB-FO-37": "replaced", "AMB-FO-38": "created", "AMB-FO-51": "here"},
    )(
        argument_parser=ResolvesTexts,
        move_resolution=DanglingIsFree,
        move_transfer=RenamesOverLinks,
        copy_resolution=MakesTheTarget,
    ),
    variant(
        "VAR-FO-64",
        "Python: what counts as true is true, shutil.copytree follows links, and shutil.move keeps them.",
        {"AMB-FO-33": "complete", "AMB-FO-34": "complete", "AMB-FO-45": "followed", "AMB-FO-50": "flag"},
    )(
        executor=Truth,
        candidate_class=WithoutFramework,
        copy_resolution=ChecksLinksOfCopies,
        copy_transfer=CopiesWhatLinksLeadTo,
        move_transfer=MovesTrees,
    ),
    variant(
        "VAR-FO-65",
        "Go: encoding/json finds fields in any case and leaves out null, filepath.Join takes steps back.",
        {"AMB-FO-03": "ignore", "AMB-FO-32": "resolve", "AMB-FO-52": "folded"},
    )(executor=FieldsInAnyCase, candidate_class=WithoutFramework, argument_parser=TakesBack),
)
