"""Mutants: arguments, paths and the configuration are read as another program would read them."""

import glob
import json
import os
import re
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import ALLOWED, At, Memory, Values, failed, flag_in, root_of, with_context

from ..shared.mutant import Mutant
from .rows import row

FORBIDDEN = {"tools": {"fileops": {"allow_overwrite": False}}}
OTHER_NAMES = {"src": "source", "dest": "destination", "from": "source", "to": "destination"}
EVERY = "move copy list"
USUAL = ("**/id_rsa*", "**/*.pem", "**/*.key")
"""Patterns that are denied if the call does not switch them off."""


def lower_extension(path: str) -> str:
    stem, dot, extension = path.rpartition(".")
    return stem + dot + extension.lower() if dot and "." in os.path.basename(path)[1:] else path


def without_quotes(path: str) -> str:
    return path[1:-1] if len(path) > 2 and path[0] == path[-1] and path[0] in "'\"" else path


def with_other_names(given: Values) -> Values:
    return {**{OTHER_NAMES[key]: value for key, value in given.items() if key in OTHER_NAMES}, **given}


def beside_the_source(given: Values) -> Values:
    """Put a destination without a directory into that of the source."""
    if "/" in str(given.get("destination")):
        return given
    directory, slash, _ = str(given.get("source")).rpartition("/")
    return {**given, "destination": f"{directory}{slash}{given.get('destination')}"}


def from_first_root(context: Values) -> Values:
    return {**context, "working_dir": context["roots"][0]}


def in_another_root(at: At, key: str, root: str) -> CallResult:
    """Return the answer to a path from another root."""
    sent = with_context(at.sent, {**at.context, "allow_absolute": True})
    return sent.answer({**at.arguments, key: os.path.join(root, at.arguments[key])})


def in_first_root(at: At) -> CallResult:
    return in_another_root(at, "source", at.context["roots"][0])


def in_other_roots(at: At) -> CallResult:
    others = (
        root for root in at.context["roots"][1:] if os.path.lexists(os.path.join(root, at.arguments["destination"]))
    )
    root = next(others, None)
    return at.sent.answer() if root is None else in_another_root(at, "destination", root)


def other_case(at: At) -> CallResult:
    """Return the answer to a missing source under a name that differs in case."""
    names = os.listdir(at.named.parent) if at.found is None and at.named.parent.is_dir() else []
    near = next((name for name in names if name.lower() == at.named.name.lower()), None)
    above = os.path.dirname(at.arguments["source"]) if near else ""
    return at.answer(source=os.path.join(above, near)) if near else at.sent.answer()


def first_that_fits(at: At) -> CallResult:
    found = glob.glob(at.arguments["source"], root_dir=root_of(at.sent)) if at.found is None else []
    return at.answer(source=found[0]) if found else at.sent.answer()


def with_patterns(change: Any) -> Any:
    """Return the change of a context that changes its denied patterns."""
    return lambda context: {**context, "denied_patterns": change(context.get("denied_patterns", []))}


def allowing(flag: Any, config: Any) -> Any:
    """Return the configuration that a flag of another place makes of one, which stays without the flag."""
    return config if flag is None else ALLOWED if flag is True else FORBIDDEN


def forbids(flag: Any, config: Any) -> Any:
    return FORBIDDEN if flag is False else config


def table_of(config: Any) -> Any:
    return flag_in(config, "tools", key="fileops") or {}


def if_unwritten(config: Any, tool: str) -> Any:
    own = flag_in(config, "tools", tool)
    return ALLOWED if own is True and flag_in(config, "tools", "fileops") is None else config


def is_loose(at: At, *keys: tuple[str, str] | tuple[str, str, str]) -> bool:
    """Whether one of these keys is true in the configuration."""
    return any(flag_in(at.context.get("config"), *key[:-1], key=key[-1]) is True for key in keys)


def keeps_argument(at: At, kept: Memory) -> CallResult:
    if at.argument("source") is not None and "overwrite" in at.arguments:
        kept["overwrite"] = at.arguments["overwrite"]
    return at.answer(**kept) if kept and at.argument("source") is not None else at.sent.answer()


