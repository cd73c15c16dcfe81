"""Straight lines: each way once, through calls too, over inputs whose values are given and belong to their types."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.c import lines
from knaster.checkers.c.lines import lines_from
from knaster.checkers.c.walk import CallNode, Claims, Node, Walk
from knaster.frontends.c import parse
from knaster.program.expression import TRUE
from knaster.program.types import Value
from knaster.semantics.python_code import loop_heads

READ = "extern int read(void);\n"


def ends(body: str, given: Mapping[int, Value] | None = None, more: str = "") -> list[str]:
    """Return where the lines from the entry of a program to its exit end: at a place, or in a call."""
    program = parse(f"{READ}{more}int main(void) {{ int x = 1; {body} return 0; }}\n", "a.c")
    main = program.procedure("main")
    walk = Walk(program, Claims(), Budget())
    start = Node(("main", main.entry), TRUE, walk.state("main"))
    found = list(lines_from(walk, start, {main.exit}, given))
    assert all(isinstance(line, CallNode) or line.place == ("main", main.exit) for line in found)
    return [line.callee.name if isinstance(line, CallNode) else "exit" for line in found]


def test_no_location_comes_twice() -> None:
    assert ends("") == ["exit"]
    assert ends("if (x) x = 2; else x = 3;") == ["exit"] * 2
    assert ends("while (x > 0) x = x - 1;") == ["exit"]  # once around would pass its head again
    assert ends("while (x > 0) { if (x > 2) break; x = x - 1; }") == ["exit"] * 2


def test_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "if (x) x = 2; else x = 3; if (x > 2) x = 4;"
    monkeypatch.setattr(lines, "MOST_LINES", 4)
    assert len(ends(body)) == 4
    monkeypatch.setattr(lines, "MOST_LINES", 3)
    with pytest.raises(OutOfBudget, match="too many ways"):
        ends(body)


def test_calls_are_entered_and_walked_through() -> None:
    more = "void no(void) { } int two(int a) { if (a) return 1; return 2; } int twice(int a) { return two(a) + 1; }\n"
    assert sorted(ends("no();", more=more)) == ["exit", "no"]
    assert sorted(ends("x = two(x);", more=more)) == ["exit", "exit", "two"]
    assert sorted(ends("x = twice(x);", more=more)) == ["exit", "exit", "twice", "two"]
    loop = "int down(int n) { while (n > 0) n = n - 1; return n; }\n"
    assert ends("x = down(x);", more=loop) == ["down"]  # nothing is known of how it ends


def test_a_line_ends_at_the_place_after_the_call() -> None:
    more = "int two(int a) { if (a) return 1; return 2; }\n"
    program = parse(f"{more}int main(void) {{ int x = 1; x = two(x); while (x) {{ }} return 0; }}\n", "a.c")
    walk = Walk(program, Claims(), Budget())
    main = program.procedure("main")
    (head,) = loop_heads(main)
    places = [
        line.place
        for line in lines_from(walk, Node(("main", main.entry), TRUE, walk.state("main")), {head}, None)
        if isinstance(line, Node)
    ]
    assert places == [("main", head)] * 2


@pytest.mark.parametrize(
    ("value", "taken"), [(7, True), (0, True), (-(2**31), True), (2**31, False), (2**40, False), (True, False)]
)
def test_an_input_is_read_where_a_value_of_its_type_is_given(value: Value, taken: bool) -> None:
    program = parse(f"{READ}int main(void) {{ int x = 1; x = read(); return 0; }}\n", "a.c")
    edges = program.procedure("main").edges
    (at,) = [number for number, edge in enumerate(edges) if lines._choices(edge)]
    body = "x = read();"
    assert ends(body) == ["exit"]  # any value
    assert ends(body, {}) == ends(body, {at + 1: 7}) == []
    assert ends(body, {at: value}) == (["exit"] if taken else [])
