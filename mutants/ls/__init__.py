"""The wrong versions of LS, a subject a file."""
