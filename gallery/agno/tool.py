"""The tools of agno's workspace that list and move, with all of them permitted."""

from importlib.metadata import version

from agno.tools.workspace import Workspace
from glue import serve

PACKAGE = "agno"


def list_files(root, **arguments):
    return Workspace(root=root).list_files(**arguments)


def move_file(root, **arguments):
    return Workspace(root=root).move_file(**arguments)


TOOLS = {
    "list_files": ("list_directory@1.1", ["directory", "recursive", "max_depth"], list_files),
    "move_file": ("file_operations@1.1", ["src", "dst", "overwrite"], move_file),
}
serve(PACKAGE, version(PACKAGE), TOOLS)
