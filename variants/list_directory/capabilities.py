"""What a candidate hides that lacks one of the reference's capabilities. Contains no variants."""

POLICY = ("AMB-LD-39=b", "AMB-LD-40=b", "AMB-LD-65=b", "VAR-LD-102")
"""Variants that show only where a policy is applied."""

ORDER = ("AMB-LD-33=b", "VAR-LD-33", "AMB-LD-39=b", "AMB-LD-40=b", "AMB-LD-65=b")
"""Variants that show in rows about the order of an executor's checks."""

DENIED_PATTERNS = ("AMB-LD-35=listed", "AMB-LD-35=omit", "VAR-LD-116")
"""Variants that show where denied patterns are applied."""

ABSOLUTE_PATHS = ("AMB-LD-20=b", "AMB-LD-36=refuse", "VAR-LD-36-1", "VAR-LD-36-2", "VAR-LD-36-3")
"""Variants that show with absolute paths."""
