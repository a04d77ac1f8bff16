"""Right implementations that take the defaults of standard libraries where the document leaves a choice."""

import json
import os
import re
from types import MappingProxyType
from typing import Any

from treeproof.reference_impl.list_directory.document import Document
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Sandbox

from ..shared.variant import variant
from .capabilities import without
from .requests import LIMITS, SWITCHES, Trims, without_nulls


class EscapesLikePhp(Document):
    """As json_encode without flags: slashes and everything outside of ASCII are escaped."""

    def encode_string(self, text: str) -> str:
        return json.dumps(text).replace("/", "\\/")


class EscapesLikeDotNet(Document):
    """As System.Text.Json: by number in capitals, everything outside of ASCII and what means something in HTML."""

    short = MappingProxyType({"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\"})

    def encode_string(self, text: str) -> str:
        return '"' + "".join(map(self.encode_character, text)) + '"'

    def encode_character(self, character: str) -> str:
        if " " <= character <= "~" and character not in "\"&'+<>`\\":
            return character
        raw = character.encode("utf-16-be", "surrogatepass")
        return self.short.get(character) or "".join(
            f"\\u{raw[at : at + 2].hex().upper()}" for at in range(0, len(raw), 2)
        )


class EscapesLikeGson(Document):
    """As Gson: what means something in HTML, and the separators of lines."""

    def encode_string(self, text: str) -> str:
        quoted = super().encode_string(text)
        return re.sub("[<>&='\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", quoted)


class StripsLikeJava(Trims):
    """As String.strip: what joins two words is no white space, and separators of files and records are."""

    white_space = (
        "".join(
            map(chr, (*range(0x09, 0x0E), *range(0x1C, 0x21), 0x1680, *range(0x2000, 0x2007), *range(0x2008, 0x200B)))
        )
        + "\u2028\u2029\u205f\u3000"
    )


class NullsAreAbsent(Executor):
    """As serde reads an Option: null is as good as no value."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        return super().execute(name, without_nulls(arguments, (*LIMITS, *SWITCHES)), context, flavour)


class StartsInTheRoot(Sandbox):
    """As Go's os.Root and Rust's cap-std: relative paths start in the root, and there is one."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._working_dir = os.fsencode(context.roots[0])


ESCAPES = {"AMB-LD-15": "any_valid"}

VARIANTS = (
    variant("VAR-LD-201", "JSON is that of PHP's json_encode.", ESCAPES)(document=EscapesLikePhp),
    variant("VAR-LD-202", "JSON is that of .NET's System.Text.Json.", ESCAPES)(document=EscapesLikeDotNet),
    variant("VAR-LD-203", "JSON is that of Java's Gson.", ESCAPES)(document=EscapesLikeGson),
    variant("VAR-LD-204", "White space is that of Java's String.strip.", {"AMB-LD-18": "e"})(
        argument_parser=StripsLikeJava
    ),
    variant(
        "VAR-LD-205",
        "Null is absent in every argument, as in an Option of Rust's serde.",
        {"AMB-LD-28": "absent", "AMB-LD-69": "absent"},
    )(executor=NullsAreAbsent),
    variant("VAR-LD-206", "Relative paths start in the only root, as in Go's os.Root.")(
        sandbox=StartsInTheRoot, candidate_class=without("roots", "working_dir")
    ),
)
