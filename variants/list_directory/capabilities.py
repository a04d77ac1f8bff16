"""A candidate without one of the reference's capabilities. Contains no variants."""

from treeproof.reference_impl.shared.candidate import CAPABILITIES, Candidate


def without(capability: str) -> type[Candidate]:
    """Return the candidate that does not declare a capability."""

    class Without(Candidate):
        def __init__(self, *args: object, **parts: object) -> None:
            super().__init__(*args, **parts)  # type: ignore[arg-type]
            self._capabilities = tuple(name for name in self._capabilities if name != capability)

    assert capability in CAPABILITIES
    return Without
