"""The walk through a program: which calls are walked through, branches that meet, claims on the way, and its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.c import walk as walking
from knaster.checkers.c.obligations import Fact, Kind
from knaster.checkers.c.walk import Claims, Node, Walk
from knaster.checkers.invariants import check_invariants
from knaster.evidence.proofs.invariants import Invariants
from knaster.frontends.c import parse
from knaster.program.expression import TRUE, Choice, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Assign, Assume, Edge, Program
from knaster.semantics.python_code import loop_heads

CALLS = """
int leaf(int a) { return a + 1; }
int twice(int a) { return leaf(leaf(a)); }
int loop(int a) { while (a > 0) a = a - 1; return a; }
int above(int a) { return loop(a); }
int self(int a) { if (a > 0) return self(a - 1); return 0; }
int odd(int a);
int even(int a) { if (a == 0) return 1; return odd(a - 1); }
int odd(int a) { if (a == 0) return 0; return even(a - 1); }
int main(void) { return twice(1) + above(2) + self(3) + even(4); }
"""


class Saying(Claims):
    """Speaks of some procedures, and says something wherever a run passes."""

    def __init__(self, names: str = "", said: Expr = TRUE) -> None:
        self.names_spoken = names.split()
        self.said = said

    def speaks_of(self, name: str) -> bool:
        return name in self.names_spoken

    def claim_at(self, node: Node) -> Expr:
        return self.said


@pytest.mark.parametrize(
    ("spoken", "inside"),
    [
        ("", {"leaf", "twice"}),
        ("leaf", {"twice"}),
        ("loop", {"leaf", "twice", "above"}),
        ("loop self even odd", {"leaf", "twice", "above", "main"}),
        ("loop self even", {"leaf", "twice", "above", "main"}),  # `odd` is still one of a circle
    ],
)
def test_which_calls_are_walked_through(spoken: str, inside: set[str]) -> None:
    assert Walk(parse(CALLS, "a.c"), Saying(spoken), Budget()).inside == inside


def test_long_procedures_are_not_walked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse(CALLS, "a.c")
    leaf, twice = (len(program.procedure(name).edges) for name in ("leaf", "twice"))
    for most, inside in (
        (leaf - 1, set()),
        (leaf, {"leaf"}),
        (twice + 2 * leaf - 1, {"leaf"}),
        (twice + 2 * leaf, {"leaf", "twice"}),
    ):
        monkeypatch.setattr(walking, "MOST_INSIDE", most)
        assert Walk(program, Claims(), Budget()).inside == inside


def test_an_edge_that_leads_back_to_its_place_is_a_cycle() -> None:
    program = parse("int f(int a) { return a; } int main(void) { return f(1); }", "a.c")
    called = program.procedure("f")
    looping = replace(called, edges=(Edge(called.entry, Assume(TRUE), called.entry), *called.edges))
    wrong = replace(program, procedures=tuple(looping if own is called else own for own in program.procedures))
    assert "f" in Walk(program, Claims(), Budget()).inside and "f" not in Walk(wrong, Claims(), Budget()).inside
    walk = Walk(wrong, Claims(), Budget())
    with pytest.raises(InternalError, match=f"says nothing about location {called.entry} of 'f'"):
        walk.region(Node(("f", called.entry), TRUE, walk.state("f")), [called.exit])


def test_some_variables_of_a_state() -> None:
    walk = Walk(
        parse("int f(int a, int b) { return a; } int main(void) { return f(1, 2); }", "a.c"), Claims(), Budget()
    )
    assert walk.state("f", ("a",)).keys() == {"a"} and walk.state("f").keys() >= {"a", "b"}


def test_nothing_follows_a_call_of_which_nothing_is_said() -> None:
    program = parse(CALLS, "a.c")
    walk = Walk(program, Saying("loop even odd"), Budget())
    main = program.procedure("main")
    region = walk.region(Node(("main", main.entry), TRUE, walk.state("main")), [main.exit])
    assert region.ends == [] and "self" in {call.callee.name for call in region.calls}


def test_claims_are_noted_on_the_way_but_not_at_the_start_nor_in_callees() -> None:
    said: Expr = Compare(Comparison.EQUAL, Const(1), Const(1))
    program = parse("int f(int a) { a = a + 1; return a; } int main(void) { int x = 1; x = f(x); return x; }", "a.c")
    for claimed in (said, TRUE):
        walk = Walk(program, Saying(said=claimed), Budget())
        main = program.procedure("main")
        start = Node(("main", main.entry), TRUE, walk.state("main"))
        region = walk.region(start, [main.exit])
        noted = {node.place for node in region.nodes if any(_is_claim(step, said) for step in node.steps)}
        passed = {node.place for node in region.nodes if node.place[0] == "main" and node is not start}
        assert passed and noted == (passed if claimed is said else set())


def _is_claim(step: object, said: Expr) -> bool:
    return isinstance(step, Fact) and step.kind is Kind.CLAIMED and step.what == said


def holds_at_the_end(program: Program, said: Expr) -> bool:
    at: dict[tuple[str, int], Expr] = {}
    for procedure in program.procedures:
        places = (procedure.entry, procedure.exit, *loop_heads(procedure))
        at |= {(procedure.name, place): TRUE for place in places}
    at["main", program.procedure("main").exit] = said
    proof = Invariants(program, {procedure.name: TRUE for procedure in program.procedures}, at)
    try:
        check_invariants(proof, program, (), Budget())
    except InternalError:
        return False
    return True


def equals(name: str, number: int) -> Expr:
    return Compare(Comparison.EQUAL, Var(name), Const(number))


def test_branches_that_meet() -> None:
    program = parse("int g; int main(int c) { if (c > 0) g = 1; else if (c < 0) g = 2; else g = 3; return 0; }", "a.c")
    assert not any(holds_at_the_end(program, equals("g", number)) for number in (1, 2, 3))
    assert holds_at_the_end(program, Compare(Comparison.LESS, Var("g"), Const(4)))
    assert not holds_at_the_end(program, Compare(Comparison.LESS, Var("g"), Const(3)))


def test_a_constraint_is_known() -> None:
    program = parse("int g; int main(void) { g = 5; return 0; }", "a.c")
    main = program.procedure("main")
    found: Expr = Compare(Comparison.GREATER, Var("g", True), Const(3))
    type = program.types_in(main)["g"]

    def constrained(edge: Edge, constraint: Expr) -> Edge:
        if isinstance(edge.action, Assign) and edge.action.targets == ("g",):
            return replace(edge, action=Assign(("g",), (Choice(type),), constraint))
        return edge

    for constraint, holds in ((found, True), (TRUE, False)):
        edges = tuple(constrained(edge, constraint) for edge in main.edges)
        changed = replace(program, procedures=(replace(main, edges=edges),))
        assert holds_at_the_end(changed, Compare(Comparison.GREATER, Var("g"), Const(3))) is holds


def test_too_many_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse("int g; int main(void) { g = 1; g = 2; return 0; }", "a.c")
    main = program.procedure("main")
    count = len(main.edges)
    for most, enough in ((count, True), (count - 1, False)):
        monkeypatch.setattr(walking, "MOST_EDGES", most)
        walk = Walk(program, Claims(), Budget())
        start = Node(("main", main.entry), TRUE, walk.state("main"))
        for _ in range(2):  # each region is counted for itself
            if enough:
                assert len(walk.region(start, [main.exit]).ends) == 1
            else:
                with pytest.raises(OutOfBudget, match="too many edges"):
                    walk.region(start, [main.exit])


def test_what_was_computed_has_a_value() -> None:
    program = parse("int g; int main(int c) { g = 10 / c; return 0; }", "a.c")
    nonzero = Compare(Comparison.DIFFERENT, Var("c"), Const(0))
    assert holds_at_the_end(program, nonzero)
    assert not holds_at_the_end(parse("int g; int main(int c) { g = 10 + c; return 0; }", "a.c"), nonzero)
