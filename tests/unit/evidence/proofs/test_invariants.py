"""Invariants as a proof: their form in a file, and their words for people and for programs."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.invariants import (
    SHOWN,
    Invariants,
    Meaning,
    from_fields,
    of_entry,
    to_fields,
    to_json,
    to_words,
)
from knaster.frontends.c import parse
from knaster.program.algebra import conjuncts
from knaster.program.expression import FALSE, TRUE, Binary, Compare, Comparison, Const, Expr, Operator, Var
from knaster.program.model import old
from knaster.semantics.python_code import loop_heads

PROGRAM = parse(
    """int f(int x) { return x; }
int main(void) {
  int i = 0;
  while (i < 5) {
    i = i + 1;
  }
  return 0;
}
""",
    "a.c",
)
MAIN, F = PROGRAM.procedure("main"), PROGRAM.procedure("f")
(HEAD,) = loop_heads(MAIN)


def at_most(name: str, number: int) -> Expr:
    return Compare(Comparison.AT_MOST, Var(name), Const(number))


def proof(head: Expr = TRUE, requires: Expr = TRUE, gives: Expr = TRUE) -> Invariants:
    return Invariants(PROGRAM, {"main": TRUE, "f": requires}, {("main", HEAD): head, ("f", F.exit): gives})


def words(given: Invariants, verbose: bool = False) -> list[str]:
    return list(to_words(given, PROGRAM, verbose))


def test_entry_values() -> None:
    assert of_entry(at_most("x", 3)) == at_most(old("x"), 3)
    assert of_entry(at_most(old("x"), 3)) == at_most(old("x"), 3)


def test_both_ways() -> None:
    given = proof(at_most("i", 5), at_most(old("x"), 1), at_most("@0", 1))
    fields = to_fields(given, PROGRAM)
    assert fields["invariants"]["requires"][0] == ["main", [["truth", True]]]
    assert [entry[:2] for entry in fields["invariants"]["at"]] == [["main", HEAD], ["f", F.exit]]
    assert from_fields(fields, PROGRAM, 0, Budget()) == given


def test_words_for_people() -> None:
    given = proof(at_most("i", 5), at_most(old("x"), 1), at_most("@0", 1))
    assert words(given) == [
        "  line 4, main: always i <= 5",
        "  f requires x <= 1",
        "  f guarantees \\result <= 1",
    ]
    document = to_json(given, PROGRAM)
    assert document["invariants"] == [{"line": 4, "function": "main", "holds": ["i <= 5"]}]
    assert document["functions"] == [{"function": "f", "requires": ["x <= 1"], "guarantees": ["\\result <= 1"]}]


def test_what_never_happens() -> None:
    assert words(proof(FALSE, TRUE, FALSE)) == [
        "  line 4, main: no run comes here",
        "  f guarantees that it does not return",
    ]
    assert words(proof(requires=FALSE)) == ["  f is never called"]


def test_what_keeps_its_value_is_left_out() -> None:
    keeps = Compare(Comparison.EQUAL, Var("x"), Var(old("x")))
    other = Compare(Comparison.EQUAL, Var("@0"), Var(old("x")))
    local = Compare(Comparison.EQUAL, Var("i"), Var(old("x")))
    assert words(proof(gives=keeps)) == []
    assert words(proof(gives=other)) == ["  f guarantees \\result == \\old(x)"]
    assert words(proof(gives=local)) == []


def test_only_so_many_parts_are_shown() -> None:
    many: Expr = at_most("i", 0)
    for number in range(1, SHOWN + 2):
        many = Binary(Operator.AND, many, at_most("i", number))
    assert len(list(conjuncts(many))) == SHOWN + 2
    lines = words(proof(many))
    assert len(lines) == SHOWN + 1 and lines[-1].strip() == "and 2 more (--verbose shows them)"
    assert len(words(proof(many), verbose=True)) == SHOWN + 2


GOOD = [["truth", True]]


@pytest.mark.parametrize(
    "data",
    [
        {"requires": [["g", GOOD]], "at": []},
        {"requires": [["f", GOOD], ["f", GOOD]], "at": []},
        {"requires": [["f"]], "at": []},
        {"requires": [], "at": [["f", F.size, GOOD]]},
        {"requires": [], "at": [["f", 0, GOOD], ["f", 0, GOOD]]},
        {"requires": [], "at": [["f", True, GOOD]]},
        {"requires": [], "at": [["f", 0]]},
        {"requires": []},
    ],
)
def test_what_are_no_invariants(data: Any) -> None:
    with pytest.raises(ProofError):
        from_fields({"invariants": data}, PROGRAM, 0, Budget())


def test_the_first_place_of_a_procedure_is_one() -> None:
    (place,) = from_fields({"invariants": {"requires": [], "at": [["f", 0, GOOD]]}}, PROGRAM, 0, Budget()).at
    assert place == ("f", 0)
    for name in ("g", 7):
        with pytest.raises(ProofError, match="of no place"):
            from_fields({"invariants": {"requires": [], "at": [[name, 0, GOOD]]}}, PROGRAM, 0, Budget())


def test_of_places_in_one_line_each_loop_is_shown() -> None:
    loops = "while (i < 5) i = i + 1; while (i < 7) i = i + 1;"
    text = f"int main(void) {{ int i = 0; {loops} i = i - 1; i = i + 2; return i; }}"
    program = parse(text, "a.c")
    main = program.procedure("main")
    at = {("main", place): at_most("i", 7) for place in range(main.size) if place != main.exit}
    given = Invariants(program, {"main": TRUE}, at)
    assert len(list(to_words(given, program, False))) == 2 and len(loop_heads(main)) == 2
    assert len(list(to_words(given, program, True))) == 3  # the other places say the same once


def test_a_parameter_that_a_function_changes_is_not_shown_at_its_end() -> None:
    for body, shown in (("return x;", True), ("x = x + 1; return x;", False), ("x = g(x); return x;", False)):
        text = f"int g(int y) {{ return y; }} int f(int x) {{ {body} }} int main(void) {{ return f(1); }}"
        program = parse(text, "a.c")
        at = {("f", program.procedure("f").exit): at_most("x", 3)}
        assert bool(list(to_words(Invariants(program, {"f": TRUE}, at), program, False))) is shown, body


def test_variables_of_procedures_that_are_those_of_the_program() -> None:
    meaning = Meaning({}, {"a": "f"})
    assert meaning.visible(["a", "b"], "f") == ["a", "b"] and meaning.visible(["a", "b"], "g") == ["b"]


def test_places_other_than_loops_are_shown_where_all_is_wanted() -> None:
    inner = next(edge.target for edge in MAIN.edges if edge.source == HEAD and edge.target != MAIN.exit)
    at = {("main", HEAD): at_most("i", 5), ("main", inner): at_most("i", 4), ("main", MAIN.entry): at_most("i", 9)}
    given = Invariants(PROGRAM, {"main": TRUE}, at)
    assert len(words(given)) == 1 and "5" in words(given)[0]
    assert len(words(given, verbose=True)) == 2 and not any("9" in line for line in words(given, verbose=True))
