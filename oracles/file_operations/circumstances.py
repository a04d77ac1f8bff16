"""Unusual calls of random sequences: other arguments, configurations, policies, patterns and paths, and listings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

LISTING_TOOLS = ("list_directory", "listdir", "ls", "dir")

UNKNOWN_TOOLS = ("move_all", "copyfile", "mv-f", "toString", "constructor")
"""Names of no tool."""


@dataclass(frozen=True)
class Circumstance:
    """What is unusual about a call. None: as in other calls. `needs`: a capability, or a tool of the candidate."""

    needs: str = ""
    tool: str | None = None
    source: str | None = None
    destination: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    only_arguments: bool = False
    """True if the call has no other arguments than these."""


def _config(tables: Mapping[str, Any], **parts: Any) -> Circumstance:
    return Circumstance("config", context={"config": tables}, **parts)


def _policy(policy: Mapping[str, Any], approval: str = "deny", **parts: Any) -> Circumstance:
    return Circumstance("policy", context={"policy": policy, "approval": approval}, **parts)


def _listing(tool: str, context: Mapping[str, Any] | None = None, **arguments: Any) -> Circumstance:
    needs = "list_directory"
    return Circumstance(needs, tool=tool, arguments=arguments, context=context or {}, only_arguments=True)


TRUE, FALSE = {"allow_overwrite": True}, {"allow_overwrite": False}

REQUESTED = {"overwrite": True}

_NO_FLAGS: tuple[Any, ...] = ("yes", 1, [], {}, None)

ARGUMENTS = (
    *(Circumstance(arguments={"overwrite": value}) for value in _NO_FLAGS),
    *(Circumstance(arguments={name: True}) for name in ("force", "OVERWRITE", "Overwrite")),
    Circumstance(renamed={"source": "Source"}),
    Circumstance(renamed={"destination": "DESTINATION"}),
    Circumstance(renamed={"source": "from", "destination": "to"}),
    Circumstance(renamed={"source": "src", "destination": "dest"}),
    *(Circumstance(arguments={name: value}) for name in ("source", "destination") for value in ("", None, 1, ["a"])),
)

CONFIGURATIONS = (
    _config({"fileops": TRUE}, arguments=REQUESTED),
    _config({"tools": TRUE}, arguments=REQUESTED),
    _config({"tools": {"*": TRUE}}, arguments=REQUESTED),
    _config({"tools": {"move": TRUE, "copy": TRUE}}, arguments=REQUESTED),
    _config({"tools": {"fileops": FALSE, "move": TRUE, "copy": TRUE}}, arguments=REQUESTED),
    _config({"tools": {"fileops": TRUE, "move": FALSE, "copy": FALSE}}, arguments=REQUESTED),
    _config({"tools": {"fileops": {**FALSE, "move": TRUE, "copy": TRUE}}}, arguments=REQUESTED),
    _config({"tools": {"fileops": {"allow-overwrite": True, "allowOverwrite": True}}}, arguments=REQUESTED),
    *(_config({"tools": {"fileops": table}}, arguments=REQUESTED) for table in ({}, TRUE, FALSE)),
    *(_config({"tools": {"fileops": TRUE}}, arguments={name: True}) for name in ("force", "OverWrite")),
)

POLICIES = (
    _policy({"enabled": False}),
    _policy({"enabled": False, "mode": "prompt", "prompt_side_effects": True}, "approve"),
    _policy({"mode": "prompt"}),
    _policy({"mode": "prompt", "prompt_side_effects": True}, "approve"),
    *(_policy({"mode": "prompt", "prompt_side_effects": True, "allowlist": listed}) for listed in (["move"], ["copy"])),
    _policy({"mode": "prompt", "prompt_side_effects": True, "allowlist": ["remove", "xcopy"]}),
    _policy({"mode": "deny", "allowlist": []}, "approve"),
    _policy({"mode": "deny", "allowlist": ["remove", "move_all", "xcopy", "copy_all"]}, "approve"),
    *(_policy({"mode": "deny", "allowlist": listed}, "approve") for listed in (["move"], ["copy"])),
    *(
        _policy({"mode": "auto", "denylist": listed}, "approve")
        for listed in (["move"], ["copy"], ["remove", "move_all", "xcopy", "copy_all"])
    ),
    _policy({"mode": "prompt", "prompt_side_effects": True}, destination="p/q/r"),
)

DENIED_NAMES = ("k.pem", "id_rsa.pub", "id_rsa_2", "d/id_rsa.pub", "id_rsa", "x.lock", "d/.ssh/k", "d/d/d/d/k.key")
FREE_NAMES = ("monkey", "k.pem.txt", "a.keys", "xpem", "my_id_rsa")

PATTERNS = (
    *(
        Circumstance("denied_patterns", destination=name, context={"include_default_denies": True})
        for name in (*DENIED_NAMES, *FREE_NAMES)
    ),
    *(
        Circumstance("denied_patterns", destination=name, context={"denied_patterns": ["**/*.lock"], **defaults})
        for name in ("x.lock", "d/x.lock", "k.pem", "id_rsa")
        for defaults in ({"include_default_denies": True}, {"include_default_denies": False})
    ),
    *(
        Circumstance("denied_patterns", source=name, context={"include_default_denies": True})
        for name in ("k.pem", "id_rsa", "d/id_rsa.pub")
    ),
)

ABSOLUTE = (
    *(
        Circumstance("allow_absolute", source=source, destination=destination, context={"allow_absolute": allowed})
        for source, destination in ((None, "$ROOT/n"), ("$ROOT/a", None), ("$OUTSIDE/away/secret", None))
        for allowed in (True, False)
    ),
    Circumstance("allow_absolute", destination="$OUTSIDE/away/n", context={"allow_absolute": True}),
    Circumstance("working_dir", context={"working_dir": "$ROOT/d"}),
    Circumstance("working_dir", source="a", context={"working_dir": "$ROOT/d"}),
)

LISTINGS = (
    *(_listing(tool, path=".") for tool in (*LISTING_TOOLS, *LISTING_TOOLS)),
    *(_listing(tool, path=path) for tool in LISTING_TOOLS for path in ("a", "d", "gone")),
    *(_listing(tool) for tool in LISTING_TOOLS),
    *(_listing(tool, path=".", recursive=True) for tool in LISTING_TOOLS),
    _listing("list_directory", path=".", include_hidden=True),
    _listing("list_directory", path=".", include_files=False),
    _listing("list_directory", path=".", include_dirs=False),
    _listing("list_directory", path=".", include_symlinks=False),
    _listing("list_directory", path=".", recursive=True, max_depth=1),
    _listing("list_directory", path=".", max_entries=2),
    *(
        _listing(tool, {"config": {"tools": {"list_directory": table}}}, path=".", **more)
        for tool in LISTING_TOOLS
        for table, more in (({"max_depth": 2}, {"recursive": True}), ({"max_entries": 2}, {}))
    ),
)

SPELLED_SOURCES = ('"a"', "'a'", "a*", "?", "[ab]", "a#1", "a?x", "A", "~/a", " a", "d\\a", "a%20", "%61", "$a")

SPELLED_DESTINATIONS = (
    *(
        "'n'",
        '"n"',
        "n?x;y",
        "n#1",
        "d\\n",
        "n%20",
        "n\n",
        " n ",
        "e\u0301",
        "\u00e9",
        "[n]",
        "N",
        "A",
        "B",
        "D",
        "...",
    ),
    *("%2e%2e/away/n", "..%2faway%2fn", "..\\away\\n", "\uff0e\uff0e/away/n", " ../away/n", "file://../away/n"),
    *("p/q/r", "../away/p/q", "~/n", "n" * 255, "n" * 256, "d/" + "m" * 250, ".n", "n.tmp", "d/n.part"),
)
"""Paths that some programs change, or give a meaning."""

SPELLINGS = (
    *(Circumstance(source=path) for path in SPELLED_SOURCES),
    *(Circumstance(destination=path) for path in SPELLED_DESTINATIONS),
)

TOOLS = tuple(Circumstance(tool=name) for name in UNKNOWN_TOOLS)

ALL = (SPELLINGS, CONFIGURATIONS, CONFIGURATIONS, ARGUMENTS, POLICIES, PATTERNS, ABSOLUTE, LISTINGS, SPELLINGS, TOOLS)


def circumstances(capabilities: frozenset[str], files: Sequence[str]) -> Iterator[tuple[Circumstance, ...]]:
    """Yield the groups of circumstances that a candidate with these capabilities and tools supports.

    Half of the configurations and policies are those of calls that move or copy one of `files`.
    """
    for group in ALL:
        supported = tuple(
            each
            for each in group
            if (not each.needs or each.needs in capabilities)
            and ("config" in capabilities or "config" not in each.context)
        )
        if supported and len(files) > 1 and group in (CONFIGURATIONS, POLICIES):
            supported = (*supported, *_of_files(supported, files, onto_files=group is CONFIGURATIONS))
        if supported:
            yield supported


def _of_files(group: tuple[Circumstance, ...], files: Sequence[str], *, onto_files: bool) -> Iterator[Circumstance]:
    for number, each in enumerate(group):
        final = files[(number + 1) % len(files)] if onto_files else f"w{number}"
        yield replace(each, source=files[number % len(files)], destination=each.destination or final)
