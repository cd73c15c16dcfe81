"""A run of a program with memory to a target, in a file: the inputs that it reads, and the lines that threads take.

`turns` is what each thread does in one go: its number, and lines, each with how often it is taken in a row; line 0 is
the end of an activation.  Inputs are numbers, texts for floating-point numbers (hexadecimal, so that no bit is lost),
["pointer", number] and ["bytes", size] for what cannot be used and what nobody wrote.  The interpreter does the rest
again, and must take the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.base.errors import ProofError
from knaster.evidence.proofs.files import targets_of
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.memory_moves import lines_of
from knaster.evidence.traces.memory_runs import LONGEST, inputs_of, record_run, strict_kinds
from knaster.evidence.traces.memory_threads import record_turns, record_two
from knaster.evidence.traces.trace import Trace
from knaster.program.memory import Address, Snapshot
from knaster.program.model import Program


def run_to_fields(trace: Trace) -> dict[str, Any]:
    """Return a run as fields of a document."""
    return {"run": {"inputs": _inputs_to_json(trace), "turns": _turns_to_json(trace)}}


def lasso_to_fields(lasso: Lasso) -> dict[str, Any]:
    """Return a run of threads that never ends as fields: the inputs of all, and what threads do."""
    stem, cycle = _turns_to_json(lasso.stem), _turns_to_json(lasso.cycle)
    return {"inputs": _inputs_to_json(lasso.stem), "stem": stem, "cycle": cycle}


def lasso_from_fields(data: Mapping[str, Any], program: Program) -> tuple[Trace, Trace]:
    """Return the stem and the cycle of a run of threads; the machine has taken their lines."""
    inputs = tuple(_input_of(value) for value in list_of(data["inputs"], "inputs"))
    stem, cycle = (_turns_of(data[part]) for part in ("stem", "cycle"))
    expect(stem[0][0] == 1, "the first thread does not begin")
    traces = record_two(program, inputs, stem, cycle)
    same = all(_turns_to_json(trace) == data[part] for trace, part in zip(traces, ("stem", "cycle"), strict=True))
    expect(same, "the run takes other lines")
    return traces


def _turns_of(data: object) -> list[tuple[int, int]]:
    turns = [_turn(row) for row in list_of(data, "turns")]
    expect(bool(turns), "a part of a run has no turn")
    expect(sum(count for _, count in turns) <= LONGEST, f"the run has more than {LONGEST:,} steps")
    return turns


def _turns_to_json(trace: Trace) -> list[Any]:
    return [[thread, [list(line) for line in lines]] for thread, lines in lines_of(trace)]


def _inputs_to_json(trace: Trace) -> list[Any]:
    return [_input_to_json(value) for value in inputs_of(trace)]


def _input_to_json(value: Any) -> Any:
    match value:
        case float():
            return value.hex()
        case Address():
            return ["pointer", value.offset]
        case Snapshot():
            return ["bytes", value.size]
    return value


def run_from_fields(document: Mapping[str, Any], program: Program) -> Trace:
    """Return the run of a document to its only target; the machine has taken its lines."""
    has_keys(document["run"], {"inputs", "turns"}, "'run'")
    targets = targets_of(document, program)
    expect(len(targets) == 1, "a run reaches one target")
    inputs = tuple(_input_of(value) for value in list_of(document["run"]["inputs"], "inputs"))
    turns = _turns_of(document["run"]["turns"])
    expect(turns[0][0] == 1, "the first thread does not begin")
    strict = strict_kinds(targets)
    if program.is_threaded:
        trace = record_turns(program, inputs, turns, strict)
    else:
        trace = record_run(program, inputs, targets[0], strict)
    expect(run_to_fields(trace)["run"]["turns"] == document["run"]["turns"], "the run takes other lines")
    return trace


def _turn(row: object) -> tuple[int, int]:
    """Return a thread and how many steps it takes."""
    parts = list_of(row, "a turn")
    expect(len(parts) == 2 and type(parts[0]) is int, "a turn is of no thread")
    count = 0
    for line in list_of(parts[1], "lines"):
        pair = list_of(line, "a line")
        expect(len(pair) == 2 and all(type(number) is int for number in pair), "a line is no number")
        expect(pair[0] >= 0 < pair[1], "a line is taken less than once")
        count += pair[1]
    return parts[0], count


def _input_of(data: object) -> Any:
    match data:
        case ["pointer", int(offset)]:
            return Address(0, offset)
        case ["bytes", int(size)]:
            return Snapshot(size, ())
        case str():
            try:
                return float.fromhex(data)
            except (ValueError, OverflowError):
                raise ProofError("this is no proof: an input is no number") from None
    expect(type(data) in (int, bool), "an input is no number")
    return data
