"""Right implementations of read_text that take other readings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from read_text_reference import Candidate


class Stripped(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().call(params)
        return {**result, "content": result["content"].rstrip("\n")} if result["status"] == "ok" else result


@dataclass(frozen=True)
class Variant:
    """A variant; a call without arguments returns a new candidate."""

    id: str
    summary: str
    readings: Mapping[str, str] = field(default_factory=dict)
    unverified: Mapping[str, str] = field(default_factory=dict)

    def __call__(self) -> Any:
        return Stripped()


variants = {
    variant.id: variant
    for variant in (Variant("stripped", "The last line break is left out.", {"AMB-RT2-01": "stripped"}, {}),)
}
unobservable: Mapping[str, str] = {}
