"""Program texts of the kernel: every example is read, and whatever is changed in one is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, read_program
from support import ROOT

EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in (".bp", ".c", ".zing"))
LOCK = program_to_kernel(load(ROOT / "examples" / "lock.bp"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_read(path: Any) -> None:
    program = load(path)
    read = read_program(program_to_kernel(program))
    assert (read.kind, read.globals, read.threads) == (program.kind.value, program.globals, program.threads)
    for procedure in program.procedures:
        own = read.procedures[procedure.name]
        assert (own.frame, own.size, len(own.edges)) == (procedure.frame, procedure.size, len(procedure.edges))


def change(change: Callable[[Any], object]) -> str:
    data = json.loads(LOCK)
    change(data)
    return json.dumps(data)


CHANGES: dict[str, Callable[[Any], object]] = {
    "a field is missing": lambda data: data.pop("atomic"),
    "a field too many": lambda data: data.update(more=1),
    "a field of a procedure is missing": lambda data: data["procedures"][0].pop("size"),
    "another version": lambda data: data.update(version=2),
    "an unknown kind": lambda data: data.update(kind="memory"),
    "no threads": lambda data: data.update(threads=[]),
    "an unknown thread": lambda data: data.update(threads=["nobody"]),
    "any number of no thread": lambda data: data.update(any_number=["nobody"]),
    "a procedure twice": lambda data: data["procedures"].append(data["procedures"][0]),
    "a global twice": lambda data: data["globals"].append(data["globals"][0]),
    "a type of nothing": lambda data: data["types"].append(["nothing", ["bool"]]),
    "an unknown type": lambda data: data["types"].append([data["globals"][0], ["float"]]),
    "an edge beyond": lambda data: data["procedures"][0]["edges"][0].__setitem__(2, 1_000),
    "an edge from a truth value": lambda data: data["procedures"][0]["edges"][0].__setitem__(0, True),
    "an edge out of the exit": lambda data: data["procedures"][0].update(exit=data["procedures"][0]["entry"]),
    "an unknown action": lambda data: data["procedures"][0]["edges"][0].__setitem__(1, ["jump"]),
    "an action without a word": lambda data: data["procedures"][0]["edges"][0].__setitem__(1, []),
    "an action of a list": lambda data: data["procedures"][0]["edges"][0].__setitem__(1, [["assume"]]),
    "a name twice": lambda data: data["procedures"][0]["edges"][0].__setitem__(5, ["x", "x"]),
    "an empty name": lambda data: data.update(globals=[*data["globals"], ""]),
    "a list as what was read": lambda data: data.update(reading=[]),
    "a number in what was read": lambda data: data.update(reading={"a": 1}),
    "an action with too much": lambda data: data["procedures"][0]["edges"][0][1].append(1),
    "an unknown node": lambda data: data["init"].append(["perhaps"]),
    "a node without operands": lambda data: data["init"].insert(0, ["not"]),
    "two formulas in one": lambda data: data["init"].append(["truth", True]),
    "no formula": lambda data: data.update(init=[]),
    "a number as truth": lambda data: data.update(init=[["truth", 1]]),
    "an integer in a Boolean program": lambda data: data.update(init=[["number", "1"], ["convert", "bool"]]),
    "a variable out of scope": lambda data: data.update(init=[["variable", "nothing"]]),
    "a next value in a start": lambda data: data.update(init=[["next", data["globals"][0]]]),
    "an atomic local": lambda data: data.update(atomic="nothing"),
    "a cell without references": lambda data: data.update(cells=[["class", "C", [], []]]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_text_is_refused(name: str) -> None:
    assert read_program(LOCK)
    with pytest.raises(Refused):
        read_program(change(CHANGES[name]))


@pytest.mark.parametrize("text", ["", "[]", "{}", "1.5", "NaN", '{"a": 1, "a": 2}', "[" * 100_000, "{" + LOCK])
def test_what_is_no_program_text_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_program(text)
