"""`knaster project` as a user meets it: text, JSON, and a page that works in a real browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import knaster
from benchmarks.models import driver
from knaster.base.errors import InternalError, UsageError
from knaster.base.limits import Budget, OutOfBudget
from knaster.cli import main
from knaster.decide.check import run_engine
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown
from knaster.report.projection import projection_to_json, projection_to_text
from knaster.report.stepper.projection_page import projection_to_html
from knaster.transform.reduction import Reduction
from knaster.transform.through import remember_place
from support.machines import PATIENCE

TEXT = """decl g;
void main() begin
  decl l;
  l := *;
  if (l) then
    g := 1;
    f();
  else
    g := 0;
    f();
  fi
  skip;
end
void f() begin
  if (g) then
    ERROR: skip;
  fi
end
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.bp"
    path.write_text(TEXT)
    return path


def test_lines_that_cannot_matter_are_outside() -> None:
    found = knaster.project(TEXT)
    assert found.lines == (4, 5, 6, 7, 15, 16)
    assert found.outside == (9, 10, 12)


def test_values_are_those_on_error_paths() -> None:
    nodes = {node.line: node for node in knaster.project(TEXT, annotate=True).nodes}
    assert nodes[15].values is not None and nodes[15].values.valuations == ({"g": True},)
    assert nodes[5].values is not None and nodes[5].values.valuations == ({"l": True},)
    assert nodes[7].witness is not None and nodes[7].witness.location == 1


def test_a_page_says_that_its_lines_unfold() -> None:
    hint = "Click on a marked line"
    assert hint in projection_to_html(knaster.project(TEXT, annotate=True))
    assert hint not in projection_to_html(knaster.project(TEXT))


def test_many_targets_fit_into_a_sentence() -> None:
    asserts = "".join(f"  assert(g = {number % 2});\n" for number in range(5))
    found = knaster.project(f"decl g;\nvoid main() begin\n{asserts}end\n")
    sentence = projection_to_text(found).partition("\n")[0]
    assert sentence == (
        "<text>: 2 of 5 lines with statements can matter for assert at line 3, assert at line 4 or 3 more."
    )
    assert repr(found) == "<Projection <text>: 2 of 5 lines can matter for 5 targets>"
    assert json.loads(projection_to_json(found))["target"].count("assert at line") == 5


def test_an_unreachable_target_has_an_empty_projection() -> None:
    found = knaster.project(TEXT.replace("g := 1", "g := 0"))
    assert found.nodes == () and found.lines == ()


def test_without_a_target_there_is_nothing_to_project() -> None:
    with pytest.raises(UsageError, match="--target"):
        knaster.project("void main() begin skip; end\n")


def test_the_command_says_it_in_text_and_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", str(file), "--target", "ERROR"]) == 0
    text = capsys.readouterr().out
    assert ">     7      f();" in text and "\n     12    skip;" in text
    assert main(["project", str(file), "--annotate", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 2 and document["verdict"] == "FALSE" and document["target"] == "ERROR"
    assert document["lines"] == [4, 5, 6, 7, 15, 16]
    node = document["nodes"][0]
    assert {"line", "procedure", "witness", "values"} <= node.keys()
    assert [entry["line"] for entry in node["witness"]] == [4, 5, 6, 7, 15, 16]


def test_a_spent_budget_is_undecided(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", str(file), "--timeout", "0.0001"]) == 5
    assert "UNKNOWN" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on this machine")
def test_the_page_works_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(projection_to_html(knaster.project(TEXT, annotate=True)))
    assert page.stat().st_size < 60_000
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += ["--no-first-run", f"--user-data-dir={tmp_path}/profile", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE).stdout
    assert shown.count("<details>") == 6 and shown.count("data-matters") >= 6
    assert 'href="#w1"' in shown and 'id="w1"' in shown
    assert (
        '<div data-line="12" data-unreached=""><i>12</i><code>  skip;</code><span class="never">cannot matter' in shown
    )


@pytest.mark.parametrize("spent", [Unknown("the memory limit of 9 MB was reached"), Reachable(None)])
def test_too_little_memory_for_a_witness_is_nobodys_fault(spent: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*arguments: Any, **more: Any) -> Result:
        budget = arguments[3]
        assert isinstance(budget, Budget) and budget.megabytes == 9_000
        assert budget.seconds is not None and 0 < budget.seconds < 1_000
        found = run_engine(*arguments, **more)
        return replace(found, answers=((found.answers[0][0], spent),), notes=("no trace: the memory is spent",))

    monkeypatch.setattr("knaster.decide.project.run_engine", exhausted)
    found = knaster.project(TEXT, annotate=True, limits=knaster.Limits(1_000, 9_000))
    assert found.lines == (4, 5, 6, 7, 15, 16) and "memory" in found.note
    assert all(node.witness is None and node.values is not None for node in found.nodes)


TWO_WAYS = """decl g;
void main() begin
  if (*) then
    g := 1;
  else
    g := 0;
  fi
  ERROR: skip;
end
"""


START = ("main", 0)


@pytest.mark.parametrize("reason", [OutOfBudget("the time limit of 3 s was reached"), KeyboardInterrupt()])
@pytest.mark.parametrize("format", ["text", "json", "html"])
def test_witnesses_are_not_lost(
    reason: BaseException,
    format: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calls = 0

    def stopped(*arguments: Any, **more: Any) -> Result:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise reason
        return run_engine(*arguments, **more)

    monkeypatch.setattr("knaster.decide.project.run_engine", stopped)
    file = tmp_path / "two.bp"
    file.write_text(TWO_WAYS)
    assert main(["project", str(file), "--annotate", "--format", format]) == 0
    output = capsys.readouterr().out
    why = str(reason) or "interrupted"
    assert f"Witnesses for 3 of 4 statements: {why}." in output
    if format == "json":
        nodes = json.loads(output)["nodes"]
        assert [bool(node["witness"]) for node in nodes].count(True) == 3 and all(node["values"] for node in nodes)


def test_an_interruption_before_anything_is_known(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("knaster.decide.project.error_projection", stopped)
    assert main(["project", str(file)]) == 5
    assert capsys.readouterr() == ("", f"{file}: UNKNOWN. Interrupted.\n")


def test_a_limit_in_the_middle_of_the_witnesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, found = tmp_path / "driver.bp", []
    file.write_text(driver(20, True))

    def remember(program: knaster.Program, place: Any, targets: Any) -> Reduction:
        found.append(place)
        return remember_place(program, place, targets)

    monkeypatch.setattr("knaster.decide.project.remember_place", remember)
    monkeypatch.setattr("knaster.base.limits.clock", lambda: 1000.0 if found else 0.0)  # the first takes long
    assert main(["project", str(file), "--annotate", "--timeout", "99"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and len(found) == 1 and out.endswith("statements: the time limit of 99 s was reached.\n")


def test_a_witness_that_misses_its_statement_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "knaster.decide.project.remember_place", lambda program, place, targets: remember_place(program, START, targets)
    )
    with pytest.raises(InternalError, match="no witness for"):
        knaster.project(TWO_WAYS, annotate=True)
