"""One JSON for every command: what each prints fits the schema, whatever happens; and errors are on standard error."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import knaster
import knaster.base.errors
from knaster.checkers.files import proof_to_text
from knaster.cli import main
from knaster.report.envelope import schema
from support import ROOT

FIGURE_1 = str(ROOT / "examples" / "figure1.bp")
SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
THREADS = """decl g, h;
init (!g & !h);
void main_1() begin
  g := T;
  if (h) then ERROR: skip; fi
end
void main_2() begin
  assume(g);
  h := T;
end
"""
WRONG = "void main() begin\n  x := T;\n  goto L;\nend\n"
MU = "enum S { 0..7 };\nmu bool R(S s) s = 0 | (exists S t. R(t) & s = t + 1);\n#ons R; R(7); exists S s. ! R(s);\n"
SLOW_MU = "enum S { 0..65535 }; mu bool R(S s) s = 0 | (exists S t. R(t) & s = t + 1); 1; #ons R; R(1);"
UNSTABLE = "mu bool Q(bool s) s & ! Q(s);\nexists bool s. Q(s);\n"
PDA = {
    "pda": {
        "states": {
            "p": {"X": [{"to": "p", "push": "Y"}, {"to": "q", "pop": ""}]},
            "q": {"Y": [{"to": "q", "swap": "X"}]},
        }
    }
}
VALIDATOR = jsonschema.Draft202012Validator(schema())
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with files of all kinds, which is also the current one."""
    texts = {"safe.bp": SAFE, "unsafe.bp": UNSAFE, "wrong.bp": WRONG, "reach.mu": MU, "slow.mu": SLOW_MU}
    texts |= {
        "unstable.mu": UNSTABLE,
        "wrong.mu": "mu bool R(S s) 1;",
        "two.mu": "1; bool f(bool a); exists bool a. f(a);",
    }
    texts |= {"system.json": json.dumps(PDA), "wrong.json": "{", "threads.bp": THREADS}
    texts |= {"safe.proof": proof_to_text(knaster.check(SAFE, file="safe.bp"))}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def document(capsys: Capture, *arguments: str) -> tuple[int, Any, str]:
    """Return the exit code of a command, its document, and what stands on standard error."""
    code = main([*arguments, "--format", "json"])
    out, err = capsys.readouterr()
    found = json.loads(out)
    VALIDATOR.validate(found)
    return code, found, err


