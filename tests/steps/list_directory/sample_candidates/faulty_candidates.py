"""Faulty candidates: the reference with one change to each call result. The name of a factory states the error."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Change = Callable[[Json, Json, Callable[[Json], Json]], Json]


class FaultyCandidate:
    """Calls the reference and changes its result; it declares `capabilities`."""

    def __init__(self, change: Change, capabilities: list[str] | None = None) -> None:
        self._inner = importlib.import_module("treeproof.reference_impl.list_directory.candidate").candidate()
        self._change = change
        self._capabilities = capabilities

    def initialize(self, params: Json) -> Json:
        result: Json = self._inner.initialize(params)
        return result if self._capabilities is None else {**result, "capabilities": self._capabilities}

    def describe(self, params: Json) -> Json:
        definition: Json = self._inner.describe(params)
        return definition

    def call(self, params: Json) -> Json:
        return self._change(params, self._inner.call(params), self._inner.call)


def dumps(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def edit_document(change: Callable[[Json], object]) -> Change:
    def apply(params: Json, answer: Json, call: Callable[[Json], Json]) -> Json:
        if answer["status"] != "ok":
            return answer
        document = json.loads(answer["content"])
        change(document)
        return {**answer, "content": dumps(document)}

    return apply


def edit_entries(change: Callable[[Json], object]) -> Change:
    return edit_document(lambda document: [change(entry) for entry in document["entries"]])


def without_capabilities() -> FaultyCandidate:
    return FaultyCandidate(lambda params, answer, call: answer, [])


def depth_from_zero() -> FaultyCandidate:
    return FaultyCandidate(edit_entries(lambda entry: entry.update(depth=entry["depth"] - 1)))


def sorted_by_components() -> FaultyCandidate:
    return FaultyCandidate(
        edit_document(lambda document: document["entries"].sort(key=lambda entry: entry["path"].split("/")))
    )


def equal_names_merged() -> FaultyCandidate:
    def merge(document: Json) -> None:
        document["entries"] = list({entry["path"]: entry for entry in document["entries"]}.values())
        document["returned"] = len(document["entries"])

    return FaultyCandidate(edit_document(merge))


def sorted_before_the_limit() -> FaultyCandidate:
    def change(params: Json, answer: Json, call: Callable[[Json], Json]) -> Json:
        arguments = params["arguments"]
        if answer["status"] != "ok" or "max_entries" not in arguments or len(params["context"]) > 2:
            return answer
        rest = {key: value for key, value in arguments.items() if key != "max_entries"}
        document = json.loads(call({**params, "arguments": rest})["content"])
        limit = arguments["max_entries"]
        cut = len(document["entries"]) > limit
        document["entries"] = document["entries"][:limit]
        document.update(returned=len(document["entries"]), max_entries=limit)
        document.update(truncated=cut, truncated_reason="max_entries" if cut else None)
        return {**answer, "content": dumps(document)}

    return FaultyCandidate(change)


def one_kind_of_error() -> FaultyCandidate:
    def change(params: Json, answer: Json, call: Callable[[Json], Json]) -> Json:
        if answer["status"] == "ok":
            return answer
        return {**answer, "error": {**answer["error"], "kind": "ExecutionFailed"}}

    return FaultyCandidate(change)


def raises_at_emoji() -> FaultyCandidate:
    def change(params: Json, answer: Json, call: Callable[[Json], Json]) -> Json:
        if "\U0001f600" in answer.get("content", ""):
            raise RuntimeError("an emoji")
        return answer

    return FaultyCandidate(change)
