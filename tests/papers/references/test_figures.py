"""The numbers of Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005)."""

from __future__ import annotations

import pytest

import knaster
from knaster.engines.references.patterns import engine as patterns_engine
from knaster.engines.references.visible import engine as visible_engine
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.zing import parse
from knaster.views.heap.summary_tables import Tables

FIGURE_1 = """
class BoolBox { bool x = true; };
class Main {
  static BoolBox g1;
  static BoolBox g2;
  activate static void main() {
    g1 = new BoolBox;
    g2 = g1;
    g1.x = false;
    M();
    assert((g1.x == false) && (g2.x == false));
  }
  static void M() {
    BoolBox f;
    bool nd;
    f = new BoolBox;
    nd = choose(bool);
    if (nd) {
      f.x = g1.x;
      g1 = f;
      M();
    }
  }
};
"""

FIGURE_2 = """
class Main {
  static int x;
  static int y;
  static int z;
  activate static void main() { foo(); y = 1; foo(); }
  static void foo() {
    bool nd;
    nd = choose(bool);
    if (nd) { assume(x == 0); z = 1; }
    else { assume(y == 1); assert(false); }
  }
};
"""


def figure_10(size: int) -> str:
    return f"""
class Foo {{
  bool x;
  Foo Clone() {{ Foo t = new Foo; t.x = x; return t; }}
}};
class Main {{
  static Foo g;
  activate static void main() {{ g = new Foo; M(0); assert(g.x == false); }}
  static void M(int i) {{
    Foo f;
    bool b;
    if (i < {size}) {{
      f = g.Clone();
      b = choose(bool);
      g.x = b;
      M(i + 1);
      assert(g.x == b);
      g.x = f.x;
    }}
  }}
}};
"""


def solved(text: str, engine: str) -> Tables[object]:
    """Return the tables of a program in which nothing fails."""
    program = parse(text)
    targets = [(target, target.place, target.kind) for target in resolve_targets(program, "failures")]
    tables: Tables[object] = Tables(program, targets, len(targets), 10_000)
    if engine == "visible":
        visible_engine._Visible(tables).run(lambda: None)  # type: ignore[arg-type]
    else:
        patterns_engine._Search(tables).run(lambda: None)  # type: ignore[arg-type]
    assert not tables.hits
    return tables


def of(tables: Tables[object], name: str) -> list[tuple[int, int]]:
    """Return the number of entry cells and of effects of every root of a method."""
    number = tables.layout.procedure_numbers[name]
    return [(len(root.entry.cells), len(root.effects)) for root in tables.roots if root.procedure == number]


def test_figure_1_has_two_entries_and_four_summaries_of_visible_states() -> None:
    assert of(solved(FIGURE_1, "visible"), "M") == [(1, 2), (2, 2)]


def test_figure_1_has_one_pattern_with_two_effects() -> None:
    tables = solved(FIGURE_1, "patterns")
    assert of(tables, "M") == [(1, 2)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_figure_10_has_2n_plus_1_pairs_of_visible_states(size: int) -> None:
    assert of(solved(figure_10(size), "visible"), "M") == [(1, 1)] * (2 * size + 1)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_figure_10_has_2n_patterns(size: int) -> None:
    assert of(solved(figure_10(size), "patterns"), "M") == [(1, 1)] * (2 * size)


def test_figure_10_doubles_with_each_n_without_summaries() -> None:
    states = [
        knaster.check(figure_10(size), engine="explicit", reduction="none").stats["states"] for size in range(1, 7)
    ]
    assert states == [19 * 2**size - 12 for size in range(1, 7)]


@pytest.mark.parametrize("engine", ["visible", "patterns"])
def test_figure_10_grows_linearly_with_summaries(engine: str) -> None:
    edges = [solved(figure_10(size), engine).path_edges for size in (50, 100, 200)]
    assert edges[2] - edges[1] == 2 * (edges[1] - edges[0])


@pytest.mark.parametrize("engine", ["visible", "patterns"])
def test_figure_2_is_found(engine: str) -> None:
    result = knaster.check(FIGURE_2, "failures", engine=engine)
    assert [target.line for target, answer in result.answers if isinstance(answer, Reachable)] == [11]
    assert result.stats["roots"] == 3  # main, and foo with y = 0 and with y = 1


@pytest.mark.parametrize("engine", ["visible", "patterns"])
def test_a_thousand_calls_inside_each_other(engine: str) -> None:
    assert len(of(solved(figure_10(1000), engine), "M")) in (2000, 2001)
