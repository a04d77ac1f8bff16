"""Right implementations that take the defaults of standard libraries where the document leaves a choice."""

import json
import re
from typing import Any

from treeproof.rows.list_directory.row import row

from ..shared.capabilities import without
from ..shared.variant import variant
from .names import ascii_only, escaped, written
from .requests import LIMITS, SWITCHES, trims, without_nulls

SPACES = (*range(0x09, 0x0E), *range(0x1C, 0x21), 0x1680, *range(0x2000, 0x2007), *range(0x2008, 0x200B))
WHITE_SPACE_OF_JAVA = "".join(map(chr, SPACES)) + "\u2028\u2029\u205f\u3000"
"""What joins two words is no white space, and separators of files and records are."""


def like_dot_net(value: Any) -> str:
    """Escape by number in capitals, everything outside of ASCII and what means something in HTML."""
    text = re.sub(
        r"\\.", lambda found: "\\u0022" if found[0] == '\\"' else found[0], json.dumps(value, separators=(",", ":"))
    )
    capitals = re.sub(r"\\(u....|.)", lambda found: found[0][:2] + found[0][2:].upper(), text)
    return re.sub("[&'+<>`\x7f]", lambda found: f"\\u{ord(found[0]):04X}", capitals)


ESCAPES = {"AMB-LD-15": "any_valid"}

VARIANTS = (
    variant("VAR-LD-201", "JSON is that of PHP's json_encode.", ESCAPES)(
        written(lambda value: ascii_only(value).replace("/", "\\/"))
    ),
    variant("VAR-LD-202", "JSON is that of .NET's System.Text.Json.", ESCAPES)(written(like_dot_net)),
    variant("VAR-LD-203", "JSON is that of Java's Gson.", ESCAPES)(written(escaped("<>&='\u2028\u2029"))),
    variant("VAR-LD-204", "White space is that of Java's String.strip.", {"AMB-LD-18": "e"})(
        argument_parser=trims(WHITE_SPACE_OF_JAVA)
    ),
    variant(
        "VAR-LD-205",
        "Null is absent in every argument, as in an Option of Rust's serde.",
        {"AMB-LD-28": "absent", "AMB-LD-69": "absent"},
    )(without_nulls(*LIMITS, *SWITCHES)),
    variant("VAR-LD-206", "Relative paths start in the only root, as in Go's os.Root.")(
        row(context=lambda context: {**context, "working_dir": context["roots"][0]}),
        candidate_class=without("roots", "working_dir"),
    ),
)
