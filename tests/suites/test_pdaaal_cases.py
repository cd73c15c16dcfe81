"""The 18 cases of PDAAAL's own tests: reachability, weight and length of the trace.

Their inputs are read from ../shared; what PDAAAL builds in C++ around them (the stacks of the rule lists, the one-rule
system of the parser tests, which abstraction is meant) is written here, from its test sources.  Abstraction refinement
is not ours: there the abstract system is checked, which all names map into.
"""

from __future__ import annotations

import json
from functools import cache
from math import inf
from typing import Any, get_args

import pytest

from knaster.pushdown.automaton import Automaton, single, without_weights
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.formats.expressions import parse_set
from knaster.pushdown.formats.instance import FileRule, Instance, Sets
from knaster.pushdown.formats.pdaaal import read_json, read_rule_list, write_automaton
from knaster.pushdown.runs.witness import witness
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.signed_lengths import SignedLengths, best_pre_star, best_run_in
from knaster.pushdown.solve import Engine, post_star, pre_star
from knaster.pushdown.system import Configuration, configurations
from support import SHARED

CASES = SHARED / "benchmarks/pushdown/pdaaal_cases.json"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES.exists(), reason="../shared is not here"),
]


@cache
def _cases() -> dict[str, dict[str, Any]]:
    return {case["test"].split("::")[1]: case for case in json.loads(CASES.read_text())}


def _instance(name: str) -> Instance:
    found = read_json(_cases()[name]["inputs"][0])
    assert isinstance(found, Instance)
    return found


def _sets(name: str, instance: Instance) -> list[Sets]:
    known = {str(state): state for state in instance.states}
    return [parse_set(text, known.get) for text in _cases()[name]["p_automata"]]


def test_all_cases_are_covered() -> None:
    assert set(_cases()) == {*SIGNED, *RULE_LISTS, *OTHERS}


engines = pytest.mark.parametrize("engine", get_args(Engine))


@engines
@pytest.mark.parametrize("pair", [0, 1, 2])
def test_shortest_run_between_regular_sets(pair: int, engine: Engine) -> None:
    instance = _instance("Verification_Test_1")
    sets = _sets("Verification_Test_1", instance)
    start, end = sets[2 * pair : 2 * pair + 2]
    system = instance.with_lengths(MinPath())
    for saturate, given, asked in ((post_star, start, end), (pre_star, end, start)):
        answer = saturate(system, given, engine=engine, witnesses="one")
        found = witness(answer, asked)
        assert found is not None
        assert (weight_in(answer, asked), len(configurations(found.start, found.run))) == (1, 2)


# name: (longest, weight, number of configurations in the trace)
SIGNED: dict[str, tuple[bool, float, int | None]] = {
    "Verification_negative_weight_loop_path2_test": (False, -inf, None),
    "Verification_negative_weight_finite_path_test": (False, -9, 6),
    "Verification_negative_ring_push_test": (False, -inf, None),
    "Verification_longest_trace_test": (True, inf, None),
    "Verification_longest_trace_arithmetic_3_5_test": (True, inf, None),
    "Verification_longest_trace_arithmetic_3_3or5_test": (True, inf, None),
    "Verification_longest_trace_arithmetic_pop3loop_test": (True, inf, None),
    "Verification_longest_trace_start_hill_end_test": (True, inf, None),
}


@pytest.mark.parametrize("name", SIGNED)
def test_lengths_without_a_bound(name: str) -> None:
    longest, expected, size = SIGNED[name]
    instance = _instance(name)
    start, end = _sets(name, instance)
    answer = best_pre_star(instance.with_lengths(SignedLengths(longest=longest)), end, longest=longest)
    weight, found = best_run_in(answer, start)
    assert weight == expected
    assert (found is None) == (size is None)
    if found is not None:
        assert len(configurations(found.start, found.run)) == size
        assert sum(rule.weight for rule in found.run) == expected


