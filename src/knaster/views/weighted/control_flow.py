"""The control-flow graph of a sequential program without its data, and the stacks that it can have.

Nodes are places; between a call and its successor stands a node of its own, which is what lies on the stack meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from knaster.frontends.text.stack_traces import Frame
from knaster.program.model import Call, Place, Program
from knaster.pushdown.automaton import ANY, Automaton
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.icfg import CONTROL, FlowGraph, GraphBuilder

Return = tuple[str, int, int]  # a procedure, where it goes on, and the number of the edge of the call


def control_flow(program: Program) -> FlowGraph[bool]:
    """Return the graph of all paths, with calls and returns that match."""
    builder: GraphBuilder[bool] = GraphBuilder(Boolean())
    for own in program.procedures:
        part = builder.procedure(own.name, (own.name, own.entry), (own.name, own.exit))
        for number, edge in enumerate(own.edges):
            source, target = (own.name, edge.source), (own.name, edge.target)
            if isinstance(edge.action, Call):
                back: Return = (own.name, edge.target, number)
                part.call(source, edge.action.procedure, back)
                part.edge(back, target)
            else:
                part.edge(source, target)
    return builder.build(program.threads[0])


def places_of(program: Program, frame: Frame) -> list[Place]:
    """Return where control can stand in the innermost frame."""
    own = program.procedure(frame.procedure)
    edges = [edge for edge in own.edges if frame.line in (None, edge.span.line)]
    return list(dict.fromkeys((own.name, edge.source) for edge in edges))


def returns_of(program: Program, frame: Frame, callee: str) -> list[Return]:
    """Return what lies on the stack for a frame that has called a procedure."""
    own = program.procedure(frame.procedure)
    return [
        (own.name, edge.target, number)
        for number, edge in enumerate(own.edges)
        if isinstance(edge.action, Call) and edge.action.procedure == callee and frame.line in (None, edge.span.line)
    ]


def stacks_of(program: Program, frames: Sequence[Frame]) -> Automaton[object] | None:
    """Return the configurations with these frames, the innermost first; None where some frame fits no statement.

    Where the last frame is not the entry of the program, anything may lie below it.
    """
    layers: list[Sequence[object]] = [places_of(program, frames[0])]
    layers += [returns_of(program, frame, inner.procedure) for inner, frame in pairwise(frames)]
    if not all(layers):
        return None
    states: list[object] = [CONTROL, *(("frame", number) for number in range(1, len(layers) + 1))]
    edges = [
        (states[number], symbol, states[number + 1]) for number, symbols in enumerate(layers) for symbol in symbols
    ]
    if frames[-1].procedure != program.threads[0]:
        edges.append((states[-1], ANY, states[-1]))
    return Automaton.of(edges, [states[-1]], [CONTROL])
