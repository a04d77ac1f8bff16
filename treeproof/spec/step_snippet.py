"""A beginning of the step definition for a step that has none."""

from __future__ import annotations

import keyword
import re

from treeproof.spec.gherkin import StepText

_ARGUMENT = re.compile(r'\{.*\}|"[^"]*"|(?<![\w.-])-?\d+(?![\w.-])|(?<=^by )[A-Z][\w-]+-\d+(?: and [A-Z][\w-]+-\d+)*')
_WORD = re.compile(r"[a-z0-9]+")
_MAX_NAME = 60  # characters


def step_snippet(step: StepText) -> str:
    """Return the definition in Python: its texts in quotes, numbers and JSON objects become parameters."""
    pattern, parameters = _pattern(step.text)
    arguments = [f"r{_quoted(pattern)}" if "\\" in pattern else _quoted(pattern)]
    if parameters:
        arguments.append(f"example={_quoted(step.text)}")
    types = dict.fromkeys(parameters, "str")
    if step.docstring is not None:
        types["docstring"] = "str"
    if step.table is not None:
        types["datatable"] = "list[list[str]]"
        arguments.append(f"columns={_tuple(step.table[0] if step.table else ())}")
    signature = ", ".join(["world: World", *(f"{name}: {kind}" for name, kind in types.items())])
    return "\n".join(
        [
            f"@{step.keyword_type}({', '.join(arguments)})",
            f"def {_function_name(step.text)}({signature}) -> None:",
            '    """Write what the step does."""',
            "    raise NotImplementedError",
        ]
    )


def _pattern(text: str) -> tuple[str, list[str]]:
    """Return the pattern of a step, and the names of its groups."""
    groups: dict[str, list[str]] = {"arguments": [], "text": [], "number": [], "ids": []}
    found = [(match, _kind(match[0])) for match in _ARGUMENT.finditer(text)]
    parts: list[str] = []
    end = 0
    names: list[str] = []
    for match, kind in found:
        several = sum(other == kind for _, other in found) > 1
        groups[kind].append(match[0])
        name = f"{kind}_{len(groups[kind])}" if several else kind
        names.append(name)
        body = {"arguments": rf"(?P<{name}>\{{.*\}})", "text": f'"(?P<{name}>[^"]*)"', "number": rf"(?P<{name}>-?\d+)"}
        body["ids"] = rf"(?P<{name}>[\w-]+(?: and [\w-]+)*)"
        parts += [_escaped(text[end : match.start()]), body[kind]]
        end = match.end()
    return "".join([*parts, _escaped(text[end:])]), names


def _kind(argument: str) -> str:
    if argument.startswith(("{", '"')):
        return "arguments" if argument.startswith("{") else "text"
    return "ids" if argument[0].isupper() else "number"


def _escaped(text: str) -> str:
    return re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text)


def _function_name(text: str) -> str:
    words = _WORD.findall(_ARGUMENT.sub(" ", text.lower()))
    name = "_".join(words)[:_MAX_NAME].rstrip("_") or "step"
    return f"step_{name}" if not name[0].isalpha() or keyword.iskeyword(name) else name


def _quoted(text: str) -> str:
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "'" not in text and not text.endswith("\\"):
        return f"'{text}'"
    quotes = '"""' if text.endswith("'") else "'''"
    return f"{quotes}{text}{quotes}"


def _tuple(names: tuple[str, ...]) -> str:
    return f"({', '.join(_quoted(one) for one in names)}{',' if len(names) == 1 else ''})"