def keeps_settings(at: At, kept: Memory) -> CallResult:
    written = flag_in(at.context.get("config"), "tools", "fileops")
    kept["flag"] = kept.get("flag", False) if written is None else written
    config = ALLOWED if kept["flag"] is True else at.context.get("config")
    return with_context(at.sent, {**at.context, "config": config}).answer() if config else at.sent.answer()


def keeps_missing(at: At, kept: Memory) -> CallResult:
    if at.named in kept:
        return at.refused()
    answer = at.sent.answer()
    if at.is_transfer and answer.error_kind == "ExecutionFailed" and not os.path.lexists(at.named):
        kept[at.named] = True
    return answer


def keeps_failures(at: At, kept: Memory) -> CallResult:
    key = repr(at.sent.call)
    if key not in kept:
        answer = at.sent.answer()
        if answer.error_kind != "ExecutionFailed":
            return answer
        kept[key] = answer
    return kept[key]  # type: ignore[no-any-return]


def keeps_answers(at: At, kept: Memory) -> CallResult:
    key = repr(at.sent.call)
    if key not in kept:
        kept[key] = at.sent.answer()
    return kept[key]  # type: ignore[no-any-return]


def keeps_files(at: At, kept: Memory) -> CallResult:
    """Take what is no directory at the first look for none at every later one."""
    key = os.stat(root_of(at.sent)).st_ino, at.destination
    if key not in kept or not os.path.lexists(at.destination):
        kept[key] = at.enters
    return at.refused() if at.enters and not kept[key] else at.sent.answer()


def keeps_directories(at: At, kept: Memory) -> CallResult:
    if at.enters:
        kept[at.destination] = True
    return at.refused() if not at.enters and at.destination in kept else at.sent.answer()


def keeps_context(key: str) -> Any:
    """Return the change by which a value of the context counts once it was true."""

    def answer(at: At, kept: Memory) -> CallResult:
        kept[key] = kept.get(key) or at.context.get(key)
        return with_context(at.sent, {**at.context, **({key: kept[key]} if kept[key] else {})}).answer()

    return answer


def keeps_roots(at: At, kept: Memory) -> CallResult:
    kept["roots"] = list(dict.fromkeys((*at.context["roots"], *kept.get("roots", ()))))
    return with_context(at.sent, {**at.context, **kept}).answer()


def keeps_working_directory(at: At, kept: Memory) -> CallResult:
    if not f"{kept.get('working_dir')}/".startswith(f"{at.context['roots'][0]}/"):
        kept["working_dir"] = str(root_of(at.sent))
    return with_context(at.sent, {**at.context, **kept}).answer()


def after_the_sandbox(at: At) -> CallResult:
    refused = at.answer(overwrite=True)
    return refused if refused.error_kind == "SandboxViolation" else at.sent.answer()


def two_texts(at: At) -> CallResult:
    return at.sent.answer(dict(zip(("source", "destination"), at.arguments, strict=True)))


def is_strange(at: At, key: str) -> bool:
    """Whether a path is absolute and begins with the text of no root."""
    path = str(at.argument(key))
    return path.startswith("/") and not any(path.startswith(root) for root in at.context["roots"])


