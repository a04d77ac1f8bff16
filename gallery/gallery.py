"""Judges public file tools by the behaviour contract, and writes a static site about them.

``python gallery.py [--tool NAME …]`` installs each tool of tools.toml at its version into ``survey/tools``, checks the
connection, runs treeproof, keeps the report in ``survey/runs/DATE``, and writes the site. The network is needed for
the installation alone. Needs npm, apt-get and treeproof[mcp].

Losses of data and ways out of the root are counted on the site, and not shown, until the maintainers of a tool have
answered a report or 90 days have passed since. ``--letters DIR`` writes these reports.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from shell import commands_for

from treeproof import __version__
from treeproof.spec.contract import load_contract
from treeproof.tree import normalise, parse_tree

FOLDER = Path(__file__).parent
GRAVE = ("escape", "data")
"""The harm of findings that are first reported in private."""
DAYS = 90
"""After so many days without an answer, a reported finding is shown."""
NO_VERDICT = (2, 5)
"""The exit codes of treeproof without a judgement: a wrong command or manifest, and an interruption."""

Document = Mapping[str, Any]


def main() -> int:
    """Judge the tools that are named, or all, and write the site; return 0 if there is a report of each."""
    tools: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "tools.toml").read_text("utf-8"))
    parser = argparse.ArgumentParser(description="Judge public file tools by the behaviour contract.")
    parser.add_argument("--tool", nargs="+", choices=tools, default=list(tools), help="some of them (default: all)")
    parser.add_argument("--survey", type=Path, default=FOLDER / "survey", help="where to install, and to keep reports")
    parser.add_argument("--site", type=Path, default=FOLDER / "survey/site", help="where to write the site")
    parser.add_argument("--letters", type=Path, help="where to write a private report for each tool with findings")
    parser.add_argument("--no-run", action="store_true", help="only write, from the reports of earlier runs")
    args = parser.parse_args()
    if args.letters and args.letters.resolve().is_relative_to(FOLDER.resolve().parent):
        parser.error("--letters: write them outside of the checkout")
    today = datetime.date.today().isoformat()
    runs = args.survey.absolute() / "runs"
    missing = []
    for name in () if args.no_run else args.tool:
        report = judge(name, tools[name], args.survey.absolute() / "tools" / name, runs / today / f"{name}.json")
        print(f"{name}: {'no report' if report is None else report['verdict']}", flush=True)
        missing += [name] if report is None else []
    write_site(args.site, tools, runs)
    if args.letters:
        write_letters(args.letters, args.tool, tools, runs)
    return 1 if missing else 0


# ---- judging --------------------------------------------------------------------------------------------------------


def judge(name: str, tool: Mapping[str, Any], folder: Path, report: Path) -> Document | None:
    """Install a tool, check the connection and run it; return the report. Its output is kept beside the report."""
    report.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with report.with_suffix(".log").open("w") as log:
        if not install(name, tool, folder, log):
            return None
        installed = time.monotonic()
        treeproof(log, "doctor", str(folder))
        # What is tested here is not trusted.
        isolated = ["--isolate"] if shutil.which("bwrap") else []
        code = treeproof(log, "run", str(folder), f"--report=json={report}", *isolated)
    if code in NO_VERDICT:
        return None
    document: dict[str, Any] = json.loads(report.read_text("utf-8"))
    took = {"installation": installed - started, "all": time.monotonic() - started}
    report.with_suffix(".seconds").write_text(json.dumps(took), "utf-8")
    return document


def install(name: str, tool: Mapping[str, Any], folder: Path, log: Any) -> bool:
    """Install a tool into a folder, unless that was done before, and copy its manifest and glue."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in (FOLDER / "glue.py", *(FOLDER / name).iterdir()):
        shutil.copy(file, folder)
    is_debian = tool["registry"] == "debian"
    at = {"npm": "@", "pypi": "==", "debian": "="}[tool["registry"]]
    packages = [f"{tool['package']}{at}{tool['version']}", *tool.get("with", ())]
    done = folder / "installed"
    commands: list[list[str | Path]] = []
    if done.exists() and done.read_text("utf-8") == " ".join(packages):
        pass
    elif tool["registry"] == "npm":
        options = ["--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
        commands = [["npm", "install", "--prefix", folder, *options, *packages]]
    else:
        pip = folder / "venv" / "bin" / "pip"
        from_pypi = packages[1:] if is_debian else packages
        commands = [[sys.executable, "-m", "venv", folder / "venv"], [pip, "install", "--quiet", *from_pypi]]
        unpack = 'rm -rf package *.deb && apt-get download "$0" && dpkg -x *.deb package'
        commands += [["sh", "-c", unpack, packages[0]]] if is_debian else []
    environment = os.environ | {"GO111MODULE": "off", "GOPATH": str(folder / "package/usr/share/gocode")}
    if is_debian:  # also when only the glue has changed
        version = f"-ldflags=-X main.version={tool['version']}"
        commands.append([folder / "venv" / "bin" / "go", "build", version, "-o", "tool", "main.go"])
    for command in commands:
        ended = subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=log, check=False)
        if ended.returncode:
            return False
    done.write_text(" ".join(packages), "utf-8")
    return True


