"""How runs of small programs with memory end."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.memory import memory_ends
from knaster.checkers.memory.enumerated_inputs import EnumeratedInputs
from knaster.checkers.memory.memory_ends import Ends
from knaster.frontends.languages import load
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LEAK, LOST
from knaster.semantics.memory.machine import Machine
from knaster.semantics.memory.unknown import ENUMERATED

pytest.importorskip("clang.cindex")
HEAD = "#include <stdlib.h>\nint *p, a[2];\n"


def end_of(body: str, is_target: bool = False) -> str | None:
    """Return the kind of undefined step in which the only run of a body ends."""
    program = load(f"{HEAD}int main(void) {{ p = a; {body} }}\n", file="test.c", objects="always")
    machine = Machine(Codes(program), EnumeratedInputs(), frozenset({LEAK, LOST}))
    fault = Ends(Budget()).fault_of(machine, lambda place: is_target)
    return None if fault is None else fault.kind


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return 0;", None),
        ("abort();", None),
        ("return p[5];", "bounds"),
        ("p = malloc(4); free(p); return *p;", "dead"),
        ("p = malloc(4); p = 0; return 0;", LOST),
        ("p = malloc(4); return 0;", LEAK),
    ],
)
def test_ends(body: str, kind: str | None) -> None:
    assert end_of(body) == kind


def test_a_target_is_no_end() -> None:
    with pytest.raises(InternalError, match="a run reaches a target in 'main'"):
        end_of("return 0;", is_target=True)


def test_steps_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_ends, "STEPS", 50)
    with pytest.raises(OutOfBudget, match="more than 50 steps"):
        end_of("for (;;) ;")


def test_as_many_steps_as_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = Ends(Budget())
    program = load(f"{HEAD}int main(void) {{ p = a; return 0; }}\n", file="test.c", objects="always")
    ends.fault_of(Machine(Codes(program), EnumeratedInputs(), frozenset()), lambda place: False)
    for most, enough in ((ends.steps, True), (ends.steps - 1, False)):
        monkeypatch.setattr(memory_ends, "STEPS", most)
        if enough:
            assert end_of("return 0;") is None
        else:
            with pytest.raises(OutOfBudget):
                end_of("return 0;")


def test_the_budget_is_looked_at_now_and_then() -> None:
    class Counting(Budget):
        looks = 0

        def check(self) -> None:
            self.looks += 1

    budget = Counting()
    ends = Ends(budget)
    for _ in range(3 * 4096):
        ends._tick()
    assert budget.looks == 3


def test_inputs_with_many_values_are_not_enumerated() -> None:
    assert EnumeratedInputs().candidates(1, ENUMERATED) == []
    with pytest.raises(InternalError, match="too many values"):
        EnumeratedInputs().candidates(0, ENUMERATED)
