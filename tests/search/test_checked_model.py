"""Mistakes of a model that only a case shows: one line names the entry point, the member, and what to return."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.run.runner import Options, run
from treeproof.scaffold.specification import new_spec

JUDGE_END = "return ModelJudgement(observed_readings={HIDDEN: fitting[0]} if len(fitting) < len(results) else {})"
PATHS_END = 'return [{"arguments.path": path} for path in (".", *found, "missing")]'
NAMES = 'names=((b"a", b"b", b"B", b".h"), (b"x", b"x.y", b"x-y", "\\u00e9".encode(), "\\U0001f333".encode())),'
MISTAKES = [
    (JUDGE_END, "return None", "judge returned None; return a ModelJudgement"),
    (JUDGE_END, "return ()", "judge returned () (tuple); return a ModelJudgement"),
    (JUDGE_END, 'return case.arguments["nope"]', "judge raised "),
    (
        JUDGE_END,
        'return ModelJudgement((Finding(NAMES, "they differ", got),))',
        "judge returned a Finding with expected = ",
    ),
    (
        JUDGE_END,
        'return ModelJudgement((Finding(NAMES, "they differ", kind=3),))',
        "with kind = 3 (int); write a text",
    ),
    (JUDGE_END, 'return ModelJudgement(observed_readings="no")', "observed_readings as a mapping"),
    (
        PATHS_END,
        'return {"arguments.path": "."}',
        "the stage paths of the family trees returned {'arguments.path': '.'}",
    ),
    (PATHS_END, 'return [{"argument.path": "."}]', "names 'argument.path' (str); write a path such as"),
    (PATHS_END, "return []", "the stage paths of the family trees returned [] (list); return a list of updates"),
    (NAMES, 'names=(("a", "b"),),', "TreeShape with names = (('a', 'b'),) (tuple); write groups of bytes such as"),
    (NAMES, 'names=(b"a", b"b"),', "TreeShape with names = (b'a', b'b') (tuple); write groups of bytes such as"),
]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return new_spec("pets", tmp_path / "pets", with_oracle=True).folder


def edit(pack: Path, old: str, new: str, name: str = "pets_oracle.py") -> None:
    file = pack / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(("old", "new", "says"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_search_ends_with_one_line(
    old: str, new: str, says: str, pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(pack, old, new)
    # What the dry run of the lint meets is refused before the search.
    assert main(["search", "reference", "--spec", str(pack), "--seconds", "20"]) in (2, 4)
    error = capsys.readouterr().err
    assert "oracle pets_oracle:model: " in error
    assert says in error
    assert "Traceback" not in error and "internal error" not in error


def test_a_run_names_the_model(pack: Path) -> None:
    edit(pack, JUDGE_END, "return None")
    document = run(Options("reference", specs=(str(pack),), select=("PETS-NAM-01-90",))).document
    assert (document.to_json()["verdict"], document.to_json()["exit"]) == ("fault", 4)
    cause = "fault of the specification pets: oracle pets_oracle:model: judge returned None; return a ModelJudgement"
    assert cause in document.to_json()["reason"]


def test_a_replay_ends_with_one_line(pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--spec", str(pack), "--seconds", "20", "--save", str(tmp_path / "saved")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("treeproof.search.search.MAX_COUNTEREXAMPLES", 1)
        assert main(["search", "mutant:MUT-PETS-02", *arguments]) == 1
    (saved, *_) = (tmp_path / "saved").iterdir()
    again = tmp_path / "again" / "pets"
    new_spec("pets", again, with_oracle=True)
    edit(again, JUDGE_END, "return None")
    capsys.readouterr()
    assert main(["replay", str(saved), "reference", "--spec", str(again)]) == 4
    error = capsys.readouterr().err
    assert "oracle pets_oracle:model: judge returned None; return a ModelJudgement" in error
    assert "Traceback" not in error


def test_a_mistake_of_a_property_names_the_property(pack: Path) -> None:
    edit(pack, "    return bool(first.keys)", "    bool(first.keys)", "pets_properties.py")
    document = run(Options("reference", specs=(str(pack),), select=("PETS-NAM-01-91",))).document
    assert document.to_json()["exit"] == 4
    assert "fault of the specification pets: the property " in document.to_json()["reason"]
    assert "returned None; return True if the case shows" in document.to_json()["reason"]


def test_a_model_compares_absolute_paths(pack: Path) -> None:
    def verdict(target: str) -> str:
        (spec,) = run(Options(target, specs=(str(pack),))).document.to_json()["specs"]
        return str(next(one["verdict"] for one in spec["requirements"] if one["id"] == "PETS-OUT-01"))

    own = "case, answer = exchange.case, exchange.answer"
    shown = 'exchange.with_placeholders(found["path"]) != os.path.normpath("$ROOT/" + case.arguments["path"])'
    edit(pack, "import json", "import json\nimport os")
    edit(pack, "self._form(case, answer)", "self._form(exchange)")
    edit(pack, "_form(self, case: Case, answer: CallResult)", "_form(self, exchange: Exchange)")
    edit(pack, 'that must succeed."""', f'that must succeed."""\n        {own}')
    edit(pack, 'found["path"] != case.arguments["path"]', shown)
    exact = (pack / "first.feature").read_text("utf-8").partition("      And the output is the JSON value")[2]
    edit(pack, "      And the output is the JSON value" + exact.partition("\n\n")[0], "", "first.feature")
    absolute = 'os.path.normpath(os.path.join(params["context"]["working_dir"], path))'
    edit(pack, "self.document(path, ", f"self.document({absolute}, ", "pets_reference.py")
    assert (verdict("reference"), verdict("mutant:MUT-PETS-01")) == ("PASS", "FAIL")
