"""The sentences of list_directory: what a listing holds, how it is spelt, what limits and unclear passages do to it."""
