"""The oracles of the bundled specifications. Their shared code (`shared`) holds no rule of a specification."""
