"""Programs with memory as texts for the kernel: what is written is what the kernel reads."""

from __future__ import annotations

import json

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import read_program
from knaster_check.program import Begin, Invoke, Library, Write
from support.attacks.on_memory import text_of

BODY = 'int v[2] = {1}; char s[4] = "ab"; double d = 0.5; int (*f)(int) = twice; v[1] = f(v[0]); free(malloc(4));'


def test_layout_and_actions_are_read_again() -> None:
    program = load(text_of(f"static int g = 7; {BODY} return g + (d > 0.25) + (&v[1] - v);"), file="a.c")
    text = program_to_kernel(program)
    read = read_program(text)
    assert program.memory is not None
    assert read.layout is not None
    assert read.layout.pointer == 8
    assert [each.name for each in read.layout.objects] == [each.name for each in program.memory.objects]
    assert read.layout.forms.keys() == dict(program.memory.forms).keys()
    kinds = {edge.action.__class__ for procedure in read.procedures.values() for edge in procedure.edges}
    assert {Begin, Invoke, Library, Write} <= kinds
    heads = {node[0] for row in json.loads(text)["procedures"] for edge in row["edges"] for node in _nodes(edge[1])}
    assert {"real", "image", "object", "load", "move", "distance", "compute", "cast"} <= heads


def _nodes(part: object) -> list[list[str]]:
    if not isinstance(part, list):
        return []
    own = [part] if part and isinstance(part[0], str) else []
    return own + [node for each in part for node in _nodes(each)]


def test_every_edge_has_its_column() -> None:
    program = load("int main(void) { int x = 1, *p = &x;\n  *p = 2; return 0; }\n", file="a.c")
    read = read_program(program_to_kernel(program))
    places = [(edge.line, edge.column) for edge in read.procedures["main"].edges]
    assert (2, 3) in places
