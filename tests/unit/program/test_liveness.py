from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from knaster.base.errors import UnsupportedError
from knaster.program.effects import variables_in
from knaster.program.expression import CHOICE, TRUE, Binary, Expr, Not, Operator, Var
from knaster.program.liveness import live_variables
from knaster.program.model import (
    Assign,
    Assume,
    Call,
    Concurrent,
    Edge,
    Place,
    Procedure,
    Program,
    Return,
    ThreadOperation,
)
from knaster.semantics.explore import reachable_locations
from support.building import SKIP, Assert, If, Statement, While, assign, dead, procedure, program, variables
from support.generators.boolean_programs import SMALL, TINY, Size, random_program

A, B, C, D, E, F, G, H, P, X, Y = variables("a b c d e f g h p x y")


def live(sample: Program, name: str = "main") -> list[str]:
    """Return the live variables of each location of a procedure, names separated by blanks."""
    owner = sample.procedure(name)
    return [" ".join(variables_in(mask, sample.scope(owner))) for mask in live_variables(sample)[name]]


def either(left: Expr, right: Expr) -> Expr:
    return Binary(Operator.OR, left, right)


def test_the_example_of_the_bebop_paper() -> None:
    """Section 3.3 finds {b,c,e}, {a,e}, {d,e}, {d}, counting every use; here a use counts where it matters later."""
    body: list[Statement] = [
        assign("a", either(B, C)),
        assign("d", either(A, E)),
        assign("e", either(D, E)),
        assign("f", D),
    ]
    names = "a b c d e f"
    assert live(program("", procedure("main", body, local=names))) == [""] * 5
    assert live(program("", procedure("main", [*body, Assume(F)], local=names))) == ["b c e", "a e", "d", "d", "f", ""]
    used = [*body, Assume(F), Assume(E)]
    assert live(program("", procedure("main", used, local=names)))[:4] == ["b c e", "a e", "d e", "d e"]


def test_conditions_are_uses_and_the_exit_of_main_is_none() -> None:
    sample = program("g", procedure("main", [If(X, [assign("g", Y)]), SKIP], local="x y"))
    assert live(sample) == ["x", "", "", ""]


def test_both_edges_of_an_assert_read_its_condition() -> None:
    assert live(program("", procedure("main", [Assert(X)], local="x"))) == ["x", "", ""]


def test_loops_reach_a_fixed_point() -> None:
    body: list[Statement] = [While(CHOICE, [assign("x", Y), assign("y", A)]), Assume(X)]
    assert live(program("", procedure("main", body, local="x y a"))) == ["x y a", "y a", "x a", "x", ""]


def test_dead_kills() -> None:
    assert live(program("", procedure("main", [dead("x"), Assume(either(X, Y))], local="x y")))[0] == "y"


def test_a_constraint_reads_old_values_and_makes_new_ones_matter() -> None:
    def before(constraint: Expr) -> str:
        return live(program("", procedure("main", [Assign(("x",), (Y,), constraint)], local="x y a")))[0]

    assert before(TRUE) == ""
    assert before(X) == "x"
    assert before(Var("x", primed=True)) == "y"
    assert before(Var("a", primed=True)) == "a"


def test_enforce_makes_its_variables_live_everywhere() -> None:
    sample = program("g", procedure("main", [assign("x", Y), SKIP], local="x y", enforce=either(X, G)))
    assert live(sample) == ["g x y", "g x", "g x"]


CALLEE = procedure("f", [If(P, [assign("g", H)]), Return((either(P, A), A))], parameters="p a", results=2)


def test_arguments_and_results_count_where_they_matter() -> None:
    main = procedure("main", [Call("f", (X, Y), ("x", None)), Assume(X)], local="x y")
    sample = program("g h", main, CALLEE)
    assert live(sample) == ["x y", "x", ""]
    assert live(sample, "f") == ["p a", "p a", "p a", "@0"]


