"""The oracles of the bundled specifications. They share plumbing (`shared`) and no rule of a specification."""
