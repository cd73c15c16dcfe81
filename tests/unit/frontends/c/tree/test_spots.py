"""Where nodes stand: line markers, spans of statements, and columns of lines that are not plain ASCII."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.frontends.c.tree.nodes import Empty
from knaster.frontends.c.tree.spots import Text, lay_out
from support.c_text import read


def test_line_markers_say_where_lines_stand() -> None:
    text = '# 3 "x.c"\nint a;\n# 1 "h.h"\nint h;\nint i;\n# 6 "x.c"\nint b;\n'
    layout = lay_out(text)
    assert layout.text.split("\n") == ["", "", "int a;", "int h; int i;", "", "int b;", ""]
    assert [layout.spot(line, 1) for line in (2, 4, 5, 7)] == [(3, 1), (4, 1), (4, 8), (6, 1)]


def test_markers_that_lead_backwards_are_not_heeded() -> None:
    text = '# 9 "x.c"\nint a;\n# 3 "x.c"\nint b;\n'
    assert lay_out(text).text == text and lay_out("int a;\n").text == "int a;\n"


def test_a_span_ends_with_its_statement_or_its_line() -> None:
    text = Text('x = f(a, b); y;\nif (a && (b)) { }\nz =\n 3; /* ; */ "x;"')
    assert [text.statement(Empty(at)) for at in ((1, 1), (2, 1), (3, 1), (4, 13))] == [
        *(Span(1, 1, 11), Span(2, 1, 13), Span(3, 1, 3), Span(4, 13, 4))
    ]
    assert text.token(Empty((1, 5))) == Span(1, 5, 1) and text.token(Empty((9, 9))) == Span(9, 9, 1)


def test_spans_of_statements() -> None:
    main = read(
        "int main(void) {\n  int x = 1;\n  if (x > 2) { x = 3; }\n  do x++;\n  while (x < (4));\n  return x;\n}\n"
    )[0]
    spans = {(edge.span.line, edge.span.column, edge.span.length) for edge in main.procedure("main").edges}
    assert spans == {(2, 7, 5), (3, 3, 10), (3, 16, 5), (4, 6, 3), (5, 3, 15), (6, 3, 8)}


def test_columns_count_letters() -> None:
    main = read("int main(void) {\n  /* éé */ int x = 1; return x;\n}\n")[0]
    assert {edge.span.column for edge in main.procedure("main").edges} == {16, 23}
