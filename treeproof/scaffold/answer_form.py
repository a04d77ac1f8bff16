"""Recognises the form of a tool's answer that lists a known directory, and writes it as keys of a manifest.

The directory has one file and one directory, so that each part of the answer is found by its value. Pure functions.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FILE, DIRECTORY, CONTENT, SECONDS = "alpha.txt", "beta", "hello", 1_700_000_000
"""What the directory has: a file with its content and its time, and a directory."""


@dataclass(frozen=True)
class Part:
    """A part of an entry in an answer: its place, how it is converted, and its values for a file and a directory."""

    place: str
    convert: str = ""
    values: Mapping[str, str] | None = None
    zone: str = ""

    def as_toml(self, types: Mapping[str, str]) -> str:
        """Return the part as the value of a member; ``types`` are the names of file and directory there."""
        members = {"from": self.place, "convert": self.convert, "zone": self.zone}
        texts = [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in members.items() if text]
        if self.values is not None:
            pairs = (f"{_key(shown)} = {json.dumps(types[kind])}" for shown, kind in self.values.items())
            texts.append(f"values = {{ {', '.join(pairs)} }}")
        return json.dumps(self.place) if len(texts) == 1 else f"{{ {', '.join(texts)} }}"


@dataclass(frozen=True)
class AnswerForm:
    """The form of an answer: the keys of its list, and the parts of an entry by their role."""

    keys: tuple[tuple[str, str], ...]
    parts: Mapping[str, Part]

    def ignoring(self, content: str, root: str) -> AnswerForm:
        """Return the form with the lines of the answer for an empty directory left out; ``root`` is a path in them."""
        keys = dict(self.keys)
        if "entries" in keys:
            return self
        pattern = _ignored([line.replace(root, "\0") for line in content.split("\n") if line]).replace("\0", ".*")
        patterns = [each for each in (keys.get("ignore"), pattern) if each]
        added = {"ignore": "|".join(dict.fromkeys(patterns))} if patterns else {}
        return AnswerForm(tuple((keys | added).items()), self.parts)

    def as_toml(self, members: Mapping[str, Sequence[str]], types: Mapping[str, str]) -> list[str]:
        """Return the lines of the table of an output, without those of what was not found."""
        lines = [f"{key} = {_text(value)}" for key, value in self.keys]
        for member, roles in members.items():
            part = next((self.parts[role] for role in roles if role in self.parts), None)
            if part is not None:
                lines.append(f"members.{_key(member)} = {part.as_toml(types)}")
        return lines


def shows_listing(content: str) -> bool:
    """Return whether a text names both entries of the directory."""
    return FILE in content and re.search(rf"\b{DIRECTORY}\b", content) is not None


def recognise(content: str) -> AnswerForm | None:
    """Return the form of an answer that lists the directory, None for an unknown one."""
    documents = _documents(content)
    if not documents:
        return _recognise_texts([line for line in content.split("\n") if line])
    # One document, or several parts of an answer: one has the list, or they are its entries.
    for place, items in [found for each in (*documents, documents) for found in _lists(each)]:
        entries = [_entry(items, name) for name in (FILE, DIRECTORY)]
        file, directory = entries
        if isinstance(file, dict) and isinstance(directory, dict):
            return AnswerForm((("entries", place or "."),), _parts(file, directory))
        if isinstance(file, str) and isinstance(directory, str):
            form = _recognise_texts(items)
            return form and AnswerForm((("entries", place or "."), *form.keys), form.parts)
    return None


# ---- JSON --------------------------------------------------------------------------------------------------------


def _documents(content: str) -> list[Any]:
    """Return the JSON documents of which a text consists, none if it does not."""
    found, at = [], 0
    while rest := content[at:].strip():
        try:
            value, length = json.JSONDecoder().raw_decode(rest)
        except (ValueError, RecursionError):
            return []
        found.append(value)
        at += len(content[at:]) - len(content[at:].lstrip()) + length
    return found


def _lists(value: Any, place: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists in a JSON value with their places, the outer ones first."""
    if isinstance(value, list):
        yield place, value
    elif isinstance(value, dict):
        for name, member in value.items():
            if "." not in name:
                yield from _lists(member, f"{place}.{name}" if place else name)


def _entry(items: Sequence[Any], name: str) -> Any:
    """Return the item of a list that is about an entry, None if there is none."""
    return next((item for item in items if name in (item if isinstance(item, str) else json.dumps(item))), None)