def failing_as_execution(at: At) -> CallResult:
    answer = at.sent.answer()
    return failed(answer) if answer.error_kind == "BadArgs" else answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-FO-024", "An argument `force` permits overwriting too.", "FR-FOPS-MV-01 FR-FOPS-MV-03")(
        on="move", arguments=lambda given: {**given, "overwrite": True} if given.get("force") else given
    ),
    row("MUT-FO-025", "Blanks around a path are removed.", "DFO-01 DFO-02")(path=str.strip),
    row("MUT-FO-026", "Relative paths start in the first root.", "FR-VAL-09")(context=from_first_root),
    row("MUT-FO-028", "Wrong arguments are ExecutionFailed.", "FR-VAL-01 FR-FOPS-LS-01")(
        on=EVERY, answer=failing_as_execution
    ),
    row("MUT-FO-029", "A repeated call returns the earlier result.", "FR-EXE-01 DFO-01 DFO-02")(
        on=EVERY, keeps=keeps_answers
    ),
    row("MUT-FO-030", "Names are normalised to NFC.", "DFO-01")(path=lambda path: normalize("NFC", path)),
    row("MUT-FO-031", "A tilde is the home directory of the tool, which is its root.", "FR-VAL-04")(
        path=lambda path: path.removeprefix("~/")
    ),
    row("MUT-FO-032", "A backslash separates directories.", "DFO-01")(path=lambda path: path.replace("\\", "/")),
    row("MUT-FO-033", "Relative paths of copy start in the first root.", "FR-VAL-09")(
        on="copy", context=from_first_root
    ),
    row("MUT-FO-251", "A path ends at a NUL.", "FR-FOPS-MV-01 FR-FOPS-CP-01")(
        path=lambda path: path.partition("\0")[0]
    ),
    row("MUT-FO-260", "Percent signs and dollars are expanded.", "DFO-01")(
        on="move", path=lambda path: os.path.expandvars(unquote(path))
    ),
    row("MUT-FO-261", "Signs that another system forbids are left out of names.", "DFO-01")(
        on="move", path=lambda path: re.sub('[<>"|?*]', "", path)
    ),
    row("MUT-FO-262", "The extension of a name becomes lower case.", "DFO-01")(on="move", destination=lower_extension),
    row("MUT-FO-280", "A call that failed once fails again.", "FR-EXE-01")(on=EVERY, keeps=keeps_failures),
    row("MUT-FO-281", "What is no directory at the first look is none for ever.", "FR-EXE-01 FR-FOPS-CP-02")(
        keeps=keeps_files
    ),
    row("MUT-FO-310", "`allow_overwrite` allows overwriting where it is written, also as false.", "CFG-FOPS-01")(
        config=lambda config, tool: ALLOWED if "allow_overwrite" in table_of(config) else config
    ),
    row(
        *("MUT-FO-334", "An overwrite that is left out is that of the last call."),
        "FR-EXE-01 FR-FOPS-MV-03 FR-FOPS-CP-03 CFG-FOPS-01 DFO-05",
    )(keeps=keeps_argument),
    row("MUT-FO-335", "A configuration that is not written is that of an earlier call.", "CFG-FOPS-01")(
        keeps=keeps_settings
    ),
    row("MUT-FO-336", "A text as `allow_overwrite` counts as true.", "CFG-FOPS-01")(
        config=lambda config, tool: ALLOWED if isinstance(flag_in(config, "tools", "fileops"), str) else config
    ),
    row("MUT-FO-337", "`allow_overwrite` says nothing to copy.", "CFG-FOPS-01")(
        on="copy", config=lambda config, tool: ALLOWED
    ),
    row(
        *("MUT-FO-067", "Nothing is ever overwritten, whatever the configuration."),
        "CFG-FOPS-01 FR-FOPS-MV-02 FR-FOPS-CP-02 FR-FOPS-MV-04 DFO-01 DFO-02 DFO-07",
    )(config=lambda config, tool: config and FORBIDDEN),
    row("MUT-FO-352", "Quotes around a path are removed.", "DFO-01 DFO-02")(path=without_quotes),
    row("MUT-FO-353", "A path ends where the path of an address would end.", "DFO-01 DFO-02")(
        path=lambda path: path.partition("#")[0]
    ),
    row("MUT-FO-354", "Names of copies are normalised to NFC.", "DFO-02")(
        on="copy", path=lambda path: normalize("NFC", path)
    ),
    row("MUT-FO-356", "A missing source that is a pattern means the first file that it fits.", "DFO-03")(
        where=lambda at: at.is_transfer, answer=first_that_fits
    ),
    row("MUT-FO-358", "Arguments that are a text are parsed.", "FR-FOPS-MV-01 FR-FOPS-CP-01")(
        where=lambda at: isinstance(at.arguments, str), answer=lambda at: at.sent.answer(json.loads(at.arguments))
    ),
    row("MUT-FO-363", "Denied patterns have no end.", "FR-VAL-05")(
        context=with_patterns(lambda patterns: [*patterns, *(one + "*" for one in (*patterns, *USUAL))])
    ),
    row("MUT-FO-364", "A dot in a denied pattern need not be in a name.", "FR-VAL-05")(
        context=with_patterns(lambda patterns: [*patterns, *(one.replace("*.", "*") for one in (*patterns, *USUAL))])
    ),
    row("MUT-FO-365", "A bracket in a denied pattern of the call is a bracket.", "FR-VAL-05")(
        context=with_patterns(lambda patterns: [one.replace("[", "[[]") for one in patterns])
    ),
    row("MUT-FO-366", "A star in a denied pattern of the call fits no name that begins with a dot.", "FR-VAL-05")(
        context=with_patterns(lambda patterns: [one.replace("/*", "/[!.]*") for one in patterns])
    ),
    row("MUT-FO-342", "A question mark in a denied pattern stands for itself.", "FR-VAL-05")(
        context=with_patterns(lambda patterns: [one for one in patterns if "?" not in one])
    ),
    row("MUT-FO-191", "The call's own patterns have no effect.", "FR-VAL-05")(
        context=with_patterns(lambda patterns: [])
    ),
    row("MUT-FO-190", "The default patterns apply although they are disabled.", "FR-VAL-05")(
        context=lambda context: {**context, "include_default_denies": True}
    ),
    row("MUT-FO-311", "The call's own patterns replace the usual ones.", "FR-VAL-05")(
        context=lambda context: (
            {**context, "include_default_denies": False} if context.get("denied_patterns") else context
        )
    ),
    row("MUT-FO-187", "Denied patterns have no effect.", "FR-VAL-05")(
        context=lambda context: {**context, "include_default_denies": False, "denied_patterns": []}
    ),
    row("MUT-FO-185", "Absolute paths are allowed.", "FR-VAL-08")(
        context=lambda context: {**context, "allow_absolute": True}
    ),
    row("MUT-FO-186", "Absolute paths are refused although they are permitted.", "FR-VAL-08")(
        context=lambda context: {**context, "allow_absolute": False}
    ),
    row("MUT-FO-389", "An absolute path through a link that leads inside is refused.", "FR-VAL-08")(
        where=lambda at: is_strange(at, "source") or is_strange(at, "destination"),
        answer=lambda at: at.answer(source="/" + "../" * 9),
    ),
    row("MUT-FO-398", "The table of a tool allows it to overwrite.", "CFG-FOPS-01")(
        force=lambda at: is_loose(at, ("tools", "move", "allow_overwrite"), ("tools", "copy", "allow_overwrite"))
    ),
    row("MUT-FO-399", "Other spellings of the flag and of its table allow to overwrite.", "CFG-FOPS-01")(
        force=lambda at: is_loose(
            at,
            ("tools", "fileops", "allow-overwrite"),
            ("tools", "fileops", "allowOverwrite"),
            ("tools", "fileops", "overwrite"),
            ("fileops", "allow_overwrite"),
        )
    ),
    row("MUT-FO-408", "By an alias, overwrite false means true.", "CFG-FOPS-01 FR-FOPS-MV-03")(
        on="rename mv cp",
        arguments=lambda given: {**given, "overwrite": True} if given.get("overwrite") is False else given,
    ),
    row("MUT-FO-413", "Absolute paths stay allowed after a call that allowed them.", "FR-VAL-08")(
        on=EVERY, keeps=keeps_context("allow_absolute")
    ),
    row("MUT-FO-414", "The roots of earlier calls still count.", "FR-VAL-04 NFR-FOPS-SEC-01")(
        on=EVERY, keeps=keeps_roots
    ),
    row("MUT-FO-415", "Without the usual patterns, those of the call do not hold.", "FR-VAL-05")(
        context=lambda context: (
            context if context.get("include_default_denies", True) else {**context, "denied_patterns": []}
        )
    ),
    row("MUT-FO-416", "A source that is not in the working directory is looked for in the first root.", "FR-VAL-09")(
        where=lambda at: at.is_transfer and at.found is None, answer=in_first_root
    ),
    row("MUT-FO-417", "The working directory of the first call counts for the later ones.", "FR-VAL-09")(
        on=EVERY, keeps=keeps_working_directory
    ),
    row("MUT-FO-418", "By the name rename, a new name lies in the directory of the source.", "FR-FOPS-01")(
        on="rename", arguments=beside_the_source
    ),
    row("MUT-FO-419", "By the name cp, overwrite is true where it is left out.", "CFG-FOPS-01")(
        on="cp", arguments=lambda given: {"overwrite": True, **given} if "source" in given else given
    ),
    row("MUT-FO-420", "An argument force counts as overwrite.", "CFG-FOPS-01")(
        arguments=lambda given: {"overwrite": given["force"], **given} if "force" in given else given
    ),
    row("MUT-FO-423", "Other usual names of source and destination count.", "FR-FOPS-MV-01 FR-FOPS-CP-01")(
        arguments=with_other_names
    ),
    row("MUT-FO-424", "A line feed at the end of a destination is dropped.", "DFO-01 DFO-02")(
        destination=lambda path: path.rstrip("\n") or path
    ),
    row("MUT-FO-425", "A name that is too long is cut.", "DFO-01 DFO-02")(
        destination=lambda path: "/".join(part[:255] for part in path.split("/"))
    ),
    row("MUT-FO-426", "A directory that has the name of a tilde is the working directory.", "FR-VAL-04 DFO-01")(
        path=lambda path: path.removeprefix("~/") or path
    ),
    row("MUT-FO-427", "A source is found under a name in other case.", "DFO-03")(
        where=lambda at: at.is_transfer, answer=other_case
    ),
    row(
        *("MUT-FO-431", "A name that was a directory in an earlier call is entered, whatever it has become."),
        "FR-EXE-01 DFO-02",
    )(keeps=keeps_directories),
    row("MUT-FO-435", "The argument alone decides, whatever the configuration.", "CFG-FOPS-01")(
        config=lambda config, tool: ALLOWED
    ),
    row("MUT-FO-436", "A table of the tool's name takes precedence over that of both tools.", "CFG-FOPS-01")(
        where=lambda at: at.name in ("move", "copy"),
        config=lambda config, tool: allowing(flag_in(config, "tools", tool), config),
    ),
    row("MUT-FO-473", "Where the flag is not written, that in a table of the tool's name counts.", "CFG-FOPS-01")(
        config=if_unwritten
    ),
    row("MUT-FO-474", "A table of the tool's name below that of both tools takes precedence.", "CFG-FOPS-01")(
        config=lambda config, tool: allowing(flag_in(config, "tools", "fileops", tool), config)
    ),
    row("MUT-FO-475", "A table of the tool's name forbids what is allowed.", "CFG-FOPS-01")(
        config=lambda config, tool: forbids(flag_in(config, "tools", tool), config)
    ),
    row("MUT-FO-441", "A source that was missing once stays missing.", "DFO-01 DFO-02 FR-EXE-01")(keeps=keeps_missing),
    row(
        *("MUT-FO-446", "Where the flag and the argument are both written as false, a file is overwritten."),
        "CFG-FOPS-01 FR-FOPS-MV-03 FR-FOPS-CP-03",
    )(
        where=lambda at: (
            flag_in(at.context.get("config"), "tools", "fileops") is False and at.argument("overwrite") is False
        ),
        answer=At.forced,
    ),
    row("MUT-FO-448", "copy takes a list of two texts for source and destination.", "FR-FOPS-CP-01")(
        on="copy",
        where=lambda at: isinstance(at.arguments, list) and [type(one) for one in at.arguments] == [str, str],
        answer=two_texts,
    ),
    row("MUT-FO-449", "White space around a source that is not there is dropped.", "DFO-03")(
        where=lambda at: at.is_transfer and at.found is None, source=lambda path: path.strip() or path
    ),
    row(
        *("MUT-FO-450", "A destination that is not in the working directory is looked for in the other roots."),
        "FR-VAL-09 DFO-02",
    )(where=lambda at: at.is_transfer and not os.path.lexists(at.destination), answer=in_other_roots),
    row("MUT-FO-467", "By the name cp, the usual denied patterns do not hold.", "FR-VAL-05 FR-VAL-07")(
        on="cp", context=lambda context: {**context, "include_default_denies": False}
    ),
    row("MUT-FO-469", "allow_overwrite is also read from the table [fileops].", "CFG-FOPS-01")(
        config=lambda config, tool: ALLOWED if flag_in(config, "fileops") is True else config
    ),
    row("MUT-FO-470", "allow_overwrite is also read from the table [tools.'*'].", "CFG-FOPS-01")(
        config=lambda config, tool: ALLOWED if flag_in(config, "tools", "*") is True else config
    ),
    row("MUT-FO-472", "The type of overwrite is checked after the sandbox.", "FR-VAL-01")(
        where=lambda at: at.argument("source") and not isinstance(at.arguments.get("overwrite", False), bool),
        answer=after_the_sandbox,
    ),
)
