"""The GitHub action and the pre-commit hook are YAML that names commands and flags that exist."""

from __future__ import annotations

import re

import pytest

from knaster.cli import main
from support import ROOT

yaml = pytest.importorskip("yaml")


def flags_of(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main(["check", "--help-all"])
    return capsys.readouterr().out


def test_the_action(capsys: pytest.CaptureFixture[str]) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite" and all("run" in step or "uses" in step for step in steps)
    known = flags_of(capsys)
    said = steps[-1]["run"] + action["inputs"]["arguments"]["default"]
    assert all(flag in known for flag in re.findall(r"--[a-z]+", said))
    assert not any("${{ inputs." in step.get("run", "") for step in steps)  # no text of others in a shell


def test_the_hook(capsys: pytest.CaptureFixture[str]) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["entry"].startswith("knaster check ") and re.search(hook["files"], "a.bp")
    known = flags_of(capsys)
    assert all(flag in known for flag in re.findall(r"--[a-z]+", hook["entry"]))
    assert hook["additional_dependencies"] == [".[c]"] and "\nc = [" in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_citation_is_of_this_version() -> None:
    from knaster.version import VERSION

    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["cff-version"] == "1.2.0" and cited["version"] == VERSION and cited["authors"] and cited["title"]
