"""The option ``--write-baseline FILE``: reads the file before a run and writes it after the run."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from treeproof.report.output_file import OutputFile
from treeproof.systems import system_name
from treeproof.verdict.baseline import read_baseline
from treeproof.verdict.baseline_update import update_baseline

if TYPE_CHECKING:
    from treeproof.run.runner import Run


class BaselineFile:
    """A baseline file, new or present. Raises UsageError if it is invalid or cannot be written."""

    def __init__(self, path: Path) -> None:
        self._output = OutputFile(path)
        is_present = self._output.target.is_file()
        self._entries = read_baseline(path, None) if is_present else ()
        self._text = path.read_text("utf-8") if is_present else ""

    def write(self, run: Run) -> str:
        """Write the failures of a run and return one line about the changes. Raises UsageError."""
        update = update_baseline(
            self._text,
            self._entries,
            run.judgements,
            is_whole=run.document.is_whole,
            platform=run.document.candidate.system or system_name(),
            today=datetime.datetime.fromisoformat(run.document.started).date(),
        )
        self._output.write(update.text.encode())
        counts = {"added": update.added, "removed": update.removed, "kept": update.kept}
        return f"{self._output.path}: entries: {', '.join(f'{len(ids)} {name}' for name, ids in counts.items())}"
