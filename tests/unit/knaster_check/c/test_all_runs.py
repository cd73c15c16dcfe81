"""The kernel's check of all runs: what Knaster lists is accepted, what is left out or forgotten is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster_check import Refused
from knaster_check.c import all_runs
from knaster_check.c.all_runs import ANY, _equalities
from knaster_check.refused import Unsupported
from support.c_proofs import READ
from support.kernel import kernel

SAFE = (
    "extern _Bool bit(void); int g = 1; int f(int n) { int k = bit(); return n + k; }\n"
    "int main(void) { int i = 0, dead; for (int j = 0; j < 3; j++) { dead = read(); i = f(i); }\n"
    "if (i > 3) reach_error(); }"
)
ENDS = "int f(int n) { if (n == 0) return 0; return f(n - 1); }\nint main(void) { int i = 9; while (i) { i--; f(i); } }"


def runs(text: str, property: str = "reach") -> tuple[knaster.Result, dict[str, Any]]:
    """Return all runs of a program, and their file."""
    result = knaster.check(READ + text, file="p.c", property=property, engine="search")
    document = json.loads(proof_to_text(result))
    assert document["runs"]["states"], result.to_text()
    return result, document


def test_what_is_listed_is_accepted() -> None:
    result, document = runs(SAFE)
    verdict = kernel(result.program, document)
    assert verdict.claim == "unreachable" and verdict.answered["walked"] > 20
    result, document = runs(ENDS, "termination")
    assert kernel(result.program, document).claim == "ends"


def test_what_is_dead_at_a_call_may_be_alive_in_the_callee() -> None:
    """Only the first caller reads `g` afterwards, so before the second call nobody knows `h`, which `f` reads."""
    text = (
        "int g, h; int f(int n) { int k = n; if (n > 3) g = h; return k; }\n"
        "int main(void) { h = 2; f(4); if (g > 2) f(1); h = 3; f(5); return 0; }"
    )
    result, document = runs(text, "termination")
    assert kernel(result.program, document).claim == "ends"


def test_every_row_is_missed() -> None:
    result, document = runs(SAFE)
    states = document["runs"]["states"]
    refused = 0
    for number in range(len(states)):
        document["runs"]["states"] = states[:number] + states[number + 1 :]
        try:
            kernel(result.program, document)
        except Refused:
            refused += 1
    assert refused >= len(states) // 2  # states between calls are not needed


def test_what_is_forgotten_is_any_value() -> None:
    result, document = runs(SAFE)
    for row in document["runs"]["dead"]:
        if row[0] == "main":
            row[2] = [*dict.fromkeys([*row[2], "i"])]
    with pytest.raises(Refused):
        kernel(result.program, document)
    result, document = runs(ENDS, "termination")
    document["runs"]["dead"] += [["f", location, ["n"]] for location in range(result.program.procedure("f").size)]
    with pytest.raises(Refused):
        kernel(result.program, document)


def test_a_loop_does_not_end() -> None:
    _, document = runs(ENDS.replace("i--;", "i--; i = i;"), "termination")
    other = knaster.check(READ + ENDS.replace("i--;", "i = 1;"), file="p.c", property="termination", engine="search")
    document["program"] = json.loads(proof_to_text(other))["program"]
    with pytest.raises(Refused):
        kernel(other.program, document)


def test_a_condition_over_what_is_forgotten_passes() -> None:
    result, document = runs("int main(void) { int i = 0; while (i < 3) i++; if (i == 7) reach_error(); }")
    assert kernel(result.program, document).claim == "unreachable"
    document["runs"]["dead"] = [["main", at, ["i"]] for at in range(result.program.procedure("main").size)]
    with pytest.raises(Refused):
        kernel(result.program, document)


def test_a_walk_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    result, document = runs(SAFE)
    walked = kernel(result.program, document).answered["walked"]
    monkeypatch.setattr(all_runs, "MOST_STATES", walked)
    assert kernel(result.program, document).claim == "unreachable"
    monkeypatch.setattr(all_runs, "MOST_STATES", walked - 1)
    with pytest.raises(Unsupported, match="too many states"):
        kernel(result.program, document)


@pytest.mark.parametrize(
    ("type", "values"),
    [
        (("bool",), (False, True)),
        (("int", 3, True), range(-4, 4)),
        (("int", 3, False), range(8)),
        (("int", 8, True), range(-128, 128)),
        (("int", 9, False), (all_runs.ANY,)),
        (("int", None, True), (all_runs.ANY,)),
        (("array", ("bool",), 2), (all_runs.ANY,)),
    ],
)
def test_inputs_with_few_values_are_tried(type: Any, values: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all_runs._values(type) == values
    monkeypatch.setattr(all_runs, "MOST", 8)
    assert (all_runs._values(type) == values) is (type != ("int", 8, True))


def test_an_argument_that_is_undefined_ends_the_run() -> None:
    text = "extern _Bool bit(void); int f(int n) { return n; }\nint main(void) { int i = bit(); return f(7 / i); }"
    result, document = runs(text, "termination")
    assert kernel(result.program, document).claim == "ends"


@pytest.mark.parametrize("step", ["i = 7 / i;", "if (7 / i > 9) i = 2;", "return 7 / i;"])
def test_a_step_that_is_undefined_ends_the_run(step: str) -> None:
    text = f"extern _Bool bit(void); int main(void) {{ int i = bit(); {step} return 0; }}"
    result, document = runs(text, "termination")
    assert kernel(result.program, document).claim == "ends"


X, Y, FIVE, TRUE = ("variable", "x"), ("variable", "y"), ("number", 5), ("truth", True)
SAME, BOTH = ("compare", "=="), ("logic", "&")


@pytest.mark.parametrize(
    ("init", "known"),
    [
        ((TRUE,), {}),
        ((X, FIVE, SAME), {"x": 5}),
        ((FIVE, X, SAME), {}),
        ((X, Y, SAME), {}),
        ((X, FIVE, SAME, Y, TRUE, SAME, BOTH), {"x": 5, "y": True}),
        ((X, FIVE, SAME, Y, BOTH), {"x": 5}),
        ((X, FIVE, SAME, ("not",)), {}),
        ((X, FIVE, ("compare", "<")), {}),
        ((X, Y, BOTH, TRUE, SAME), {}),  # of two things together nothing is known alone
        ((X, FIVE, SAME, Y, FIVE, SAME, ("logic", "|")), {}),
    ],
)
def test_what_is_known_of_the_start(init: Any, known: dict[str, Any]) -> None:
    found = dict(_equalities(init))
    assert {name: found[name] for name in "xy" if found.get(name, ANY) is not ANY} == known
