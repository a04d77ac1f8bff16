"""The file tools of langchain-community, as its toolkit gives them to an agent."""

from importlib.metadata import version

from glue import serve
from langchain_community.agent_toolkits import FileManagementToolkit

PACKAGE = "langchain-community"


def run(name):
    return lambda root, **arguments: next(
        tool for tool in FileManagementToolkit(root_dir=root).get_tools() if tool.name == name
    ).run(arguments)


TOOLS = {
    "list_directory": ("list_directory@1.1", ["dir_path"], run("list_directory")),
    "file_search": ("local_files@2", ["dir_path", "pattern"], run("file_search")),
    "move_file": ("file_operations@1.1", ["source_path", "destination_path"], run("move_file")),
    "copy_file": ("file_operations@1.1", ["source_path", "destination_path"], run("copy_file")),
}
serve(PACKAGE, version(PACKAGE), TOOLS)
