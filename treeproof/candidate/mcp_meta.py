"""The names under which the Model Context Protocol carries what it has no place for. Names only.

MCP leaves ``_meta`` of every message and ``extensions`` (before the 2026 revision: ``experimental``) of the
capabilities to others, under prefixed names. A server that reads and writes these is asked everything that any other
candidate is asked; one that does not is asked what is left. ``docs/mcp.md`` tells server authors.
"""

# In the capabilities that a server answers to ``initialize``: what the suite's own ``initialize`` is answered with.
DECLARATION_KEY = "treeproof/candidate"
# In ``_meta`` of a ``tools/call`` request: the call's context.
CONTEXT_KEY = "treeproof/context"
# In ``_meta`` of its result: ``context``, ``log``, ``approval_requested``, and of a failure ``error.kind``.
RESULT_KEY = "treeproof/result"
# In ``_meta`` of a tool in ``tools/list``: ``aliases``, ``requires_approval``, ``risk_level``.
DEFINITION_KEY = "treeproof/definition"
DEFINITION_MEMBERS = ("aliases", "requires_approval", "risk_level")
