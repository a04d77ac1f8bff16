"""The results of `treeproof doctor`: of the checks of a host, and of an adapter. They give no verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CheckStatus = Literal["ok", "error", "warning", "skipped"]


@dataclass(frozen=True)
class CheckResult:
    """One result of the doctor: the name of the check, its status, the observation, and the remedy for a problem."""

    name: str
    status: CheckStatus
    detail: str
    remedy: str = ""
    lines: tuple[str, ...] = ()
    """Further lines, such as those of an example."""


@dataclass(frozen=True)
class HostFacility:
    """A feature of the host: the cause if it is missing (else None), and the requirements that need it."""

    name: str
    cause: str | None
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class HostReport:
    """The features of the host, probed in the folder where trees are built."""

    system: str
    is_root: bool
    workspace_parent: str
    facilities: tuple[HostFacility, ...]
    requirement_count: int
    """The number of requirements of the bundled specifications that scenarios verify."""

    @property
    def unverifiable_requirements(self) -> tuple[str, ...]:
        """The requirements that are NOT VERIFIED on this host, each once."""
        missing = (f for f in self.facilities if f.cause is not None)
        return tuple(sorted({requirement for f in missing for requirement in f.requirements}))
