"""Mutants: errors in arguments that are no object, or whose names objects of some languages have anyway."""

import json
from typing import Any

from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.request import ArgumentParser, Request

from ..shared.mutant import Mutant
from .builders import build_mutant

INHERITED_NAMES = frozenset({"constructor", "toString", "length"})


class TextIsParsed(ArgumentParser):
    def parse(self) -> Request:
        try:
            parsed = json.loads(self.sent_arguments) if isinstance(self.sent_arguments, str) else None
        except ValueError:
            parsed = None
        return ArgumentParser(parsed).parse() if isinstance(parsed, dict) else super().parse()


class NullIsEmpty(ArgumentParser):
    def parse(self) -> Request:
        return super().parse() if self.sent_arguments is not None else ArgumentParser({}).parse()


class EchoChanged(Envelope):
    """params_input shows changed arguments."""

    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        return super().context(path) | {"params_input": self.changed(sent) if isinstance(sent, dict) else sent}

    def changed(self, sent: dict[str, Any]) -> dict[str, Any]:
        return sent


class InheritedDropped(EchoChanged):
    def changed(self, sent: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in sent.items() if name not in INHERITED_NAMES}


class ProtoDropped(EchoChanged):
    def changed(self, sent: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in sent.items() if name != "__proto__"}


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-327", "A text as arguments is parsed once more.", "LS-ARG-08", argument_parser=TextIsParsed),
    build_mutant("MUT-LS-328", "null as arguments means none.", "LS-ARG-08", argument_parser=NullIsEmpty),
    build_mutant(
        "MUT-LS-329", "params_input lacks names that every object has.", "LS-ENV-08", envelope=InheritedDropped
    ),
    build_mutant("MUT-LS-330", "params_input lacks an argument `__proto__`.", "LS-ENV-08", envelope=ProtoDropped),
)
