"""Steps of random C programs as formulas: from a random state they lead where the interpreter goes."""

from __future__ import annotations

import os
import random

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import Choice, postorder
from knaster.program.model import Assign, Call, Edge, Location, Procedure, Program
from knaster.program.state import State
from knaster.program.types import Bool, Int, Value
from knaster.semantics.python_code import loop_heads
from knaster.semantics.sequential import successor
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Numbers
from knaster.smt.translate import Translation
from knaster.views.steps.cut import cut_program
from support.generators.c_programs import random_program, text

EXAMPLES = 8 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
NONDET = """
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
unsigned char c[4];
int main() {
  int x, y = __VERIFIER_nondet_int();
  unsigned char u = __VERIFIER_nondet_uchar();
  switch (y) { case 0: x = 1; break; case 3: x = u / y; break; default: x = y % (u - 5); }
  if (__VERIFIER_nondet_int() > x && u << 3 != 16) c[u % 7] = x; else x = c[x] + (y >> 2);
  while (x > 10) { x -= 3 * u; if (x == 7) u++; }
  if (x == 5 && c[1] != 3) reach_error();
  return x;
}
"""


def a_value(choose: random.Random, type: object) -> Value:
    match type:
        case Bool():
            return choose.random() < 0.5
        case Int():
            ends = [end for end in (type.low, type.high) if end is not None]
            return choose.choice(ends) if ends and choose.random() < 0.15 else type.wrap(choose.randint(-12, 12))
        case _:
            return tuple(a_value(choose, type.element) for _ in range(type.length))  # type: ignore[attr-defined]


def walked(
    procedure: Procedure, source: Location, state: State, cuts: tuple[Location, ...], choose: random.Random
) -> tuple[Location | None, State, dict[int, list[Value]]]:
    """Run from a cut point to the next one on chosen inputs; say where that is (None: the run ends), and the inputs."""
    inputs: dict[int, list[Value]] = {}
    location = source
    while True:
        for edge in (edge for edge in procedure.edges if edge.source == location):
            if isinstance(edge.action, Call):
                continue
            given = [a_value(choose, choice.type) for choice in choices(edge)]
            after = successor(procedure, edge, state, tuple(given))
            if after is not None:
                break
        else:
            return None, state, inputs
        inputs[id(edge)] = given
        state, location = after, edge.target
        if location in cuts:
            return location, state, inputs


def choices(edge: Edge) -> list[Choice]:
    values = edge.action.values if isinstance(edge.action, Assign) else ()
    return [node for value in values for node in postorder(value) if isinstance(node, Choice)]


def held_against_the_interpreter(program: Program, numbers: Numbers, session: Session, choose: random.Random) -> int:
    cut = cut_program(program)
    cuts, formulas = cut.points, cut.formulas(Translation(numbers))
    ends = 0
    for procedure in program.procedures:
        assert set(loop_heads(procedure)) <= set(cuts[procedure.name])
        for source in cuts[procedure.name]:
            before = {name: a_value(choose, type) for name, type in program.types_in(procedure).items()}
            target, after, inputs = walked(procedure, source, before, cuts[procedure.name], choose)
            ends += target is not None
            for step in formulas.steps:
                if (step.procedure, step.source) != (procedure.name, source):
                    continue
                where = f"{procedure.name} {source} to {step.target} from {before} on {inputs}"
                solver = session.solver()
                variables = formulas.variables[step.procedure]
                known = {name: numbers.constant(before[name], term.type).value for name, term in variables.items()}
                solver.add([term.value == known[name] for name, term in variables.items()])
                for read in step.reads:
                    for value in inputs.get(id(read.edge), ()):
                        solver.add([read.variable == numbers.constant(value, read.choice.type).value])
                solver.add([step.guard])
                if step.target != target:
                    read_all = all(id(read.edge) in inputs for read in step.reads)
                    assert not read_all or solver.check() is Answer.UNSATISFIABLE, where
                    continue
                same = formulas.translation.same
                solver.add([same(numbers.constant(after[n], t.type), t) for n, t in step.update.items()])
                assert solver.check() is Answer.SATISFIABLE, where
    return ends


@pytest.mark.parametrize("kind", [Integers, Bits])
def test_steps_lead_where_the_interpreter_goes(kind: type[Integers] | type[Bits]) -> None:
    choose, ends = random.Random(7), 0
    for seed in range(EXAMPLES):
        session = Session()
        program = load(text(random_program(seed)), file="random.c")
        ends += held_against_the_interpreter(program, kind(session.context), session, choose)
    program = load(NONDET, file="inputs.c")
    for _ in range(EXAMPLES):
        session = Session()
        ends += held_against_the_interpreter(program, kind(session.context), session, choose)
    assert ends > 4 * EXAMPLES


def test_what_a_switch_does_needs_no_selector() -> None:
    session = Session()
    program = load(NONDET, file="inputs.c")
    formulas = cut_program(program).formulas(Translation(Integers(session.context)))
    assert not any("selector" in str(variable) for step in formulas.steps for variable in step.free)