def _leaves(item: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in item.items():
        at = f"{place}.{name}" if place else name
        if isinstance(value, dict):
            yield from _leaves(value, at)
        elif "." not in name:
            yield at, value


def _parts(file: Mapping[str, Any], directory: Mapping[str, Any]) -> dict[str, Part]:
    others, found = dict(_leaves(directory)), dict[str, Part]()
    leaves = sorted(_leaves(file), key=lambda leaf: not re.search("(?i)type|kind|dir", leaf[0]))
    for place, value in leaves:
        role = _part(place, value, others.get(place))
        if role is not None:
            found.setdefault(*role)
    return found


def _part(place: str, value: Any, other: Any) -> tuple[str, Part] | None:
    """Return the role of a member with these values for the file and for the directory."""
    if (value, other) == (FILE, DIRECTORY):
        return "name", Part(place)
    if isinstance(value, bool) and isinstance(other, bool) and value is not other:
        return "type", Part(place, values={json.dumps(value): "file", json.dumps(other): "directory"})
    if isinstance(value, int | float) and not isinstance(value, bool):
        conversions = {SECONDS * 1000: "", SECONDS: "seconds_to_milliseconds"}
        if value in conversions:
            return "time", Part(place, conversions[int(value)])
        return ("size", Part(place)) if value == len(CONTENT) else None
    if not isinstance(value, str) or not isinstance(other, str):
        return None
    if re.match(r"\d{4}-\d\d-\d\d", value):
        return _time(place, value)
    is_word = re.fullmatch(r"[^\W\d](?:[^\d.]{0,30})", value) and re.fullmatch(r"[^\W\d](?:[^\d.]{0,30})", other)
    if is_word and value != other and FILE not in value:
        return "type", Part(place, values={value: "file", other: "directory"})
    return None


def _time(place: str, text: str) -> tuple[str, Part] | None:
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    zone = "" if moment.tzinfo is not None else "UTC"
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)
    return ("time", Part(place, "iso_to_milliseconds", zone=zone)) if int(moment.timestamp()) == SECONDS else None


# ---- texts -------------------------------------------------------------------------------------------------------


def _recognise_texts(texts: Sequence[Any]) -> AnswerForm | None:
    """Return the form of lines, or of a list of texts: what is around the names of the two entries."""
    file, directory = _entry(texts, FILE), _entry([text for text in texts if FILE not in str(text)], DIRECTORY)
    if not isinstance(file, str) or not isinstance(directory, str):
        return None
    (head, _, tail), (other_head, _, other_tail) = file.partition(FILE), directory.partition(DIRECTORY)
    parts: dict[str, Part] = {"name": Part("name")}
    pattern = re.escape(head) if head == other_head else _type_pattern(head, other_head, parts)
    if pattern is None:
        return None
    if (tail, other_tail) == ("", "/"):
        parts["type"] = Part("type", values={"": "file", "/": "directory"})
        pattern += "(?P<name>[^/]*)(?P<type>/?)"
    elif tail == other_tail:
        pattern += f"(?P<name>.*){re.escape(tail)}"
    else:
        sized = re.escape(tail)
        if re.search(rf"\b{len(CONTENT)}\b", tail):
            sized = re.sub(rf"\b{len(CONTENT)}\b", "(?P<size>[0-9]+)", sized, count=1)
            parts["size"] = Part("size", "integer")
        pattern += f"(?P<name>.*?)(?:{sized}|{re.escape(other_tail)})"
    rest = [text for text in texts if text not in (file, directory) and isinstance(text, str)]
    ignored = _ignored(rest)
    keys = (("line", _unescape_blanks(pattern)), *([("ignore", ignored)] if ignored else []))
    return AnswerForm(keys, parts)


def _ignored(texts: Sequence[str]) -> str:
    """Return a pattern for these texts, with any numbers."""
    patterns = (f"^{re.sub('[0-9]+', '[0-9]+', re.escape(text))}$" for text in dict.fromkeys(texts))
    return _unescape_blanks("|".join(patterns))


def _type_pattern(file: str, directory: str, parts: dict[str, Part]) -> str | None:
    """Return the pattern of two texts before names that differ in a word; None if they differ in another way."""
    start = len(_common([file, directory]))
    end = len(_common([file[start:][::-1], directory[start:][::-1]]))
    words = [text[start : len(text) - end] for text in (file, directory)]
    if not all(words) or any(re.search(r"[\d/]|\s\S", word) for word in words):
        return None
    parts["type"] = Part("type", values=dict(zip(words, ("file", "directory"), strict=True)))
    choice = "|".join(map(re.escape, words))
    return f"{re.escape(file[:start])}(?P<type>{choice}){re.escape(file[len(file) - end :])}"


def _common(texts: Sequence[str]) -> str:
    """Return the text with which both begin."""
    shorter, longer = sorted(texts, key=len)
    return next((shorter[:at] for at, sign in enumerate(shorter) if longer[at] != sign), shorter)


def _unescape_blanks(pattern: str) -> str:
    return pattern.replace("\\ ", " ").replace("\\-", "-").replace("\\#", "#")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _text(value: str) -> str:
    """Return a text in TOML; a pattern stays readable in single quotes."""
    return json.dumps(value, ensure_ascii=False) if "'" in value or "\n" in value or "\\" not in value else f"'{value}'"
