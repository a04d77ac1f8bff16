"""A candidate without some of the reference's capabilities. Contains no variants."""

from treeproof.reference_impl.shared.candidate import CAPABILITIES, Candidate


def without(*capabilities: str) -> type[Candidate]:
    """Return the candidate that does not declare these capabilities."""

    class Without(Candidate):
        def __init__(self, *args: object, **parts: object) -> None:
            super().__init__(*args, **parts)  # type: ignore[arg-type]
            self._capabilities = tuple(name for name in self._capabilities if name not in capabilities)

    assert set(capabilities) <= set(CAPABILITIES)
    return Without
