"""The kernel's check of measures: what Knaster proves of C is accepted, what does not decrease is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from knaster.evidence.proofs.ranking import Ranking
from knaster.frontends.c import parse
from knaster.program.model import Program
from knaster_check import Refused
from knaster_check.graphs import components
from support.c_proofs import ENDS, READ, prove
from support.kernel import claims, document, kernel, kernel_of, measures

RECURSION = "int f(int n) { if (n <= 0) return 0; return f(n - 1); }\nint main(void) { f(read()); }"
MUTUAL = (
    "int g(int n); int f(int n) { if (n <= 0) return 0; return g(n - 1); } int g(int n) { return f(n); }\n"
    "int main(void) { f(read()); }"
)


@pytest.mark.parametrize("text", [ENDS, RECURSION, MUTUAL], ids=["loops", "recursion", "mutual"])
def test_what_is_proved_is_accepted(text: str) -> None:
    result = prove(text, termination=True)
    assert isinstance(result.proof, Ranking)
    assert kernel_of(result).claim == "ends"


def ranking(
    program: Program,
    said: Mapping[str, Mapping[str, str]],
    measured: Mapping[str, Mapping[str, Sequence[str]]],
    ahead: bool = False,
) -> dict[str, Any]:
    """Return a proof file with measures."""
    fields = {"invariants": claims(program, said), "measures": measures(program, measured), "ahead": ahead}
    return document(program, {"ranking": fields}, excludes=False)


LOOP = parse(READ + "int main(void) { int i = read(), j = 0; while (i > 0) { i--; j = j + 2; } }")


@pytest.mark.parametrize("measure", ["i", "i + 5", "3 * i", "i * i if i > 0 else 0"])
def test_measures_by_hand(measure: str) -> None:
    assert kernel(LOOP, ranking(LOOP, {"main": {}}, {"main": {"0": [measure]}})).claim == "ends"


@pytest.mark.parametrize("measure", ["0", "j", "0 - j", "0 - i", "i - 1000", "i % 7", "i > 0", "u32(0 - j)"])
def test_what_does_not_decrease_is_refused(measure: str) -> None:
    with pytest.raises(Refused):
        kernel(LOOP, ranking(LOOP, {"main": {}}, {"main": {"0": [measure]}}))


@pytest.mark.parametrize(("measure", "ahead", "accepted"), [("i - 2", True, True), ("i - 2", False, False)])
def test_a_measure_of_steps_that_are_not_the_last(measure: str, ahead: bool, accepted: bool) -> None:
    proof = ranking(LOOP, {"main": {}}, {"main": {"0": [measure]}}, ahead)
    if accepted:
        assert kernel(LOOP, proof).claim == "ends"
    else:
        with pytest.raises(Refused, match="may not decrease"):
            kernel(LOOP, proof)


NESTED = parse(READ + "int main(void) { int i = read(); while (i > 0) { int j = read(); i--; while (j > 0) j--; } }")


def test_components_decrease_in_order() -> None:
    good = {"main": {"0": ["i", "1"], "1": ["i", "j + 2 if j >= 0 else 2"]}}
    assert kernel(NESTED, ranking(NESTED, {"main": {}}, good)).claim == "ends"
    for wrong in ({"0": ["0", "i"], "1": ["j", "i"]}, {"0": ["i"], "1": ["i", "j"]}, {"0": ["i"]}, {"1": ["j"]}, {}):
        with pytest.raises(Refused):
            kernel(NESTED, ranking(NESTED, {"main": {}}, {"main": wrong}))


def test_a_call_of_oneself_decreases_too() -> None:
    program = parse(READ + RECURSION)
    said = {"main": {}, "f": {"entry": "n == old(n)"}}
    assert kernel(program, ranking(program, said, {"f": {"entry": ["n"]}})).claim == "ends"
    for wrong in ({"f": {"entry": ["0 - n"]}}, {"f": {"entry": ["1"]}}, {}):
        with pytest.raises(Refused):
            kernel(program, ranking(program, said, wrong))


def test_cycles_of_graphs() -> None:
    graph = {("f", 0): [("f", 1)], ("f", 1): [("f", 2), ("f", 0)], ("f", 2): [("f", 2), ("f", 3)], ("f", 3): []}
    assert sorted(map(sorted, components(graph))) == [[("f", 0), ("f", 1)], [("f", 2)]]
