"""Annotations of GitHub: the summary first, one command a line, nothing that a name can break out of."""

from __future__ import annotations

import pytest

from knaster.cli import main
from knaster.report.ci.github import write_github
from support import ROOT


def test_a_violation_is_an_error_at_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(ROOT / "examples" / "lock.bp")
    assert main(["check", file, "--format", "github"]) == 10
    summary, command = capsys.readouterr().out.splitlines()
    assert summary == "knaster: 1 file, 1 with a violation, 0 questions not decided"
    assert command.startswith(f"::error file={file},line=8,col=5,title=Reachable target::assert at line 8 can fail")


def test_names_cannot_break_out() -> None:
    target = {"name": "R\n::error::fake", "line": 1, "reachable": True, "trace": None}
    document = {
        "file": "a,b:c\n.bp",
        "status": "answered",
        "verdict": "FALSE",
        "reason": "",
        "targets": [target],
        "options": {},
    }
    lines = write_github([document], lambda file, line: "").splitlines()
    assert len(lines) == 2 and lines[1].startswith("::error file=a%2Cb%3Ac%0A.bp,line=1,")
    assert lines[1].endswith("R%0A::error::fake can be reached")
