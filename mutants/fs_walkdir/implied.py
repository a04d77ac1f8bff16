"""What a wrong FS.WalkDir implies beside what it violates. No mutant lives here."""

EVERYTHING = (
    *(f"WD-ARG-{number:02}" for number in range(1, 6)),
    *(f"WD-ENT-{number:02}" for number in range(1, 6)),
    *(f"WD-ERR-{number:02}" for number in range(1, 7)),
    *(f"WD-SEC-{number:02}" for number in range(1, 5)),
    *(f"WD-WALK-{number:02}" for number in range(1, 5)),
    *("WD-SYN-01", "WD-RET-01", "WD-RET-02", "WD-LOG-01", "WD-LOG-02", "WD-LAST-01"),
)
"""Of one whose every list is wrong, or who leaves something behind: each scenario lists something, if only beside."""
