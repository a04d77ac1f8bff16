"""The envelope of every result (section 3)."""

import json
import time
from typing import Any

from .errors import CallRefused
from .page import Page

Members = dict[str, Any]


class Envelope:
    """The envelope of one call. Its clock starts at construction."""

    def __init__(self, sent: Any, cwd: str) -> None:
        self._started_at = time.monotonic()
        self.sent_arguments = sent
        self.cwd = cwd

    def listing(self, path: str, page: Page, text: str) -> Members:
        """Return the envelope of a page; `path` is the listed directory, relative to the root."""
        return {
            "status": "partial" if page.is_truncated else "success",
            "data": self.data(page),
            "text": text,
            "stats": self.stats(page),
            "context": self.context(path),
        }

    def failure(self, refused: CallRefused, path: str | None) -> Members:
        """Return the envelope of an error; `path` is the resolved path if it is inside (AMB-LS-19)."""
        return {
            "status": "error",
            "data": {},
            "text": refused.message,
            "stats": {"time_ms": self.time_ms()},
            "context": self.context(path),
            "error": {"code": refused.code, "message": refused.message},
        }

    def data(self, page: Page) -> Members:
        entries = [{"path": entry.path, "type": entry.type} for entry in page.entries]
        return {"entries": entries, "truncated": page.is_truncated}

    def stats(self, page: Page) -> Members:
        return {
            "time_ms": self.time_ms(),
            "total_entries": page.total,
            "dirs": page.count("dir"),
            "files": page.count("file"),
            "links": page.count("link"),
            "returned": len(page.entries),
        }

    def context(self, path: str | None) -> Members:
        resolved = {} if path is None else {"path_resolved": path}
        return {"cwd": self.cwd, "params_input": self.sent_arguments, **resolved}

    def time_ms(self) -> int:
        return int((time.monotonic() - self._started_at) * 1000)

    def to_json(self, members: Members) -> str:
        """Return the JSON in ASCII: arguments can contain lone surrogates, which have no UTF-8."""
        return json.dumps(members)
