"""Requirements that mutants of `list_directory` violate as a consequence. Contains no mutants."""

LENGTH = "DOC-01 FR-LD-OUT-02a FR-LD-OUT-03 FR-LD-OUT-05 FR-LD-OUT-06 FR-LD-OUT-07 FR-LD-OUT-08 T-LD-06 T-LD-14"
"""The document has another length: documents given byte by byte differ, and other entries fit a budget."""

KIND = "CFG-LD-01 CFG-LD-04 CFG-LD-05 FR-LD-LST-06 FR-LD-VAL-05 FR-LD-VAL-06 FR-LD-VAL-06a"
"""An entry has another type: other switches include or exclude it."""

FLAG = "DOC-06 FR-LD-LST-06 FR-LD-LST-07 FR-LD-OUT-02b T-LD-05"
"""The truncation flag or its reason is wrong."""

EMPTY = "DOC-03 DOC-06 FR-LD-LST-01 FR-LD-OUT-02b FR-LD-OUT-04 FR-LD-VAL-08 NFR-LD-REL-01"
"""An empty listing cannot be parsed."""

CUT = "DOC-01 DOC-04 DOC-05 DOC-06 DOC-07 FR-LD-OUT-02a FR-LD-OUT-02b FR-LD-OUT-04 FR-LD-VAL-10"
"""A call whose document must be cut returns no document."""

REFUSED = "FR-LD-DEF-05 FR-LD-ERR-01 FR-LD-OUT-04 SCH-LD"
"""A call that must be refused succeeds."""

BREACH = "FR-LD-DEF-05 FR-LD-ERR-02 FR-LD-VAL-07 FR-LD-VAL-08 T-LD-03"
"""A path outside of the sandbox is accepted, or one inside is refused."""
