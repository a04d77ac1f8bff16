"""The model of the behaviour contract (docs/behaviour.md). It knows the answers of the tools, and no document."""