STATUS = {0: "answered", 10: "answered", 5: "undecided", 2: "refused", 1: "usage", 6: "fault"}
PATIENT = ("--timeout", "100000")  # however slow or busy the machine is
CASES = [
    (["check", "safe.bp"], 0, "TRUE"),
    (["check", "unsafe.bp", "--trace", "calls"], 10, "FALSE"),
    (["check", "safe.bp", "--timeout", "0.000001"], 5, "UNKNOWN"),
    (["check", "wrong.bp"], 2, "UNKNOWN"),
    (["check", "missing.bp"], 2, "UNKNOWN"),
    (["check", "safe.bp", "--target", "Q"], 1, "UNKNOWN"),
    (["project", "safe.bp"], 0, "TRUE"),
    (["project", "unsafe.bp", "--annotate"], 0, "FALSE"),
    (["project", "unsafe.bp", "--timeout", "0.000001"], 5, "UNKNOWN"),
    (["project", "wrong.bp"], 2, "UNKNOWN"),
    (["project", "missing.bp"], 2, "UNKNOWN"),
    (["project", "safe.bp", "--entry", "Q"], 2, "UNKNOWN"),
    (["solve", "reach.mu", "--stats"], 0, "FALSE"),
    (["solve", "slow.mu", "--timeout", "0.000001"], 5, "UNKNOWN"),
    (["solve", "unstable.mu"], 2, "UNKNOWN"),
    (["solve", "wrong.mu"], 2, "UNKNOWN"),
    (["solve", "two.mu"], 2, "UNKNOWN"),
    (["solve", "missing.mu"], 2, "UNKNOWN"),
    (["check", "threads.bp", "--switches", "2"], 10, "FALSE"),
    (["check", "threads.bp", "--switches", "1"], 5, "UNKNOWN"),
    (["check", "threads.bp", "--rounds", "2", "--thread", "main_1*2"], 0, "TRUE"),
    (["check", "threads.bp", "--rounds", "0"], 1, "UNKNOWN"),
    (["compare", "unsafe.bp", *PATIENT], 0, "TRUE"),
    (["compare", "threads.bp", "--switches", "1", *PATIENT], 0, "TRUE"),
    (["compare", "threads.bp", "--rounds", "1", "--engines", "states,lazy", *PATIENT], 0, "TRUE"),
    (
        ["compare", "threads.bp", "--thread", "main_2", "--thread", "main_1", "--engines", "states,explicit", *PATIENT],
        0,
        "TRUE",
    ),
    (["compare", "wrong.bp"], 2, "UNKNOWN"),
    (["compare", "missing.bp"], 2, "UNKNOWN"),
    (["compare", "threads.bp", "--thread", "nobody"], 1, "UNKNOWN"),
    (["certify", "safe.bp", "safe.proof"], 0, "TRUE"),
    (["certify", "unsafe.bp", "safe.proof"], 2, "UNKNOWN"),
    (["certify", "missing.bp", "safe.proof"], 2, "UNKNOWN"),
    (["pushdown", "system.json", "--post", "< p, X >"], 0, None),
    (["pushdown", "system.json", "--pre", "< q, X >", "--shortest"], 0, None),
    (["pushdown", "system.json", "--post", "< p, X >", "--ask", "< q, >", "--shortest"], 10, "reachable"),
    (["pushdown", "system.json", "--post", "< q, X >", "--ask", "< p, X >"], 0, "unreachable"),
    (["pushdown", "system.json", "--post", "< p, X >", "--timeout", "0.000001"], 5, "unknown"),
    (["pushdown", "wrong.json"], 2, "unknown"),
    (["pushdown", "missing.json"], 2, "unknown"),
    (["pushdown", "system.json", "--post", "missing.json"], 2, "unknown"),
    (["pushdown", "system.json"], 1, "unknown"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"), CASES, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_every_output_fits_the_schema(arguments: list[str], code: int, verdict: str | None, capsys: Capture) -> None:
    ended, found, err = document(capsys, *arguments)
    assert (ended, found["verdict"], found["status"]) == (code, verdict, STATUS[code])
    assert found["schema"] == 2 and found["version"] == knaster.__version__
    assert (found["command"], found["file"]) == tuple(arguments[:2])
    failed = code in (1, 2, 6) and "unstable.mu" not in arguments
    assert ("errors" in found) == failed
    assert ("Traceback" not in err) and (bool(err) == failed or code == 5)


@pytest.mark.parametrize("arguments", [case[0] for case in CASES if case[1] in (1, 2)], ids=" ".join)
def test_errors_are_on_standard_error_in_text_too(arguments: list[str], capsys: Capture) -> None:
    if "unstable.mu" in arguments:
        return
    main(arguments)
    as_text = capsys.readouterr()
    main([*arguments, "--format", "json"])
    assert as_text.err == capsys.readouterr().err != ""


def test_a_limit_in_the_middle_of_the_work_fits_the_schema(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count()
    monkeypatch.setattr("knaster.base.limits.clock", lambda: float(next(seconds)))  # a second each look
    ended, found, err = document(capsys, "solve", "slow.mu", "--timeout", "1000")
    assert (ended, found["verdict"], found["status"]) == (5, "UNKNOWN", "undecided")
    assert "the time limit of 1000 s was reached" in found["reason"] and "Traceback" not in err
    assert found["queries"][0] is True  # what was answered before the limit stays


def test_errors_have_places(capsys: Capture) -> None:
    _, found, _ = document(capsys, "check", "wrong.bp")
    assert [(error["line"], error["column"], error["length"]) for error in found["errors"]] == [(2, 3, 1), (3, 8, 1)]
    _, found, _ = document(capsys, "pushdown", "wrong.json")
    assert found["errors"][0]["line"] == 1
    _, found, _ = document(capsys, "check", "missing.bp")
    assert found["errors"] == [
        {"line": 0, "column": 0, "length": 0, "message": "missing.bp: there is no such file", "hint": ""}
    ]


@pytest.mark.parametrize(
    ("arguments", "name", "code"),
    [
        (["check"], "unsafe.bp", 10),
        (["project"], "unsafe.bp", 0),
        (["solve"], "reach.mu", 0),
        (["pushdown", "--post", "< p, X >"], "system.json", 0),
        (["check"], "wrong.bp", 2),
    ],
)
def test_standard_input(
    arguments: list[str], name: str, code: int, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(name).read_bytes())))
    ended, found, err = document(capsys, *arguments, "-")
    assert (ended, found["file"]) == (code, "<stdin>")
    assert ("<stdin>:2:3: error" in err) == (code == 2)


def test_standard_input_in_one_line_and_shown(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"void main() begin ERROR: skip; end")))
    assert main(["check", "-", "--trace", "none"]) == 10
    assert capsys.readouterr().out.startswith("<stdin>: FALSE. ERROR (line 1) is reachable")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"void main() begin ERROR: skip; end")))
    assert main(["show", "-"]) == 0
    assert "ERROR: skip;" in capsys.readouterr().out


