"""The run document as a file: its published schema, reading, validation and writing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from treeproof import __version__
from treeproof.errors import UsageError, check_readable, format_parse_error, reject_json_constant
from treeproof.files.json_schema import JsonSchema, describe_error
from treeproof.report.escape import compact_json_text, json_text, visible
from treeproof.verdict.run_document import RunDocument

_VERSION_PATTERN = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}")


SCHEMA = JsonSchema(Path(__file__).with_name("run.schema.json"))
"""The published JSON Schema of the run document."""


def schema() -> dict[str, Any]:
    """Return the published JSON Schema (Draft 2020-12) of the run document as a new value."""
    loaded: dict[str, Any] = json.loads(SCHEMA.text)
    return loaded


def validate(document: Any) -> None:
    """Raise UsageError unless ``document`` is a run document."""
    error = SCHEMA.best_error(document)
    if error is not None:
        place = "/".join(str(part) for part in error.absolute_path) or "the document"
        problem = describe_error(error.validator, error.instance, error.validator_value, error.schema)
        raise UsageError(visible(f"{place} {problem}"))


def dump(run: RunDocument) -> bytes:
    """Return the document as UTF-8 JSON without raw control characters; each scenario and requirement is one line.

    It parses to the same value, except lone surrogates and non-finite numbers, which are not valid JSON, and except the
    evidence of scenarios that passed. That is empty: it would be two thirds of a run without failures. A shard keeps
    it, so that the merged run has every report of a whole run.
    """
    document = run.to_json()
    members = {name: json_text(value) for name, value in document.items() if name not in ("causes", "specs")}
    members["causes"] = _lines("[", map(compact_json_text, document["causes"]), "]", 1)
    members["specs"] = _lines(
        "[", (_dump_spec(spec, is_shard=run.shard is not None) for spec in document["specs"]), "]", 1
    )
    return (_object(((name, members[name]) for name in document), 0) + "\n").encode("utf-8")


def _dump_spec(spec: Mapping[str, Any], *, is_shard: bool) -> str:
    def lines(name: str) -> Iterable[str]:
        is_short = name == "scenarios" and not is_shard
        return (compact_json_text(_without_evidence_of_success(one) if is_short else one) for one in spec[name])

    lists = ("requirements", "interpretations", "scenarios")
    members = (
        (name, _lines("[", lines(name), "]", 3) if name in lists else json_text(value)) for name, value in spec.items()
    )
    return _object(members, 2)


def _without_evidence_of_success(scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**scenario, "evidence": {}} if scenario["outcome"] == "passed" else scenario


def _object(members: Iterable[tuple[str, str]], depth: int) -> str:
    return _lines("{", (f"{json_text(name)}: {text}" for name, text in members), "}", depth)


def _lines(start: str, items: Iterable[str], end: str, depth: int) -> str:
    """Return the items between brackets, one in each line, indented by one column for each level."""
    inside = ",\n".join(f"{' ' * (depth + 1)}{item}" for item in items)
    return f"{start}\n{inside}\n{' ' * depth}{end}" if inside else f"{start}{end}"


def _newer_version(data: Any) -> str | None:
    """Return the version of treeproof that wrote a document if it is newer than this one, else None."""
    version = data.get("treeproof") if isinstance(data, dict) else None
    if not isinstance(version, str) or not _VERSION_PATTERN.fullmatch(version):
        return None
    return version if _version_numbers(version) > _version_numbers(__version__) else None


def _version_numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


MAX_BYTES = 512 << 20
"""About 100 times the size of a report with 3,000 failed scenarios."""
_EXPECTED_FILE = "a report written by --report json=FILE"


def load(path: Path) -> RunDocument:
    """Return the run document in a file. Raises UsageError."""
    data = parse_file(path)
    validate_file(data, path)
    return RunDocument.from_json(data)


def parse_file(path: Path) -> Any:
    """Return the JSON value in a file, which need not be a run document. Raises UsageError."""
    shown = visible(str(path))
    check_readable(path, MAX_BYTES, _EXPECTED_FILE)
    try:
        return json.loads(path.read_bytes(), parse_constant=reject_json_constant)
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read: {error.strerror}; name {_EXPECTED_FILE}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shown}: {visible(format_parse_error(error, 'JSON'))}; name {_EXPECTED_FILE}") from None


def validate_file(data: Any, path: Path) -> None:
    """Raise UsageError unless ``data``, the JSON value in a file, is a run document of this version or an older one."""
    shown = visible(str(path))
    try:
        validate(data)
    except UsageError as error:
        newer = _newer_version(data)
        if newer:
            raise UsageError(
                f"{shown}: written by treeproof {newer}, but this is {__version__}; use {newer} or later"
            ) from None
        raise UsageError(f"{shown}: not a run report: {error}; name {_EXPECTED_FILE}") from None
