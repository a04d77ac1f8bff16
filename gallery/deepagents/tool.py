"""The tool `ls` of deepagents on a folder of the disk, as its middleware gives it to an agent."""

import json
from importlib.metadata import version

from deepagents.backends import FilesystemBackend
from deepagents.backends.utils import validate_path
from glue import serve

PACKAGE = "deepagents"


def ls(root, path):
    result = FilesystemBackend(root_dir=root, virtual_mode=True).ls(validate_path(path))
    if result.error:
        raise OSError(result.error)
    return json.dumps(result.entries or [])


serve(PACKAGE, version(PACKAGE), {"ls": ("list_directory@1.1", ["path"], ls)})