def test_standard_input_is_read_once(capsys: Capture) -> None:
    assert main(["check", "-", "safe.bp", "-"]) == 1
    assert "more than once" in capsys.readouterr().err


def test_a_fault_of_ours(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise knaster.base.errors.InternalError("two and two are five")

    monkeypatch.delenv("KNASTER_DEBUG", raising=False)
    for command, function in {"check": "decide.check.check", "project": "decide.project.project"}.items():
        monkeypatch.setattr(f"knaster.{function}", broken)
        code, found, err = document(capsys, command, "safe.bp")
        assert (code, found["status"]) == (6, "fault") and "two and two are five" in err
        assert "two and two are five" in found["errors"][0]["message"]


def test_several_files_are_a_list(capsys: Capture) -> None:
    code, found, _ = document(capsys, "check", "safe.bp", "wrong.bp", "missing.bp", "unsafe.bp")
    assert code == 2
    assert [one["status"] for one in found] == ["answered", "refused", "refused", "answered"]


def test_results_say_the_same_from_python(capsys: Capture) -> None:
    _, found, _ = document(capsys, "check", "unsafe.bp")
    again = json.loads(knaster.check("unsafe.bp").to_json())
    VALIDATOR.validate(again)
    for volatile in ("stats", "options"):
        del again[volatile], found[volatile]
    assert again == found
    _, found, _ = document(capsys, "project", "unsafe.bp", "--annotate")
    again = json.loads(knaster.project("unsafe.bp", annotate=True).to_json())
    VALIDATOR.validate(again)
    del again["options"], found["options"]
    assert again == found


def test_options_in_force(capsys: Capture) -> None:
    _, found, _ = document(capsys, "check", "unsafe.bp", "--engine", "calculus", "--timeout", "77")
    options = found["options"]
    assert options["algorithm"] == "entry-forward" and options["strategy"] == "frontier" and options["timeout"] == 77
    assert options["entry"] == "main" and options["certify"] is True and options["dialect"] == "default"
    _, found, _ = document(capsys, "check", "unsafe.bp")
    assert found["options"]["engine"] == "summaries" and "algorithm" not in found["options"]
    _, found, _ = document(capsys, "solve", "reach.mu", "--strategy", "plain")
    assert found["options"]["strategy"] == "plain" and found["options"]["memory"] is None
