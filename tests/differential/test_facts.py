"""Every fact holds in every state that enumeration or random runs reach; of affine programs nothing is missing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

import knaster
from knaster.decide.facts import Domain
from knaster.evidence.answers.facts import Equation, Fact, Range
from knaster.program.model import Program, old
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.semantics.explore import Exploration, TooManyStates, explore
from knaster.views.weighted.interval_facts import IntervalFacts
from knaster.views.weighted.program_facts import AffineFacts, ConstantFacts
from support.generators.boolean_programs import random_program as random_boolean
from support.generators.c_programs import random_program as random_c
from support.generators.c_programs import text as text_of_c
from support.generators.c_programs import wilder_program as wilder_c
from support.oracles.compiled_runs import visited_states
from support.oracles.number_states import states_by_place

PROGRAMS = 15
C_INPUTS = (-1, 0, 1, 2, 3)


def domains(program: Program) -> list[Domain]:
    """Return what every domain knows, alone and with the advice of intervals."""
    advice = IntervalFacts(program)
    alone: list[Domain] = [AffineFacts(program), ConstantFacts(program), advice]
    return [*alone, AffineFacts(program, advice), ConstantFacts(program, advice)]


def holds(equation: Fact, state: Mapping[str, Any]) -> bool:
    if isinstance(equation, Range):
        value = int(state[equation.variable])
        least, most = equation.low, equation.high
        return (least is None or value >= least) and (most is None or value <= most)
    assert isinstance(equation, Equation)
    total: int = equation.constant + sum(factor * int(state[name]) for name, factor in equation.factors)
    return total % (1 << equation.bits) == 0 if equation.bits is not None else total == 0


def check_boolean(seeds: range) -> int:
    looked = 0
    for seed in seeds:
        program = random_boolean(Random(f"facts {seed}"))
        try:
            explored = explore(program, limit=20_000)
        except TooManyStates:
            continue
        edges = explored.path_edges
        for facts in domains(program):
            at = cache(facts.at)
            for edge in edges:
                own = program.procedure(edge.procedure)
                state = dict(zip(program.scope(own), edge.valuation, strict=True))
                equations = at((edge.procedure, edge.location))
                assert equations is not None, (seed, edge)
                wrong = [each for each in equations if not holds(each, state)]
                assert not wrong, (seed, edge, wrong)
                looked += len(equations)
            check_summaries(program, facts, explored)
    return looked


def check_summaries(program: Program, facts: Domain, explored: Exploration) -> None:
    for (name, context), ends in explored.summaries.items():
        own = program.procedure(name)
        if name in program.threads:
            continue
        equations = facts.summary(own)
        assert equations is not None
        before = {old(name): value for name, value in zip(program.globals + own.parameters, context, strict=True)}
        for end in ends:
            after = dict(zip(program.scope(own), end, strict=True))
            several = len(own.results) > 1
            results = {f"\\result[{n}]" if several else "\\result": after[each] for n, each in enumerate(own.results)}
            wrong = [each for each in equations if not holds(each, {**before, **after, **results})]
            assert not wrong, (name, context, end, wrong)


def check_c(seeds: range, runs: int, integers: str) -> int:
    """Look at all states of programs, or at those of so many runs where there are too many."""
    looked = 0
    for seed in seeds:
        tree = wilder_c(seed) if seed % 2 else random_c(seed)
        program = knaster.parse(text_of_c(tree), file="p.c", integers=integers)
        known, rng = domains(program), Random(f"facts {seed}")
        found = states_by_place(program, C_INPUTS, 5_000) or visited_states(rng, program, runs)
        for place, states in sorted(found.items()):
            scope = program.scope(program.procedure(place[0]))
            for facts in known:
                equations = facts.at(place)
                assert equations is not None, (seed, place)
                for state in states:
                    wrong = [each for each in equations if not holds(each, dict(zip(scope, state, strict=True)))]
                    assert not wrong, (seed, place, wrong, state)
                looked += len(equations) * len(states)
    return looked


def test_boolean_programs() -> None:
    assert check_boolean(range(PROGRAMS)) > 100


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
def test_c(integers: str) -> None:
    assert check_c(range(12), 6, integers) > 300


@pytest.mark.slow
def test_many_programs() -> None:
    check_boolean(range(PROGRAMS, 1_500))
    check_c(range(12, 800), 20, "machine")
    check_c(range(12, 400), 20, "mathematical")


VARIABLES = {"main": ["g", "h", "x", "y"], "f": ["g", "h", "a", "b"]}


def affine_text(rng: Random) -> str:
    """Return a program of copies, negations and exclusive ors, without conditions, that calls and recurses."""
    bodies = []
    for name, variables in VARIABLES.items():
        body = [f"    {_statement(rng, variables)}" for _ in range(rng.randrange(2, 5))]
        for _ in range(rng.randrange(int(name == "main"), 3)):
            call = f"f({_form(rng, variables)});"
            always = name == "main" and rng.random() < 0.7
            body.insert(rng.randrange(1 + len(body)), f"    {call}" if always else f"    if (*) then {call} fi")
        head = "void main() begin decl x, y;" if name == "main" else "void f(a) begin decl b;"
        bodies.append("\n".join([head, *body, f"end_{name}: skip;", "end"]))
    return "decl g, h;\ninit(!g & h);\n" + "\n".join(bodies) + "\n"


def _form(rng: Random, variables: list[str]) -> str:
    chosen = rng.sample(variables, rng.randrange(0, 3))
    return " ^ ".join([*chosen, rng.choice("TF")])


def _statement(rng: Random, variables: list[str]) -> str:
    target = rng.choice(variables)
    if rng.random() < 0.15:
        return f"if (*) then {target} := {_form(rng, variables)}; fi"
    return f"{target} := {_form(rng, variables)};"


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_missing_of_affine_programs(seed: int) -> None:
    """The equations are exactly those of the affine hull of all states that are reached."""
    program = knaster.parse(affine_text(Random(f"affine {seed}")))
    facts, bit = AffineFacts(program), ModularIntegers(1)
    reached: dict[tuple[str, int], set[tuple[int, ...]]] = {}
    for edge in explore(program).path_edges:
        valuation = dict(zip(program.scope(program.procedure(edge.procedure)), edge.valuation, strict=True))
        row = (1, *(int(valuation[name]) for name in VARIABLES[edge.procedure]))
        reached.setdefault((edge.procedure, edge.location), set()).add(row)
    for place, rows in reached.items():
        names = VARIABLES[place[0]]
        equations = facts.at(place)
        assert equations is not None
        own = [(each.constant, *(dict(each.factors).get(name, 0) for name in names)) for each in equations]
        assert bit.span(own) == bit.kernel(sorted(rows), 1 + len(names)), (place, equations)