def treeproof(log: Any, *args: str) -> int:
    """Run a command of treeproof; return its exit code. Its output names cases, so it is in no public log."""
    command = [sys.executable, "-m", "treeproof", *args]
    return subprocess.run(command, stdout=log, stderr=log, check=False).returncode


# ---- what may be shown ----------------------------------------------------------------------------------------------


def is_grave(cause: Mapping[str, Any]) -> bool:
    """Return whether a cause is a loss of data or a way out of the root."""
    return cause["severity"] in GRAVE or cause["requirement"] in grave_rules()


def grave_rules() -> set[str]:
    return {rule.id for rule in load_contract().requirements if rule.harm}


def is_public(cause: Mapping[str, Any], tool: Mapping[str, Any], today: datetime.date) -> bool:
    """Return whether the case of a cause may be shown."""
    if not is_grave(cause):
        return True
    reports = [one for one in tool.get("report", ()) if one["rule"] == cause["requirement"]]
    return any(one["answered"] or (today - one["date"]).days > DAYS for one in reports)


def digest(document: Document, tool: Mapping[str, Any], today: datetime.date) -> dict[str, Any]:
    """Return what the site shows of a run. It has no case that may not be shown, and not the rule of one."""
    spec = document["specs"][0]
    causes = document["causes"]
    public = [cause for cause in causes if is_public(cause, tool, today)]
    hidden = len(causes) - len(public)
    verdicts = {rule["id"]: rule["verdict"] for rule in spec["requirements"]}
    if hidden:
        # Which of the grave rules does not hold is a part of the case.
        verdicts |= dict.fromkeys(grave_rules(), "reported")
    ran = [one for one in spec["scenarios"] if one["outcome"] in ("passed", "failed")]
    return {
        "date": document["started"][:10],
        "version": tool["version"],
        "verdict": document["verdict"],
        "rules": verdicts,
        "causes": len(causes),
        "reported": hidden,
        "scenarios": len(ran),
        "seconds": round(document["seconds"]),
        "public": [_shown(cause, spec) for cause in public],
    }


