"""`list_directory`: settings, request, walk, entries, document."""
