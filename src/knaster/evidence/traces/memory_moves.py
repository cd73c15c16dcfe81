"""The steps of a trace of a program with memory in the order of execution, and where activations end."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.evidence.traces.trace import Path, Segment, Step, Trace

Move = tuple[Step | None, Path]  # None where the activation of the path ends


def moves_of(path: Path) -> Iterator[Move]:
    """Yield the steps of a path and of the runs inside it as they are executed, and None where one of them ends."""
    stack: list[tuple[Path, int]] = [(path, 0)]
    while stack:
        running, index = stack.pop()
        if index == len(running.steps):
            if stack:
                yield None, running
            continue
        step = running.steps[index]
        stack.append((running, index + 1))
        yield step, running
        if step.inside is not None:
            stack.append((step.inside, 0))


def moves_of_segment(segment: Segment) -> Iterator[Move]:
    """Yield what a thread does in one go; a path that does not begin its activation comes after one that ended."""
    for number, path in enumerate(segment.paths):
        if number and path.begin is not None:
            yield None, path
        yield from moves_of(path)


def lines_of(trace: Trace) -> list[tuple[int, list[tuple[int, int]]]]:
    """Return what each thread does in one go: lines and how often each is taken, 0 being the end of an activation."""
    found: list[tuple[int, list[tuple[int, int]]]] = []
    for segment in trace.segments:
        lines: list[tuple[int, int]] = []
        for step, _ in moves_of_segment(segment):
            line = 0 if step is None else int(step.edge.span.line)
            count = lines.pop()[1] if lines and lines[-1][0] == line else 0
            lines.append((line, count + 1))
        found.append((segment.thread, lines))
    return found
