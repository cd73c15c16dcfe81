"""Traces of Zing models for people: what a line says, what a deadlock says, and what Python can ask."""

from __future__ import annotations

import pickle

import pytest

import knaster
from knaster.evidence.answers.answer import Result

FIGURE_10 = """class Foo {
  bool x;
  Foo Clone() {
    Foo t = new Foo;
    t.x = x;
    return t;
  }
};
class Main {
  static Foo g;
  activate static void main() {
    g = new Foo;
    M(0);
  }
  static void M(int i) {
    Foo f;
    bool b;
    if (i < 2) {
      f = g.Clone();
      b = choose(bool);
      g.x = b;
      M(i + 1);
      assert(g.x == b);
    }
  }
};
"""
THREADS = """enum Phase { idle, busy };
chan Mail int;
class Main {
  static Mail mail = new Mail;
  static Phase phase;
  static bool stop;
  activate static void one() {
    phase = Phase.busy;
    trace("now {0} and {1}", phase, stop);
    select { receive(mail, Main.got) -> ; wait(stop && phase == Phase.idle) -> ; }
  }
  static int got;
  activate static void two() { ; }
};
"""
EXPECTED = """\
<text>: FALSE. Assertion at line 23 can fail: g.x == b (trace replayed).

  line  method    statement                         values before it
    12  main      g = new Foo
    13  main      M(0)                              g=Foo#1{x=false}
    18  M           if (i < 2)                      i=0
    19  M           f = g.Clone()
     4  Clone         Foo t = new Foo               this=Foo#1{x=false}
     5  Clone         t.x = x                       t=Foo#2{x=false}
     6  Clone         return t
    20  M           b = choose(bool)                f=Foo#2{x=false}
    21  M           g.x = b                         b=true
    22  M           M(i + 1)                        g=Foo#1{x=true}
    18  M             if (i < 2)                    i=1
    19  M             f = g.Clone()
     4  Clone           Foo t = new Foo             this=Foo#1{x=true}
     5  Clone           t.x = x                     t=Foo#3{x=false}
     6  Clone           return t                    t=Foo#3{x=true}
    20  M             b = choose(bool)              f=Foo#3{x=true}
    21  M             g.x = b                       b=false
    22  M             M(i + 1)                      g=Foo#1{x=false}
    18  M               if (i < 2)                  i=2
    25  M               }
    23  M             assert(g.x == b)
    25  M             }
    23  M           assert(g.x == b)                b=true g=Foo#1{x=false}"""


@pytest.fixture(scope="module")
def figure_10() -> Result:
    return knaster.check(FIGURE_10)


def test_the_trace_of_figure_10_without_the_line_that_restores(figure_10: Result) -> None:
    assert figure_10.to_text() == EXPECTED


def test_what_a_statement_says_and_what_a_deadlock_waits_for() -> None:
    lines = knaster.check(THREADS, reduction="none").to_text().split("\n")
    assert "        says: now busy and false" in lines
    assert lines[-4:] == [
        "  thread 1 waits in one at line 10, and no branch is enabled:",
        "    receive(mail, Main.got), mail=Mail#1[] got=0",
        "    wait(stop && phase == Phase.idle), stop=false phase=busy",
        "  thread 2 is finished",
    ]
    assert all(len(line) <= 80 for line in lines[1:])


def test_python_can_ask_for_the_failure_and_the_heap_of_a_step(figure_10: Result) -> None:
    failure, trace = figure_10.failure, figure_10.trace
    assert failure is not None and (failure.kind, failure.line, failure.procedure) == ("assertion", 23, "M")
    assert figure_10.reason == "assertion at line 23: an assertion fails"
    assert trace is not None
    assert trace[7].heap == {
        "Foo#1": {"class": "Foo", "fields": {"x": False}},
        "Foo#2": {"class": "Foo", "fields": {"x": False}},
    }
    assert trace[7].edge.span.line == 20 and trace[-1].edge.span.line == 23
    assert list(trace)[9].heap == trace[9].heap
    with pytest.raises(IndexError, match="the trace has 23 steps"):
        trace[23]
    with pytest.raises(IndexError):
        trace[-24]
    assert pickle.loads(pickle.dumps(trace))[7].heap == trace[7].heap


def test_steps_and_results_draw_themselves(figure_10: Result) -> None:
    assert figure_10.trace is not None
    drawn = figure_10.trace[9]._repr_svg_()
    assert drawn is not None and "before step 10, line 22</title>" in drawn and "Foo#2" in drawn
    assert figure_10._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    boolean = knaster.check("void main() begin skip; R: skip; end\n", "R").trace
    assert boolean is not None and boolean[0].heap == {} and boolean[0]._repr_svg_() is None


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ('"never, ever"', "never, ever"),
        ('@"a \\ and ""b"""', 'a \\ and "b"'),
        (None, "an assertion fails"),
    ],
)
def test_what_an_assertion_says_is_the_message(said: str | None, message: str) -> None:
    more = f", {said}" if said is not None else ""
    result = knaster.check(f"class Main {{ static int x; activate static void main() {{ assert(x == 1{more}); }} }};\n")
    assert result.failure is not None and result.failure.message == message
    first = result.to_text().split("\n")[0]
    assert (f'can fail: x == 1 ("{message}") (trace' in first) == (said is not None)


def test_the_end_of_an_atomic_region_is_its_brace() -> None:
    result = knaster.check("""class Main {
  static int x;
  activate static void main() {
    atomic {
      x = 1;
    }
    assert(x == 0);
  }
};
""")
    assert [visit.edge.span.line for visit in result.trace or ()] == [5, 6, 7]
    assert "     6  main      }                                 x=1" in result.to_text()


def test_wide_values_stay_within_80_columns() -> None:
    text = knaster.check("""struct Pair { int some_long_name; int another_long_name; bool and_a_third_one; };
class Item { Pair the_pair; Item the_next_item; };
array Items[20] Item;
class Main {
  static Items the_items = new Items;
  static Item first_item;
  activate static void a_method_with_a_long_name() {
    Item item = new Item;
    item.the_pair.some_long_name = 1234567;
    the_items[7] = item;
    first_item = item;
    item.the_next_item = first_item;
    select { wait(first_item.the_pair.some_long_name == 0 && first_item.the_next_item == null) -> ; }
  }
};
""").to_text()
    lines = text.split("\n")
    assert all(len(line) <= 80 for line in lines[1:]), text
    assert "some_long_name=1234567" in text and "first_item=Item#1" in text
