"""Task definitions: programs and questions; what is missing is refused, and the others go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.base.errors import KnasterError
from knaster.cli import main
from knaster.competition.tasks import read_task

TASK = """\
format_version: '2.0'
input_files: 'p.c'
properties:
  - {property_file: reach.prp, expected_verdict: true}
  - {property_file: end.prp, expected_verdict: true}
  - {property_file: overflow.prp}
  - {property_file: missing.prp}
options: {language: C, data_model: ILP32}
"""
PROGRAM = """\
extern long __VERIFIER_nondet_long(void);
void reach_error(void) { }
int main(void) { if (sizeof(long) == 4 && __VERIFIER_nondet_long() == 3) reach_error(); return 0; }
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formulas = {"reach": "G ! call(reach_error())", "end": "F end", "overflow": "G def-behavior"}
    for name, formula in formulas.items():
        (tmp_path / f"{name}.prp").write_text(f"CHECK( init(main()), LTL({formula}) )\n")
    (tmp_path / "p.c").write_text(PROGRAM)
    (tmp_path / "t.yml").write_text(TASK)
    monkeypatch.chdir(tmp_path)


def test_a_task_is_read() -> None:
    task = read_task("t.yml")
    assert (task.files, task.data_model) == (("p.c",), "ILP32")
    assert [(one.specification.asks, one.expected) for one in task.questions] == [
        ("reach", True),
        ("termination", True),
    ]
    assert len(task.notes) == 2 and "not decided" in task.notes[0] and "missing.prp" in task.notes[1]


def test_each_property_is_a_question(capsys: Capture) -> None:
    assert main(["check", "t.yml"]) == 10
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert printed.err.count("missing.prp") == printed.err.count("not decided by Knaster") == 1
    assert "Expected by the task: true." in lines and "false(unreach-call)" in lines
    assert lines[-2:] == ["true", "2 answers: 1 TRUE, 1 FALSE."]
    assert main(["check", "t.yml", "--spec", "reach.prp"]) == 10
    assert capsys.readouterr().out.splitlines()[-1] == "false(unreach-call)"


def test_json_has_what_was_expected(capsys: Capture) -> None:
    assert main(["check", "t.yml", "--format", "json"]) == 10
    documents = json.loads(capsys.readouterr().out)
    assert [(each["verdict"], each["expected"], each["data_model"]) for each in documents] == [
        ("FALSE", True, "ILP32"),
        ("TRUE", True, "ILP32"),
    ]


def test_a_bad_task_costs_no_other_file(capsys: Capture) -> None:
    Path("bad.yml").write_text("a: 1\n")
    assert main(["check", "bad.yml", "p.c", "--spec", "end.prp"]) == 2
    out, err = capsys.readouterr()
    assert "this is no task definition" in err and out.splitlines()[1:] == [
        "p.c: TRUE. Every run ends (machine integers, LP64, proof checked by the kernel).",
        "true",
        "2 files: 1 TRUE, 1 refused.",
    ]


def test_a_property_that_is_not_decided_is_wrong_usage(capsys: Capture) -> None:
    assert main(["check", "p.c", "--spec", "overflow.prp"]) == 1
    assert "not decided by Knaster" in capsys.readouterr().err
    assert main(["check", "p.c", "--spec", "end.prp", "--property", "termination"]) == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("'2.0'", "'9.0'", "format_version"),
        ("'p.c'", "'q.c'", "there is no file q.c"),
        ("language: C", "language: Java", "its language is 'Java'"),
        ("ILP32", "I16", "its data_model"),
        ("'p.c'", "'*'", "its input files are"),
        (TASK, "- 1", "no task definition"),
        (TASK, "{", "this is no YAML"),
        ("property_file: reach.prp", "file: x", "no 'property_file'"),
    ],
)
def test_what_is_refused(old: str, new: str, said: str) -> None:
    Path("t.yml").write_text(TASK.replace(old, new))
    with pytest.raises(KnasterError, match=said):
        read_task("t.yml")
