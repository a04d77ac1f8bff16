"""Reference implementations: one right candidate for a specification, and the executor that they share.

A candidate like any other lives here, so nothing of the suite is imported: only the standard library. The
parts that every tool needs (call context, argument check, policy, sandbox, paths, reading directories) lie
beside this file; what belongs to one tool lies in a package of its own.
"""

NAME = "treeproof reference"
VERSION = "1.0.0"
