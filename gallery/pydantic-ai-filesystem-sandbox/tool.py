"""The file tools of pydantic-ai-filesystem-sandbox, with the root as the one directory that is mounted, at `/`."""

import json
from importlib.metadata import version

from glue import serve
from pydantic_ai_filesystem_sandbox import FileSystemToolset

PACKAGE = "pydantic-ai-filesystem-sandbox"


def list_files(root, **arguments):
    return json.dumps(FileSystemToolset.create_default(root).list_files(**arguments))


def move_file(root, **arguments):
    return FileSystemToolset.create_default(root).move(**arguments)


def copy_file(root, **arguments):
    return FileSystemToolset.create_default(root).copy(**arguments)


TOOLS = {
    "list_files": ("local_files@2", ["path", "pattern"], list_files),
    "move_file": ("file_operations@1.1", ["source", "destination"], move_file),
    "copy_file": ("file_operations@1.1", ["source", "destination"], copy_file),
}
serve(PACKAGE, version(PACKAGE), TOOLS)
