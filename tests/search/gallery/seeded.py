"""The reference with one mistake that only some trees show: it forgets files of 4097 bytes in subdirectories."""

from __future__ import annotations

import importlib
import json
from typing import Any

Json = dict[str, Any]


class Forgetful:
    def __init__(self) -> None:
        self._inner = importlib.import_module("treeproof.reference_impl.list_directory").candidate()

    def initialize(self, params: Json) -> Json:
        hello: Json = self._inner.initialize(params)
        return hello

    def describe(self, params: Json) -> Json:
        described: Json = self._inner.describe(params)
        return described

    def call(self, params: Json) -> Json:
        answer: Json = self._inner.call(params)
        if answer["status"] != "ok":
            return answer
        document = json.loads(answer["content"])
        document["entries"] = [e for e in document["entries"] if e["depth"] == 1 or e["size_bytes"] != 4097]
        document["returned"] = len(document["entries"])
        return {**answer, "content": json.dumps(document, ensure_ascii=False, separators=(",", ":"))}


class Dying(Forgetful):
    def call(self, params: Json) -> Json:
        raise RuntimeError("always")


class Bare(Forgetful):
    def initialize(self, params: Json) -> Json:
        return {**super().initialize(params), "capabilities": []}


def bare() -> Bare:
    return Bare()


def forgetful() -> Forgetful:
    return Forgetful()


def dying() -> Dying:
    return Dying()
