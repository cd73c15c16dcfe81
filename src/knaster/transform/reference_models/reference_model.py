"""The reference model of a Boolean program: the same places are reached, and its runs are runs of the program.

An edge is a few steps that nobody comes between, or a choice that nobody sees and then a step.  A thread that has
chosen badly waits for ever, which reaches nothing new; a deadlock is another matter and is not asked for.
"""

from __future__ import annotations

from knaster.base.errors import UnsupportedError
from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.checkers.runs.replay_heap import steps_of
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import TRUE, has_choice, variables
from knaster.program.kind import Kind
from knaster.program.model import Program
from knaster.program.objects import Objects
from knaster.program.state import State
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.interpreter import Machine
from knaster.transform.reduction import Effect, Reduction
from knaster.transform.reference_models.entry_values import entry_values
from knaster.transform.reference_models.procedures import Point, ReferenceProcedure
from knaster.transform.reference_models.prologue import START, fixed_globals, prologue
from knaster.transform.reference_models.section_flags import section_flags

LONGEST = 100_000  # steps of a run that is taken back
Places = dict[str, dict[Point, int]]


def why_not_referred(program: Program) -> str | None:
    """Say why a Boolean program has no reference model; None where it has one."""
    try:
        _model(program)
    except UnsupportedError as error:
        return error.feature.removeprefix("as a program with references: ")
    return None


def reference_model(program: Program, question: Question) -> Reduction | None:
    """Return a Boolean program as one with references, exactly; None where it is one already."""
    if program.kind is not Kind.BOOLEAN:
        return None
    assert isinstance(question, Reach)
    model, places = _model(program)
    targets = {
        replace(target, location=places[target.procedure][target.location, 0]): target for target in question.targets
    }

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return targets[target], take_back(program, model, trace, target)

    return Reduction(program, model, replace(question, targets=tuple(targets)), Effect.EXACT, back, targets)


def _model(program: Program) -> tuple[Program, Places]:
    """Return the program with references, and where its procedures stand."""
    _refuse(program)
    flags = section_flags(program)
    begins = {each.name: entry_values(each) for each in program.procedures}
    made = [ReferenceProcedure(program, each, flags[each.name], begins).finish() for each in program.procedures]
    statics = tuple((name, TRUE) for name, value in fixed_globals(program).items() if value)
    model = Program(
        program.globals,
        (*(procedure for procedure, _ in made), prologue(program, begins)),
        (START,),
        TRUE,
        program.file,
        program.source,
        program.language,
        kind=Kind.REFERENCES,
        objects=Objects((), statics),
    )
    return model, {procedure.name: points for procedure, points in made}


def _refuse(program: Program) -> None:
    """Raise `UnsupportedError` where a program has no reference model."""
    problem = "as a program with references: "
    if program.atomic is not None:
        raise UnsupportedError(f"{problem}'{program.atomic}' keeps other threads from running")
    if has_choice(program.init):
        raise UnsupportedError(f"{problem}a free choice in 'init'")
    for procedure in program.procedures:
        if program.is_threaded and variables(procedure.enforce) & {*program.globals}:
            raise UnsupportedError(f"{problem}'enforce' of what other threads may change", procedure.span)


def take_back(program: Program, model: Program, trace: Trace, target: Target) -> Trace:
    """Return a run of the model as one of the program: each step that stands for an edge becomes that edge."""
    machine = Machine(model)
    configuration = machine.start()
    recorder = Recorder(program)
    scopes = {procedure.name: program.scope(procedure) for procedure in program.procedures}
    first = 1 if program.is_threaded else 0  # of the threads of the model runs the prologue

    def state(frame: Frame) -> State:
        return _state(configuration, frame, scopes[frame.procedure])

    before: State = {}
    keeps = False
    for count, (thread, step) in enumerate(steps_of(trace)):
        if count > LONGEST:
            raise OutOfBudget(f"the run has more than {LONGEST:,} steps")
        frames = configuration.threads[thread - 1]
        frame = frames[-1]
        if not keeps and frame.procedure != START:
            before = state(frame)  # an edge may be several steps, of which the last one stands for it
        values = list(machine.alternatives(configuration, thread))
        event = machine.step(configuration, thread, values.index(step.inputs[0]) if step.inputs else 0)
        keeps = event.keeps
        if frame.procedure == START or (event.edge.origin is None and not event.returned):
            continue
        recorder.run(thread - first, before)
        if event.returned:
            if frames and frames[-1].procedure != START:
                recorder.come_back(state(frames[-1]))
        elif event.entered:
            assert event.edge.origin is not None
            recorder.call(event.edge.origin, frames[-1].procedure, state(frames[-1]))
        else:
            assert event.edge.origin is not None
            recorder.step(event.edge.origin, state(frame))
    for thread, frames in enumerate(configuration.threads, start=1):
        if frames and (frames[-1].procedure, frames[-1].location) == target.place:
            recorder.run(thread - first, state(frames[-1]))
            break
    return recorder.trace()


def _state(configuration: Configuration, frame: Frame, scope: tuple[str, ...]) -> State:
    """Return the values of the variables of the program."""
    known = {**configuration.statics, **frame.values}
    return {name: bool(known[name]) for name in scope}
