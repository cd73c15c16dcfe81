"""SARIF: valid by the official schema, flows for each thread, and never more steps than are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from knaster.cli import main
from knaster.report.ci.sarif import MOST_STEPS, write_sarif
from support import ROOT

EXAMPLES = ("lock.bp", "even_odd.bp", "threads/started.bp", "c/ex0.c", "zing/figure-2.zing")
SCHEMA = ROOT.parent / "shared" / "schemas" / "sarif-2.1.0.json"


def sarif(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    main(["check", *arguments, "--format", "sarif"])
    return json.loads(capsys.readouterr().out)


def test_results_point_to_their_rules_and_threads_have_flows(capsys: pytest.CaptureFixture[str]) -> None:
    log = sarif(capsys, *(str(ROOT / "examples" / name) for name in EXAMPLES))
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(run["results"]) == 4 and all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert all(result["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1 for result in run["results"])
    threads = run["results"][1]["codeFlows"][0]["threadFlows"]
    orders = sorted(step["executionOrder"] for flow in threads for step in flow["locations"])
    assert len(threads) > 1 and orders == list(range(1, len(orders) + 1))
    assert run["invocations"][0]["executionSuccessful"] is True


@pytest.mark.shared
@pytest.mark.skipif(not SCHEMA.is_file(), reason="../shared is not there")
def test_the_official_schema_accepts_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong name: 100%.bp"
    wrong.write_text("void main() begin\n  y := T;\nend\n")
    files = [*(str(ROOT / "examples" / name) for name in EXAMPLES), str(wrong)]
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).validate(sarif(capsys, *files))
    endless = sarif(capsys, str(ROOT / "examples" / "c" / "ex1.c"), "--property", "termination")
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).validate(endless)
    steps = endless["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert any("again and again" in step["location"].get("message", {}).get("text", "") for step in steps)


def test_long_runs_are_cut_and_say_so() -> None:
    step = {"line": 1, "column": 1, "procedure": "main", "depth": 0, "thread": 1, "state": {"x": 0}}
    target = {"name": "R", "line": 1, "reachable": True, "trace": [step] * (MOST_STEPS + 5)}
    document = {
        "file": "a.bp",
        "status": "answered",
        "verdict": "FALSE",
        "reason": "",
        "targets": [target],
        "options": {},
    }
    (result,) = json.loads(write_sarif([document], lambda file, line: ""))["runs"][0]["results"]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    assert len(flow["locations"]) == MOST_STEPS and flow["locations"][0]["executionOrder"] == 6
    assert "the first 5 steps" in result["message"]["text"]


def test_undecided_is_a_notification(capsys: pytest.CaptureFixture[str]) -> None:
    log = sarif(capsys, str(ROOT / "examples" / "threads" / "started.bp"), "--switches", "1")
    (run,) = log["runs"]
    assert not run["results"] and run["invocations"][0]["executionSuccessful"] is True
    assert run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"]["id"] == "knaster/undecided"


def test_a_function_without_a_statement_has_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("clang")
    program = tmp_path / "p.c"
    program.write_text("int x;\nvoid reach_error(void) { }\nint main(void) {\n  if (!x) reach_error();\n}\n")
    (result,) = sarif(capsys, str(program))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [4, 4, 2]
