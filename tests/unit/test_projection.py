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
from knaster.cli import main
from knaster.errors import UsageError
from knaster.pipeline import Result
from knaster.results.render.projection import projection_to_html
from knaster.results.verdict import Answer, OutOfBudget, Reachable, Unknown

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


def test_an_unreachable_target_has_an_empty_projection() -> None:
    found = knaster.project(TEXT.replace("g := 1", "g := 0"))
    assert found.nodes == () and found.lines == ()


def test_without_a_target_there_is_nothing_to_project() -> None:
    with pytest.raises(UsageError, match="--target"):
        knaster.project("void main() begin skip; end\n")


def test_the_command_says_it_in_text_and_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", str(file), "--target", "ERROR"]) == 10
    text = capsys.readouterr().out
    assert ">     7      f();" in text and "\n     12    skip;" in text
    assert main(["project", str(file), "--annotate", "--format", "json"]) == 10
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1 and document["target"] == "ERROR"
    assert document["lines"] == [4, 5, 6, 7, 15, 16]
    node = document["nodes"][0]
    assert {"line", "procedure", "witness", "values"} <= node.keys()
    assert [entry["line"] for entry in node["witness"]] == [4, 5, 6, 7, 15, 16]


def test_a_spent_budget_is_undecided(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", str(file), "--timeout", "0"]) == 5
    assert "UNKNOWN" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on this machine")
def test_the_page_works_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(projection_to_html(knaster.project(TEXT, annotate=True)))
    assert page.stat().st_size < 20_000
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += ["--no-first-run", f"--user-data-dir={tmp_path}/profile", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    assert shown.count("<details>") == 6
    assert 'href="#w1"' in shown and 'id="w1"' in shown
    assert 'class="line out"' in shown


@pytest.mark.parametrize("spent", [Unknown("the memory limit of 9 MB was reached"), Reachable(None)])
def test_too_little_memory_for_a_witness_is_nobodys_fault(spent: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*arguments: Any, **options: Any) -> Result:
        assert options["memory"] == 9_000 and 0 < options["timeout"] < 1_000
        found = knaster.check(*arguments, **options)
        return replace(found, answers=((found.answers[0][0], spent),), notes=("no trace: the memory is spent",))

    monkeypatch.setattr("knaster.projection.check", exhausted)
    with pytest.raises(OutOfBudget, match="memory"):
        knaster.project(TEXT, annotate=True, timeout=1_000, memory=9_000)