def _shown(cause: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cause with its smallest case."""
    scenario = next(one for one in spec["scenarios"] if one["id"] == cause["smallest"])
    found = next((one for one in scenario.get("findings", ()) if one["requirement"] == cause["requirement"]), scenario)
    rule = next(one for one in spec["requirements"] if one["id"] == cause["requirement"])
    return {
        "rule": rule["id"],
        "level": rule["level"],
        "text": rule["text"],
        "message": cause["message"],
        "scenarios": len(cause["scenarios"]),
        "smallest": cause["smallest"],
        "title": scenario["title"],
        "evidence": found["evidence"],
    }


# ---- the site -------------------------------------------------------------------------------------------------------


def write_site(site: Path, tools: Mapping[str, Mapping[str, Any]], runs: Path) -> None:
    """Write the pages, the badges and the history; the history of runs that are not kept here stays."""
    site.mkdir(parents=True, exist_ok=True)
    history_file = site / "history.json"
    history: dict[str, dict[str, Any]] = json.loads(history_file.read_text("utf-8")) if history_file.exists() else {}
    today = datetime.date.today()
    latest: dict[str, dict[str, Any]] = {}
    for name, report in _reports(tools, runs):
        latest[name] = digest(json.loads(report.read_text("utf-8")), tools[name], today)
        kept = {key: latest[name][key] for key in ("version", "verdict", "causes", "reported", "scenarios", "seconds")}
        history.setdefault(name, {})[latest[name]["date"]] = kept
        treeproof(subprocess.DEVNULL, "merge", str(report), f"--report=badge={site / name}.svg")
    history_file.write_text(json.dumps(history, indent=1, sort_keys=True), "utf-8")
    environment = Environment(loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined)
    environment.trim_blocks = environment.lstrip_blocks = True
    shared = {"rules": load_contract().requirements, "treeproof": __version__, "days": DAYS, "today": today}
    names = [name for name in tools if name in latest]
    index = environment.get_template("index.html.j2")
    (site / "index.html").write_text(
        index.render(names=names, tools=tools, runs=latest, history=history, **shared), "utf-8"
    )
    page = environment.get_template("tool.html.j2")
    for name in names:
        text = page.render(name=name, tool=tools[name], run=latest[name], history=history[name], **shared)
        (site / f"{name}.html").write_text(text, "utf-8")


def _reports(tools: Mapping[str, Any], runs: Path) -> Iterator[tuple[str, Path]]:
    """Yield each report that is kept, with the name of its tool, the oldest first."""
    for report in sorted(runs.glob("*/*.json")):
        if report.stem in tools:
            yield report.stem, report


# ---- letters --------------------------------------------------------------------------------------------------------


def write_letters(folder: Path, names: Sequence[str], tools: Mapping[str, Mapping[str, Any]], runs: Path) -> None:
    """Write a private report for each tool with findings, ready to be sent once each was tried by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = Environment(loader=FileSystemLoader(FOLDER), undefined=StrictUndefined)
    environment.trim_blocks = environment.lstrip_blocks = True
    template = environment.get_template("letter.md.j2")
    latest = dict(_reports(tools, runs))
    for name in names:
        document = json.loads(latest[name].read_text("utf-8")) if name in latest else {"causes": []}
        causes = sorted(document["causes"], key=lambda one: not is_grave(one))
        if causes:
            cases = [_shown(cause, document["specs"][0]) for cause in causes]
            for case in cases:
                case["commands"] = _commands(case["evidence"])
                case["tool"], case["call"] = _call(name, case["evidence"])
            text = template.render(name=name, tool=tools[name], cases=cases, grave=grave_rules(), days=DAYS)
            (folder / f"{name}.md").write_text(text, "utf-8")


def _commands(evidence: Mapping[str, Any]) -> list[str]:
    """Return the shell commands that make the tree of a case, in a folder with the root and what is beside it."""
    inside, outside = (normalise(parse_tree(evidence.get(part) or "")) for part in ("tree", "outside"))
    return ["mkdir root", *commands_for(inside, "root"), *commands_for(outside, "")]


def _call(name: str, evidence: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name and the arguments of a call as the tool knows them."""
    call = evidence["call"]
    manifest = tomllib.loads((FOLDER / name / "treeproof.toml").read_text("utf-8"))
    return manifest["tools"][call["tool"]].get("name", call["tool"]), call.get("sent") or call["arguments"]


if __name__ == "__main__":
    sys.exit(main())
