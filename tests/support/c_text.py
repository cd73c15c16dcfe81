"""A few lines of C: the steps of a function as lines of text, and what is said of mistakes and as remarks."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import Problem, SourceError
from knaster.frontends.c import parse
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.spelling import statement_to_text
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.reading import read_tree
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.text.options import COptions
from knaster.program.model import Program

READ = "extern int read(void);\n"


def main_of(body: str, before: str = "") -> str:
    """Return a program whose main has these statements."""
    return f"{READ}{before}\nint main(void) {{ {body} return 0; }}\n"


def steps(body: str, before: str = "", function: str = "main", integers: str = "machine") -> list[str]:
    """Return the steps of a function, each with where it begins and ends."""
    program = parse(main_of(body, before), options=COptions(integers=integers))
    found = program.procedure(function)
    return [f"{edge.source}-{edge.target} {statement_to_text(found, edge)}" for edge in found.edges]


def read(text: str) -> tuple[Program, list[str]]:
    """Return the program of a text and what is remarked about it."""
    notes: list[Problem] = []
    return parse(text, notes=notes), [note.message for note in notes]


def messages(text: str) -> list[str]:
    """Return what is wrong with a text."""
    with pytest.raises(SourceError) as error:
        parse(text, options=COptions(objects="never"))
    return [problem.message for problem in error.value.problems]


def initial_value(text: str) -> Any:
    """Return the node of an expression of type long over some variables, without the conversion to long around it."""
    before = "int a, b, i; char c; int t[3]; struct { int x; } s; int f(int);"
    problems: list[Problem] = []
    whole = f"{before}\nint main(void) {{ long value = {text}; return 0; }}\n"
    tree = read_tree(whole, "test.c", COptions(), Layout(whole), problems)
    assert tree is not None and not problems
    (declaration, *_) = tree.functions[-1].body.parts
    assert isinstance(declaration, nodes.Declaration)
    found = declaration.object.initial
    return (
        found.operand if isinstance(found, nodes.Convert) and found.type == Integer(64) and "l" not in text else found
    )
