"""Files that are one program: named, in a folder, in a compilation database, in a task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

A = """
#include "u.h"
static int count = 1;
int main(void) {
  int got = 0;
  take(&got);
  if (got != LIMIT) reach_error();
  return count;
}
"""
B = """
#include "u.h"
static int count = 6;
void take(int *place) {
  *place = ++count;
}
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "u.h").write_text(
        "void reach_error(void);\nvoid take(int *);\n#ifndef LIMIT\n#define LIMIT 7\n#endif\n"
    )
    (tmp_path / "a.c").write_text(A)
    (tmp_path / "b.c").write_text(B)
    return tmp_path


def test_files_are_one_program_or_several_questions(capsys: Capture) -> None:
    assert main(["check", "a.c", "b.c", "--together", "-I", "inc"]) == 0
    assert capsys.readouterr().out.startswith("a.c b.c: TRUE. ")
    main(["check", "a.c", "b.c", "-I", "inc"])
    said = capsys.readouterr().out
    assert said.endswith("2 files, each file a program of its own (--together: one program): 1 FALSE, 1 refused.\n")


def test_a_trace_names_files(capsys: Capture) -> None:
    assert main(["check", "a.c", "b.c", "--together", "-I", "inc", "-D", "LIMIT=8", "--target", "b.c:5"]) == 10
    said = capsys.readouterr().out
    assert said.startswith("a.c b.c: FALSE. Line b.c:5 is reachable") and "  a.c:6  main" in said
    assert "  b.c:5  take" in said and "b.c::count=6" in said
    assert main(["check", "a.c", "b.c", "--together", "-I", "inc", "-D", "LIMIT=8", "--format", "sarif"]) == 10
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.c" and place["region"]["startLine"] == 7
    steps = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    places = [one["location"]["physicalLocation"] for one in steps]
    assert ("b.c", 5) in [(one["artifactLocation"]["uri"], one["region"]["startLine"]) for one in places]


def test_a_proof_of_several_files(capsys: Capture) -> None:
    words = ["a.c", "b.c", "--together", "-I", "inc"]
    assert main(["check", *words, "--proof", "ab.proof"]) == 0
    assert main(["certify", "a.c", "b.c", "ab.proof", "--together", "-I", "inc"]) == 0
    capsys.readouterr()
    assert main(["certify", "a.c", "b.c", "ab.proof", "-I", "inc"]) == 1
    assert "--together takes several files for one" in capsys.readouterr().err
    Path("b.c").write_text(B.replace("= 6", "= 5"))
    assert main(["certify", "a.c", "b.c", "ab.proof", "--together", "-I", "inc"]) not in (0, 6)


def test_a_folder(capsys: Capture) -> None:
    assert main(["check", ".", "-I", "inc"]) == 0
    assert capsys.readouterr().out.startswith(".: TRUE. ")
    Path("empty").mkdir()
    assert main(["check", "empty"]) == 2
    assert "empty: is a directory, expected a file" in capsys.readouterr().err
    assert main(["check", "empty", "--together"]) == 2
    assert "empty: there is no C file in this folder" in capsys.readouterr().err


def test_a_database(capsys: Capture) -> None:
    entries = [
        {"directory": ".", "file": "a.c", "command": "cc -Iinc -DLIMIT=8 -c a.c"},
        {"directory": ".", "file": "b.c", "arguments": ["cc", "-I", "inc", "-c", "b.c"]},
        {"directory": ".", "file": "other.c", "command": "cc other.c"},
    ]
    Path("other.c").write_text("int main(void) { return 0; }\n")
    Path("compile_commands.json").write_text(json.dumps(entries[:2]))
    assert main(["check", "compile_commands.json"]) == 10
    assert main(["check", "."]) == 10
    Path("compile_commands.json").write_text(json.dumps(entries))
    capsys.readouterr()
    assert main(["check", "compile_commands.json"]) == 2
    assert "other.c:1:5: error: 'main' is defined twice: here and at a.c:4" in capsys.readouterr().err
    assert main(["check", "compile_commands.json", "a.c", "b.c", "--together"]) == 10
    capsys.readouterr()
    assert main(["check", "compile_commands.json", "a.c", "c.c", "--together"]) == 1
    assert "c.c: the compilation database does not have it" in capsys.readouterr().err


def test_a_task_with_several_files(capsys: Capture) -> None:
    Path("reach.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    text = "format_version: '2.0'\ninput_files: ['a.c', 'b.c']\nproperties:\n  - property_file: reach.prp\n"
    Path("t.yml").write_text(text + "    expected_verdict: true\n")
    assert main(["check", "t.yml", "-I", "inc"]) == 0
    assert capsys.readouterr().out.startswith("a.c b.c: TRUE. ")


@pytest.mark.parametrize(
    "words, code, said",
    [
        ("a.c a.c --together", 1, "a.c: it is given more than once"),
        ("a.c x.bp --together", 1, "x.bp: --together takes files of C"),
        ("a.c no.c --together", 2, "no.c: there is no such file"),
    ],
)
def test_what_is_refused(words: str, code: int, said: str, capsys: Capture) -> None:
    assert main(["check", *words.split()]) == code
    assert said in capsys.readouterr().err
