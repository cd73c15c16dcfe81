"""The generator makes what it promises, and the shrinker makes it small."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

from hypothesis import find, settings

from knaster.program.expression import TRUE, Choice, Conditional, Expr, postorder, primed_variables
from knaster.program.model import Action, Assign, Assume, Call, Place, Procedure, Program, Return
from knaster.semantics.explore import explore, reachable_locations
from knaster.transform.shrink.programs import smaller_programs
from knaster.transform.shrink.search import cost, shrink
from support.building import bebop_figure_1
from support.generators.boolean_programs import SMALL, TINY, programs, random_program

SAMPLES = [random_program(Random(seed)) for seed in range(200)]


@cache
def reached_in_sample(index: int) -> set[Place]:
    return reachable_locations(SAMPLES[index])


def expressions(action: Action) -> tuple[Expr, ...]:
    match action:
        case Assume(condition):
            return (condition,)
        case Assign(_, values, constraint):
            return (*values, constraint)
        case Call(_, arguments, _):
            return arguments
        case Return(values):
            return values
    return ()


def callees(procedure: Procedure) -> set[str]:
    return {edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)}


def is_recursive(program: Program) -> bool:
    reach = {procedure.name: callees(procedure) for procedure in program.procedures}
    for middle in reach:
        for below in reach.values():
            if middle in below:
                below |= reach[middle]
    return any(name in below for name, below in reach.items())


def features(program: Program, reached: set[Place]) -> set[str]:
    """Return the features that the reachable part of a program has."""
    found = {"recursion"} if is_recursive(program) else set()
    found |= {"init"} if program.init != TRUE else set()
    for procedure in program.procedures:
        if (procedure.name, procedure.entry) not in reached:
            found.add("procedure that is never entered")
            continue
        found |= {"enforce"} if procedure.enforce != TRUE else set()
        found |= {"uninitialised locals"} if procedure.locals else set()
        leaving = Counter(edge.source for edge in procedure.edges if edge.action == Assume(TRUE))
        found |= {"goto of several targets"} if any(count > 1 for count in leaving.values()) else set()
        for location in procedure.failures:
            found.add("failure" if (procedure.name, location) in reached else "assert that holds")
        for edge in procedure.edges:
            if (procedure.name, edge.source) not in reached:
                continue
            found |= features_of(edge.action)
            found |= {"loop"} if edge.target <= edge.source else set()
            if isinstance(edge.action, Call):
                found.add("return" if (procedure.name, edge.target) in reached else "no return")
            if isinstance(edge.action, Return) and edge.source + 1 < procedure.exit:
                found.add("return in the middle")
    return found


def features_of(action: Action) -> set[str]:
    nodes = [node for expr in expressions(action) for node in postorder(expr)]
    found = {type(action).__name__}
    found |= {f"choice in {type(action).__name__}"} if any(isinstance(node, Choice) for node in nodes) else set()
    found |= {"conditional"} if any(isinstance(node, Conditional) for node in nodes) else set()
    if isinstance(action, Assign) and primed_variables(action.constraint):
        found.add("new value in a constraint")
    if isinstance(action, Call) and action.targets:
        found.add("result thrown away" if None in action.targets else "result kept")
    return found


def test_every_construct_occurs_where_it_is_reachable() -> None:
    count: Counter[str] = Counter()
    for index, sample in enumerate(SAMPLES):
        count.update(features(sample, reached_in_sample(index)))
    expected = {
        *("recursion", "init", "enforce", "uninitialised locals", "procedure that is never entered"),
        *("failure", "assert that holds", "loop", "goto of several targets", "return", "no return"),
        *("return in the middle", "new value in a constraint", "conditional", "result thrown away", "result kept"),
        *("choice in Assume", "choice in Assign", "choice in Call", "choice in Return"),
    }
    rare = {feature: count[feature] for feature in expected if count[feature] < 5}
    assert not rare


def test_recursion_really_happens() -> None:
    """A procedure in the middle of its own execution returns to itself."""
    happened = 0
    for index, sample in enumerate(SAMPLES):
        recursive = [owner for owner in sample.procedures if owner.name in callees(owner)]
        reached = reached_in_sample(index)
        happened += any(
            (owner.name, edge.target) in reached
            for owner in recursive
            for edge in owner.edges
            if isinstance(edge.action, Call) and edge.action.procedure == owner.name
        )
    assert happened > 25


def test_about_half_of_the_labels_are_reachable() -> None:
    yes = no = 0
    for index, sample in enumerate(SAMPLES):
        reached = reached_in_sample(index)
        for owner in sample.procedures:
            for _, location in owner.labels:
                if (owner.name, location) in reached:
                    yes += 1
                else:
                    no += 1
    assert 0.4 < yes / (yes + no) < 0.6


def test_the_same_seed_gives_the_same_program() -> None:
    assert random_program(Random(7)) == random_program(Random(7)) != random_program(Random(8))


def test_hypothesis_shrinks_programs_too() -> None:
    small = find(programs(TINY), lambda sample: is_recursive(sample), settings=settings(database=None))
    assert sum(len(owner.edges) for owner in small.procedures) <= 8


def reaches_a_failure(sample: Program) -> bool:
    failures = {(owner.name, location) for owner in sample.procedures for location in owner.failures}
    return bool(failures & reachable_locations(sample))


def test_shrinking_keeps_the_failure_and_little_else() -> None:
    shrunk = 0
    for sample in SAMPLES[:50]:
        if reaches_a_failure(sample):
            shrunk += 1
            small = shrink(sample, reaches_a_failure)
            assert reaches_a_failure(small)
            assert cost(small) < cost(sample)
            assert sum(len(owner.edges) for owner in small.procedures) <= 4
            assert not small.globals
    assert shrunk > 2


def test_shrinking_keeps_a_label_reachable_only_through_recursion() -> None:
    def needs_recursion(sample: Program) -> bool:
        reached = reachable_locations(sample)
        where = [(owner.name, place) for owner in sample.procedures for label, place in owner.labels if label == "R"]
        return bool(where) and where[0] in reached and is_recursive(sample)

    small = shrink(bebop_figure_1(), needs_recursion)
    assert needs_recursion(small)
    assert sum(len(owner.edges) for owner in small.procedures) <= 2


def test_reductions_are_programs() -> None:
    for seed in range(10):
        for smaller in smaller_programs(random_program(Random(seed), TINY)):
            for owner in smaller.procedures:
                assert owner.entry == 0 or owner.entry == owner.exit
                assert all(edge.source < owner.size and edge.target < owner.size for edge in owner.edges)
            explore(smaller)


def test_sizes_are_kept() -> None:
    for sample in SAMPLES:
        assert SMALL.procedures[0] <= len(sample.procedures) <= SMALL.procedures[1]
        for owner in sample.procedures:
            assert len(sample.globals + owner.parameters + owner.locals) <= SMALL.scope
