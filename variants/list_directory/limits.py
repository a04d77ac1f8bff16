"""Variants: when a listing is called truncated, and what is looked at around the limit."""

from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import ReadDirectory, UnreadDirectory, Walk

from ..shared.variant import variant


class FlagsAtTheLimit(Walk):
    def _any_more_qualifies(self, levels: list[ReadDirectory], unread: list[UnreadDirectory]) -> bool:
        return True


class FlagsUnvisited(Walk):
    def _any_more_qualifies(self, levels: list[ReadDirectory], unread: list[UnreadDirectory]) -> bool:
        return bool(unread) or any(next(level.remaining_names, None) is not None for level in levels)


class TriesAtTheLimit(Walk):
    _reported: tuple[str, ...] = ()

    def _add_entry(self, entry: Entry) -> int | None:
        index = super()._add_entry(entry)
        if index is not None and self._is_full() and self._is_entered(entry):
            directory = UnreadDirectory(tuple(entry.raw_path.split(b"/")), entry, index)
            if self._try_read_directory(directory) is None:
                self._report_unreadable(directory)
        return index

    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if directory.entry.path not in self._reported:
            super()._report_unreadable(directory)
            self._reported = (*self._reported, directory.entry.path)


VARIANTS = (
    variant(
        "AMB-LD-01=reached",
        "A listing is truncated as soon as the count equals the limit.",
        {"AMB-LD-01": "reached", "AMB-LD-02": "c"},
    )(walk=FlagsAtTheLimit),
    variant(
        "AMB-LD-02=b",
        "A listing is truncated if anything at the limit has not been visited.",
        excludes=("AMB-LD-01=reached",),
    )(walk=FlagsUnvisited),
    variant(
        "AMB-LD-45=b",
        "The directory that meets the limit is tried before it is listed.",
        excludes=("AMB-LD-03=append",),
    )(walk=TriesAtTheLimit),
)
