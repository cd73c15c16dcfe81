"""Witnesses: choices that must look at what follows a call, weighted starts, empty stacks, superfluous runs."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import Automaton, configuration_set, single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.genkill import GenKill
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.merge import Merge, projecting_merge
from knaster.pushdown.runs.witness import witness, witnesses
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, SystemBuilder, run_value

BITS = BitRelations(range(2))


def _call_then_assume(depth: int) -> PushdownSystem[BitRelation[int]]:
    """Procedures that call each other; the last sets the bit to 0 or 1; then every caller assumes that it is 1."""
    builder = SystemBuilder(BITS)
    merge = projecting_merge(BITS, BITS.one, lambda weight: weight)
    for i in range(depth):
        builder.rule("p", f"a{i}", "p", f"a{i + 1}", f"b{i}", merge=merge)
        builder.rule("p", f"b{i}", "p", f"c{i}", weight=BITS.assume(lambda bit: bit == 1))
        builder.rule("p", f"c{i}", "p")
    builder.rule("p", f"a{depth}", "p", weight=BITS.function(lambda bit: 0))
    builder.rule("p", f"a{depth}", "p", weight=BITS.function(lambda bit: 1))
    return builder.build()


@pytest.mark.parametrize("depth", [1, 2, 3, 20])
def test_a_choice_in_a_callee_looks_at_its_callers(depth: int) -> None:
    system = _call_then_assume(depth)
    last = len(system.rules) - 1
    forward = witnesses(post_star(system, single("p", "a0"), witnesses="all"), single("p", "c0"))
    backward = witnesses(pre_star(system, single("p", "c0"), witnesses="all"), single("p", "a0"))
    for found in (forward, backward):
        assert len(found) == 1
        assert last in found[0].numbers and last - 1 not in found[0].numbers
        assert found[0].value == BITS.function(lambda bit: 1)


def test_the_weight_of_the_start_is_part_of_the_value() -> None:
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "p", "b", weight=2)
    builder.rule("p", "c", "p", "b", weight=1)
    start: Automaton[Length] = Automaton.of([("p", "a", "f", 1), ("p", "c", "f", 5)], ["f"], ["p"])
    for kept in ("one", "all"):
        found = witness(post_star(builder.build(), start, witnesses=kept), single("p", "b"))
        assert found is not None
        assert (found.start, found.value) == (Configuration("p", ("a",)), 3)


def test_empty_stacks() -> None:
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "q", weight=1)
    system = builder.build()
    for kept in ("one", "all"):
        found = witness(post_star(system, single("p", "a"), witnesses=kept), single("q"))
        assert found is not None
        assert (found.start, found.end) == (Configuration("p", ("a",)), Configuration("q"))
        found = witness(post_star(system, single("q"), witnesses=kept), single("q"))
        assert found is not None
        assert (found.run, found.value) == ((), 0)
        assert witness(post_star(system, single("q"), witnesses=kept), single("p")) is None
        assert witnesses(pre_star(system, single("q"), witnesses=kept), single("p")) == []


def test_no_run_is_superfluous() -> None:
    facts = GenKill("xyz")
    builder = SystemBuilder(facts)
    for gen in ("x", "y", "xy", "z", "xyz"):
        builder.rule("p", "a", "p", "b", weight=facts.transformer(gen=gen))
    answer = post_star(builder.build(), single("p", "a"), witnesses="all")
    found = witnesses(answer, single("p", "b"))
    total = answer.weight_of(Configuration("p", ("b",)))
    for left_out in found:
        rest = facts.zero
        for each in found:
            if each is not left_out:
                rest = facts.combine(rest, each.value)
        assert rest != total


def test_the_best_of_several_configurations() -> None:
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "p", "b", weight=4)
    builder.rule("p", "a", "p", "c", "d", weight=3)
    answer = post_star(builder.build(), single("p", "a"))
    asked: Automaton[Length] = configuration_set(Configuration("p", ("b",)), Configuration("p", ("c", "d")))
    found = witness(answer, asked)
    assert found is not None
    assert (found.end, found.value) == (Configuration("p", ("c", "d")), 3)


def test_a_domain_that_does_not_distribute_is_noticed() -> None:
    class Sloppy:
        """Sets of numbers; joining {1} and {2} makes 3 up, which no single run can explain."""

        zero: frozenset[int] = frozenset()
        one = frozenset({0})

        def combine(self, a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
            both = a | b
            return both | {3} if {1, 2} <= both else both

        def extend(self, a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
            if 0 in b:
                return a
            return b if 0 in a else frozenset({9}) if 3 in a else self.zero

    builder = SystemBuilder(Sloppy())
    builder.rule("p", "a", "p", "b", weight=frozenset({1}))
    builder.rule("p", "a", "p", "b", weight=frozenset({2}))
    builder.rule("p", "b", "p", "c", weight=frozenset({5}))
    answer = post_star(builder.build(), single("p", "a"), witnesses="all")
    assert answer.weight_of(Configuration("p", ("c",))) == frozenset({9})
    with pytest.raises(UsageError, match="does not distribute"):
        witnesses(answer, single("p", "c"))


def test_runs_through_regular_sets_with_loops() -> None:
    builder = SystemBuilder(Boolean())
    builder.rule("p", "a", "p")
    start: Automaton[bool] = Automaton.of([("p", "a", "q"), ("q", "a", "q"), ("q", "b", "f")], ["f"], ["p"])
    found = witness(post_star(builder.build(), start), starting_with("p", "b"))
    assert found is not None
    assert found.end == Configuration("p", ("b",))
    assert len(found.run) >= 1


def test_a_call_without_merge_inside_one_whose_merge_sees_the_caller_only() -> None:
    """Each return belongs to its own call: the inner one must not end the outer one, which forgets its callee."""
    values = BitRelations(range(4))
    forgetful: Merge[BitRelation[int]] = Merge(
        lambda caller, callee: caller if callee != values.zero else callee, path_extension=False
    )
    builder = SystemBuilder(values)
    builder.rule("p", "m0", "p", "m1", weight=values.function(lambda x: 1))
    builder.rule("p", "m1", "p", "f", "back", merge=forgetful)
    builder.rule("p", "f", "p", "g", "h")
    builder.rule("p", "g", "p", weight=values.function(lambda x: 2))
    builder.rule("p", "h", "p", weight=values.function(lambda x: 3))
    answer = post_star(builder.build(), single("p", "m0"), witnesses="all")
    for target, value in (("back", 1), ("h", 2), ("f", 1)):
        (found,) = witnesses(answer, starting_with("p", target))
        assert found.value == run_value(values, found.run)
        assert set(found.value.image()) == {value}
