"""The kernel's check of tables of effects: what Knaster lists is accepted, what is changed is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.zing import parse
from knaster_check import Refused, read_program
from knaster_check.heap import effect_table
from knaster_check.heap.regions import Outcome, Regions
from knaster_check.program import Target
from knaster_check.work import nothing
from support import ROOT
from support.kernel import kernel
from support.kernel_heap import table_document
from support.small_models import ONE_THREAD, RECURSIVE, model


@pytest.mark.parametrize("name", ["endless", "figure-10", "reverse-twice"])
def test_examples(name: str) -> None:
    result = knaster.check(ROOT / "examples" / "zing" / f"{name}.zing")
    verdict = kernel(result.program, proof_to_text(result))
    assert verdict.claim == "unreachable" and verdict.answered["paths expanded"] > 4


PROGRAM = parse((ROOT / "examples" / "zing" / "figure-10.zing").read_text())
TABLES = {engine: table_document(PROGRAM, engine) for engine in ("visible", "patterns")}
CHANGES: dict[str, Callable[[Any], object]] = {
    "no roots": lambda roots: roots.clear(),
    "no first root": lambda roots: roots.pop(0),
    "no last root": lambda roots: roots.pop(),
    "a field is missing": lambda roots: roots[0].pop("held"),
    "an unknown procedure": lambda roots: roots[-1].update(procedure="nobody"),
    "another base": lambda roots: roots[0].update(base=not roots[0]["base"]),
    "a parameter more": lambda roots: roots[-1]["formals"].append(0),
    "no paths": lambda roots: roots[-1].update(paths=[]),
    "no effects": lambda roots: roots[0].update(effects=[]),
    "a held cell that is none": lambda roots: roots[-1].update(held=["C#99"]),
    "a held number": lambda roots: roots[-1].update(held=[1]),
    "a call of no root": lambda roots: [path.__setitem__(5, 10_000) for path in roots[0]["paths"]],
    "calls without roots": lambda roots: [path.__setitem__(5, -1) for path in roots[0]["paths"]],
    "a path is short": lambda roots: roots[0]["paths"][0].pop(),
    "an effect is an exception": lambda roots: [row.__setitem__(1, "E") for row in roots[0]["effects"]],
    "results more": lambda roots: [row[0].append(0) for row in roots[0]["effects"]],
}


@pytest.mark.parametrize("engine", TABLES)
@pytest.mark.parametrize("name", CHANGES)
def test_what_is_changed_is_refused(name: str, engine: str) -> None:
    document = copy.deepcopy(TABLES[engine])
    assert document is not None and kernel(PROGRAM, document).claim == "unreachable"
    CHANGES[name](document["table"]["roots"])
    with pytest.raises(Refused):
        kernel(PROGRAM, document)


@pytest.mark.parametrize("engine", ["visible", "patterns"])
@pytest.mark.parametrize("name", [*ONE_THREAD, *RECURSIVE])
def test_small_models(name: str, engine: str) -> None:
    text, kinds = {**ONE_THREAD, **RECURSIVE}[name]
    program = parse(text)
    document = table_document(program, engine)
    assert document is not None and kernel(program, document).claim == "unreachable"
    assert not kinds & {target["name"] for target in document["targets"]}
    for kind in (*kinds, *(["any failure"] if kinds else [])):
        with pytest.raises(Refused, match="does not exclude that something fails"):
            kernel(program, {**document, "targets": [{"name": kind, "procedure": "", "location": 0}]})


def test_a_table_that_begins_elsewhere() -> None:
    """The root of a procedure that fails nowhere, instead of that of the thread."""
    program = parse(model("f(); c.v = 1;", "static void f() { x = 1; }"))
    document = table_document(program, "visible")
    assert document is not None
    (other,) = (root for root in document["table"]["roots"] if root["procedure"] == "f")
    targets = [{"name": "null-dereference", "procedure": "", "location": 0}]
    with pytest.raises(Refused, match="begins elsewhere"):
        kernel(program, {**document, "targets": targets, "table": {"roots": [other]}})


def test_a_held_cell_that_is_none() -> None:
    document = copy.deepcopy(TABLES["patterns"])
    assert document is not None
    document["table"]["roots"][-1].update(held=["C#99"])
    with pytest.raises(Refused, match="what is held is no cell"):
        kernel(PROGRAM, document)


def test_a_value_of_another_type_is_refused_where_others_may_be_unread() -> None:
    program = parse(model("f(x); x = 2;", "static void f(int n) { y = n; }"))
    for wrong in (True, None, "C#1", [1]):
        document = table_document(program, "patterns")
        assert document is not None and kernel(program, document)
        root = document["table"]["roots"][0]
        for path in root["paths"]:
            path[3] = [wrong if value != "?" else value for value in path[3]]
        with pytest.raises(Refused, match="is no value of its type"):
            kernel(program, document)


def test_regions_that_never_end() -> None:
    regions = Regions()
    regions.firsts = {0: 0, 1: 0}
    regions.after = {(0, 0): Outcome(True, 1, True), (1, 0): Outcome(False, 0, True)}
    regions.calls = {(0, 1): 1}
    assert not regions.never_end()
    regions.backs = {((0, 1), 0): Outcome(True, 0, True)}
    assert regions.never_end()  # the call returns, and leads back to the first row
    regions.backs, regions.after = {}, {(1, 0): Outcome(True, 0, True)}
    assert regions.never_end()
    regions.after, regions.calls, regions.firsts = {}, {(0, 0): 0}, {0: 0}
    assert regions.never_end()  # it calls itself without end


def test_it_is_about_targets_and_one_thread() -> None:
    document = TABLES["visible"]
    assert document is not None
    program, target = read_program(program_to_kernel(PROGRAM)), Target("assertion", "", 0)
    for wrong, targets in ((program, ()), (program._replace(threads=program.threads * 2), (target,))):
        with pytest.raises(Refused, match="not about this program"):
            effect_table.check(wrong, document, targets, nothing)


def test_a_row_at_a_choice_is_needed() -> None:
    text = (
        "class M { static int x; activate static void main() { bool b; x = 1; b = choose(bool); if (b) { x = 2; } } };"
    )
    program = parse(text, "a.zing")
    document = table_document(program, "visible")
    assert document is not None and kernel(program, document).claim == "unreachable"
    (root,) = document["table"]["roots"]
    paths = root["paths"]
    for at in range(len(paths)):
        root["paths"] = [*paths[:at], *paths[at + 1 :]]
        with pytest.raises(Refused):
            kernel(program, document)
