"""Room: what searches remember is counted, so a channel, a list or a stack that grows ends as UNKNOWN with a reason."""

from __future__ import annotations

import pytest

import knaster
from knaster.base import memory_count as room
from knaster.base.limits import OutOfBudget
from knaster.base.memory_count import Room, measure
from knaster.engines.references.transactions import summaries
from knaster.evidence.answers.answer import Verdict
from knaster.views.heap import summary_tables

SEND = "while (true) send(q, 1);"
LIST = "while (true) { t = p; p = new L; p.n = t; }"
MODEL = """chan C int;
class L {{ L n; }};
class Main {{
  static C q; static L p;
  activate static void main() {{ L t; q = new C; {body} }}
  static void deep(int n) {{ deep(n); }}
}};
"""


def test_what_is_taken_is_counted() -> None:
    found = Room(10)
    found.take(10)
    with pytest.raises(OutOfBudget, match="more than 10 numbers"):
        found.take(1)


def test_messages_are_counted_one_by_one() -> None:
    assert measure((3, 1, True)) == 3
    assert measure((3, (1, 1, 1, 1))) == 6


@pytest.mark.parametrize("engine", ["explicit", "transactions", "visible", "patterns"])
@pytest.mark.parametrize("body", [f"atomic {{ {SEND} }}", SEND, f"atomic {{ {LIST} }}", LIST])
def test_what_grows_ends_with_a_reason(body: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 20_000)
    monkeypatch.setattr(summaries, "ROOM", 20_000)
    monkeypatch.setattr(summary_tables, "MOST_HELD", 20_000)
    monkeypatch.setattr("knaster.views.heap.repetition._LONGEST_QUEUE", 200)
    result = knaster.check(MODEL.format(body=body), engine=engine)
    assert result.verdict is Verdict.UNKNOWN
    reason = str(result.answers[0][1])
    assert any(word in reason for word in ("numbers", "places", "grows", "steps")), reason


def test_a_stack_that_grows_ends_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 20_000)
    result = knaster.check(MODEL.format(body="deep(1);"), engine="explicit")
    assert result.verdict is Verdict.UNKNOWN and "frames in all" in str(result.answers[0][1])
