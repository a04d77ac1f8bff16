"""Code that the reference implementations of several specifications use."""
