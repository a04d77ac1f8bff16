"""The workflows of this repository: actions are pinned, and nothing is published that was not judged before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WORKFLOWS = sorted((Path(__file__).resolve().parent.parent.parent / ".github" / "workflows").glob("*.yml"))


def jobs(name: str) -> dict[str, str]:
    """Return the text of each job of a workflow by its name."""
    (file,) = (file for file in WORKFLOWS if file.name == name)
    text = file.read_text("utf-8").partition("\njobs:\n")[2]
    parts = re.split(r"^  (\w+):\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_every_action_is_pinned_by_its_commit(file: Path) -> None:
    used = re.findall(r"uses: (\S+)", file.read_text("utf-8"))
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []


def test_a_job_that_publishes_waits_for_the_judged_image_and_for_approval() -> None:
    found = jobs("release.yml")
    assert list(found) == ["build", "image", "publish", "push", "announce"]
    assert "needs: build\n" in found["image"]
    for name in ("publish", "push"):
        assert "needs: [build, image]\n" in found[name]
        assert "environment: release\n" in found[name]
    assert "needs: [publish, push]\n" in found["announce"]
    # The jobs before them have no right to publish.
    assert all(re.search(r": write\b", found[name]) is None for name in ("build", "image"))


def test_the_image_is_judged_before_it_is_kept() -> None:
    image = jobs("release.yml")["image"]
    steps = ["buildah build", "treeproof doctor reference", "treeproof run reference", "podman save", "upload-artifact"]
    places = [image.index(step) for step in steps]
    assert places == sorted(places)
