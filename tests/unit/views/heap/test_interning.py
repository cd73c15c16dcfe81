"""States of interned parts: as many as the interpreter finds, no two of them equal up to the names of cells."""

from __future__ import annotations

import pytest

from knaster.api import check
from knaster.base.limits import Budget
from knaster.decide.asked import Evidence
from knaster.decide.crew import question_about
from knaster.engines.contract import Task
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.explicit.heap import _Search
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.semantics.heap.explore import explore
from knaster.views.heap.canonical_states import canonical_state
from support import ROOT

EXAMPLES = sorted((ROOT / "examples" / "zing").glob("*.zing"))
ENDLESS = ("endless", "par-recursion", "par-recursion-bad")  # that have no end of states
HELD = """class Node { int value; Node next; };
struct Pair { Node left; int number; };
chan Mail Node;
array Row[2] Node;
class Main {
  static Node top;
  static Mail mail = new Mail;
  static bool ready;
  activate static void one() {
    Node mine = new Node; Node other; Pair pair; Row row = new Row;
    mine.value = 1;
    row[1] = mine;
    other = new Node;
    other.next = mine;
    pair.left = other;
    async Helper(mine, row);
    top = pair.left;
    send(mail, other);
    mine = null;
    top = null;
    pair.left = row[1];
    row = null;
    other = pair.left;
  }
  static void Helper(Node given, Row row) {
    Node found; Node made = new Node;
    select { receive(mail, found) -> ; }
    made.next = found;
    row[0] = made;
    given = null;
    found = made;
    top = made;
    made = found.next;
    found.next = null;
  }
  activate static void two() {
    Node seen;
    seen = top;
    if (seen != null) { seen.value = seen.value + 1; seen.next = seen; }
    ready = !ready;
    seen = null;
  }
};
"""


def searched(program: Program, reduction: str) -> _Search:
    options = ExplicitOptions(reduction=reduction)
    search = _Search(Task(program, question_about(program, "failures"), Budget(), options), options)
    search.run()
    return search


def programs() -> list[Program]:
    return [parse(HELD), *(parse(path.read_text()) for path in EXAMPLES if path.stem not in ENDLESS)]


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.procedures[0].name)
def test_there_are_as_many_states_as_the_interpreter_finds(program: Program) -> None:
    found = explore(program)
    result = check(program, "failures", engine="explicit", reduction="none", evidence=Evidence(traces=False))
    assert (result.stats["states"], result.stats["distinct_states"]) == (found.states, found.distinct)


@pytest.mark.parametrize("reduction", ["none", "local"])
@pytest.mark.parametrize("program", programs(), ids=lambda program: program.procedures[0].name)
def test_no_two_states_are_equal_up_to_names(program: Program, reduction: str) -> None:
    search = searched(program, reduction)
    layout = search.stepper.layout
    states = list(search.states())
    renamed = {
        canonical_state(layout, choosing, statics, (None, *cells), threads)
        for choosing, statics, threads, cells in states
    }
    assert len(renamed) == len(states) == len(search.keys)


def test_moves_that_keep_all_names_are_found() -> None:
    search = searched(parse(HELD), "none")
    moves = [move for known in search.turns.known.values() if isinstance(known, tuple) for move in known]
    quiet = sum(bool(move.quiet) for move in moves if hasattr(move, "quiet"))
    assert 10 < quiet < len(moves)


def test_what_a_thread_does_depends_on_its_number() -> None:
    program = parse("""
class Main {
  activate static void main() { async Worker(); async Worker(); }
  static void Worker() { int me; me = self; assert(me == 2); }
};
""")
    for reduction in ("none", "local"):
        result = check(program, engine="explicit", reduction=reduction)
        assert result.trace is not None and result.trace.segments[-1].thread == 3
        assert len(searched(program, reduction).keys) > 5
