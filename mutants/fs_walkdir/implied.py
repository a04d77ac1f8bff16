"""Requirements that mutants of FS.WalkDir violate as a consequence. Contains no mutants."""

WALK = "WD-WALK-01 WD-WALK-03 WD-SEC-03 WD-ENT-01 WD-ENT-02 WD-ENT-03"
DEEP = f"{WALK} WD-RET-01 WD-ARG-05 WD-WALK-02 WD-SYN-01 WD-LAST-01 WD-ENT-04 WD-SEC-04 WD-LOG-01"
"""Many lists lack entries or have other ones."""

EVERYTHING = (
    "WD-ARG-01 WD-ARG-02 WD-ARG-03 WD-ARG-04 WD-ARG-05 WD-ENT-01 WD-ENT-02 WD-ENT-03 WD-ENT-04 WD-ENT-05 "
    "WD-ERR-01 WD-ERR-02 WD-ERR-03 WD-ERR-04 WD-ERR-05 WD-ERR-06 WD-SEC-01 WD-SEC-02 WD-SEC-03 WD-SEC-04 "
    "WD-WALK-01 WD-WALK-02 WD-WALK-03 WD-WALK-04 WD-SYN-01 WD-RET-01 WD-RET-02 WD-LOG-01 WD-LOG-02 WD-LAST-01"
)
"""Every list is wrong, or the tree is changed: every scenario makes a list."""
