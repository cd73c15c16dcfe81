"""A small Zing model around a few statements: its steps as lines of text, and what is said of its mistakes."""

from __future__ import annotations

import pytest

from knaster.base.errors import SourceError
from knaster.frontends.zing import parse
from knaster.frontends.zing.spelling import action_to_text
from knaster.program.model import Procedure, Program

DECLARED = """enum E { a, b, c }; range R 1 .. 3; struct S { int x; bool y; };
array A[] int; array B[2] int; chan Q int; set Z int;
interface I { int get(int k); };
class C : I { int f; C next; static int s = 2; int get(int k) { return f + k; } static bool ready() { return s > 0; } };
"""


def model(body: str, members: str = "") -> str:
    """Return a model whose first thread runs the statements."""
    return DECLARED + f"class Main {{ activate static void main() {{ {body} }} {members} }};\n"


def read(body: str, members: str = "") -> Program:
    """Return the program of such a model."""
    return parse(model(body, members))


def steps(body: str, members: str = "", method: str = "main") -> list[str]:
    """Return the steps of a method, each with where it begins and ends."""
    found: Procedure = read(body, members).procedure(method)
    return [f"{edge.source}-{edge.target} {action_to_text(edge.action)}" for edge in found.edges]


def messages(text: str) -> list[str]:
    """Return what is wrong with a text."""
    with pytest.raises(SourceError) as error:
        parse(text)
    return [problem.message for problem in error.value.problems]
