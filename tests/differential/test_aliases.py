"""Aliases of C programs with pointers against enumeration: never one too few, and without recursion none too many."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.evidence.traces.memory_runs import MemoryRun
from knaster.program.expression import NOWHERE
from knaster.program.memory import Address, Addresses
from knaster.program.model import Place, Program
from knaster.pushdown.domains.term_pairs import NULL
from knaster.semantics.memory.machine import Machine
from knaster.views.weighted.alias_facts import AliasFacts
from support.generators.c_memory import HEAD
from support.generators.c_memory import program as random_memory
from support.generators.c_pointers import random_text
from support.oracles.pointer_states import WILD, PointerState, TooMany, Value, states_by_place

STEPS = 400  # of a run that are looked at


def values_of(facts: AliasFacts, state: PointerState) -> dict[str, Value]:
    """Return the values that terms have in a state, where the oracle has one."""
    top = state.stack[-1]
    pointers, objects = {**dict(state.statics), **dict(top.values)}, dict(top.objects)
    found: dict[str, Value] = {NULL: None}
    for name, pointer in facts.terms.by_name[top.procedure].items():
        if name in pointers:
            found[pointer.term] = pointers[name]
    for object, term in facts.terms.addresses(top.procedure):
        if object.sort == "static":
            found[term] = (object.name, 0)
        elif object.name in objects:
            found[term] = (object.name, objects[object.name])
    return found


def compare(facts: AliasFacts, place: Place, states: list[PointerState], exact: bool) -> int:
    """Compare the pairs of terms at a place with what they are in its states; return how many were looked at."""
    same: set[frozenset[str]] = set()
    differ: set[frozenset[str]] = set()
    seen: set[str] = set()
    heap = {object.name: term for object, term in facts.terms.addresses(place[0]) if object.sort == "heap"}
    for state in states:
        values = values_of(facts, state)
        seen |= values.keys()
        for left, one in values.items():
            if one is not None and one[0] in heap:
                same.add(frozenset((left, heap[one[0]])))
            for right, other in values.items():
                is_object = one is not None and one[0] != WILD
                if one != other:
                    differ.add(frozenset((left, right)))
                elif is_object or NULL in (left, right):
                    same.add(frozenset((left, right)))
    everywhere = [values_of(facts, state).keys() for state in states]
    for left in sorted(seen):
        for right in sorted(seen | set(heap.values())):
            if left == right or (left[0] in "&0" and right[0] in "&0"):
                continue
            pair = frozenset((left, right))
            may = facts.may_be_same(place, left, right)
            assert may or pair not in same, (place, pair)
            assert not (may and exact) or pair in same or NULL in pair, (place, pair, "never the same")
            if right in seen:
                unset = not all(left in each and right in each for each in everywhere)
                may = facts.may_differ(place, left, right)
                really = unset or pair in differ
                assert may or not really, (place, pair)
                assert not (may and exact) or really, (place, pair, "always the same")
    return len(seen)


def check(seed: int, *, recursive: bool) -> int:
    """Compare one program; return how many terms were looked at."""
    program: Program = knaster.parse(random_text(Random(f"aliases {seed}"), recursive=recursive), file="p.c")
    try:
        found = states_by_place(program, 3 if recursive else 9, 4_000)
    except TooMany:
        return 0
    facts = AliasFacts(program)
    for own in program.procedures:
        for edge in own.edges:
            if (own.name, edge.source) not in found and not recursive:
                assert facts.at((own.name, edge.source)) is None
    return sum(compare(facts, place, states, not recursive) for place, states in sorted(found.items()))


def check_seeds(seeds: range) -> int:
    """Compare programs without and with recursion; return how many had few enough states."""
    return sum(check(seed, recursive=recursive) > 0 for seed in seeds for recursive in (False, True))


def check_memory(seeds: range) -> int:
    """Compare the run of each of some programs with memory; return of how many something was looked at."""
    return sum(check_run(memory_text(seed)) > 0 for seed in seeds)


@pytest.mark.parametrize("recursive", [False, True])
def test_pairs_are_those_of_some_state(recursive: bool) -> None:
    assert sum(check(seed, recursive=recursive) for seed in range(12)) > 1_000


def check_run(text: str) -> int:
    """Compare every state of the one run of a closed program; return how many pairs were looked at."""
    program = knaster.parse(text, file="p.c", objects="always")
    facts, run, looked = AliasFacts(program), MemoryRun(program, (), frozenset()), 0
    for _ in range(STEPS):
        goes, _, _ = run.step()
        if not goes or not run.machine.frames:
            break
        frame = run.machine.frame
        place, values = (frame.code.procedure.name, frame.location), addresses(facts, run.machine)
        for left, one in values.items():
            for right, other in values.items():
                if not (left.startswith("&") and right.startswith("&")):
                    looked += 1
                    together = one.base == other.base and one.base != 0
                    assert not together or facts.may_be_same(place, left, right), (text, place, left, right)
                    assert one == other or facts.may_differ(place, left, right), (text, place, left, right)
    return looked


def addresses(facts: AliasFacts, machine: Machine) -> dict[str, Address]:
    """Return the values of the terms that the activation that runs sees."""
    frame = machine.frame
    procedure = frame.code.procedure.name
    found = {}
    for object, term in facts.terms.addresses(procedure):
        if object.sort == "local" and object.name in frame.objects:
            found[term] = Address(frame.objects[object.name], 0)
        elif object.sort in ("static", "function") and object.name in machine.globals:
            found[term] = machine.globals[object.name]
    for name, pointer in facts.terms.by_name[procedure].items():
        value = frame.registers.get(name)
        if pointer in facts.terms.statics:
            value = machine.load(machine.globals[name], Addresses(8), NOWHERE)
        if pointer.term and isinstance(value, Address):
            found[pointer.term] = value
    return found


def memory_text(seed: int) -> str:
    return f"{HEAD}{random_memory(Random(f'aliases {seed}'), 'work', 10)}\nint main(void) {{ return (int)work(); }}\n"


def test_pairs_of_runs_with_memory() -> None:
    assert sum(check_run(memory_text(seed)) for seed in range(4)) > 1_000


@pytest.mark.slow
def test_many_runs_with_memory() -> None:
    for seed in range(4, 500):
        check_run(memory_text(seed))


@pytest.mark.slow
@pytest.mark.parametrize("recursive", [False, True])
def test_many_programs(recursive: bool) -> None:
    for seed in range(12, 1_000):
        check(seed, recursive=recursive)
