"""The parts of the model of list_directory: arguments, paths, the walk, the document, the comparison with an answer.

Written from the specification alone. Every part is a pure function of recipe and call; nothing is read or run.
"""
