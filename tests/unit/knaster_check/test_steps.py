"""Single steps: what is not determined is not taken, and what a run says must be possible."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.program import Assign, Assume, Edge
from knaster_check.steps import check_entry, take

PROGRAM = read_program(program_to_kernel(parse("decl g;\nvoid main() begin decl l; l := g; end", "p.bp")))
MAIN = PROGRAM.procedures["main"]
TRUE, ANY, G, L = (("truth", True),), (("choice", ("bool",)),), (("variable", "g"),), (("variable", "l"),)
NEXT = (("next", "l"), ("variable", "l"), ("logic", "^"))  # it changes


def after(action: Any, said: Any = None, inputs: Any = (), enforce: Any = TRUE) -> Any:
    try:
        edge = Edge(0, action, 1, 1, False, ())
        return take(PROGRAM, MAIN._replace(enforce=enforce), edge, {"g": True, "l": False}, inputs, said)["l"]
    except Refused as refused:
        return str(refused)


@pytest.mark.parametrize(
    ("action", "how", "found"),
    [
        (Assign(("l",), (G,), TRUE), {}, True),
        (Assign(("l",), (G,), TRUE), {"said": {"l": True}}, True),
        (Assign(("l",), (G,), TRUE), {"said": {"l": False}}, "does not become"),
        (Assign(("l",), (G,), TRUE), {"said": {"g": True}}, "of something else"),
        (Assign(("l",), (G,), TRUE), {"said": {}}, "of something else"),
        (Assign(("l",), (ANY,), TRUE), {}, "not determined"),
        (Assign(("l",), (ANY,), TRUE), {"said": {"l": True}}, True),
        (Assign(("l",), (ANY,), TRUE), {"inputs": (True,)}, True),
        (Assign(("l",), (ANY,), TRUE), {"inputs": (True, True)}, "more inputs"),
        (Assign(("l",), (G,), NEXT), {}, True),
        (Assign(("l",), (L,), NEXT), {}, "constraint does not hold"),
        (Assign(("l",), (G,), TRUE), {"enforce": (*L, ("not",))}, "enforces"),
        (Assume(G), {}, False),
        (Assume(L), {}, "condition does not hold"),
        (Assume(G), {"said": {"l": True}}, "writes nothing"),
        (Assume(G), {"inputs": (True,)}, "more inputs"),
    ],
)
def test_steps(action: Any, how: dict[str, Any], found: Any) -> None:
    said = after(action, **how)
    assert said is found if isinstance(found, bool) else found in str(said)


def test_what_is_undefined_is_not_taken() -> None:
    divided = (("number", 1), ("number", 0), ("arithmetic", "/", ("int", 8, True)))
    assert "not determined" in str(after(Assign(("l",), (divided,), TRUE)))


@pytest.mark.parametrize(
    ("argument", "passed", "inputs", "reason"),
    [
        (G, True, (), ""),
        (G, False, (), "is not what is passed"),
        (ANY, True, (True,), ""),
        (ANY, True, (False,), "is not what is passed"),
        (ANY, True, (True, True), "more inputs than choices"),
        (G, True, (True,), "more inputs than choices"),
    ],
)
def test_calls(argument: Any, passed: bool, inputs: Any, reason: str) -> None:
    callee = MAIN._replace(parameters=("l",), locals=())
    start = {"g": True, "l": passed}
    try:
        check_entry(PROGRAM, callee, (argument,), {"g": True, "l": False}, start, inputs)
    except Refused as refused:
        assert reason and reason in str(refused)
    else:
        assert not reason
    with pytest.raises(Refused, match="changes the globals"):
        check_entry(PROGRAM, callee, (argument,), {"g": False, "l": False}, start, inputs)
