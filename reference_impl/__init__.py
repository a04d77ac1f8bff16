"""Reference implementations: one conforming candidate for each specification.

They are candidates like any other and import only the standard library. `shared` holds what several tools need: call
context, argument check, policy, sandbox, paths, and the reader of directories.
"""

NAME = "treeproof reference"
VERSION = "1.0.0"
