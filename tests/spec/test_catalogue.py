"""The catalogue: the values that are read from spec.toml, and the error for each mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import Pack, Reading, Requirement, RetiredId, Tool, load_pack

BASIS = 'basis = "stated"\nsentences = ["0123456789ab"]'

Write = Callable[..., Path]


def load_error(folder: Path) -> str:
    with pytest.raises(UsageError) as caught:
        load_pack(folder)
    message = str(caught.value)
    assert "\n" not in message
    place, message = re.fullmatch(r"(.*?spec\.toml)(?::\d+)?: (.*)", message).groups()  # type: ignore[union-attr]
    assert place == str(folder / "spec.toml")
    return message


def error_after_edit(write: Write, old: str, new: str) -> str:
    """Return the error of the tiny pack with one edit."""
    folder = write(steps="")
    file = folder / "spec.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return load_error(folder)


def test_every_part_of_a_pack_is_read(pack_folder: Write) -> None:
    pack = load_pack(pack_folder(steps=""))
    assert (pack.name, pack.version, pack.title, pack.prefix) == ("tiny", "1.0", "A tiny tool", "TY")
    assert (pack.source, pack.sha256) == ("tiny.md", "0" * 64)
    assert pack.tools == (Tool("tiny", (), {}, "tiny", evidence={"path": "$DIRECTORY"}),)
    text, sentences = "It lists what is there.", ("0123456789ab",)
    assert pack.requirements == (
        Requirement("FR-TY-01", "MUST", "1", text, ("scenario",), basis="stated", sentences=sentences),
    )
    assert pack.retired == (RetiredId("TY-01-09", "it checked two things"),)
    first, second = pack.interpretations
    assert first.readings == (
        Reading("exceeded", "Only when more would come."),
        Reading("reached", "As soon as it is full."),
    )
    assert (first.recommended, first.affects, first.invariant) == ("exceeded", ("FR-TY-01",), None)
    assert (second.treatment, second.recommended, second.readings) == ("editorial", None, ())
    assert (pack.reference, pack.oracle, pack.mutants, dict(pack.schemas)) == (None, None, None, {})
    assert dict(pack.simulated) == {}


def test_entry_points_steps_and_schemas_are_read(pack_folder: Write) -> None:
    folder = pack_folder(steps="")
    file = folder / "spec.toml"
    (folder / "arguments.json").write_text("{}", encoding="utf-8")
    lines = (
        'steps = ["my.steps"]\nreference = "my.mod:candidate"\noracle = "my.oracle:model"\n'
        'mutants = "my.mutants:all"\n[spec.schemas]\narguments = "arguments.json"\n'
        '[spec.simulated]\nmacos = "my.mod:on_macos"\n'
    )
    file.write_text(file.read_text(encoding="utf-8").replace("steps = []\n", lines), encoding="utf-8")
    pack = load_pack(folder)
    assert pack.steps == ("my.steps",)
    assert (pack.reference, pack.oracle, pack.mutants) == ("my.mod:candidate", "my.oracle:model", "my.mutants:all")
    assert dict(pack.schemas) == {"arguments": folder / "arguments.json"}
    assert dict(pack.simulated) == {"macos": "my.mod:on_macos"}


def test_values_are_frozen(pack_folder: Write) -> None:
    pack = load_pack(pack_folder(steps=""))
    with pytest.raises(FrozenInstanceError):
        pack.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        pack.schemas["x"] = Path()  # type: ignore[index]


def test_features_are_found_below_the_folder_in_path_order(pack_folder: Write) -> None:
    folder = pack_folder({"b.feature": "x", "a.feature": "x"}, steps="")
    (folder / "deep").mkdir()
    (folder / "deep" / "c.feature").write_text("x", encoding="utf-8")
    assert [path.relative_to(folder).as_posix() for path in load_pack(folder).feature_files()] == [
        "a.feature",
        "b.feature",
        "deep/c.feature",
    ]


def test_a_pack_inside_a_pack_keeps_its_features(pack_folder: Write) -> None:
    folder = pack_folder({"a.feature": "x"}, steps="")
    (folder / "inner").mkdir()
    (folder / "inner" / "spec.toml").touch()
    (folder / "inner" / "b.feature").touch()
    assert load_pack(folder).feature_files() == (folder / "a.feature",)


def test_an_id_is_looked_up_and_a_similar_one_is_suggested(pack_folder: Write) -> None:
    pack = load_pack(pack_folder(steps=""))
    assert pack.requirement("FR-TY-01").level == "MUST"
    assert pack.interpretation("AMB-TY-01").labels == ("exceeded", "reached")
    with pytest.raises(UsageError, match=r'no requirement has the id "FR-TY-1"; write "FR-TY-01"'):
        pack.requirement("FR-TY-1")
    with pytest.raises(UsageError, match='no interpretation has the id "AMB-XX"'):
        pack.interpretation("AMB-XX")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A tiny tool"\n', "", '[spec]: the key "title" is missing; write a text, such as title = "The tool'),
        ("title =", "titel =", '[spec]: the key "titel" is unknown; write "title"'),
        ("title", 'excluded = "x"\ntitle', '[spec]: the key "excluded" is unknown; it belongs in [[requirement]]'),
        (
            'title = "A tiny tool"',
            "title = 7",
            '[spec]: the key "title" holds 7; write a text, such as title = ',
        ),
        ('title = "A tiny tool"', 'title = " "', '[spec]: the key "title" holds an empty text'),
        ('name = "tiny"', 'name = "Tiny Tool"', '[spec]: the key "name" holds "Tiny Tool"; write lower-case letters'),
        (
            'prefix = "TY"',
            'prefix = "TY-"',
            '[spec]: the key "prefix" holds "TY-"; write capitals without a hyphen',
        ),
        ('sha256 = "0', 'sha256 = "x', '[spec]: the key "sha256" holds "x000'),
        ("steps = []", 'steps = "a.b"', '[spec]: the key "steps" holds "a.b"; write a list of texts'),
        (
            "steps = []",
            'steps = ["a b"]',
            '[spec]: the key "steps" holds "a b"; write names of modules, such as',
        ),
        ("steps = []", 'steps = ["a", "a"]', '[spec]: the key "steps" contains "a" twice'),
        ("steps = []", 'steps = []\nreference = "a.b"', '[spec]: the key "reference" holds "a.b"; write an entry'),
        ("steps = []", 'steps = []\n[spec.schemas]\na = "no.json"', '[spec.schemas]: the key "a" names no.json'),
        (
            "steps = []",
            'steps = []\n[spec.simulated]\nwindow = "a.b:c"',
            '[spec.simulated]: the key "window" is unknown; write "windows"',
        ),
        ("[[tool]]", "[[tools]]", 'the file: the key "tools" is unknown; write "tool"'),
        ("[[tool]]", "[tool]", 'the file: the key "tool" holds {'),
        ('id = "FR-TY-01"\n', "", '[[requirement]] number 1: the key "id" is missing'),
        ('id = "FR-TY-01"', 'id = "fr ty"', '[[requirement]] fr ty: the key "id" holds "fr ty"; write capitals'),
        ('level = "MUST"', 'level = "MUSTN"', '[[requirement]] FR-TY-01: the key "level" holds "MUSTN"; write "MUST"'),
        (
            'verified_by = ["scenario"]',
            'verified_by = ["scenarios"]',
            '[[requirement]] FR-TY-01: the key "verified_by" holds "scenarios"; write "scenario"',
        ),
        (
            'verified_by = ["scenario"]\n',
            'restates = "FR-TY-02"\n',
            '[[requirement]] FR-TY-01: restates is "FR-TY-02", which is no other requirement; nothing',
        ),
        (
            'verified_by = ["scenario"]\n',
            'restates = "FR-TY-01"\n',
            '[[requirement]] FR-TY-01: restates is "FR-TY-01", which is no other requirement',
        ),
        (
            'verified_by = ["scenario"]\n',
            'restates = "FR-TY-02"\nexcluded = "because"\n',
            '[[requirement]] FR-TY-01: restates is "FR-TY-02", which is no other requirement; nothing',
        ),
        (
            'sentences = ["0123456789ab"]',
            "",
            '[[requirement]] FR-TY-01: the key "sentences" is missing; write the hashes of the sentences that state it',
        ),
        (
            "0123456789ab",
            "0123456789AB",
            '[[requirement]] FR-TY-01: the key "sentences" holds "0123456789AB"; write 12 lower-case hexadecimal',
        ),
        (
            'basis = "stated"',
            'basis = "prudent"',
            '[[requirement]] FR-TY-01: the key "reason" is missing; write why the basis is not "stated"',
        ),
        (
            'basis = "stated"',
            'basis = "framework"',
            '[[requirement]] FR-TY-01: the key "capability" is missing; write the capability of the candidates',
        ),
        (
            'basis = "stated"',
            'basis = "stated"\ncapability = "policy"',
            '[[requirement]] FR-TY-01: the key "capability" is for basis = "framework"; remove it',
        ),
        (
            'basis = "stated"',
            'basis = "framework"\ncapability = "policy"',
            '[[requirement]] FR-TY-01: capability is "policy", which no [[tool]] has; nothing is allowed here',
        ),
        (
            'prefix = "TY"',
            'prefix = "TY"\ndeterminism = "FR-TY-02"',
            '[spec]: determinism is "FR-TY-02", which is no requirement; write "FR-TY-01"',
        ),
        (
            'treatment = "any"',
            'treatment = "anny"',
            '[[interpretation]] AMB-TY-01: the key "treatment" holds "anny"; write "any"',
        ),
        (
            'recommended = "exceeded"',
            'recommended = "exeeded"',
            '[[interpretation]] AMB-TY-01: recommended is "exeeded", which is no label of its readings; write ',
        ),
        (
            'recommended = "exceeded"\n',
            "",
            '[[interpretation]] AMB-TY-01: the key "recommended" is missing; write the label of one of its readings',
        ),
        (
            'label = "exceeded"',
            'label = "exceeded"\naccepted = false',
            '[[interpretation]] AMB-TY-01: the recommended reading "exceeded" has accepted = false',
        ),
        (
            'label = "reached"',
            'label = "reached"\naccepted = "no"',
            '[[interpretation.reading]] AMB-TY-01, reached: the key "accepted" holds "no"; write',
        ),
        (
            'label = "reached"',
            'label = "exceeded"',
            '[[interpretation.reading]] AMB-TY-01, exceeded: the label "exceeded" occurs twice',
        ),
        (
            'treatment = "editorial"',
            'treatment = "strict"',
            '[[interpretation]] AMB-TY-02: the key "reading" is missing; write a list of tables, one [[inter',
        ),
        (
            'affects = ["FR-TY-01"]',
            'affects = ["FR-TY-1"]',
            '[[interpretation]] AMB-TY-01: affects names "FR-TY-1", which is no requirement; write "FR',
        ),
        (
            'id = "AMB-TY-02"',
            'id = "AMB-TY-01"',
            '[[interpretation]] AMB-TY-01: the id "AMB-TY-01" occurs twice',
        ),
        ('reason = "it checked two things"', "", '[[retired]] TY-01-09: the key "reason" is missing'),
        ("[spec]", "[spec", "not TOML: "),
    ],
)
def test_an_error_is_reported_with_its_place_and_remedy(pack_folder: Write, old: str, new: str, message: str) -> None:
    assert error_after_edit(pack_folder, old, new).startswith(message)


def test_a_requirement_may_not_restate_one_that_restates_another(pack_folder: Write) -> None:
    more = ""
    for id, other in (("FR-TY-02", "FR-TY-01"), ("FR-TY-03", "FR-TY-02")):
        more += f'[[requirement]]\nid = "{id}"\nlevel = "MUST"\nsection = "1"\n'
        more += f'text = "Same."\n{BASIS}\nrestates = "{other}"\n'
    message = load_error(pack_folder(steps="", more=more))
    assert message == (
        '[[requirement]] FR-TY-03: restates is "FR-TY-02", which itself restates another; write "FR-TY-01"'
    )


def test_a_duplicate_tool_is_refused(pack_folder: Write) -> None:
    more = '[[tool]]\nname = "tiny"\ncapabilities = []\n'
    assert load_error(pack_folder(steps="", more=more)).startswith('[[tool]] tiny: the name "tiny" occurs twice')


def test_a_folder_without_spec_toml_is_no_pack(tmp_path: Path) -> None:
    assert load_error(tmp_path) == "cannot be read: No such file or directory; name a folder with a file spec.toml"


def test_a_spec_toml_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_bytes(b'x = "\xff"')
    assert load_error(tmp_path) == "byte 5 is not UTF-8; save the file as UTF-8"


def requirement_with(write: Write, lines: str) -> Requirement:
    more = f'[[requirement]]\nid = "FR-TY-02"\nlevel = "MUST"\nsection = "1"\ntext = "More."\n{BASIS}\n{lines}\n'
    pack: Pack = load_pack(write(steps="", more=more))
    return pack.requirement("FR-TY-02")


@pytest.mark.parametrize(
    ("lines", "needed"),
    [
        ('verified_by = ["scenario"]', True),
        ('verified_by = ["property", "scenario"]', True),
        ('verified_by = ["property"]', False),
        ('verified_by = ["scenario"]\ncondition = "Windows"', False),
        ('verified_by = ["scenario"]\nexcluded = "it cannot be observed"', False),
        ('restates = "FR-TY-01"', False),
    ],
)
def test_a_requirement_declares_whether_it_needs_scenarios(pack_folder: Write, lines: str, needed: bool) -> None:
    assert requirement_with(pack_folder, lines).needs_scenarios is needed
