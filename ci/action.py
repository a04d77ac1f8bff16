"""The step of action.yml: install treeproof, run it, tell GitHub, and end with the code that fail-on asks for.

Runs before anything is installed, so it needs Python and its standard library alone. Everything comes in by the
environment: inputs as TREEPROOF_*, the runner's files as GITHUB_*.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path

NEWEST_UNSUPPORTED_PYTHON = (3, 10)  # treeproof needs a newer Python than this
REPORTS = {
    "json": "treeproof.json",
    "junit": "treeproof.xml",
    "html": "treeproof.html",
    "markdown": "treeproof.md",
}
ANNOTATIONS = "treeproof-annotations.txt"
CONCLUSIONS = {0: "conformant", 1: "non-conformant", 2: "usage", 3: "incomplete", 4: "fault"}
FAILING_EXIT_CODES: Mapping[str, frozenset[int]] = {
    "fail": frozenset({1, 2, 4}),
    "incomplete": frozenset({1, 2, 3, 4}),
    "never": frozenset({2}),  # a job that is itself wrong is never green
}


class JobError(Exception):
    """The job itself is wrong; the message is one line."""


def main(environment: Mapping[str, str]) -> int:
    """Do the whole step and return its exit code."""
    try:
        fail_on = environment.get("TREEPROOF_FAIL_ON") or "fail"
        if fail_on not in FAILING_EXIT_CODES:
            raise JobError(f"fail-on: {fail_on} is none of {', '.join(FAILING_EXIT_CODES)}")
        command = run_arguments(environment)
        python = install_treeproof(environment)
        folder = Path(environment.get("TREEPROOF_REPORTS") or "treeproof-report")
        folder.mkdir(parents=True, exist_ok=True)
    except (JobError, OSError, ValueError, subprocess.CalledProcessError) as why:
        write_outputs(environment, {"verdict": CONCLUSIONS[2], "exit": "2"})
        annotate(str(why))
        return 2
    for name in (*REPORTS.values(), ANNOTATIONS):
        (folder / name).unlink(missing_ok=True)  # of a step before: no report is better than an old one
    code = run_treeproof([*python, *command], folder)
    publish_results(environment, folder, code)
    return code if code in FAILING_EXIT_CODES[fail_on] else 0


def run_arguments(environment: Mapping[str, str]) -> list[str]:
    """Return the words behind ``treeproof``, without the reports. Raises ValueError for a quote that is open."""
    words = ["run", environment.get("TREEPROOF_TARGET") or "."]
    for spec in (environment.get("TREEPROOF_SPEC") or "").split():
        words += ["--spec", spec]
    words += ["--profile", environment.get("TREEPROOF_PROFILE") or "default"]
    if environment.get("TREEPROOF_BASELINE"):
        words += ["--baseline", environment["TREEPROOF_BASELINE"]]
    return words + shlex.split(environment.get("TREEPROOF_ARGS") or "")


def pip_requirement(environment: Mapping[str, str]) -> str | None:
    """Return what pip is to install; None for nothing."""
    source = environment.get("TREEPROOF_SOURCE") or environment["GITHUB_ACTION_PATH"]
    extras = environment.get("TREEPROOF_EXTRAS")
    if source == "installed":
        return None
    if not extras:
        return source
    if "://" in source:
        return f"treeproof[{extras}] @ {source}"
    # Extras stand behind a path and behind a name, and before what the name's version has to be.
    named = re.fullmatch(r"([A-Za-z0-9][\w.-]*?)(\s*[=<>!~].*)", source)
    return f"{named[1]}[{extras}]{named[2]}" if named else f"{source}[{extras}]"


def install_treeproof(environment: Mapping[str, str]) -> list[str]:
    """Install treeproof and return the words that run it. Raises Refused and CalledProcessError."""
    python, wanted = sys.executable, pip_requirement(environment)
    if sys.version_info[:2] <= NEWEST_UNSUPPORTED_PYTHON:
        raise JobError(
            f"treeproof needs Python 3.11 or newer, and {python} is older: use actions/setup-python before"
        )
    if wanted is not None:
        if _is_externally_managed():
            place = Path(environment.get("RUNNER_TEMP") or "/tmp") / "treeproof-python"
            venv.create(place, system_site_packages=True, with_pip=True)
            python = str(place / "bin" / "python")
        print(f"::group::install {wanted}".replace("\n", " "), flush=True)
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--", wanted]
        installed = subprocess.run(pip, check=False).returncode
        print("::endgroup::", flush=True)
        if installed != 0:
            raise JobError(f"pip could not install {wanted}; its words are in the log")
    return [python, "-c", "import sys; from treeproof.cli import main; sys.exit(main())"]


def _is_externally_managed() -> bool:
    """Whether the system's packager forbids pip to install here (PEP 668)."""
    is_environment = sys.prefix != sys.base_prefix
    return not is_environment and (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").exists()


def run_treeproof(command: list[str], folder: Path) -> int:
    """Run treeproof with all reports into ``folder`` and return its exit code."""
    for form, name in {**REPORTS, "github": ANNOTATIONS}.items():
        command = [*command, "--report", f"{form}={folder / name}"]
    # What a candidate wrote may look like a command to the runner: nothing is one until the token comes again.
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    print(said, flush=True)
    print(f"::{token}::", flush=True)
    if done.returncode == 2:
        annotate(said.splitlines()[-1] if said else "treeproof refused the job")
    return done.returncode


def publish_results(environment: Mapping[str, str], folder: Path, code: int) -> None:
    """Write outputs, summary and annotations for what the run left in ``folder``."""
    report = folder / REPORTS["json"]
    found: dict[str, str] = {
        form: workspace_path(environment, folder / name)
        for form, name in REPORTS.items()
        if (folder / name).is_file()
    }
    word = (
        json.loads(report.read_text("utf-8"))["verdict"]
        if report.is_file()
        else CONCLUSIONS.get(code, "fault")
    )
    write_outputs(environment, {"verdict": word, "exit": str(code), **found})
    annotations, markdown = folder / ANNOTATIONS, folder / REPORTS["markdown"]
    if annotations.is_file():
        print(annotations.read_text("utf-8"), flush=True)
    summary = environment.get("GITHUB_STEP_SUMMARY")
    if summary and markdown.is_file():
        with open(summary, "ab") as file:  # the report keeps to the length that GitHub takes
            file.write(markdown.read_bytes())


def workspace_path(environment: Mapping[str, str], file: Path) -> str:
    """Return a path as the steps behind this one read it: from the workspace on, wherever this step works."""
    workspace = environment.get("GITHUB_WORKSPACE")
    whole = Path(os.path.abspath(file))
    return os.path.relpath(whole, workspace) if workspace and whole.is_relative_to(workspace) else str(file)


def write_outputs(environment: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Write the outputs of the step; a value may hold anything."""
    place = environment.get("GITHUB_OUTPUT")
    if not place:
        return
    with open(place, "a", encoding="utf-8") as file:
        for name, value in values.items():
            end = secrets.token_hex(16)
            file.write(f"{name}<<{end}\n{value}\n{end}\n")


def annotate(message: str) -> None:
    """Say on the job's page what is wrong with it."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::error title=treeproof::{escaped}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main(os.environ))
