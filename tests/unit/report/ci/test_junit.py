"""JUnit: one case for each target, right sums, and XML whatever a name contains."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from knaster.cli import main
from knaster.report.ci.junit import write_junit
from support import ROOT


def test_cases_and_sums(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.bp"
    wrong.write_text("void main() begin\n  y := T;\nend\n")
    files = [str(ROOT / "examples" / "lock.bp"), str(ROOT / "examples" / "threads" / "started.bp"), str(wrong)]
    assert main(["check", *files, "--switches", "1", "--format", "junit"]) in (2, 10)
    suites = ElementTree.fromstring(capsys.readouterr().out)
    for part in (suites, *suites):
        every = list(part.iter("testcase"))
        counted = {"tests": len(every)}
        counted |= {f"{kind}s": sum(case.find(kind) is not None for case in every) for kind in ("failure", "error")}
        counted["skipped"] = sum(case.find("skipped") is not None for case in every)
        assert {name: int(part.attrib[name]) for name in counted} == counted
    assert [suite.attrib["name"] for suite in suites] == files


def test_any_name_is_xml() -> None:
    step = {"line": 1, "column": 1, "procedure": "a<b>&\x1b", "depth": 0, "thread": 1, "state": {"x": "]]>"}}
    target = {"name": 'R"\x00', "line": 1, "reachable": True, "trace": [step]}
    document = {
        "file": "a&b.bp",
        "status": "answered",
        "verdict": "FALSE",
        "reason": "",
        "targets": [target],
        "options": {},
    }
    (case,) = ElementTree.fromstring(write_junit([document], lambda file, line: "")).iter("testcase")
    failure = case.find("failure")
    assert case.attrib["file"] == "a&b.bp" and failure is not None and "a<b>&" in (failure.text or "")
