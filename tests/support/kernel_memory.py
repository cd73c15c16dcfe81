"""One run of a program with memory by Knaster and by the kernel, on the same random inputs: what each of them did."""

from __future__ import annotations

from random import Random
from typing import Any

from knaster.base.errors import Span
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.program.memory import NULL, WILD, Address, Addresses, Chunk, Snapshot
from knaster.program.model import Program
from knaster.program.types import Bool, Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import KINDS, Fault, Stopped, Unclear
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import Machine
from knaster_check import read_program
from knaster_check.memory.codes import Codes as KernelCodes
from knaster_check.memory.faults import Over, Undefined
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.leaks import leaks_of
from knaster_check.memory.machine import Machine as KernelMachine
from knaster_check.refused import Refused

UNCLEAR = "unclear"
Told = dict[str, Any]


class RandomInputs:
    """Inputs that are drawn when they are read, small ones more often; `drawn` are those that the kernel is given."""

    vague = frozen = False

    def __init__(self, random: Random) -> None:
        self.random = random
        self.drawn: list[int] = []

    def any_value(self, low: int, high: int) -> Any:
        """Return no value: nothing is vague here."""
        raise NotImplementedError

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input."""
        match type:
            case Chunk(size):
                return Snapshot(size, ())
            case Bool():
                self.drawn.append(self.random.randrange(2))
                return bool(self.drawn[-1])
            case Addresses():
                self.drawn.append(self.random.randrange(2))
                return (NULL, WILD)[self.drawn[-1]]
            case Int(low=int(low), high=int(high)):
                near = self.random.choice((0, 1, 2, 3, -1, low, high, self.random.randint(low, high)))
                self.drawn.append(min(max(near, low), high))
                return self.drawn[-1]
        raise Unclear("an input of another type")


def tell_ours(program: Program, random: Random, most: int) -> tuple[Told, list[int]]:
    """Run a program as `semantics/memory` does; return what happened, and the inputs that were drawn."""
    inputs = RandomInputs(random)
    machine = Machine(Codes(program), inputs, frozenset())
    way: list[Any] = []
    end: Any = "long"
    try:
        while machine.frames and len(way) < most:
            way.append((machine.frame.code.procedure.name, machine.frame.location))
            machine.step()
        if not machine.frames:
            machine.strict = frozenset(("leak", "lost"))
            left = leak_of(machine)
            end = "end", _plain(machine.result), left.kind if left else ""
    except Stopped:
        end = "over"
    except Fault as fault:
        end = fault.kind, fault.span.line, fault.span.column
    except Unclear as unclear:
        end = UNCLEAR, str(unclear)
    lapses = sorted({(kind, span.line, span.column) for kind, span in machine.lapses if kind in KINDS})
    return {"way": way, "end": end, "lapses": lapses}, inputs.drawn


def _plain(result: Any) -> Any:
    return tuple(result) if isinstance(result, Address) else result


class Kernel:
    """A program with memory for the kernel."""

    def __init__(self, program: Program) -> None:
        self.codes = KernelCodes(read_program(program_to_kernel(program)))

    def tell(self, given: list[int], most: int) -> Told:
        """Run the program on inputs; return what happened."""
        lapses: set[tuple[str, int, int]] = set()
        way: list[Any] = []
        inputs = Inputs(given)
        end: Any = "long"
        try:
            machine = KernelMachine(self.codes, inputs, lambda kind, place, at_once: lapses.add((kind, *place)))
            last: Any = ()
            while machine.frames and len(way) < most:
                frame = machine.frames[-1]
                way.append((frame.code.procedure.name, frame.location))
                machine.step()
                last = frame.results
            if not machine.frames:
                kinds = list(leaks_of(machine))
                result = inputs.pinned(last[0]) if last else None
                end = "end", _plain_kernel(result), kinds[-1] if kinds else ""
        except Over:
            end = "over"
        except Undefined as step:
            end = step.kind, *step.place
        except Refused as refused:
            end = UNCLEAR, refused.reason
        if len(inputs.values) != len(given) and end[0] != UNCLEAR:
            end = "inputs", len(inputs.values), len(given)
        return {"way": way, "end": end, "lapses": sorted(lapses)}


def _plain_kernel(result: Any) -> Any:
    return tuple(result) if isinstance(result, tuple) else result


def difference(program: Program, kernel: Kernel, seed: int, most: int = 20_000) -> str:
    """Return what Knaster and the kernel did otherwise on the same inputs; empty where nothing, or one is unclear."""
    ours, drawn = tell_ours(program, Random(seed), most)
    theirs = kernel.tell(drawn, most)
    if UNCLEAR in (ours["end"][0], theirs["end"][0]) or ours == theirs:
        return ""
    at = next((n for n, (a, b) in enumerate(zip(ours["way"], theirs["way"], strict=False)) if a != b), None)
    other = {key: (ours[key], theirs[key]) for key in ("end", "lapses") if ours[key] != theirs[key]}
    return f"inputs {drawn[:8]}, step {at} of {len(ours['way'])}, {len(theirs['way'])}: {other}"
