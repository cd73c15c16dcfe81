"""Turns: a thread that was just started has taken the steps that nobody notices, and runs say that it has."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Verdict

PHILOSOPHERS = """class Fork {{ bool taken; }};
array Table[{count}] Fork;
class Main {{
  static Table table = new Table;
  activate static void main() {{ atomic {{ {body} }} }}
  static void Eat(Fork left, Fork right) {{
    while (true) {{
      atomic {{ select {{ wait(!left.taken) -> left.taken = true; }} }}
      atomic {{ select {{ wait(!right.taken) -> right.taken = true; }} }}
      right.taken = false;
      left.taken = false;
    }}
  }}
}};
"""


def philosophers(count: int) -> str:
    """Return philosophers of whom the last one takes the forks in the other order."""
    made = [f"table[{number}] = new Fork;" for number in range(count)]
    pairs = [(number, number + 1) for number in range(count - 1)] + [(0, count - 1)]
    started = [f"async Eat(table[{left}], table[{right}]);" for left, right in pairs]
    return PHILOSOPHERS.format(count=count, body=" ".join(made + started))


@pytest.mark.parametrize(("count", "states"), [(3, 25), (6, 863)])
def test_philosophers_have_as_many_states_as_in_spin(count: int, states: int) -> None:
    result = knaster.check(philosophers(count), engine="explicit")
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
    assert result.stats["states"] == states


def started(body: str, members: str = "") -> str:
    return f"class Main {{ static int u; {members} activate static void main() {{ async two(5); u = 1; }}\n{body}\n}};"


@pytest.mark.parametrize("reduction", ["none", "local"])
def test_a_place_among_the_first_steps_of_a_new_thread(reduction: str) -> None:
    text = started("static void two(int k) { int l; l = k + 1;\nhere: l = l + 1;\nassert(u == 0 || l != 7); }")
    result = knaster.check(text, ["here", "asserts"], engine="explicit", reduction=reduction)
    assert all(isinstance(answer, Reachable) and answer.checked for _, answer in result.answers)


@pytest.mark.parametrize("wrong", ["l == 2", "l != 2"])
def test_a_new_thread_knows_its_own_number(wrong: str) -> None:
    text = started(f"static void two(int k) {{ int l; l = self; assert({wrong}); }}")
    verdicts = {knaster.check(text, engine="explicit", reduction=each).verdict for each in ("none", "local")}
    assert verdicts == {Verdict.TRUE if wrong == "l == 2" else Verdict.FALSE}


def test_a_new_thread_that_fails_at_once() -> None:
    text = started("static void two(int k) { int l; l = 1 / (k - 5); }")
    answer = knaster.check(text, engine="explicit").answers[0][1]
    assert isinstance(answer, Reachable) and answer.checked and answer.failure is not None
    assert answer.failure.kind == "division-by-zero" and answer.failure.thread == 2


def test_threads_that_are_started_before_a_choice() -> None:
    text = """class Main { static int u;
      activate static void main() { bool b; atomic { async two(); b = choose(bool); async two(); u = b ? 1 : 2; } }
      static void two() { int l; l = 1; l = l + u; assert(l > 1); } };"""
    text = text.replace("u = b ? 1 : 2;", "if (b) { u = 1; } else { u = 2; }")
    result = knaster.check(text, engine="explicit")
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
