"""Which mutants and variants a command runs: all, those with some ids, or those that a change can affect. Runs none.

A change since a revision of git affects what imports a changed module, also inside functions.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any

from treeproof.errors import UsageError
from treeproof.files.toml_file import load_toml
from treeproof.mutation.mutant_report import NULL_CANDIDATE_KIND
from treeproof.mutation.pack_runner import has_call
from treeproof.pack_modules import full_module_name, is_own_module
from treeproof.run.clean_packs import require_clean
from treeproof.spec import Pack
from treeproof.spec.entry_points import import_pack_module
from treeproof.spec.gherkin import ScenarioCase, parse_feature_text
from treeproof.spec.mutants import find_mutant, is_plantable, load_mutants
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.spec.variants import JOIN, load_variants
from treeproof.spec.version_features import scenarios_of

_OTHER_KEYS = ("spec", "tool")
"""The tables of spec.toml that concern every scenario."""


@dataclass(frozen=True)
class Selection:
    """The ids of a pack's mutants and variants to run. ``is_complete``: all of them.

    After a change, ``requirements`` are those of which a scenario or the text has changed; null candidates run against
    them. All variants run against the changed ``scenarios``, and ``variants``, which have changed themselves, against
    the whole suite.
    """

    pack: Pack
    mutants: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    is_complete: bool = False
    requirements: frozenset[str] = frozenset()
    scenarios: tuple[str, ...] | None = None

    @property
    def has_operators(self) -> bool:
        """True if the operators of the pack are tried."""
        return self.is_complete and self.pack.operators is not None

    @property
    def is_empty(self) -> bool:
        return not (self.is_complete or self.mutants or self.variants or self.scenarios)


def select(packs: Sequence[Pack], ids: Sequence[str]) -> list[Selection]:
    """Return the packs that register some of ``ids``, each with those; without ids all packs, complete.

    Raises UsageError for an id that no pack registers, and for a pack with an error of the lint.
    """
    require_clean(packs)
    if not ids:
        return [Selection(pack, is_complete=True) for pack in packs]
    selected = [
        Selection(
            pack,
            tuple(id for id in dict.fromkeys(ids) if id in load_mutants(pack)),
            tuple(id for id in dict.fromkeys(ids) if set(id.split(JOIN)) <= set(load_variants(pack))),
        )
        for pack in packs
    ]
    known = {id for one in selected for id in (*one.mutants, *one.variants)}
    for id in ids:
        if id not in known:
            find_mutant(packs, id, f"--select {id}")
    return [one for one in selected if one.mutants or one.variants]


def select_affected(packs: Sequence[Pack], revision: str) -> list[Selection]:
    """Return for each pack what changes since a revision of git affect. Raises UsageError for an unknown revision.

    A scenario is affected if its text, the module of one of its steps or what that imports has changed; a property
    also if the oracle has. A mutant is affected if its module or what that imports has changed, such as the reference,
    or a scenario of the requirement that it violates. Changes of treeproof itself affect nothing here.
    """
    require_clean(packs)
    return [_Change(pack, Revision(pack.folder, revision)).selection() for pack in packs]


class _Change:
    """The change of a pack since a revision."""

    def __init__(self, pack: Pack, revision: Revision) -> None:
        self.pack, self.revision = pack, revision
        self.files = revision.changed_files()
        self.graph = ImportGraph(self.files)
        self.cases = scenarios_of(pack)
        self.catalogue, self.earlier_catalogue = self._catalogues()

    def selection(self) -> Selection:
        pack, mutants, variants = self.pack, load_mutants(self.pack), load_variants(self.pack)
        scenarios = {case.id for case in self._affected_cases()}
        requirements = frozenset(
            {case.requirement for case in self.cases if case.id in scenarios}
            | self._removed_requirements()
            | self._changed_requirements()
        )
        own = set(self._in_changed_modules(pack.mutants, mutants))
        own_variants = set(self._in_changed_modules(pack.variants, variants))
        if self._is_affected(pack.reference):  # they are planted into it
            own |= {id for id, mutant in mutants.items() if is_plantable(mutant)}
            own_variants |= {id for id, variant in variants.items() if is_plantable(variant)}
        violating = {id for id, mutant in mutants.items() if requirements.intersection(mutant.violates[:1])}
        null = {id for id, mutant in mutants.items() if requirements and mutant.kind == NULL_CANDIDATE_KIND}
        return Selection(
            pack,
            tuple(id for id in mutants if id in own | violating | null),
            tuple(id for id in variants if id in own_variants),
            requirements=requirements,
            scenarios=tuple(case.id for case in self.cases if case.id in scenarios),
        )

    def _affected_cases(self) -> Iterable[ScenarioCase]:
        pack = self.pack
        if self.files.intersection(pack.schemas.values()) or any(
            self.catalogue.get(key) != self.earlier_catalogue.get(key) for key in _OTHER_KEYS
        ):
            return self.cases
        earlier = {id: case for file in pack.feature_files() for id, case in self._earlier_cases(file).items()}
        matcher = StepMatcher(load_step_definitions(pack.steps, pack.folder))
        is_oracle_affected = self._is_affected(pack.oracle) or self._is_affected(pack.state_machine)
        is_module_affected = cache(lambda name: self.graph.is_affected(full_module_name(name, pack.folder)))

        def is_affected(case: ScenarioCase) -> bool:
            before = earlier.get(case.id) if case.file in self.files else case
            if before is None or _content(before) != _content(case) or (is_oracle_affected and not has_call(case)):
                return True
            definitions = map(matcher.definition, case.steps)
            return any(one is not None and is_module_affected(one.module) for one in definitions)

        return filter(is_affected, self.cases)

    def _earlier_cases(self, file: Path) -> Mapping[str, ScenarioCase]:
        text = self.revision.earlier_text(file) if file in self.files else None
        if text is None:
            return {}
        try:
            return {case.id: case for case in parse_feature_text(file, text).scenarios}
        except UsageError:  # the earlier text was no feature
            return {}

    def _removed_requirements(self) -> set[str]:
        """Return the requirements that have lost a scenario."""
        present = {case.id for case in self.cases}
        gone = [file for file in self.files if file.suffix == ".feature" and self.pack.folder in file.parents]
        earlier = [case for file in gone for case in self._earlier_cases(file).values()]
        known = {requirement.id for requirement in self.pack.requirements}
        return {case.requirement for case in earlier if case.id not in present} & known

    def _changed_requirements(self) -> set[str]:
        """Return the requirements whose table, or an interpretation that affects them, has changed in spec.toml."""
        found: set[str] = set()
        for heading in ("requirement", "interpretation"):
            earlier = {one.get("id"): one for one in self.earlier_catalogue.get(heading, ())}
            for one in self.catalogue.get(heading, ()):
                if one != earlier.get(one["id"]):
                    found.update([one["id"]] if heading == "requirement" else one.get("affects", ()))
        return found

    def _catalogues(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return the present and the earlier content of spec.toml; both empty if it has not changed."""
        import tomllib

        file = self.pack.pack_file
        if file not in self.files:
            return {}, {}
        before: Mapping[str, Any] = {}
        with suppress(tomllib.TOMLDecodeError):
            before = tomllib.loads(self.revision.earlier_text(file) or "")
        return load_toml(file), before

    def _import(self, entry_point: str) -> str:
        """Import the module of an entry point and return its full name."""
        place = f"{self.pack.pack_file}: {entry_point}"
        name = entry_point.partition(":")[0]
        return import_pack_module(name, self.pack.folder, place, "correct the entry").__name__

    def _is_affected(self, entry_point: str | None) -> bool:
        return entry_point is not None and self.graph.is_affected(self._import(entry_point))

    def _in_changed_modules(self, entry_point: str | None, items: Mapping[str, object]) -> Iterable[str]:
        """Return the ids of mutants or variants whose own module, or what it imports, has changed."""
        if entry_point is None:
            return ()
        top = self._import(entry_point)
        affected: set[str] = set()
        placed: set[str] = set()
        for name in [name for name in sorted(sys.modules) if name.startswith(f"{top}.")]:
            ids = set(_ids_defined(sys.modules[name], items))
            placed |= ids
            if self.graph.is_affected(name):
                affected |= ids
        if self.graph.is_affected(top):
            affected |= set(items) - placed
        return [id for id in items if id in affected]