def test_a_negative_loop_is_finite_on_its_transition() -> None:
    instance = _instance("Verification_negative_weight_loop_test")
    (end,) = _sets("Verification_negative_weight_loop_test", instance)
    answer = best_pre_star(instance.with_lengths(SignedLengths()), end)
    assert [tuple(transition) for transition in answer.transitions()] == [("p", "X", "p", -1)]


@engines
def test_empty_stack_at_the_end(engine: Engine) -> None:
    name = "Verification_poststar_empty_final_stack_test"
    instance = _instance(name)
    start, end = _sets(name, instance)
    system = instance.without_lengths(Boolean())
    answer = post_star(system, without_weights(start), engine=engine, witnesses="one")
    found = witness(answer, without_weights(end))
    assert found is not None
    assert [len(each.stack) for each in configurations(found.start, found.run)] == [1, 0]


# name: (initial stack, final stack, abstract)
RULE_LISTS: dict[str, tuple[str, str, bool]] = {
    "NewPDAFactory_Test": ("A B", "A", False),
    "DualSearch_Test": ("A B", "A", False),
    "CegarPdaFactory_Simple_Test": ("A B C", "A C", False),
    "Complete_CEGAR_Full_Abstraction_Test": ("A B C", "A C", False),
    "CegarPdaFactory_Full_Abstraction_Test": ("A B C", "A C", True),
}


@engines
@pytest.mark.parametrize("name", RULE_LISTS)
@pytest.mark.parametrize("backward", [False, True])
def test_rule_lists(name: str, backward: bool, engine: Engine) -> None:
    first, last, abstract = RULE_LISTS[name]
    instance, initial, accepting = read_rule_list(_cases()[name]["inputs"][0])
    start, end = Configuration(initial[0], tuple(first.split())), Configuration(accepting[0], tuple(last.split()))
    if abstract:
        instance = Instance(tuple(FileRule(0, 0, 0, (0,) * len(rule.push)) for rule in instance.rules))
        start, end = (Configuration(0, (0,) * len(each.stack)) for each in (start, end))
    system = instance.without_lengths(Boolean())
    sets: list[Automaton[bool]] = [single(each.state, *each.stack) for each in (start, end)]
    given, asked = reversed(sets) if backward else sets
    answer = (pre_star if backward else post_star)(system, given, engine=engine, witnesses="one")
    found = witness(answer, asked)
    assert found is not None
    trace = configurations(found.start, found.run)
    assert (trace[0], trace[-1]) == (start, end)
    if not abstract:
        assert 4 <= len(trace) <= 5
        assert all(each.stack[-1] == first.split()[-1] for each in trace[:-1] if len(first.split()) == 3)


OTHERS = [
    "Verification_Test_1",
    "Verification_negative_weight_loop_test",
    "Verification_poststar_empty_final_stack_test",
    "PAutomatonFromJson_OldFormat_Test",
    "PAutomatonToJsonTest",
]

POPS = Instance((FileRule(0, "A", 0, ()),), (0,))


def test_the_older_automaton_format() -> None:
    automaton = read_json(_cases()["PAutomatonFromJson_OldFormat_Test"]["inputs"][0], instance=POPS)
    assert not isinstance(automaton, Instance)
    states = {state for edge in automaton.edges for state in (edge.source, edge.target)}
    assert len(states) == 3
    answer = post_star(POPS.without_lengths(Boolean()), without_weights(automaton))
    assert answer.accepts(Configuration(0, ("A",)))
    assert not answer.accepts(Configuration(0, ("A", "A", "A")))


def test_automata_are_written_as_pdaaal_does() -> None:
    expected = _cases()["PAutomatonToJsonTest"]["inputs"][0]
    assert write_automaton(single(0, "A", "A")) == expected
    back = read_json(expected, instance=POPS)
    assert not isinstance(back, Instance)
    assert write_automaton(back) == expected
