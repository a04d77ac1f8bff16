"""The specifications that a candidate claims for its tools, compared with those that exist here. Calls nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from treeproof.candidate import InitializeResult, format_untrusted
from treeproof.errors import UsageError
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec import bundled_packs, load_pack


def packs_claimed(
    packs: Sequence[SelectedPack], hello: InitializeResult, *, named_explicitly: bool
) -> list[SelectedPack]:
    """Return the packs that the candidate claims; all packs if ``named_explicitly``.

    If scenarios of other specifications are selected than those that it claims, these are run. Raises UsageError,
    before any call, for a claim of another version, and for a candidate that claims no specification that exists here.
    """
    if named_explicitly:
        return list(packs)
    _require_known_claims(hello, _known_versions(packs, hello))
    claims = {_split(claim)[0] for claim in hello.tools.values()}
    return [part for part in packs if part.pack.name in claims] or list(packs)


def claim_warnings(packs: Sequence[SelectedPack], hello: InitializeResult) -> list[str]:
    """Return one line for each claim that the run does not follow: an unknown specification, or another version."""
    versions = {part.pack.name: part.pack.version for part in packs}
    others = {part.pack.name: part.pack.versions for part in packs}
    known = versions.keys() | {folder.name for folder in bundled_packs()}
    warnings = []
    for tool, claim in hello.tools.items():
        name, version = _split(claim)
        if name not in known:
            warnings.append(f"{_describe(tool, claim)}; there is no such specification here")
        elif version != versions.get(name, version):
            hint = f"; its own version: --spec …@{version}" if version in others[name] else ""
            warnings.append(f"{_describe(tool, claim)}; it was judged by {name}@{versions[name]}{hint}")
    return warnings


def _known_versions(packs: Sequence[SelectedPack], hello: InitializeResult) -> dict[str, str]:
    """Return the specifications of the run, with the bundled ones if the candidate claims others."""
    versions = {part.pack.name: part.pack.version for part in packs}
    if not {_split(claim)[0] for claim in hello.tools.values()} <= versions.keys():
        versions = {**_versions(tuple(bundled_packs())), **versions}
    return versions


@cache
def _versions(folders: tuple[Path, ...]) -> Mapping[str, str]:
    """Return the newest version of each pack; a process that runs many candidates reads them once."""
    return {pack.name: pack.version for pack in map(load_pack, folders)}


def _require_known_claims(hello: InitializeResult, versions: Mapping[str, str]) -> None:
    known = ", ".join(f"{name}@{version}" for name, version in versions.items())
    if not hello.tools:
        raise UsageError(
            "the candidate offers no tool; name its tools with their specifications, under tools in initialize or in "
            f"[tools] of a manifest; known: {known}"
        )
    for tool, claim in hello.tools.items():
        name, version = _split(claim)
        if version != versions.get(name, version):
            raise UsageError(
                f"{_describe(tool, claim)}, and this treeproof has {name}@{versions[name]}; claim that one, or judge "
                f"the candidate by it without a claim: --spec {name}"
            )
    if not any(_split(claim)[0] in versions for claim in hello.tools.values()):
        first = _describe(*next(iter(hello.tools.items())))
        raise UsageError(
            f"{first}, and there is no such specification; claim one of {known}, or name the folder of your own one, "
            'with --spec or in the manifest: specs = ["../FOLDER"]'
        )


def _describe(tool: str, claim: str) -> str:
    return f"the candidate claims {format_untrusted(claim, 80)} for its tool {format_untrusted(tool, 80)}"


def _split(claim: str) -> tuple[str, str]:
    name, _, version = claim.partition("@")
    return name, version