def _content(case: ScenarioCase) -> ScenarioCase:
    """Return a scenario without its place in the file."""
    return replace(case, line=0, title="", steps=tuple(replace(step, line=0) for step in case.steps))


def _ids_defined(module: object, items: Mapping[str, object]) -> Iterator[str]:
    """Yield the ids of the ``items`` that stand in a collection of the module."""
    for value in vars(module).values():
        if isinstance(value, Mapping):
            yield from (key for key in value if isinstance(key, str) and key in items)
        elif isinstance(value, list | tuple):
            yield from (one.id for one in value if isinstance(getattr(one, "id", None), str) and one.id in items)


_TIMEOUT_SECONDS = 60
_UNTRACKED = b"?? "


class Revision:
    """A revision of the repository that contains a folder. Raises UsageError if there is none, or no git."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        if name.startswith("-"):
            raise UsageError(f"--since {name}: is no revision; write one such as origin/main or HEAD~3")
        try:
            top = _git(folder, "rev-parse", "--show-toplevel")
            if top is None:
                raise UsageError(f"--since {name}: {folder} is in no git repository; leave --since out")
            self.root = Path(top.decode("utf-8", "surrogateescape").rstrip("\n"))
            found = _git(self.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except FileNotFoundError:
            raise UsageError(f"--since {name}: the program git is not installed; leave --since out") from None
        if found is None:
            raise UsageError(
                f"--since {name}: {self.root} has no such revision; write one such as origin/main or HEAD~3"
            )
        self._commit = found.decode().strip()

    def changed_files(self) -> frozenset[Path]:
        """Return the files that were added, changed or removed since then, committed or not."""
        compared = _git(self.root, "diff", "--name-only", "--no-renames", "-z", self._commit) or b""
        status = _git(self.root, "status", "--porcelain", "--untracked-files=all", "--no-renames", "-z") or b""
        new = [line.removeprefix(_UNTRACKED) for line in status.split(b"\0") if line.startswith(_UNTRACKED)]
        names = [name for name in (*compared.split(b"\0"), *new) if name]
        return frozenset(self.root / name.decode("utf-8", "surrogateescape") for name in names)

    def earlier_text(self, file: Path) -> str | None:
        """Return the text of a file in the revision; None if it was not there."""
        place = file.relative_to(self.root).as_posix()
        output = _git(self.root, "show", f"{self._commit}:{place}")
        return None if output is None else output.decode("utf-8", "replace")


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git in ``folder``, or None if it fails."""
    command = ["git", "-C", str(folder), "-c", "safe.directory=*", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UsageError(f"git {arguments[0]} did not end in {_TIMEOUT_SECONDS} s; leave --since out") from None
    return done.stdout if done.returncode == 0 else None


_HARNESS = "treeproof."
_ROLES = "steps fixtures adapters reference_impl rows mutants variants oracles features"
_CONTENT = tuple(f"treeproof.{name}" for name in _ROLES.split())


class ImportGraph:
    """Answers whether a module or something that it imports is one of ``changed``. Modules must be imported before.

    Modules of treeproof itself are left out: almost everything imports them. So are those of Python.
    """

    def __init__(self, changed: Collection[Path]) -> None:
        self._changed = frozenset(file.resolve() for file in changed)
        self._imports: dict[str, tuple[str, ...]] = {}

    def is_affected(self, name: str) -> bool:
        """Return whether the module ``name`` has changed, or one that it imports directly or not."""
        pending, seen = [name], {name}
        while pending:
            module = sys.modules.get(pending.pop())
            if module is None or _is_left_out(module.__name__):
                continue
            file = _file_of(module)
            if file is not None and file in self._changed:
                return True
            found = [one for one in self._imported(module, file) if one not in seen]
            seen.update(found)
            pending += found
        return False

    def _imported(self, module: ModuleType, file: Path | None) -> tuple[str, ...]:
        if module.__name__ not in self._imports:
            names = () if file is None or file.suffix != ".py" else tuple(_imported_names(module, file))
            self._imports[module.__name__] = names
        return self._imports[module.__name__]


def _is_left_out(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names:
        return True
    return name.startswith(_HARNESS) and not any(name == one or name.startswith(f"{one}.") for one in _CONTENT)


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _imported_names(module: ModuleType, file: Path) -> Iterator[str]:
    """Yield the names of the imported modules, and of attributes that may be modules."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    package = module.__package__ or ""
    own = package.partition(".")[0]  # modules in the folder of a pack import each other by short names
    prefixes = ("", f"{own}.") if is_own_module(module.__name__) else ("",)
    for node in _statements(tree.body):
        if isinstance(node, ast.Import):
            yield from (f"{prefix}{alias.name}" for alias in node.names for prefix in prefixes)
        elif isinstance(node, ast.ImportFrom):
            start = resolve_name(f"{'.' * node.level}{node.module or ''}", package) if node.level else node.module or ""
            names = (start, *(f"{start}.{alias.name}" for alias in node.names))
            yield from (f"{prefix}{name}" for name in names for prefix in prefixes)


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield statements and those in their blocks. Walking through their expressions as well takes ten times as long."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(statement, block, ()))
