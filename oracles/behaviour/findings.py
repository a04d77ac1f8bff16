"""What breaks a rule of the contract, as a finding of the judge."""

from __future__ import annotations

from treeproof.api import Finding, Harm


def broken(rule: str, message: str, expected: str, got: str, harm: Harm | None = None) -> Finding:
    """Return a finding on a rule; what stands before a colon in `message` is the kind of the difference."""
    return Finding(rule, message, expected, got, kind=message.partition(":")[0], harm=harm)