def test_globals_are_live_through_calls() -> None:
    main = procedure("main", [Call("f", (X, TRUE), (None, None)), Assume(G)], local="x")
    sample = program("g h", main, CALLEE)
    assert live(sample) == ["g h x", "g", ""]
    assert live(sample, "f") == ["g h p", "h", "g", "g"]


def test_a_global_that_a_callee_always_writes_is_dead_before() -> None:
    reset = procedure("reset", [assign("g", TRUE)])
    main = procedure("main", [Call("reset", ()), Assume(G)])
    assert live(program("g", main, reset)) == ["", "g", ""]


def test_a_global_that_a_callee_ignores_is_live_only_where_it_is_used() -> None:
    idle = procedure("idle", [SKIP])
    main = procedure("main", [Call("idle", ()), Assume(G), Call("idle", ()), SKIP])
    sample = program("g", main, idle)
    assert live(sample) == ["g", "g", "", "", ""]
    assert live(sample, "idle") == ["g", "g"]


def test_a_target_is_dead_before_the_call_unless_the_callee_reads_it() -> None:
    quiet = procedure("quiet", [Return((TRUE,))], results=1)
    loud = procedure("loud", [Assume(G), Return((TRUE,))], results=1)
    for callee, expected in ((quiet, ""), (loud, "g")):
        main = procedure("main", [Call(callee.name, (), ("g",)), Assume(G)])
        assert live(program("g", main, callee))[0] == expected


def test_recursion() -> None:
    down = procedure("f", [If(P, [Call("f", (A, B))], [assign("g", A)])], parameters="p a", local="b")
    sample = program("g", procedure("main", [Call("f", (TRUE, X)), Assume(G)], local="x"), down)
    assert live(sample, "f") == ["p a b", "a b", "a", "g"]
    assert live(sample)[0] == "x"


def test_thread_statements_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="wait"):
        live_variables(program("", procedure("main", [Concurrent(ThreadOperation.WAIT)])))


def test_100_000_statements() -> None:
    names = [f"v{index}" for index in range(20)]
    body: list[Statement] = [assign(names[i % 20], Not(Var(names[(i * 7 + 3) % 20]))) for i in range(100_000)]
    sample = program("", procedure("main", [*body, Assume(Var("v0"))], local=" ".join(names)))
    assert len(live_variables(sample)["main"]) == 100_002


def with_dead_variables_arbitrary(sample: Program) -> Program:
    """Return the program that gives the dead variables any value at every location.

    Each location v gets a twin behind all others: who led to v leads to the twin, and the twin leads to v.
    """
    masks = live_variables(sample)
    procedures = []
    for owner in sample.procedures:
        procedures.append(_havoc(owner, sample.scope(owner), masks[owner.name]))
    return replace(sample, procedures=tuple(procedures))


def _havoc(owner: Procedure, scope: tuple[str, ...], masks: tuple[int, ...]) -> Procedure:
    size = owner.size
    edges = [replace(edge, target=size + edge.target) for edge in owner.edges]
    for location, mask in enumerate(masks):
        alive = variables_in(mask, scope)
        free = tuple(name for name in scope if name not in alive)
        edges.append(Edge(size + location, Assign(free, (CHOICE,) * len(free)), location))
    return replace(
        owner,
        entry=size + owner.entry,
        edges=tuple(sorted(edges, key=lambda edge: edge.source)),
        failures=owner.failures + tuple(range(size, 2 * size)),
    )


def places(sample: Program) -> set[Place]:
    return {(owner.name, location) for owner in sample.procedures for location in range(owner.size)}


@pytest.mark.parametrize(("size", "count"), [(TINY, 50), (SMALL, 10)])
def test_dead_variables_do_not_matter(size: Size, count: int) -> None:
    removed = 0
    for seed in range(count):
        sample = random_program(Random(seed), size)
        arbitrary = with_dead_variables_arbitrary(sample)
        assert reachable_locations(arbitrary) & places(sample) == reachable_locations(sample), seed
        removed += sum(
            bin(~mask & (1 << len(sample.scope(owner))) - 1).count("1")
            for owner in sample.procedures
            for mask in live_variables(sample)[owner.name]
        )
    assert removed > 5 * count
