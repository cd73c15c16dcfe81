"""THE TABLE of kinds of proofs, and the way of a proof file through the kernel.

A checker is a function of a program, the proof document, the targets that it is said to exclude and a `tick`:

    check(program, document, targets, tick) -> Verdict

It raises `Refused(reason, place)` where the proof does not hold, `Unsupported` where it cannot tell; `tick(units)` is
called before work is done (`work`), and whatever it raises ends the check.  Without targets the proof is about the
end of runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from knaster_check.lines import name_line
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, object_with, text_of
from knaster_check.text import read_json
from knaster_check.work import Tick as Tick
from knaster_check.work import Work, nothing

FORMAT, VERSION = "knaster proof", 1
FAIRNESS = ("none", "weak", "strong")  # which runs count
_FIELDS = {"format", "version", "tool", "file", "program", "entry", "targets"}
STUMBLES = (LookupError, AssertionError, TypeError, ValueError, AttributeError, RecursionError, OverflowError)


class Verdict(NamedTuple):
    """What a proof shows.

    `claim` is "unreachable" (no run reaches a target), "reachable" (one does), "ends" (every run ends), "endless"
    (one never does), "holds" (the `formula` does, on every run) or "violated" (on one it does not).  Where it is
    `fair`, "weak" or "strong", it speaks of such runs alone.  `bound` is how far it holds, such as ("switches", 2);
    None: without a bound.  `answered` counts
    the obligations by whom they were answered, such as {"evaluated": 12, "CaDiCaL 1.9.5, proof checked": 3}.
    """

    claim: str
    targets: tuple[Target, ...] = ()
    bound: tuple[str, int] | None = None
    answered: Mapping[str, int] = {}  # of a tuple
    formula: str = ""
    fair: str = "none"


class Kind(NamedTuple):
    """A kind of proof: its name, the fields that only files with such a proof have, and who checks it."""

    name: str
    marks: tuple[str, ...]  # `table.roots` is a field of a field
    checker: str  # "module:function"; empty where there is none yet

    def is_in(self, document: Mapping[str, Any]) -> bool:
        """Tell whether a document has a proof of this kind."""
        return all(_has(document, mark) for mark in self.marks)


def _has(document: Mapping[str, Any], mark: str) -> bool:
    outer, _, inner = mark.partition(".")
    return outer in document and (not inner or (isinstance(document[outer], dict) and inner in document[outer]))


KINDS = (
    Kind("path_edges", ("procedures", "nodes"), "knaster_check.boolean.path_edges:check"),
    Kind("state_table", ("table.states",), "knaster_check.heap.state_table:check"),
    Kind("effect_table", ("table.roots",), "knaster_check.heap.effect_table:check"),
    Kind("transaction_table", ("table.boundaries",), "knaster_check.heap.all_states:check"),
    Kind("reduced_table", ("table.representatives",), "knaster_check.heap.reduced_table:check"),
    Kind("referred_table", ("referred",), "knaster_check.boolean.all_runs:check"),
    Kind("configurations", ("configurations",), "knaster_check.boolean.configurations:check"),
    Kind("interference", ("interference",), "knaster_check.boolean.interference:check"),
    Kind("stack_table", ("stacks",), "knaster_check.boolean.stack_table:check"),
    Kind("sequential_program", ("sequential",), "knaster_check.boolean.bounded_stacks:check"),
    Kind("fair_effects", ("fair_effects",), "knaster_check.heap.fair_runs:check"),
    Kind("fair_states", ("fair_states",), "knaster_check.heap.fair_states:check"),
    Kind("thread_lasso", ("run_of_threads",), "knaster_check.temporal.thread_lasso:check"),
    Kind("invariants", ("invariants",), "knaster_check.c.invariants:check"),
    Kind("ranking", ("ranking",), "knaster_check.c.ranking:check"),
    Kind("unrolling", ("unrolling",), "knaster_check.c.unrolling:check"),
    Kind("all_runs", ("runs",), "knaster_check.c.all_runs:check"),
    Kind("ranks", ("ranking_of_heads",), "knaster_check.temporal.ranks:check"),
    Kind("lasso", ("lasso",), "knaster_check.lasso:check"),
    Kind("fair_table", ("fair_table",), "knaster_check.temporal.fair_table:check"),
    Kind("fair_sets", ("fair_sets",), "knaster_check.temporal.fair_sets:check"),
    Kind("memory_runs", ("runs_of_memory",), "knaster_check.memory.runs:check"),
    Kind("memory_shapes", ("shapes_of_memory",), "knaster_check.memory.shapes.all_shapes:check"),
    Kind("memory_states", ("states_of_memory",), "knaster_check.memory.states:check"),
    Kind("memory_paths", ("paths_of_memory",), "knaster_check.memory.paths:check"),
    Kind("regions", ("regions",), "knaster_check.memory.paths:check"),
    Kind("reduced_threads", ("reduced_threads",), "knaster_check.memory.states:check_reduced"),
    Kind("guaranteed_threads", ("guaranteed_threads",), "knaster_check.memory.states:check_guaranteed"),
    Kind("run", ("run",), "knaster_check.run:check"),
)


def check(program: Program, proof: str, tick: Callable[[], None] = nothing, most: int | None = None) -> Verdict:
    """Return what a proof file shows of a program; raise `Refused` where it shows nothing.

    With `most`, nothing is known of a proof that takes more units of work (`work`).
    """
    document = read_json(proof)
    kind = kind_of(document)
    check_subject(program, document, kind)
    targets = tuple(_target(row, program) for row in list_of(document["targets"], "targets"))
    if not kind.checker:
        raise Unsupported(f"there is no check for proofs of the kind '{kind.name}' yet")
    module, _, function = kind.checker.partition(":")
    checker: Callable[..., Verdict] = getattr(import_module(module), function)
    try:
        return checker(program, document, targets, Work(tick, most))
    except STUMBLES as wrong:
        raise Refused(f"the proof is malformed ({type(wrong).__name__}: {str(wrong)[:60]})") from None


def kind_of(document: object) -> Kind:
    """Return the kind of the proof in a document."""
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise Refused(f"this is no '{FORMAT}' of version {VERSION}")
    kind = next((kind for kind in KINDS if kind.is_in(document)), None)
    if kind is None:
        raise Unsupported("there is no proof of a kind that the kernel knows in the file")
    own = {mark.split(".")[0] for mark in kind.marks}
    object_with(document, _FIELDS | own | ({"reading"} & document.keys()), "the proof file")
    return kind


def check_subject(program: Program, document: Mapping[str, Any], kind: Kind) -> None:
    """Refuse a proof that says that it is about another program, or about this one read or started otherwise."""
    expect(document["program"] == program.fingerprint, "the proof is one of another program")
    expect(document["entry"] == ", ".join(program.threads), "the proof is about runs that start elsewhere")
    expect(document.get("reading", program.reading) == program.reading, "the program was read with other options")
    several = f"the proof is about {len(program.threads)} threads, not about any number of them"
    expect(not program.any_number or kind.name in ("interference", "run"), several)


def _target(data: object, program: Program) -> Target:
    """Return a target; its name has to be one of the place where it stands."""
    row = object_with(data, ("name", "procedure", "location"), "a target")
    name, at, location = text_of(row["name"], "a target"), text_of(row["procedure"], "a target"), row["location"]
    if not at:
        expect(type(location) is int and location == 0, "a target without a procedure has no place", name)
        return Target(name, "", 0)
    expect(at in program.procedures, f"there is no procedure '{at}'", name)
    plain = name if program.files else re.sub(r"^at\(.*:(\d+)\)$", r"at(\1)", name)  # there is one file
    expect(type(location) is int and plain in names_of(program, at, location), "the target stands elsewhere", name)
    return Target(name, at, location)


def names_of(program: Program, procedure: str, location: int) -> set[str]:
    """Return what a place is called where it is a target: by its labels, its assertion, its line, in a formula."""
    own = program.procedures[procedure]
    labels = {label for label, at in own.labels if at == location}
    failing = [edge for edge in own.edges if edge.target == location in own.failures]
    asserts = {f"assert at line {name_line(program, edge.line)}" for edge in failing}
    sources = {edge.line: edge.source for edge in sorted(own.edges, key=lambda edge: -edge.source)}
    sources |= {} if own.edges else {own.line: own.entry}
    lines = {f"line {name_line(program, line)}" for line, first in sources.items() if first == location}
    names = labels | {f"{procedure}.{label}" for label in labels} | asserts | lines
    here = [edge for edge in own.edges if edge.source == location]
    places = {f"at({name_line(program, edge.line)})" for edge in here}  # a formula means each of a line
    return names | places | {f"at({label})" for label in names}
