"""The parts of `list_directory`: settings, request, entries, walk, document. The tool itself is one up."""
