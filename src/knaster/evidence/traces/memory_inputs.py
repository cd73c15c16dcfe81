"""What a run of a program with memory reads, and which undefined steps it goes on after: told from its trace."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knaster.evidence.traces.inputs import Input
from knaster.evidence.traces.memory_moves import moves_of_segment
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of
from knaster.evidence.traces.memory_values import spell
from knaster.evidence.traces.trace import Step, Trace
from knaster.program.memory import bytes_of
from knaster.program.model import Program
from knaster.semantics.memory.sites import Sites
from knaster.semantics.memory.threads.machine import ThreadedMachine

_ARGUMENT = re.compile(r"the (?P<what>length|text) of argv\[(?P<number>\d+)\](?:, (?P<at>\d+),)?")


def list_memory_inputs(program: Program, trace: Trace, limit: int) -> list[Input]:
    """Return the first inputs of a run, with where they come from."""
    found: list[Input] = []
    run = _read_again(program, trace, limit)
    for reading in run.given.read[:limit]:
        name = reading.origin.partition(",")[0]
        found.append(Input(reading.span.line, "", name, reading.type, spell(run.machine, reading.value)))
    return found


def arguments_of_main(program: Program, trace: Trace, limit: int) -> list[bytes] | None:
    """Return the texts of `argv` that a run is given, `x` where it does not look; None where it reads no argument."""
    read = _read_again(program, trace, limit).given.read
    count = next((reading.value for reading in read if reading.origin == "argc"), None)
    if not isinstance(count, int) or count > limit:
        return None
    texts = [bytearray(b"x") for _ in range(count)]
    for reading in read:
        match = _ARGUMENT.match(reading.origin)
        if match is None or not isinstance(reading.value, int) or int(match["number"]) >= count:
            continue
        text = texts[int(match["number"])]
        if match["what"] == "length":
            text[:] = b"x" * min(reading.value, limit)
        elif match["at"] is not None:
            size, at = bytes_of(reading.type), int(match["at"])
            text[at : at + size] = (reading.value % (1 << 8 * size)).to_bytes(size, "little")[: max(0, len(text) - at)]
    return [bytes(text) for text in texts]


def _read_again(program: Program, trace: Trace, limit: int) -> MemoryRun:
    """Return a run that has read its inputs, or the first ones."""
    run = MemoryRun(program, inputs_of(trace), frozenset())
    read = run.given.read
    for _ in take_again(run, trace):
        if len(read) >= min(len(run.given.values), limit):
            break
    while len(read) < min(len(run.given.values), limit) and run.machine.frames and run.step()[0]:
        pass  # the step that fails reads some
    return run


def lapses_in(program: Program, trace: Trace) -> list[tuple[str, int]]:
    """Return the undefined steps after which a run goes on, and their lines, as far as it is written down."""
    run = MemoryRun(program, inputs_of(trace), frozenset())
    for _ in take_again(run, trace):
        pass
    if run.machine.frames:
        run.step()  # the one that fails
    sites = Sites(program)
    return list(dict.fromkeys((kind, span.line) for kind, span in run.machine.lapses if sites.is_listed(kind, span)))


def take_again(run: MemoryRun, trace: Trace) -> Iterator[tuple[int, Step | None]]:
    """Let a machine take the steps of a trace; yield before each one who takes it, and the step."""
    machine = run.machine
    for segment in trace.segments:
        if isinstance(machine, ThreadedMachine):
            machine.switch(segment.thread)
        for step, _ in moves_of_segment(segment):
            if not machine.frames:
                return
            yield segment.thread, step
            if not run.step()[0]:
                return
