"""The verdict line and the JSON say whether the trace was replayed and the proof checked, and if not why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster import Evidence, check
from knaster.cli import main
from knaster.decide.asked import SMALL_PROGRAM
from support.trusting import SEQUENTIAL

SOURCE = """void main()
begin
  decl x;
  x := F;
  Q: skip;
  P: if (x) then
    R: skip;
  fi
end
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(SOURCE)
    Path("large.bp").write_text(SOURCE.replace("end", "  skip;\n" * SMALL_PROGRAM + "end"))
    return "a.bp"


@pytest.mark.parametrize("engine", SEQUENTIAL)
@pytest.mark.parametrize(
    ("arguments", "line", "checked"),
    [
        (["--target=Q"], "a.bp: FALSE. Q (line 5) is reachable (trace replayed).", [True]),
        (["--target=R"], "a.bp: TRUE. R (line 7) is unreachable (proof checked by the kernel).", [True]),
        (
            ["--target=R", "--no-certify"],
            "a.bp: TRUE. R (line 7) is unreachable (proof not checked: its check was switched off).",
            [False],
        ),
        (
            ["--target=Q", "--trace=none"],
            "a.bp: FALSE. Q (line 5) is reachable (trace not replayed: none was asked for).",
            [False],
        ),
        (
            ["--target=Q", "--target=P", "--target=R"],
            "a.bp: FALSE. 2 of 3 targets are reachable (2 traces replayed, proof checked by the kernel).",
            [True, True, True],
        ),
    ],
)
def test_what_was_checked_is_said(
    file: str, capsys: Capture, engine: str, arguments: list[str], line: str, checked: list[bool]
) -> None:
    command = ["check", file, "--engine", engine, *arguments]
    main(command)
    assert capsys.readouterr().out.splitlines()[0] == line
    main([*command, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert [target["checked"] for target in document["targets"]] == checked
    assert any(note.startswith("not checked: ") for note in document["notes"]) is not all(checked)


def test_a_large_program_says_how_its_proof_is_checked(file: str, capsys: Capture) -> None:
    assert main(["check", "large.bp", "--target", "R"]) == 0
    assert "(proof not checked: more than 3,000 edges; --certify checks it)." in capsys.readouterr().out
    assert main(["check", "large.bp", "--target", "R", "--certify"]) == 0
    assert "(proof checked)." in capsys.readouterr().out


def test_one_trace_of_several_is_enough_where_one_was_asked_for() -> None:
    result = check(SOURCE, ["P", "Q"], engine="explicit", first=True)
    assert "(1 of 2 traces replayed: only one was asked for)" in result.to_text()


def test_an_undecided_target_is_never_checked() -> None:
    result = check(SOURCE, ["R", "Q"], first=True, evidence=Evidence(proofs=True))
    assert [answer.checked for _, answer in result.answers] == [False, True]
