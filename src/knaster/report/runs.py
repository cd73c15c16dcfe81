"""What is said about a run besides its steps: how it goes on for ever, and the inputs that cause it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.source import SourceText
from knaster.semantics.table import semantics_of

_INPUTS = 40  # more are not listed


def for_ever(program: Program, lasso: Lasso) -> Iterator[str]:
    """Yield sentences about how a run goes on after its cycle."""
    if lasso.waits:
        yield "and there no thread can move any more; the last state stays for ever"
        return
    if lasso.stays:
        yield "and there the run has ended; its last state stays for ever"
        return
    lines = {edge.source: edge.span.line for edge in program.procedure(lasso.cycle.procedure).edges}
    line = lines.get(lasso.cycle.location, 0)
    if lasso.recurs is None:
        again = "one frame deeper" if lasso.deeper else "with the same values"
        yield f"and so on for ever: line {line} is reached again, {again}"
    else:
        said = SourceText(program).spelling.expression(lasso.recurs.set)
        yield f"and so on for ever: whenever line {line} is reached with {said}, it can be reached again with {said}"
    if lasso.deeper:
        yield f"the stack grows by {growth(lasso)} each time"
        yield "(a real machine runs out of stack there)"


def growth(lasso: Lasso) -> str:
    """Return by which activations the stack grows with each repetition of a cycle."""
    count = Counter(path.procedure for path in lasso.cycle.paths[1:])
    words = [f"{'one' if number == 1 else number} '{name}'" for name, number in count.items()]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def inputs_said(program: Program, trace: Trace) -> list[str]:
    """Return the inputs of a run in the order in which they are read; nothing for Boolean programs."""
    if not semantics_of(program).reads_inputs:
        return []
    from knaster.evidence.traces.inputs import list_inputs  # Boolean programs have none

    spell = SourceText(program).spelling.value
    read = list_inputs(program, trace, _INPUTS + 1)
    shown = [f"{one.name} = {spell(one.value)} (line {one.line})" for one in read[:_INPUTS]]
    if not shown:
        return []
    more = ["..."] if len(read) > _INPUTS else []
    return ["Inputs:", *(f"{text}," for text in shown[:-1]), shown[-1], *more]
