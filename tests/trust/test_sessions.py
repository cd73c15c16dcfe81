"""Who solves units lies: a target that is reached is never said to be excluded by a session that was checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.decide.asked import Source
from knaster.decide.sessions.session_file import Session
from knaster.decide.sessions.since import reach_since
from knaster.decide.sessions.unit_texts import UnitTexts
from knaster.pushdown.units.component import Component

TEXT = """decl g, h;
void main() begin
  g := F; h := F;
  f(T);
  if (g) then ERROR: skip; fi
end
void f(x) begin
  decl y;
  y := k(x);
  if (h) then f(F); fi
  g := x & !y;
end
bool k(z) begin
  h := !h;
  return !z;
end
"""


def ask(text: str = TEXT) -> object:
    return reach_since(Source(text, "p.bp"), text, ["ERROR"], None, Session())


def test_the_truth() -> None:
    assert [hit for _, _, hit in ask().targets] == [True]  # type: ignore[attr-defined]
    right = ask(TEXT.replace("return !z", "return z"))
    assert (right.targets[0][2], right.checked_now, right.unchecked) == (False, 3, 0)  # type: ignore[attr-defined]


def nothing_of(name: str) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Return what makes the text of one procedure that of the empty set."""

    def lying(really: Callable[..., str]) -> Callable[..., str]:
        return lambda self, own, weight: "F" if own == name else really(self, own, weight)

    return lying


@pytest.mark.parametrize("name", ["f", "k"])
def test_a_call_that_is_said_not_to_return(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UnitTexts, "summary_to_text", nothing_of(name)(UnitTexts.summary_to_text))
    with pytest.raises(InternalError, match="misses a state"):
        ask()


@pytest.mark.parametrize("name", ["main", "f", "k"])
def test_a_procedure_that_is_said_not_to_be_entered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UnitTexts, "states_to_text", nothing_of(name)(UnitTexts.states_to_text))
    with pytest.raises(InternalError, match="misses"):
        ask(TEXT.replace("ERROR: ", "").replace("  h := !h;", "  ERROR: h := !h;"))


def test_a_result_that_is_never_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary of `k` loses the pairs with the result that the target needs."""
    really = UnitTexts.summary_to_text

    def lying(self: UnitTexts, name: str, weight: Any) -> str:
        if name == "k":
            domain = self._encoding.domain
            result = domain.store.var(domain.after[self._encoding.results[0]])
            weight = domain.relation(weight.function & result)
        return really(self, name, weight)

    monkeypatch.setattr(UnitTexts, "summary_to_text", lying)
    with pytest.raises(InternalError, match="misses a state"):
        ask()


@pytest.mark.parametrize("what", ["enter", "summarize"])
def test_a_solution_that_is_empty(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    really = getattr(Component, what)

    def lying(self: Component[Any], *given: Any) -> Any:
        really(self, *given)
        nothing = self._solution()
        return (nothing, {}) if what == "enter" else nothing

    monkeypatch.setattr(Component, what, lying)
    with pytest.raises(InternalError, match="misses"):
        ask()


FLIPPED = """decl h;
void main() begin
  h := F;
  k();
  if (h) then ERROR: skip; fi
end
void k() begin
  h := !h;
end
"""


def test_a_call_that_is_said_to_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The callee is not read with its caller: that it writes nothing must not be taken from there."""
    really = Component.jump

    def lying(self: Component[Any], call: Any) -> Any:
        domain: Any = self.domain
        return domain.diagonal(really(self, call))

    monkeypatch.setattr(Component, "jump", lying)
    with pytest.raises(InternalError, match="misses a state"):
        ask(FLIPPED)


def test_a_target_that_is_said_not_to_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    really = Component.enter

    def lying(self: Component[Any], entered: Any) -> Any:
        solution, passed = really(self, entered)
        at = solution.at
        entries = {flow.entry for flow in self.flows.values()}
        monkeypatch.setattr(solution, "at", lambda node: at(node) if node in entries else self.domain.zero)
        return solution, passed

    monkeypatch.setattr(Component, "enter", lying)
    with pytest.raises(InternalError, match="does not exclude 'ERROR'"):
        ask()
