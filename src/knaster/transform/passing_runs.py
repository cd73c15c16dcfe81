"""Runs that end well: from a program and targets, a program whose new target is reached by runs to the end alone.

A run passes when it comes back from the entry procedure and has not stood at a target before.  The new entry calls the
old one; where it comes back stands the new target.  Nothing leaves a target of the old program.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.records import replace
from knaster.evidence.questions.question import Target
from knaster.program.expression import TRUE, Choice
from knaster.program.model import Assume, Call, Edge, Procedure, Program
from knaster.transform.formulae import Fresh


def add_end(program: Program, targets: Iterable[Target]) -> tuple[Program, Target]:
    """Return the program with a target at its end; its other edges are the very ones of the given program."""
    stopped = {target.place for target in targets}
    procedures = tuple(_stop(own, stopped) for own in program.procedures)
    entry = program.procedure(program.threads[0])
    name = Fresh(program).name("run")
    types = program.types_in(entry)
    arguments = tuple(Choice(types[parameter]) for parameter in entry.parameters)
    call = Call(entry.name, arguments, (None,) * len(entry.results))
    edges = (Edge(0, call, 1, entry.span), Edge(1, Assume(TRUE), 2, entry.span))
    start = Procedure(name, (), (), (), 0, 2, edges, span=entry.span)
    whole = replace(program, procedures=(start, *procedures), threads=(name,))
    return whole, Target("the end", name, 1, entry.span.line)


def _stop(own: Procedure, stopped: set[tuple[str, int]]) -> Procedure:
    places = {location for name, location in stopped if name == own.name}
    if not places:
        return own
    return replace(own, edges=tuple(edge for edge in own.edges if edge.source not in places))
