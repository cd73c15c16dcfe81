"""Files that `check` and `solve` write beside the answer: whatever becomes of them, the answer is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main
from support import ROOT

SAFE = "void main() begin\n assert(T);\nend\n"
WRONG = """
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.bp").write_text(SAFE)
    (tmp_path / "a.c").write_text(WRONG)
    return tmp_path


@pytest.mark.parametrize(
    "words, code, verdict", [("check a.bp --proof", 0, "a.bp: TRUE."), ("check a.c --harness", 10, "a.c: FALSE.")]
)
@pytest.mark.parametrize("output", ["nowhere/out", "/dev/full"])
def test_the_answer_is_given(
    words: str, code: int, verdict: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if output == "/dev/full" and not Path(output).exists():
        pytest.skip("there is no /dev/full")
    assert main([*words.split(), output]) == code
    said = capsys.readouterr()
    assert said.out.startswith(verdict) and "saved" not in said.out
    assert said.err.startswith(f"knaster: {output}: cannot be written: ") and said.err.count("\n") == 1
    assert main([*words.split(), output, "--format", "json"]) == code
    said = capsys.readouterr()
    assert json.loads(said.out)["verdict"] == verdict.split()[1].rstrip(".")
    assert not any("saved" in note for note in json.loads(said.out)["notes"])


def test_a_picture_of_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(next((ROOT / "examples" / "calculus").glob("*.mu")))
    plain = main(["solve", file])
    answers = capsys.readouterr().out
    assert main(["solve", file, "--plot", "nowhere/out.svg"]) == plain
    said = capsys.readouterr()
    assert said.out == answers
    assert said.err == "knaster: nowhere/out.svg: cannot be written: No such file or directory\n"


@pytest.mark.parametrize("words", ["check a.bp --proof a.bp", "check a.c --harness ./a.c", "solve a.bp --plot a.bp"])
def test_the_program_is_not_written_over(words: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 1
    assert "is the file that is read" in capsys.readouterr().err
    assert (folder / "a.bp").read_text() == SAFE and (folder / "a.c").read_text() == WRONG


def test_a_proof_is_whole(folder: Path) -> None:
    assert main(["check", "a.bp", "--proof", "proof"]) == 0
    assert main(["certify", "a.bp", "proof"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["a.bp", "a.c", "proof"]


@pytest.mark.parametrize("limit", [[], ["--timeout", "600"]])
def test_several_files_print_the_notes_that_single_ones_do(
    limit: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text("int input(void);\nint main(void) { assert(input() != 7); return 0; }\n")
    assert main(["check", "a.c", *limit]) == 10
    single = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Note: ")]
    assert len(single) == 1
    assert main(["check", "a.c", "b.c", *limit]) == 10
    lines = capsys.readouterr().out.splitlines()
    notes = [number for number, line in enumerate(lines) if line.startswith("  Note: ")]
    assert lines[notes[0]].strip() == single[0] and lines[notes[0] - 1].startswith("a.c: FALSE")
    assert len(notes) == 2 and "b.c:2" in lines[notes[1]]
    assert main(["check", "a.c", "b.c", "--trace", "full"]) == 10
    assert capsys.readouterr().out.count("Note: ") == 2
