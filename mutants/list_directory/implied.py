"""What one mistake implies: requirements that fall with others whatever tree and call. No mutant lives here."""

LENGTH = (
    "DOC-01",
    "FR-LD-OUT-02a",
    "FR-LD-OUT-03",
    "FR-LD-OUT-05",
    "FR-LD-OUT-06",
    "FR-LD-OUT-07",
    "FR-LD-OUT-08",
    "T-LD-06",
    "T-LD-14",
)
"""A text of another length: the documents that are given to the byte differ, and other entries fit a budget."""

KIND = (
    "CFG-LD-01",
    "CFG-LD-04",
    "CFG-LD-05",
    "FR-LD-LST-06",
    "FR-LD-VAL-05",
    "FR-LD-VAL-06",
    "FR-LD-VAL-06a",
)
"""A switch asks the kind of an entry: a wrong kind is let in, or kept out, by the wrong one."""

FLAG = (
    "DOC-06",
    "FR-LD-LST-06",
    "FR-LD-LST-07",
    "FR-LD-OUT-02b",
    "T-LD-05",
)
"""The flag or the reason is wrong: whatever says by them that a limit was met, or that nothing was cut."""

EMPTY = (
    "DOC-03",
    "DOC-06",
    "FR-LD-LST-01",
    "FR-LD-OUT-02b",
    "FR-LD-OUT-04",
    "FR-LD-VAL-08",
    "NFR-LD-REL-01",
)
"""A listing without entries cannot be read: whatever is seen by one."""

CUT = (
    "DOC-01",
    "DOC-04",
    "DOC-05",
    "DOC-06",
    "DOC-07",
    "FR-LD-OUT-02a",
    "FR-LD-OUT-02b",
    "FR-LD-OUT-04",
    "FR-LD-VAL-10",
)
"""There is no document where it should be cut: whatever is said of cut ones."""

REFUSED = ("FR-LD-DEF-05", "FR-LD-ERR-01", "FR-LD-OUT-04", "SCH-LD")
"""What must be refused is not: others look at refused calls as well."""

BREACH = ("FR-LD-DEF-05", "FR-LD-ERR-02", "FR-LD-VAL-07", "FR-LD-VAL-08", "T-LD-03")
"""What lies inside the sandbox is judged otherwise: others look at breaches, their kind and what comes before them."""
