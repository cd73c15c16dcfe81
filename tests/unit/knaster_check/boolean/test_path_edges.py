"""Path edges: what a procedure may write, through calls of any depth, and of which programs they are."""

from __future__ import annotations

import json

import pytest

from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import entry_of, fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.boolean.path_edges import written_variables
from support.kernel import kernel
from support.kinds_of_proofs import result_with


def test_what_is_written_below() -> None:
    text = """decl a, b, c;
void main() begin decl x; x := low(); mid(); end
void mid() begin decl y; y := top(); _ := low(); end
bool top() begin b := T; return b; end
bool low() begin decl l; l := F; a := l; return l; end
void alone() begin c := F; end
"""
    program = read_program(program_to_kernel(parse(text, "a.bp")))
    written = written_variables(program)
    results = {name: set(own.results) for name, own in program.procedures.items()}
    assert written["main"] - results["main"] == {"x", "a", "b"}
    assert written["mid"] - results["mid"] == {"y", "a", "b"}
    assert written["top"] - results["top"] == {"b"} and written["low"] - results["low"] == {"l", "a"}
    assert written["alone"] == {"c"}


def test_what_threads_write() -> None:
    text = "decl a, b;\nvoid main_1() begin atomic_begin; atomic_end; end\nvoid main_2() begin skip; end\n"
    written = written_variables(read_program(program_to_kernel(parse(text, "a.bp"))))
    assert written == {"main_1": {"a", "b"}, "main_2": set()}


def test_they_are_of_sequential_programs() -> None:
    result = result_with("path_edges")
    document = json.loads(proof_to_text(result))
    threads = parse("decl g;\nvoid main_1() begin if (g) then R: skip; fi end\nvoid main_2() begin skip; end\n", "a.bp")
    wrong = {**document, "program": fingerprint(threads), "entry": entry_of(threads)}
    (at,) = (at for label, at in threads.procedure("main_1").labels if label == "R")
    wrong["targets"] = [{"name": "R", "procedure": "main_1", "location": at}]
    with pytest.raises(Refused, match="sequential Boolean programs"):
        kernel(threads, wrong)
