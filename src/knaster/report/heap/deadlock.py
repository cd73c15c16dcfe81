"""Why no thread can move where a trace ends in a deadlock."""

from __future__ import annotations

from knaster.checkers.runs.replay_heap import last_configuration
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Edge, Program
from knaster.report.heap.values import Shown
from knaster.report.source import SourceText
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.interpreter import Machine
from knaster.views.heap.mentions import mentioned_variables


def stuck_threads(program: Program, trace: Trace) -> list[str]:
    """Return for each thread why it cannot move: what it waits for, with the values that this depends on."""
    machine, source, show = Machine(program), SourceText(program), Shown(program)
    configuration = last_configuration(machine, trace)
    found: list[str] = []
    for number, frames in enumerate(configuration.threads, start=1):
        if not frames:
            found.append(f"thread {number} is finished")
            continue
        edges = machine.edges_from(frames[-1])
        where = f"thread {number} waits in {frames[-1].procedure} at line {edges[0].span.line}"
        reasons = [_reason(configuration, frames[-1], edge, source, show) for edge in edges]
        if len(reasons) == 1:
            found.append(f"{where}: {reasons[0]}")
            continue
        found += [f"{where}, and no branch is enabled:", *(f"  {reason}" for reason in reasons)]
    return found


def _reason(configuration: Configuration, frame: Frame, edge: Edge, source: SourceText, show: Shown) -> str:
    """Return a branch that is not enabled, with the values of its variables."""
    values = {**configuration.statics, **frame.values}
    procedure = show.program.procedure(frame.procedure)
    types = show.types[frame.procedure]
    shown = [
        f"{show.name(name, procedure)}={show.text(values[name], types[name], configuration.heap)}"
        for name in mentioned_variables(edge)
    ]
    return ", ".join([source.statement(edge.span), *([" ".join(shown)] if shown else [])])
