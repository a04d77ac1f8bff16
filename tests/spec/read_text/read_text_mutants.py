"""Mutants of read_text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from read_text_reference import Candidate, error


@dataclass(frozen=True)
class Mutant:
    """A mutant; a call without arguments returns a new candidate."""

    id: str
    summary: str
    violates: tuple[str, ...]
    make: Callable[[], Any]
    kind: str = "wrong"

    def __call__(self) -> Any:
        return self.make()


class UpperCase(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().call(params)
        return {**result, "content": result["content"].upper()} if result["status"] == "ok" else result


class AllLines(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().call({**params, "arguments": {"path": params["arguments"]["path"]}})


class OneKind(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().call(params)
        return result if result["status"] == "ok" else error("NotAFile", "no file")


class OtherKind(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().call(params)
        return result if result["status"] == "ok" else error("NotFound", "no file")


class Empty(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"status": "ok", "content": ""}


mutants = {
    mutant.id: mutant
    for mutant in (
        Mutant("MUT-RT2-01", "Letters are capitals.", ("RT2-OUT-01", "RT2-OUT-02"), UpperCase),
        Mutant("MUT-RT2-02", "The limit has no effect.", ("RT2-OUT-02",), AllLines),
        Mutant("MUT-RT2-03", "Every error is NotAFile.", ("RT2-ERR-01",), OneKind),
        Mutant("MUT-RT2-04", "Every error is NotFound.", ("RT2-ERR-02",), OtherKind),
        Mutant("MUT-RT2-90", "Every call returns nothing.", (), Empty, "null"),
    )
}
inseparable = {"RT2-ACC-01": "It restates RT2-ERR-01."}
