"""Every edge knows the statement that it comes from, so that lines can be named: reached, never reached, failing."""

from __future__ import annotations

import re
from random import Random

from knaster.base.errors import Span
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.printer import to_text
from support.generators.boolean_programs import LARGE, random_program
from support.generators.boolean_texts import random_text

_LABELS = re.compile(r"\s*(?:\S+: |\{[^}]*\}: )*")
_NO_STATEMENT = re.compile(r"| *decl .*|init\(.*| *enforce .*|(?:void|bool).* begin| *(?:else|fi|od|end)")


def covered(lines: list[str], span: Span) -> str:
    return lines[span.line - 1][span.column - 1 : span.column - 1 + span.length]


def test_each_edge_has_the_span_of_its_whole_statement() -> None:
    for seed in range(40):
        text = to_text(parse(random_text(Random(seed))) if seed % 2 else random_program(Random(seed), LARGE))
        lines = text.split("\n")
        seen: set[int] = set()
        for procedure in parse(text).procedures:
            for edge in procedure.edges:
                line = lines[edge.span.line - 1]
                labels = _LABELS.match(line)
                assert labels is not None
                assert covered(lines, edge.span) == line[labels.end() :].removesuffix(";"), (seed, edge)
                seen.add(edge.span.line)
            assert len({edge.source for edge in procedure.edges}) == procedure.exit
        statements = {at for at, line in enumerate(lines, start=1) if not _NO_STATEMENT.fullmatch(line)}
        assert seen == statements, seed


def test_statements_on_one_line_and_over_several_lines() -> None:
    text = """decl x, y; void main() begin
  A: x := 1; B: y :=
     x;  skip; assert(x); while
  (x & y) do skip; od if x then L: fi
  M:
end
"""
    lines = text.split("\n")
    spans = [(edge.span.line, covered(lines, edge.span)) for edge in parse(text).procedure("main").edges]
    assert list(dict.fromkeys(spans)) == [
        (2, "x := 1"),
        (2, "y :="),
        (3, "skip"),
        (3, "assert(x)"),
        (3, "while"),
        (4, "skip"),
        (4, "if x then"),
        (4, "L"),
        (5, "M"),
    ]
    main = parse(text).procedure("main")
    assert [edge.span.line for edge in main.edges if edge.target in main.failures] == [3]
