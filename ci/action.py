"""The step of action.yml: install and run treeproof, publish the results, and exit with the code for fail-on.

It runs before anything is installed and imports only the standard library. The environment contains the inputs as
TREEPROOF_* and the files of the runner as GITHUB_*.
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

NEWEST_UNSUPPORTED_PYTHON = (3, 10)
REPORTS = {
    "json": "treeproof.json",
    "junit": "treeproof.xml",
    "html": "treeproof.html",
    "markdown": "treeproof.md",
}
ANNOTATIONS = "treeproof-annotations.txt"
CONCLUSIONS = {0: "conformant", 1: "non-conformant", 2: "usage", 3: "incomplete", 4: "fault", 5: "interrupted"}
SIGNAL_EXIT_CODE = 128
"""The exit code of a shell for a process that a signal has ended is the number of the signal more than this."""
# Every other exit code fails the job: also that of an invalid job, of an interrupted run and of a killed process.
ACCEPTED_EXIT_CODES: Mapping[str, frozenset[int]] = {
    "incomplete": frozenset({0}),
    "fail": frozenset({0, 3}),
    "never": frozenset({0, 1, 3, 4}),
}


class JobError(Exception):
    """An error in the inputs of the job; the message is one line."""


def main(environment: Mapping[str, str]) -> int:
    """Run the step and return its exit code."""
    try:
        fail_on = environment.get("TREEPROOF_FAIL_ON") or "incomplete"
        if fail_on not in ACCEPTED_EXIT_CODES:
            raise JobError(f"fail-on: {fail_on} is unknown; use one of {', '.join(ACCEPTED_EXIT_CODES)}")
        command = run_arguments(environment)
        python = install_treeproof(environment)
        folder = Path(environment.get("TREEPROOF_REPORTS") or "treeproof-report")
        folder.mkdir(parents=True, exist_ok=True)
    except (JobError, OSError, ValueError, subprocess.CalledProcessError) as error:
        write_outputs(environment, {"verdict": CONCLUSIONS[2], "exit": "2"})
        annotate(str(error))
        return 2
    for name in (*REPORTS.values(), ANNOTATIONS):
        (folder / name).unlink(missing_ok=True)  # reports of an earlier step
    code = run_treeproof([*python, *command], folder)
    publish_results(environment, folder, code)
    return 0 if code in ACCEPTED_EXIT_CODES[fail_on] else code


def run_arguments(environment: Mapping[str, str]) -> list[str]:
    """Return the arguments of ``treeproof`` without the reports. Raises ValueError for an unclosed quote."""
    arguments = ["run", environment.get("TREEPROOF_TARGET") or "."]
    for spec in (environment.get("TREEPROOF_SPEC") or "").split():
        arguments += ["--spec", spec]
    if environment.get("TREEPROOF_PROFILE"):
        arguments += ["--profile", environment["TREEPROOF_PROFILE"]]
    if environment.get("TREEPROOF_BASELINE"):
        arguments += ["--baseline", environment["TREEPROOF_BASELINE"]]
    return arguments + shlex.split(environment.get("TREEPROOF_ARGS") or "")


def pip_requirement(environment: Mapping[str, str]) -> str | None:
    """Return the requirement for pip; None if pip installs nothing."""
    source = environment.get("TREEPROOF_SOURCE") or environment["GITHUB_ACTION_PATH"]
    extras = environment.get("TREEPROOF_EXTRAS")
    if source == "installed":
        return None
    if not extras:
        return source
    if "://" in source:
        return f"treeproof[{extras}] @ {source}"
    # Extras follow a path or a name and precede the version.
    versioned = re.fullmatch(r"([A-Za-z0-9][\w.-]*?)(\s*[=<>!~].*)", source)
    return f"{versioned[1]}[{extras}]{versioned[2]}" if versioned else f"{source}[{extras}]"


def install_treeproof(environment: Mapping[str, str]) -> list[str]:
    """Install treeproof and return the command that runs it. Raises JobError and CalledProcessError."""
    python, requirement = sys.executable, pip_requirement(environment)
    if sys.version_info[:2] <= NEWEST_UNSUPPORTED_PYTHON:
        raise JobError(f"{python}: treeproof needs Python 3.11 or newer; use actions/setup-python in an earlier step")
    if requirement is not None:
        if _is_externally_managed():
            folder = Path(environment.get("RUNNER_TEMP") or "/tmp") / "treeproof-python"
            venv.create(folder, system_site_packages=True, with_pip=True)
            python = str(folder / "bin" / "python")
        print(f"::group::install {requirement}".replace("\n", " "), flush=True)
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--", requirement]
        installed = subprocess.run(pip, check=False).returncode
        print("::endgroup::", flush=True)
        if installed != 0:
            raise JobError(f"pip could not install {requirement}; see the log")
    return [python, "-c", "import sys; from treeproof.cli import command; sys.exit(command())"]


def _is_externally_managed() -> bool:
    """Return whether the system forbids pip to install here (PEP 668)."""
    is_environment = sys.prefix != sys.base_prefix
    return not is_environment and (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").exists()


def run_treeproof(command: list[str], folder: Path) -> int:
    """Run treeproof with all reports in ``folder`` and return its exit code."""
    for form, name in {**REPORTS, "github": ANNOTATIONS}.items():
        command = [*command, "--report", f"{form}={folder / name}"]
    # Output of a candidate may look like a command: the runner ignores commands until it reads the token again.
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    result = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    errors = result.stderr.decode("utf-8", "replace").strip()
    print(errors, flush=True)
    print(f"::{token}::", flush=True)
    if result.returncode == 2:
        annotate(errors.splitlines()[-1] if errors else "treeproof refused the job")
    return result.returncode if result.returncode >= 0 else SIGNAL_EXIT_CODE - result.returncode


def publish_results(environment: Mapping[str, str], folder: Path, code: int) -> None:
    """Write outputs, summary and annotations from the reports in ``folder``."""
    report = folder / REPORTS["json"]
    paths: dict[str, str] = {
        form: workspace_path(environment, folder / name) for form, name in REPORTS.items() if (folder / name).is_file()
    }
    conclusion = (
        json.loads(report.read_text("utf-8"))["verdict"] if report.is_file() else CONCLUSIONS.get(code, "fault")
    )
    write_outputs(environment, {"verdict": conclusion, "exit": str(code), **paths})
    annotations, markdown = folder / ANNOTATIONS, folder / REPORTS["markdown"]
    if annotations.is_file():
        print(annotations.read_text("utf-8"), flush=True)
    summary = environment.get("GITHUB_STEP_SUMMARY")
    if summary and markdown.is_file():
        with open(summary, "ab") as file:  # the report respects the limit of GitHub
            file.write(markdown.read_bytes())


def workspace_path(environment: Mapping[str, str], file: Path) -> str:
    """Return a path relative to the workspace, as later steps use it."""
    workspace = environment.get("GITHUB_WORKSPACE")
    absolute = Path(os.path.abspath(file))
    return os.path.relpath(absolute, workspace) if workspace and absolute.is_relative_to(workspace) else str(file)


def write_outputs(environment: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Write the outputs of the step; a value may be any text."""
    output_file = environment.get("GITHUB_OUTPUT")
    if not output_file:
        return
    with open(output_file, "a", encoding="utf-8") as file:
        for name, value in values.items():
            end = secrets.token_hex(16)
            file.write(f"{name}<<{end}\n{value}\n{end}\n")


def annotate(message: str) -> None:
    """Show an error on the page of the job."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::error title=treeproof::{escaped}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main(os.environ))
