"""Tests public MCP file-system servers with treeproof, without a line of glue, and writes one page about all of them.

``python survey.py [DIR]`` installs each server into DIR (default: survey), beside a copy of its manifest, checks the
connection, runs the specifications that the manifest claims, and writes DIR/matrix.html and DIR/matrix.json. The
network is needed for the installation alone; what is installed is not installed again. Needs npm, and treeproof[mcp].
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

SERVERS = {
    "server-filesystem": "npm:@modelcontextprotocol/server-filesystem@2026.8.31",
    "fast-filesystem-mcp": "npm:fast-filesystem-mcp@3.5.2",
    "filesystem-mcp": "pypi:filesystem-mcp==1.0.2",
    "better-mcps-filesystem": "pypi:better-mcps-filesystem==0.3.0",
}
"""The folder of each manifest, and the package that it is for."""

MANIFESTS = Path(__file__).parent
REPORTS = ("run.json", "report.html")
NO_VERDICT = 2
"""treeproof exits with this code if the command or the manifest is wrong; every other code comes with a report."""


def main() -> int:
    """Survey the servers that are named, or all; return 0 if there is a report of each."""
    parser = argparse.ArgumentParser(description="Test public MCP file-system servers with treeproof.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("survey"), help="where to install and report")
    parser.add_argument("--server", action="append", choices=SERVERS, help="one of them; repeatable (default: all)")
    args = parser.parse_args()
    documents = []
    for name in args.server or SERVERS:
        print(f"== {name}: {SERVERS[name].partition(':')[2]}", flush=True)
        folder = args.folder.absolute() / name
        install(name, folder)
        report = survey(folder)
        if report is None:
            print(f"survey: {name}: no report; see the messages above", file=sys.stderr)
        else:
            documents.append(str(report))
    if len(documents) > 1:
        matrix = args.folder.absolute() / "matrix"
        pages = [f"--report={kind}={matrix.with_suffix(end)}" for kind, end in (("html", ".html"), ("json", ".json"))]
        treeproof("merge", *documents, *pages)
    return 0 if len(documents) == len(args.server or SERVERS) else 1


def install(name: str, folder: Path) -> None:
    """Install a server into a folder, unless that was done before, and copy its manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(MANIFESTS / name / "treeproof.toml", folder)
    registry, _, package = SERVERS[name].partition(":")
    done = folder / "installed"
    if done.exists() and done.read_text("utf-8") == package:
        return
    if registry == "npm":
        options = ["--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(["npm", "install", "--prefix", folder, *options, package], check=True)
    else:
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([folder / "venv" / "bin" / "pip", "install", "--quiet", package], check=True)
    done.write_text(package, "utf-8")


def survey(folder: Path) -> Path | None:
    """Check the connection to the server in a folder and run it; return the report."""
    treeproof("doctor", str(folder))
    document, page = (folder / name for name in REPORTS)
    code = treeproof("run", str(folder), f"--report=json={document}", f"--report=html={page}")
    return None if code == NO_VERDICT else document


def treeproof(*args: str) -> int:
    """Run a command of treeproof; return its exit code."""
    return subprocess.run([sys.executable, "-m", "treeproof", *args], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
