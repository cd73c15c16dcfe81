"""Attacks on the kernel's part for Boolean programs, threads and runs, made by hand: each file is refused.

Each attack changes a proof that holds so that it is none, or claims more than it shows.  Those that are made for every
row or place of a proof count as many.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster_check import Refused, check, read_program
from knaster_check.program import Program
from support.fuzz.proofs import CALLED, SECTIONS, SEQUENTIAL, STARTED, TURNS

Document = dict[str, Any]
Attacks = Iterator[tuple[str, Document]]
FALSE_SEQUENTIAL = SEQUENTIAL.replace("T, T", "T, F")
SUBJECTS: dict[str, tuple[str, dict[str, Any]]] = {
    "path edges": (SEQUENTIAL, {}),
    "configurations": (TURNS, {"engine": "states"}),
    "configurations within a bound": (TURNS, {"engine": "states", "switches": 1}),
    "configurations with started threads": (STARTED, {"engine": "states"}),
    "interference": (SECTIONS, {"engine": "modular"}),
    "interference with started threads": (STARTED, {"engine": "modular"}),
    "stacks": (CALLED, {"engine": "stacks"}),
    "run": (FALSE_SEQUENTIAL, {}),
    "run of threads": (TURNS.replace("assume(turn)", "skip"), {}),
}


@cache
def subject(name: str) -> tuple[Program, str]:
    text, options = SUBJECTS[name]
    result = knaster.check(text, file="p.bp", evidence=knaster.Evidence(proofs=True), **options)
    return read_program(program_to_kernel(result.program)), proof_to_text(result)


def of_every_kind(document: Document, program: Program) -> Attacks:
    """Yield what is wrong whatever the kind."""
    yield "no targets", {**document, "targets": []}
    yield "another program", {**document, "program": "0" * 64}
    yield "another entry", {**document, "entry": "f"}
    yield "read with other options", {**document, "reading": {"integers": "machine"}}
    yield "another version", {**document, "version": 2}
    yield "another format", {**document, "format": "knaster program"}
    yield "one more field", {**document, "more": 1}
    yield "a field less", {name: value for name, value in document.items() if name != "tool"}
    (target, *_) = document["targets"]
    for procedure in program.procedures.values():
        for location in range(procedure.size):
            if (procedure.name, location) != (target["procedure"], target["location"]):
                moved = {**target, "procedure": procedure.name, "location": location}
                yield f"the target moved to {procedure.name} {location}", {**document, "targets": [moved]}
    yield "a target nowhere", {**document, "targets": [{**target, "procedure": "nobody"}]}
    yield "a way to fail", {**document, "targets": [{**target, "procedure": "", "location": 0}]}
    yield "a target by another name", {**document, "targets": [{**target, "name": "assert at line 1"}]}


def changed(document: Document, path: tuple[Any, ...], value: object) -> Document:
    found = deepcopy(document)
    part: Any = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return found


def on_path_edges(document: Document, program: Program) -> Attacks:
    for name, row in document["procedures"].items():
        for location, function in enumerate(row["sets"]):
            if function != 0:
                yield f"nothing at {name} {location}", changed(document, ("procedures", name, "sets", location), 0)
        yield f"a set less in {name}", changed(document, ("procedures", name, "sets"), row["sets"][:-1])
        yield f"one more set in {name}", changed(document, ("procedures", name, "sets"), [*row["sets"], 0])
        yield f"no slots in {name}", changed(document, ("procedures", name, "slots"), {})
        same = dict.fromkeys(row["slots"], 0)
        yield f"one slot for all in {name}", changed(document, ("procedures", name, "slots"), same)
        echoed = [*row["echoed"], *program.procedures[name].locals, "nothing"]
        yield f"locals are echoed in {name}", changed(document, ("procedures", name, "echoed"), echoed)
    yield "no node", {**document, "nodes": []}
    yield "no procedure", {**document, "procedures": {}}
    everything = {name: {**row, "sets": [1] * len(row["sets"])} for name, row in document["procedures"].items()}
    yield "everything everywhere", {**document, "procedures": everything}
    nothing = {name: {**row, "sets": [0] * len(row["sets"])} for name, row in document["procedures"].items()}
    yield "nothing anywhere", {**document, "procedures": nothing}


def on_configurations(document: Document, program: Program) -> Attacks:
    data = document["configurations"]
    layers = "sets" if "sets" in data else "layers"
    rows = [data["sets"]] if layers == "sets" else data["layers"]
    for number, layer in enumerate(rows):
        for lane, own in enumerate(layer):
            base = ("configurations", layers) if layers == "sets" else ("configurations", layers, number)
            for at, row in enumerate(own):
                if row[2] != 0:
                    yield f"a set less {number} {lane} {at}", changed(document, (*base, lane), own[:at] + own[at + 1 :])
    if layers == "layers":
        shared = {name: data[name] for name in ("nodes", "shared", "lanes", "started")}
        yield "the last layer for every number", {**document, "configurations": {**shared, "sets": rows[-1]}}
        yield "one more layer", changed(document, ("configurations", "layers"), [*rows, rows[0]])
        yield "no layer", changed(document, ("configurations", "layers"), [])
        yield "threads are forgotten", changed(document, ("configurations", "forgets"), True)
        yield "bounded by something else", changed(document, ("configurations", "kind"), "steps")
    for at, lane in enumerate(data["lanes"]):
        yield f"a point less {at}", changed(document, ("configurations", "lanes", at, "points"), lane["points"][:-1])
        twice = [lane["points"][0], *lane["points"][:-1]]
        yield f"a point twice {at}", changed(document, ("configurations", "lanes", at, "points"), twice)
        yield f"no bits {at}", changed(document, ("configurations", "lanes", at, "bits"), [])
        other = list(data["shared"].values())[: len(lane["bits"])]
        yield f"bits of globals {at}", changed(document, ("configurations", "lanes", at, "bits"), other)
    yield "a thread less", changed(document, ("configurations", "lanes"), data["lanes"][:-1])
    yield "a global less", changed(document, ("configurations", "shared"), {})
    yield "more are started", changed(document, ("configurations", "started"), data["started"] + 1)


def on_interference(document: Document, program: Program) -> Attacks:
    data = document["interference"]
    for at, role in enumerate(data["roles"]):
        others = data["roles"][:at] + data["roles"][at + 1 :]
        yield f"a role less {at}", changed(document, ("interference", "roles"), others)
        yield f"a role twice {at}", changed(document, ("interference", "roles"), [*data["roles"], role])
        yield f"nobody waits {at}", changed(document, ("interference", "roles", at, "waiting"), 0)
        for name, sets in role["sets"].items():
            for location, function in enumerate(sets):
                if function != 0:
                    path = ("interference", "roles", at, "sets", name, location)
                    yield f"nothing at {name} {location} of {at}", changed(document, path, 0)
        for number in range(len(role["guarantee"])):
            fewer = role["guarantee"][:number] + role["guarantee"][number + 1 :]
            if role["guarantee"][number][1] != 0:
                yield (
                    f"a guarantee less {at} {number}",
                    changed(document, ("interference", "roles", at, "guarantee"), fewer),
                )
    if data["ghosts"] is not None:
        yield "no ghosts", changed(document, ("interference", "ghosts"), None)
        same = dict.fromkeys(data["ghosts"]["seen"], data["ghosts"]["inside"])
        yield "one ghost for all", changed(document, ("interference", "ghosts", "seen"), same)


def on_stacks(document: Document, program: Program) -> Attacks:
    data = document["stacks"]
    for at in range(len(data["rows"])):
        yield f"a context less {at}", changed(document, ("stacks", "rows"), data["rows"][:at] + data["rows"][at + 1 :])
        moments = data["rows"][at][2]
        for number in range(len(moments)):
            fewer = moments[:number] + moments[number + 1 :]
            yield f"a moment less {at} {number}", changed(document, ("stacks", "rows", at, 2), fewer)
    yield "no rows", changed(document, ("stacks", "rows"), [])
    yield "no letters", changed(document, ("stacks", "letters"), [])


def on_run(document: Document, program: Program) -> Attacks:
    data = document["run"]
    for at, path in enumerate(data["paths"]):
        for number in range(len(path[3])):
            fewer = path[3][:number] + path[3][number + 1 :]
            yield f"a step less {at} {number}", changed(document, ("run", "paths", at, 3), fewer)
        for number, value in enumerate(path[2]):
            yield f"another start {at} {number}", changed(document, ("run", "paths", at, 2, number), not value)
    for at, (thread, paths) in enumerate(data["segments"]):
        yield f"another thread {at}", changed(document, ("run", "segments", at, 0), thread + 1)
        yield f"no thread {at}", changed(document, ("run", "segments", at, 0), 0)
        yield f"a path twice {at}", changed(document, ("run", "segments", at, 1), [*paths, paths[-1]])
        rest = data["segments"][:at] + data["segments"][at + 1 :]
        yield f"a segment less {at}", changed(document, ("run", "segments"), rest)
    yield "no segments", changed(document, ("run", "segments"), [])


KINDS: dict[str, Callable[[Document, Program], Attacks]] = {
    "path edges": on_path_edges,
    "configurations": on_configurations,
    "interference": on_interference,
    "stacks": on_stacks,
    "run": on_run,
}


def is_harmless(name: str, attack: str, forged: Document) -> bool:
    """Tell whether what is left still holds, as the checkers of Knaster say, too: a row may be there for nothing."""
    if " less " not in attack and not attack.startswith("another start"):
        return False
    text, options = SUBJECTS[name]
    result = knaster.check(text, file="p.bp", **options)
    return bool(check_proof_text(json.dumps(forged), result.program, 1 << 12, Budget()))


@pytest.mark.parametrize("name", SUBJECTS)
def test_attacks(name: str) -> None:
    program, proof = subject(name)
    assert check(program, proof).targets
    document = json.loads(proof)
    kind = next(kind for kind in KINDS if name.startswith(kind))
    believed, count, harmless = [], 0, 0
    for attack, forged in (*of_every_kind(document, program), *KINDS[kind](document, program)):
        count += 1
        try:
            check(program, json.dumps(forged))
        except Refused:
            continue
        if not is_harmless(name, attack, forged):
            believed.append(attack)
        harmless += 1
    assert believed == [] and count > 25 and harmless < count / 3
