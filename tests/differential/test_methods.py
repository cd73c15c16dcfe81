"""Every way in which an engine can work, against the explicit oracle: the same targets are reachable.

Traces and certificates of these engines come from the summaries, which `test_engines` examines; here they are left out.
`KNASTER_EXAMPLES=10` runs ten times as many programs; the slow lane runs 2,000 for each method.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import Random

import pytest

from knaster.api import check
from knaster.calculus import evaluate, parse
from knaster.decide.asked import Evidence
from knaster.engines.calculus.relations import Relations
from knaster.engines.calculus.system import algorithm_text
from knaster.engines.calculus.templates import HEADS, RELATIONS, templates
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Program
from knaster.semantics.explore import explore, reachable_locations
from knaster.semantics.sequential import can_hold, valuations
from knaster.views.symbolic.encoding import encode
from support.generators.boolean_programs import SMALL, TINY, Size, random_program

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
METHODS: Mapping[str, Mapping[str, object]] = {
    "pushdown post": {"engine": "pushdown"},
    "pushdown pre": {"engine": "pushdown", "direction": "pre"},
    "pushdown post fast": {"engine": "pushdown", "fast": True},
    "pushdown pre fast": {"engine": "pushdown", "direction": "pre", "fast": True},
    "calculus summary": {"engine": "calculus", "algorithm": "summary"},
    "calculus entry-forward": {"engine": "calculus", "algorithm": "entry-forward"},
    "calculus entry-forward-opt": {"engine": "calculus", "algorithm": "entry-forward-opt"},
    "calculus plain": {"engine": "calculus", "algorithm": "entry-forward", "strategy": "plain"},
    "calculus together": {"engine": "calculus", "algorithm": "summary", "strategy": "together"},
}


def reached(program: Program, method: str) -> set[tuple[str, int]]:
    options = METHODS[method]
    result = check(program, ["all-labels", "asserts"], evidence=Evidence(traces=False, proofs=False), **options)  # type: ignore[arg-type]
    return {(t.procedure, t.location) for t, answer in result.answers if isinstance(answer, Reachable)}


def compare(method: str, size: Size, seeds: range) -> None:
    for seed in seeds:
        program = random_program(Random(seed), size)
        wanted = reachable_locations(program)
        places = {(p.name, at) for p in program.procedures for at in [*dict(p.labels).values(), *p.failures]}
        assert reached(program, method) == places & wanted, (method, seed)


@pytest.mark.parametrize("method", METHODS)
def test_agrees_with_the_oracle(method: str) -> None:
    compare(method, SMALL, range(round(20 * TIMES)))
    compare(method, TINY, range(round(20 * TIMES)))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_agrees_with_the_oracle_on_two_thousand_programs(method: str) -> None:
    compare(method, SMALL, range(2000))


def test_the_split_relations_are_the_whole_ones() -> None:
    """Return with IntoCall is ReturnA, ReturnB and IntoCall1: the calculus itself proves it for each program."""
    law = """
    forall State x, State y, State z, State v.
      (IntoCall(x, y) & Return(x, z, v)) <->
      (Entry(y.mod, y.pc) & y.mod = z.mod & Exit(z.mod, z.pc) & IntoCall1(x, z.mod, y.L, y.G)
       & ReturnA(x, z.mod, v) & ReturnB(v.mod, x.pc, z, v));
    forall State x, State z, State v. Return(x, z, v) -> (x.mod = v.mod & Across(x.mod, x.pc, v.pc));
    """
    for seed in range(25):
        program = random_program(Random(seed), TINY)
        solution = evaluate(parse(templates(program).text([]) + law))
        assert solution.queries == [True, True], seed


def test_given_relations_mean_what_the_text_says() -> None:
    """The engine gives BDDs, `show --as relations` prints text: the two are the same relations."""
    same = """
    forall State u, State v. ProgramInt(u, v) <-> GivenProgramInt(u, v);
    forall State u, State v. IntoCall(u, v) <-> GivenIntoCall(u, v);
    forall State u, State z, State v. Return(u, z, v) <-> GivenReturn(u, z, v);
    forall State x, Module zmod, Local L, Global G. IntoCall1(x, zmod, L, G) <-> GivenIntoCall1(x, zmod, L, G);
    forall State x, State z, State v. (ReturnA(x, z.mod, v) & ReturnB(v.mod, x.pc, z, v))
      <-> (GivenReturnA(x, z.mod, v) & GivenReturnB(v.mod, x.pc, z, v));
    forall Module mod, Counter upc, Counter vpc. Across(mod, upc, vpc) <-> GivenAcross(mod, upc, vpc);
    forall Module mod, Counter pc. (Entry(mod, pc) <-> GivenEntry(mod, pc)) & (Exit(mod, pc) <-> GivenExit(mod, pc));
    forall Module mod, Counter pc. Target(mod, pc) <-> GivenTarget(mod, pc);
    forall State u. Init(u) <-> GivenInit(u);
    """
    declared = "".join(f"bool Given{head};\n" for head in HEADS.values())
    for seed in range(25):
        program = random_program(Random(seed), TINY)
        targets = resolve_targets(program, ["all-labels", "asserts"])
        symbolic, numbers = encode(program, nodes=1 << 18), templates(program)
        relations = Relations(symbolic, numbers, targets).bodies(RELATIONS)
        given = {f"Given{name}": relation for name, relation in relations.items()}
        solution = evaluate(parse(numbers.text(targets) + declared + same), relations=given, store=symbolic.store)
        assert solution.queries == [True] * 9, seed


def entered(program: Program, name: str, context: tuple[bool, ...]) -> int:
    """Return with how many valuations of locals and results a procedure can be entered in a context."""
    procedure = program.procedure(name)
    inputs = dict(zip(program.globals + procedure.parameters, context, strict=True))
    return sum(
        can_hold(procedure.enforce, {**inputs, **own}) for own in valuations(procedure.locals + procedure.results)
    )


def test_entry_forward_explores_no_unreachable_entry() -> None:
    """Count the entries of Summary: the reachable ones for entry-forward, all of them for the simple algorithm."""
    entries = "bool Entries(State u) exists State v. Summary(u, v); #ons Entries;"
    fewer = 0
    for seed in range(12):
        program = random_program(Random(seed), TINY)
        relations = templates(program).text([])
        frame = max(len(p.frame) for p in program.procedures)
        # A state of the calculus has the bits of the largest frame (and at least one of each kind); those that a
        # procedure does not use are free.
        free = {
            p.name: 2 ** (max(1, frame) - len(p.frame)) * 2 ** (max(1, len(program.globals)) - len(program.globals))
            for p in program.procedures
        }
        contexts = {(edge.procedure, edge.context) for edge in explore(program).path_edges}
        wanted = sum(free[name] * entered(program, name, context) for name, context in contexts)
        counts = [
            evaluate(parse(relations + algorithm_text(name)[1] + entries)).counts["Entries"]
            for name in ("entry-forward", "summary")
        ]
        assert counts[0] == wanted, seed
        assert counts[0] <= counts[1]
        fewer += counts[0] < counts[1]
    assert fewer > 5
