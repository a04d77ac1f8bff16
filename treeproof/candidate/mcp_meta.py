"""Names under which MCP messages carry data of the candidate protocol. Names only.

MCP reserves ``_meta`` of every message and ``extensions`` (before the 2026 revision: ``experimental``) of the
capabilities for such prefixed names. A server that supports them receives every call; another one receives only
calls that need none of this data. ``docs/mcp.md`` explains this to server authors.
"""

# In the capabilities of a server: its result of the candidate protocol's ``initialize``.
DECLARATION_KEY = "treeproof/candidate"
# In ``_meta`` of a ``tools/call`` request: the call's context.
CONTEXT_KEY = "treeproof/context"
# In ``_meta`` of its result: ``context``, ``log``, ``approval_requested``, and for an error ``error.kind``.
RESULT_KEY = "treeproof/result"
# In ``_meta`` of a tool in ``tools/list``: ``aliases``, ``requires_approval``, ``risk_level``.
DEFINITION_KEY = "treeproof/definition"
DEFINITION_MEMBERS = ("aliases", "requires_approval", "risk_level")
