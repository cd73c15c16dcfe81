"""What a review is told of answers: rules, places, and marks that survive moved lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main
from knaster.report.ci.findings import REFUSED, UNDECIDED, Case, SourceLines, list_cases
from support import ROOT

UNSAFE = "decl x;\nvoid main() begin\n  x := *;\n  assert(x);\n  assert(x | !x);\nend\n"


def cases(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Case]:
    main(["check", *arguments, "--format", "json"])
    return list_cases(json.loads(capsys.readouterr().out), SourceLines())


def test_each_target_is_a_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bp"
    file.write_text(UNSAFE)
    failing, holding = cases(capsys, str(file))
    assert holding.finding is None and failing.finding is not None
    found = failing.finding
    assert (found.rule, found.line, found.message) == ("knaster/reach", 4, "assert at line 4 can fail")
    assert [step["line"] for step in found.steps] == [3, 4] and found.is_violation


def test_marks_survive_moved_lines_and_tell_equal_lines_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.bp"

    def marks(text: str) -> list[str]:
        file.write_text(text)
        return [case.finding.fingerprint for case in cases(capsys, str(file)) if case.finding is not None]

    first = marks(UNSAFE)
    assert marks("// one line more\n" + UNSAFE) == first
    assert marks(UNSAFE.replace("assert(x);", "assert(!x);")) != first
    twice = marks(UNSAFE.replace("x := *;", "x := *;\n  assert(x);\n  x := *;"))
    assert len(set(twice)) == 2 and twice[0] == first[0]


@pytest.mark.parametrize(
    ("file", "options", "rule"),
    [
        ("zing/figure-2.zing", [], "knaster/reach"),
        ("zing/philosophers-deadlock.zing", [], "knaster/deadlock"),
        ("c/ex1.c", ["--property", "termination"], "knaster/termination"),
    ],
)
def test_rules(file: str, options: list[str], rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    (case,) = cases(capsys, str(ROOT / "examples" / file), *options)
    assert case.finding is not None and case.finding.rule == rule and case.finding.line > 0
    assert (case.finding.cycle is not None) == (rule == "knaster/termination")


def test_what_is_undecided_or_refused_is_no_violation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    started = str(ROOT / "examples" / "threads" / "started.bp")
    (case,) = cases(capsys, started, "--switches", "1")
    assert case.finding is not None and case.finding.rule == UNDECIDED and not case.finding.is_violation
    wrong = tmp_path / "wrong.bp"
    wrong.write_text("void main() begin\n  y := T;\n  goto L;\nend\n")
    refused = cases(capsys, str(wrong))
    assert [case.finding.rule for case in refused if case.finding is not None] == [REFUSED] * len(refused)
    assert {case.finding.line for case in refused if case.finding is not None} == {2, 3}


def test_source_lines_of_a_file_that_is_not_there() -> None:
    lines = SourceLines()
    assert lines("no such file", 1) == "" and lines(str(ROOT / "examples" / "figure1.bp"), 7).strip() == "A(g,h);"
    assert lines(str(ROOT / "examples" / "figure1.bp"), 0) == lines(str(ROOT / "examples" / "figure1.bp"), 999) == ""
