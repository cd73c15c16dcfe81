"""Runs that never end as rows, in every format."""

from __future__ import annotations

import json

import knaster
from knaster.evidence.answers.answer import Diverges
from knaster.report.endless import form_of, rows_of
from knaster.report.entries import Form

TEXT = "decl g; void main() begin A: g := 1; while (1) do B: f(); od end void f() begin C: skip; end\n"


def test_rows_have_atoms_and_the_beginning_of_the_cycle() -> None:
    result = knaster.check(TEXT, property="F G !B")
    answer = result.answers[0][1]
    assert isinstance(answer, Diverges) and answer.lasso is not None
    for form, length in ((Form.FULL, 4), (Form.CALLS, 3)):
        rows = list(rows_of(result.program, result.question, answer.lasso, form))
        assert len(rows) == length and [row.begins for row in rows].index(True) == 1
        assert [row.atoms for row in rows][2] == ("B",)
    assert form_of(answer.lasso, None) is Form.FULL


def test_json_has_the_atoms_and_the_formula() -> None:
    document = json.loads(knaster.check(TEXT, property="F G !B").to_json())
    assert document["formula"] == "F G !B" and document["checked"] and document["automaton"] == 1
    assert [entry["edge"] for entry in document["lasso"]["cycle"]][-1] == "target"
    assert ["B"] in [entry.get("atoms") for entry in document["lasso"]["cycle"]]


def test_json_of_a_run_that_stays() -> None:
    document = json.loads(knaster.check("void main() begin L: skip; end\n", property="G F L").to_json())
    assert [(entry["edge"], entry["atoms"]) for entry in document["lasso"]["cycle"]] == [("stay", [])]
