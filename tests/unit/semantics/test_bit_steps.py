"""Steps on bits are those of `sequential`: where there is one outcome, it is that one, and a choice is no step here."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE, has_choice
from knaster.program.model import Call, Concurrent, expressions
from knaster.semantics import bit_steps, formulas
from knaster.semantics.bit_steps import BitSteps
from knaster.semantics.sequential import entry_states, state_after_return, successors, valuations
from support.generators.boolean_programs import LARGE, random_program


@pytest.mark.parametrize(("seldom", "longest"), [(1, 20_000), (1000, 20_000), (1, 5)])
def test_steps_without_choice_have_the_outcome_of_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, seldom: int, longest: int
) -> None:
    """Compiled, not compiled, and too long to be compiled."""
    monkeypatch.setattr(bit_steps, "SELDOM", seldom)
    monkeypatch.setattr(formulas, "LONGEST", longest)
    compared = 0
    for seed in range(60):
        program = random_program(Random(seed), LARGE)
        steps = BitSteps(program)
        for procedure in program.procedures:
            if procedure.enforce is not TRUE:
                continue
            scope = steps.scope(procedure.name)
            states = list(islice(valuations(scope.names), 64))
            for edge in procedure.edges:
                change = steps.change(procedure, edge)
                if any(map(has_choice, expressions(edge.action))) or isinstance(edge.action, Concurrent):
                    assert change is None
                if change is None or isinstance(edge.action, Call):
                    continue
                for state in states:
                    bits = scope.bits_of(state)
                    passes = change.passes is None or change.passes(bits)
                    found = [scope.state(bits if change.write is None else change.write(bits))] if passes else []
                    assert found == list(successors(procedure, edge, state)), (seed, edge)
                    compared += 1
    assert compared > 1000


def test_calls_enter_and_come_back_as_in_the_interpreter() -> None:
    text = """decl g, h;
    bool<2> f(a, b) begin decl l; return a, !b; end
    void main() begin decl x, y; x, g := f(g, x & !y); y, x := f(1, h); f(x, y); end"""
    program = parse(text)
    callee, caller = program.procedures
    steps = BitSteps(program)
    outer, inner = steps.scope("main"), steps.scope("f")
    given = inner.mask(program.globals + callee.parameters)
    for edge in caller.edges:
        call = edge.action
        if not isinstance(call, Call):
            continue
        change = steps.change(caller, edge)
        assert change is not None and change.write is not None and change.come_back is not None
        for state in valuations(outer.names):
            bits = outer.bits_of(state)
            entries = {inner.bits_of(entered) & given for entered in entry_states(program, callee, call, state)}
            assert {change.write(bits)} == entries
            for end in valuations(inner.names):
                after = state_after_return(program, caller, callee, call, state, end)
                assert outer.state(change.come_back(bits, inner.bits_of(end))) == after


def test_what_is_asked_for_often_is_compiled_and_ready() -> None:
    program = parse("decl g; void main() begin decl x; x := g & !x; assume x; end")
    (main,) = program.procedures
    steps = BitSteps(program)
    for times in range(bit_steps.SELDOM):
        assert not steps.ready("main"), times
        for edge in main.edges:
            steps.change(main, edge)
    assert set(steps.ready("main")) == {id(edge) for edge in main.edges}
    write = steps.ready("main")[id(main.edges[0])].write
    assert write is not None and write(1) == 3 and write(3) == 1
