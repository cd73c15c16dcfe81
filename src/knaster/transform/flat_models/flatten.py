"""Flattens a Zing model without a heap: a Boolean program with threads that stands at the same places, and back.

The places that are asked for keep their numbers.  A failing assume removes a run for all threads; here its thread does
not go on, which reaches the same places.  A run of the Boolean program becomes one of the model step by step: the
interpreter takes the edge that each step comes from, with the alternative that it stands for.
"""

from __future__ import annotations

from knaster.base.errors import UnsupportedError
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.evidence.traces.heap_recorder import HeapRecorder
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import TRUE, Expr, Not, Var
from knaster.program.model import Kind, Program
from knaster.program.objects import Choose, Join
from knaster.program.threads import started_by
from knaster.semantics.heap.interpreter import Machine
from knaster.transform.flat_models.bits import Bits, both
from knaster.transform.flat_models.procedures import ATOMIC, FlatProcedure, first_procedure, thread_name
from knaster.transform.flat_models.value_sets import Plain, ValueSets
from knaster.transform.reduction import Effect, Reduction

LONGEST = 100_000  # steps of a run that is taken back


def why_not_flat(program: Program) -> str | None:
    """Say why a model is no Boolean program; None where it is one."""
    try:
        _bits(program)
    except UnsupportedError as error:
        return error.feature.removeprefix("as a Boolean program: ")
    return None


def flatten_model(program: Program, question: Question) -> Reduction | None:
    """Return a model as a Boolean program, exactly; None where it is one already."""
    if program.kind is not Kind.REFERENCES:
        return None
    assert isinstance(question, Reach)
    alternatives: dict[int, int] = {}
    flat = _flat(program, alternatives)
    targets = {target: target for target in question.targets}

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return target, _way_back(program, trace, alternatives)

    return Reduction(program, flat, question, Effect.EXACT, back, targets)


def _bits(program: Program) -> Bits:
    start = Machine(program).start()
    if start.heap:
        raise UnsupportedError("as a Boolean program: it has cells at the start", None, program.file)
    statics: dict[str, Plain] = {}
    for name, value in start.statics.items():
        if not isinstance(value, bool | int):
            raise UnsupportedError(f"as a Boolean program: '{name}' lives in a heap", None, program.file)
        statics[name] = value
    return Bits(ValueSets(program, statics))


def _flat(program: Program, alternatives: dict[int, int]) -> Program:
    """Return the Boolean program."""
    bits = _bits(program)
    start = Machine(program).start().statics
    names = tuple(bit for name in program.globals for bit in bits.names("", name))
    init: Expr = Not(Var(ATOMIC))
    for name, value in start.items():
        assert isinstance(value, bool | int)
        for bit, given in zip(bits.names("", name), bits.constant("", name, value), strict=True):
            init = both(init, Var(bit) if given == TRUE else Not(Var(bit)))
    procedures = [FlatProcedure(program, each, bits, alternatives).finish() for each in program.procedures]
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    started = [found.procedure for edge in edges if (found := started_by(edge)) is not None]
    first = dict.fromkeys((*program.threads, *(name for name in started if name is not None)))
    procedures += [first_procedure(program.procedure(name), bits) for name in first]
    threads = tuple(thread_name(name) for name in program.threads)
    return Program(
        (*names, ATOMIC),
        tuple(procedures),
        threads,
        init,
        program.file,
        program.source,
        kind=Kind.BOOLEAN,
        atomic=ATOMIC,
    )


def _way_back(program: Program, trace: Trace, alternatives: dict[int, int]) -> Trace:
    """Return a run of the Boolean program as one of the model."""
    machine = Machine(program)
    configuration = machine.start()
    recorder = HeapRecorder(machine, configuration)
    running = 0
    for visit in trace.visits(LONGEST):
        edge = visit.edge.origin
        if edge is None:
            continue
        if visit.thread != running:
            running = visit.thread
            recorder.run(running)
        wanted = alternatives.get(id(visit.edge), 0)
        if isinstance(edge.action, Join):
            wanted = list(machine.alternatives(configuration, running)).index(wanted)
        recorder.step(wanted if isinstance(edge.action, Join | Choose) else 0)
    return recorder.trace()
