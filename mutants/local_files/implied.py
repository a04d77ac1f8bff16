"""What a wrong LocalFiles implies beside what it violates: requirements that may fail with it. No mutant lives here."""

TYPES = (
    "LF-TYPE-01",
    "LF-MODEL-01",
    "LF-TYPE-02",
    "LF-TYPE-03",
    "LF-WHY-01",
    "LF-LINK-01",
    "LF-FIND-03",
    "LF-MODEL-02",
)
EVERYTHING = (
    *TYPES,
    "LF-LIST-01",
    "LF-FIELD-01",
    "LF-FIELD-02",
    "LF-FIELD-03",
    "LF-FIELD-04",
    "LF-LIST-02",
    "LF-LINK-02",
)
WHOLE = (
    *EVERYTHING,
    "LF-LINK-03",
    "LF-SORT-01",
    "LF-SORT-02",
    "LF-ERR-01",
    "LF-FIND-01",
    "LF-FIND-02",
    "LF-FIND-03",
    "LF-FIND-04",
    "LF-FIND-05",
)
PATHS = ("LF-FIELD-02", "LF-FIELD-01", "LF-FIND-03", "LF-WHY-01", "LF-LIST-01", "LF-TYPE-03")
SIZES = ("LF-FIELD-03", "LF-MODEL-01", "LF-WHY-01", "LF-FIND-03", "LF-LINK-02")
TIMES = ("LF-FIELD-04", "LF-LINK-03", "LF-WHY-01", "LF-FIND-03", "LF-FIELD-03")
TARGETS = ("LF-LINK-01", "LF-MODEL-01", "LF-WHY-01", "LF-FIND-03", "LF-MODEL-02")
NAMES = ("LF-FIELD-01", "LF-WHY-01", "LF-TYPE-03", "LF-FIND-03", "LF-FIELD-02")
CHILDREN = ("LF-LIST-01", "LF-LIST-02", "LF-FIELD-01", "LF-WHY-01", "LF-FIND-01", "LF-FIND-02", "LF-FIND-03")
LINKS = ("LF-LINK-01", "LF-TYPE-02", "LF-MODEL-01", "LF-MODEL-02", "LF-TYPE-01", "LF-FIELD-02", "LF-LINK-02")
ORDER = ("LF-SORT-01", "LF-SORT-02")
MANY = (
    *CHILDREN,
    *LINKS,
    "LF-TYPE-03",
    "LF-FIELD-03",
    "LF-FIELD-04",
    "LF-SORT-02",
    "LF-SORT-01",
    "LF-FIND-05",
    "LF-LINK-03",
)
