"""Mutants: errors that several requirements could name; each is one of the requirement that it violates."""

import os
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both
from .listing_by_alias import ALIASES


class NamedCopy(Resolution):
    """In its own directory, a file gets a name of its own."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        right = super().final_place(source, destination)
        is_entered = right.path != destination.path
        return replace(right, name=right.name + b" copy") if is_entered and right.path == source.path else right


class AppendsFirst(Resolution):
    """What is in a directory under the name gets the content of the source, before the call fails."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        root, parts = final.path
        if not self.request.overwrite and final.name == source.name and os.path.isfile(os.path.join(root, *parts)):
            with open(os.path.join(root, *parts), "ab") as file:
                file.write(b"A")
        super().check_replacement(source, found, final, existing)


class BothFalseAreTrue(Executor):
    """Where the flag and the argument are both written as false, a file is overwritten."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        table = ((context.config or {}).get("tools") or {}).get("fileops") or {}
        is_written = table.get("allow_overwrite") is False
        if is_written and isinstance(arguments, dict) and arguments.get("overwrite") is False:
            arguments = {**arguments, "overwrite": True}
            context = replace(context, config={"tools": {"fileops": {"allow_overwrite": True}}})
        return super().execute(name, arguments, context, flavour)


class ListsAnywhereByAlias(Executor):
    """By an alias, list_directory follows a link to the outside."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name in ALIASES:
            context = replace(context, roots=("/",))
        return super().execute(name, arguments, context, flavour)


class TakesTwoTexts(Executor):
    """copy takes a list of two texts."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "copy" and isinstance(arguments, list) and [type(one) for one in arguments] == [str, str]:
            arguments = dict(zip(("source", "destination"), arguments, strict=True))
        return super().execute(name, arguments, context, flavour)


class TrimsWhatIsMissing(Executor):
    """White space around a source that is not there is dropped."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        source = arguments.get("source") if isinstance(arguments, dict) else None
        if isinstance(source, str) and "\0" not in source and source.strip():
            is_there = os.path.lexists(os.path.join(context.working_dir, source))
            arguments = arguments if is_there else {**arguments, "source": source.strip()}
        return super().execute(name, arguments, context, flavour)


class FindsTheDestination(LinkSandbox):
    """A destination that is not in the working directory is looked for in the other roots."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._others, self._is_source = [os.fsencode(root) for root in context.roots[1:]], True

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        is_source, self._is_source = self._is_source, False
        name, start = path.text.encode(), self._working_dir
        if not is_source and not os.path.lexists(os.path.join(start, name)):
            self._working_dir = next(
                (root for root in self._others if os.path.lexists(os.path.join(root, name))), start
            )
        try:
            return super().resolve_named(path)
        finally:
            self._working_dir = start


class OffWithoutAWord(Candidate):
    """A policy without a switch switches the tools off."""

    def call(self, params: Any) -> dict[str, Any]:
        context = params["context"]
        if isinstance(context.get("policy"), dict) and context["policy"].get("mode") == "auto":
            context = {**context, "policy": {"enabled": False, **context["policy"]}}
        return super().call({**params, "context": context})


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-444",
        "A file that is put into its own directory gets another name.",
        "FR-FOPS-CP-03 FR-FOPS-MV-03 DFO-06",
        tools=tools_with_both(resolution=NamedCopy),
    ),
    build_mutant(
        "MUT-FO-445",
        "The source is appended to a taken file in a directory before the call fails.",
        "DFO-05 FR-FOPS-MV-03 FR-FOPS-CP-03",
        tools=tools_with_both(resolution=AppendsFirst),
    ),
    build_mutant(
        "MUT-FO-446",
        "Where the flag and the argument are both written as false, a file is overwritten.",
        "CFG-FOPS-01 FR-FOPS-MV-03 FR-FOPS-CP-03",
        executor=BothFalseAreTrue,
    ),
    build_mutant(
        "MUT-FO-447",
        "By an alias, list_directory lists what a link outside leads to.",
        "NFR-FOPS-SEC-01 FR-FOPS-LS-01",
        executor=ListsAnywhereByAlias,
    ),
    build_mutant(
        "MUT-FO-448",
        "copy takes a list of two texts for source and destination.",
        "FR-FOPS-CP-01",
        executor=TakesTwoTexts,
    ),
    build_mutant(
        "MUT-FO-449",
        "White space around a source that is not there is dropped.",
        "DFO-03",
        executor=TrimsWhatIsMissing,
    ),
    build_mutant(
        "MUT-FO-450",
        "A destination that is not in the working directory is looked for in the other roots.",
        "FR-VAL-09 DFO-02",
        tools=tools_with_both(sandbox=FindsTheDestination),
    ),
    build_mutant(
        "MUT-FO-451",
        "Under a policy without a switch, mode auto runs nothing.",
        "FR-APR-04a FR-APR-04b FR-APR-04d",
        candidate_class=OffWithoutAWord,
    ),
)
