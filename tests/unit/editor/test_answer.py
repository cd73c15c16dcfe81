"""What a worker finds out for an editor: problems of a text, findings, what was proved, a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knaster.base.limits import Limits
from knaster.editor.answer import CHECK, PAGE, READ, EditorWork

SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\n  if (!x) then\n    skip;\n  fi\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
LOOP = """extern void reach_error(void);
int twice(int x) { return x == 3 ? 6 : x + x; }
int main(void) {
  unsigned i = 0, j = 0;
  while (i < 1000000) { i++; j++; }
  if (i != j) reach_error();
}
"""


def answer(text: str, wanted: str, file: str = "a.bp") -> Any:
    output = EditorWork(file, text, wanted).attempt().do(None).output
    return json.loads(output) if output.startswith("{") else output


def test_a_text_that_can_be_read_has_no_problem() -> None:
    assert answer(UNSAFE, READ) == "" == answer("bool x(bool y) y;\nx(true);\n", READ, "a.mu")


@pytest.mark.parametrize(("file", "text"), [("a.bp", "void main( begin"), ("a.mu", "bool x("), ("a.zing", "class {")])
def test_what_is_wrong_has_a_place(file: str, text: str) -> None:
    for wanted in (READ, CHECK):
        document = answer(text, wanted, file)
        assert document["status"] == "refused" and document["errors"][0]["line"] == 1


def test_a_check_says_what_fails_and_what_no_run_reaches() -> None:
    assert answer(UNSAFE, CHECK)["targets"][0]["reachable"]
    document = answer(SAFE, CHECK)
    assert document["verdict"] == "TRUE" and [one["line"] for one in document["unreached"]] == [6]


def test_what_was_proved_is_said_by_line() -> None:
    pytest.importorskip("clang")
    document = answer(LOOP, CHECK, "a.c")
    assert document["verdict"] == "TRUE" and "5" in document["facts"]


def test_the_page_is_a_page() -> None:
    assert answer(UNSAFE, PAGE).startswith("<!DOCTYPE html>")


def test_a_limit_is_an_answer() -> None:
    work = EditorWork("a.bp", UNSAFE, CHECK, Limits(1))
    assert json.loads(work.attempt().stop("too late").output)["reason"] == "too late"


def test_files_are_not_needed(tmp_path: Path) -> None:
    work = EditorWork(str(tmp_path / "nowhere.bp"), UNSAFE, READ)
    assert work.carry() == work and work.attempt().do(None).output == ""
