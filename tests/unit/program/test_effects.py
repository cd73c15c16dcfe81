from __future__ import annotations

from random import Random

import pytest

from knaster.base.errors import UnsupportedError
from knaster.program.effects import bits_of, effect_masks, effects, reads, variables_in
from knaster.program.expression import CHOICE, FALSE, TRUE, Conditional, Expr, Not, Var
from knaster.program.model import Assign, Assume, Call, Concurrent, Procedure, Program, Return, ThreadOperation
from knaster.semantics.explore import Exploration, explore
from support.building import SKIP, Statement, assign, procedure, program, variables
from support.generators.boolean_programs import random_program

A, B, C, P, X = variables("a b c p x")


def test_reads_and_writes_of_one_procedure() -> None:
    body: list[Statement] = [Assign(("a", "x"), (B, P)), Assume(C)]
    found = effects(program("a b c", procedure("main", body, parameters="p", local="x y")))["main"]
    assert found.mod == {"a"}
    assert found.ref == {"b", "c"}
    assert found.modified_locals == {"x"}


def test_effects_go_up_to_the_callers_only() -> None:
    write = procedure("write", [assign("a", B)])
    middle = procedure("middle", [Call("write", ())])
    main = procedure("main", [assign("c", TRUE), Call("middle", ())])
    found = effects(program("a b c", main, middle, write))
    assert found["write"].mod == found["middle"].mod == {"a"}
    assert found["main"].mod == {"a", "c"}
    assert found["main"].ref == found["middle"].ref == {"b"}


def test_mutual_recursion() -> None:
    even = procedure("even", [Call("odd", ()), assign("a", TRUE)])
    odd = procedure("odd", [Call("even", ()), assign("b", TRUE)])
    found = effects(program("a b c", procedure("main", [Call("even", ())]), even, odd))
    assert found["even"].mod == found["odd"].mod == found["main"].mod == {"a", "b"}


def test_calls_write_their_targets_and_read_their_arguments() -> None:
    callee = procedure("f", [Return((P, P))], parameters="p", results=2)
    found = effects(program("a b", procedure("main", [Call("f", (B,), ("a", None))]), callee))
    assert found["main"].mod == {"a"}
    assert found["main"].ref == {"b"}
    assert found["f"].mod == found["f"].ref == frozenset()
    assert found["f"].modified_locals == frozenset()


def test_results_and_enforce_are_read() -> None:
    callee = procedure("f", [Return((A,))], results=1, enforce=B)
    found = effects(program("a b c", procedure("main", [SKIP]), callee))
    assert found["f"].ref == {"a", "b"}


@pytest.mark.parametrize(("constraint", "expected"), [(Var("a", True), set()), (Var("c", True), {"c"}), (A, {"a"})])
def test_constraints_read_old_values(constraint: Expr, expected: set[str]) -> None:
    body = [Assign(("a",), (CHOICE,), constraint)]
    assert effects(program("a b c", procedure("main", body)))["main"].ref == expected


def test_reads_finds_every_variable() -> None:
    bits = {"a": 1, "b": 2, "c": 4}
    assert reads(Conditional(Not(A), B, Var("c", primed=True)), bits) == 3
    assert reads(Conditional(Not(A), B, Var("c", primed=True)), bits, primed=True) == 4
    assert reads(FALSE, bits) == 0
    assert variables_in(5, ("a", "b", "c")) == ("a", "c")


def test_thread_statements_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="wait"):
        effects(program("", procedure("main", [Concurrent(ThreadOperation.WAIT)])))


def test_masks_use_the_bits_of_the_scope() -> None:
    sample = program("a b", procedure("main", [Assign(("b", "x"), (A, B))], parameters="p", local="x"))
    main = sample.procedure("main")
    mask = effect_masks(sample)["main"]
    assert bits_of(sample, main) == {"a": 1, "b": 2, "p": 4, "x": 8}
    assert (mask.mod, mask.ref, mask.written) == (2, 3, 10)


def behaviour(sample: Program, owner: Procedure, found: Exploration, ignored: str) -> dict[str, set[object]]:
    """Return what the procedure does to everything but the global `ignored`, by its value at the entry."""
    index = sample.globals.index(ignored)
    seen: dict[str, set[object]] = {}
    for edge in found.path_edges:
        if edge.procedure == owner.name:
            context = edge.context[:index] + edge.context[index + 1 :]
            after = edge.valuation[:index] + edge.valuation[index + 1 :]
            seen.setdefault(f"{context} {edge.context[index]}", set()).add((edge.location, after))
    return seen


def test_effects_hold_on_every_run_of_random_programs() -> None:
    untouched = compared = 0
    for seed in range(150):
        sample = random_program(Random(seed))
        if not sample.globals:
            continue
        found = explore(sample)
        masks = effects(sample)
        for owner in sample.procedures:
            own = masks[owner.name]
            for index, name in enumerate(sample.globals):
                if name not in own.mod:
                    for edge in found.path_edges:
                        if edge.procedure == owner.name:
                            untouched += 1
                            assert edge.context[index] == edge.valuation[index]
                if name in own.ref or name in own.mod:
                    continue
                seen = behaviour(sample, owner, found, name)
                for key in seen:
                    context, _, value = key.rpartition(" ")
                    other = seen.get(f"{context} {value != 'True'}")
                    if other is not None:
                        compared += 1
                        assert seen[key] == other
            for position, name in enumerate(owner.parameters, len(sample.globals)):
                if name not in own.modified_locals:
                    for edge in found.path_edges:
                        if edge.procedure == owner.name:
                            assert edge.context[position] == edge.valuation[position]
    assert untouched > 1000
    assert compared > 20
