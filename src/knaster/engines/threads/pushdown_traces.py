"""Makes traces and a proof about threads of what their pushdown systems reached (Qadeer and Rehof, TACAS 2005)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.engines.threads.pushdown_systems import ENDED, Frame, Shared, Systems, is_step, state_of
from knaster.evidence.proofs.threads.stack_table import ContextRow, Letter, Moment, StackSet, StackTable
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Call, Edge, Place, Program
from knaster.pushdown.numbering import Names
from knaster.pushdown.switching.all_contexts import Reached, Search, Top
from knaster.pushdown.switching.history import Context, history
from knaster.pushdown.system import Rule
from knaster.pushdown.transducers.language import Language
from knaster.semantics.threads import Activation


def traces_in(
    program: Program, found: Reached, targets: Iterable[Target], tick: Callable[[], None]
) -> Mapping[Target, Trace]:
    """Return a trace with the least number of switches to each target that was found."""
    first: dict[Place, Top] = {}
    for top in found.least:
        place = place_of(top)
        if place is not None:
            first.setdefault(place, top)
    return {
        target: _trace_of(program, history(found, first[target.place], tick))
        for target in targets
        if target.place in first
    }


def traces_within(
    program: Program, systems: Systems, switches: int, targets: Sequence[Target], tick: Callable[[], None]
) -> Mapping[Target, Trace]:
    """Return a trace to each target that so many switches reach, for a method that has none of its own."""
    search = Search(systems.systems, systems.starts, systems.is_open, tick)
    while search.found.contexts <= switches and not search.found.closed:
        search.next_context()
    return traces_in(program, search.found, targets, tick)


def place_of(top: Top) -> Place | None:
    """Return where the running thread stands; None where that is no place of the program."""
    _, state, frame = top
    assert isinstance(state, Shared)
    if not isinstance(frame, Frame) or state.results is not None or frame.location < 0 or frame.calling is not None:
        return None
    return frame.place


def _trace_of(program: Program, contexts: Sequence[Context]) -> Trace:
    recorder = Recorder(program)
    for context in contexts:
        top = context.start.stack[0]
        assert isinstance(top, Frame) and isinstance(context.start.state, Shared)
        if top.location >= 0:
            recorder.run(context.running + 1, state_of(program, context.start.state, top))
        for rule in context.run:
            record_rule(program, recorder, rule)
    return recorder.trace()


def record_rule(program: Program, recorder: Recorder, rule: Rule[bool]) -> None:
    """Tell one rule to a trace."""
    frame, before, after = rule.symbol, rule.source, rule.target
    assert isinstance(frame, Frame) and isinstance(before, Shared) and isinstance(after, Shared)
    if not rule.push:
        return  # coming back is told by the rule of the caller
    top = rule.push[0]
    assert isinstance(top, Frame)
    if frame.location < 0:
        recorder.run(frame.thread + 1, state_of(program, after, top))
    elif before.results is not None:
        recorder.come_back(state_of(program, after, top))
    elif len(rule.push) == 2:
        waiting = rule.push[1]
        assert isinstance(waiting, Frame) and waiting.calling is not None
        recorder.call(
            program.procedure(frame.procedure).edges[waiting.calling], top.procedure, state_of(program, after, top)
        )
    elif top.location < 0:
        recorder.step(_edge(program, frame, top, before, after), state_of(program, before, frame))
    else:
        recorder.step(_edge(program, frame, top, before, after), state_of(program, after, top))


def _edge(program: Program, frame: Frame, top: Frame, before: Shared, after: Shared) -> Edge:
    """Return an edge that does what a rule does."""
    procedure = program.procedure(frame.procedure)
    for edge in procedure.edges:
        standing = edge.source == frame.location and not isinstance(edge.action, Call)
        if standing and is_step(program, procedure, edge, (before, frame), (after, top)):
            return edge
    raise InternalError(f"no edge leads from {frame.place} to {top.place}")


def table_of(program: Program, found: Reached) -> StackTable:
    """Return a closed table of contexts as a proof about the program."""
    known: dict[tuple[int, Language], StackSet] = {}

    def stacks(number: int, language: Language) -> StackSet:
        key = number, language
        if key not in known:
            known[key] = _stacks(language, found.symbols[number])
        return known[key]

    rows = []
    for row in found.rows:
        reached = {
            Moment(state.values, state.section, state.failed): stacks(row.running, language)
            for state, language in row.reached.items()
            if isinstance(state, Shared) and state.results is None
        }
        rows.append(ContextRow(row.running, tuple(map(stacks, range(len(row.stacks)), row.stacks)), reached))
    return StackTable(program, tuple(rows))


def _stacks(language: Language, names: Names) -> StackSet:
    """Return a set of stacks of activations; a thread that has ended has none, whatever is left below."""
    moves: list[dict[Letter, int]] = [{}, *({} for _ in language.moves)]
    accepting = [language.accepting[0], *language.accepting]
    for state, row in enumerate(language.moves):
        for letter, target in row:
            frame = names.names[letter]
            assert isinstance(frame, Frame)
            if frame.location == ENDED:
                accepting[0] = True
                continue
            activation = Activation(frame.procedure, frame.location, frame.values, frame.calling)
            moves[state + 1][Letter(activation, frame.first)] = target + 1
    moves[0] = moves[1]
    return StackSet(tuple(moves), tuple(accepting))
