"""Pictures of the heap at a step of a trace, and what a deadlock says of each thread."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.cli import main
from knaster.evidence.answers.answer import Result
from knaster.report.heap.drawing import heap_to_dot, heap_to_svg
from knaster.report.heap.picture import picture

LIST = """class Node { int value; Node next; };
class Main {
  static Node head;
  activate static void main() {
    Node old;
    head = new Node;
    old = head;
    head = new Node;
    head.next = old;
    old = new Node;
    old.value = 7;
    old = null;
    assert(head.value == 1);
  }
};
"""
DEADLOCK = """class Main {
  static bool a;
  activate static void one() { select { wait(a) -> ; } }
  activate static void two() { ; }
};
"""


@pytest.fixture
def result() -> Result:
    return knaster.check(LIST)


def test_a_list_is_drawn_with_its_arrows_and_what_changes(result: Result) -> None:
    assert result.trace is not None
    drawn = picture(result.program, result.trace, 4)
    assert [box.title for box in drawn.boxes] == ["statics", "main", "Node#2", "Node#1"]
    assert [(row.name, row.changed) for row in drawn.boxes[2].rows] == [("value", False), ("next", True)]
    assert drawn.boxes[2].changed and not drawn.boxes[3].changed
    root = ElementTree.fromstring(heap_to_svg(drawn))
    arrows = [node for node in root.iter("{http://www.w3.org/2000/svg}path") if node.get("class") == "arrow"]
    assert len(arrows) == 2
    assert heap_to_dot(drawn).count("->") == 2


def test_garbage_is_not_drawn(result: Result) -> None:
    assert result.trace is not None
    assert [box.title for box in picture(result.program, result.trace).boxes] == ["statics", "main", "Node#2", "Node#1"]


def test_a_step_that_is_not_there(result: Result) -> None:
    assert result.trace is not None
    with pytest.raises(UsageError, match="the trace has 8 steps; there is no step 99"):
        picture(result.program, result.trace, 99)


@pytest.mark.parametrize(
    ("step", "code", "said"),
    [("last", 10, "<svg"), ("2", 10, "<svg"), ("99", 1, "no step 99"), ("x", 1, "'x' is no step")],
)
def test_the_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str], step: str, code: int, said: str) -> None:
    file = tmp_path / "list.zing"
    file.write_text(LIST)
    assert main(["check", str(file), "--draw", step]) == code
    shown = capsys.readouterr()
    assert said in shown.out + shown.err


def test_a_deadlock_says_why_each_thread_cannot_move() -> None:
    text = knaster.check(DEADLOCK).to_text().split("\n")
    assert text[0].startswith("<text>: FALSE. Deadlock at line 3: no thread can move, and some thread waits")
    assert text[-2:] == ["  thread 1 waits in one at line 3: wait(a), a=false", "  thread 2 is finished"]


def test_the_json_of_a_failure() -> None:
    target = json.loads(knaster.check(LIST).to_json())["targets"][0]
    assert target["failure"] == {
        "kind": "assertion",
        "category": "assertion-failure",
        "message": "an assertion fails",
        "line": 13,
        "procedure": "main",
        "thread": 1,
    }
    last = target["trace"][-1]
    assert last["thread"] == 1 and last["state"] == {"Main.head": "Node#2", "old": None}
    assert last["heap"]["Node#2"] == {"class": "Node", "fields": {"value": 0, "next": "Node#1"}}
