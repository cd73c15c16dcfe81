"""Pages that can be stepped through: their parts, their sizes, and nothing from elsewhere."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Result
from knaster.report.entries import Form
from knaster.report.notebook import result_in_notebook
from knaster.report.stepper.page import nothing_page, package_text, stepped_page
from support import ROOT
from support.pages import Page, data_of

LONG = """class Node { int value; Node next; Node other; };
array Table[4] Node;
class Main {
  static Table table = new Table;
  static Node all;
  activate static void main() {
    int i; Node fresh;
    while (i < 22) {
      fresh = new Node; fresh.value = i;
      fresh.next = table[i % 4];
      if (i % 2 == 0) { fresh.other = all; }
      table[i % 4] = fresh;
      all = fresh;
      i = i + 1;
    }
    trace("</script><b> & done");
    assert(all.value == 0);
  }
};
"""
SIXTY = f"""class Node {{ int value; Node next; Node other; }};
class Pack {{ {"".join(f"Node {name} = new Node; " for name in "abcdefghi")} Pack more; }};
class Main {{
  static Pack packs;
  activate static void main() {{
    int i; Pack p; Node n;
    while (i < 7) {{ p = new Pack; p.more = packs; packs = p; i = i + 1; }}
    i = 0;
    while (i < 10) {{
      n = p.a; n.other = p.i; p.i.next = n;
      if (p.more == null) {{ p = packs; }} else {{ p = p.more; }}
      n = p.e; p.b.next = n; i = i + 1; p.b.value = i; p.c.next = p.b; n.other = p.d; n.next = p.g;
      p.a = p.e; p.e = p.h; p.h = n;
    }}
    assert(i == 0);
  }}
}};
"""
DEADLOCK = "class Main { static bool a; activate static void main() { select { wait(a) -> ; } } };\n"
PROVED = "int main(void) { int i = 0;\n while (i < 10) i++;\n assert(i == 10); return 0; }\n"
NEVER = "decl g;\nvoid main() begin\n  g := 0;\n  if (g) then\n    skip;\n  fi\n  assert(!g);\nend\n"
ENDLESS = "decl g; void main() begin A: g := 1;\nwhile (1) do B: f(); od end\nvoid f() begin C: skip; end\n"
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def long() -> Result:
    return knaster.check(LONG)


def test_script_and_style_are_small() -> None:
    assert len((package_text("page.js") + package_text("page.css")).encode()) < 40_000


def test_a_page_of_200_steps_is_small_and_stands_alone(long: Result) -> None:
    text = stepped_page(long)
    page = Page(text)
    steps = int(page.having("data-steps")[0]["data-steps"] or 0)
    assert 180 <= steps <= 200 and page.having("data-step", "1")
    assert len(text.encode()) < 300_000
    assert "says: </script><b> & done" in data_of(text)["said"].values()


def test_a_page_of_200_steps_that_rearrange_60_cells_is_small() -> None:
    text = stepped_page(knaster.check(SIXTY))
    assert len(data_of(text)["heap"]["steps"][-1][3]) >= 60
    assert len(text.encode()) < 300_000


def test_a_page_says_why_no_thread_can_move() -> None:
    text = stepped_page(knaster.check(DEADLOCK))
    assert "thread 1 waits in main at line 1: wait(a), a=false" in text


def test_panels_of_a_run(long: Result) -> None:
    page = Page(stepped_page(knaster.check(EXAMPLES / "threads" / "par-recursion-bad.bp")))
    panels = {each["data-panel"] for each in page.having("data-panel")}
    assert panels == {"source", "targets", "calls", "values", "threads"}
    assert page.having("role", "tree") and page.having("aria-live", "polite") and page.having("type", "search")
    heap = {each["data-panel"] for each in Page(stepped_page(long)).having("data-panel")}
    assert "heap" in heap and "threads" not in heap


def test_every_line_of_the_source_is_there_and_the_run_without_scripts() -> None:
    result = knaster.check(EXAMPLES / "figure1.bp", "R")
    text = stepped_page(result)
    lines = [int(each["data-line"] or 0) for each in Page(text).having("data-line")]
    assert lines == list(range(1, result.program.source.count("\n") + 1))
    plain = text.partition("<noscript>")[2].partition("</noscript>")[0]
    assert plain.count("<tr>") == 1 + 17 and "R: skip" in plain


def test_a_lasso_has_its_cycle_and_says_how_it_goes_on() -> None:
    text = stepped_page(knaster.check(ENDLESS, property="F G !B"))
    data = data_of(text)
    assert data["cycle"] == 1 and not data["deeper"] and data["said"]["2"] == "holds: B"
    assert "and so on for ever: line" in text and "does not hold" in text


def test_a_lasso_that_grows() -> None:
    text = stepped_page(knaster.check("void main() begin f(); end\nvoid f() begin f(); end\n", property="termination"))
    assert data_of(text)["deeper"] and "the stack grows by one" in text


@pytest.mark.parametrize(
    ("property", "engine", "said"), [("reach", "horn", "always i"), ("termination", "ranking", "decreases each time: ")]
)
def test_what_was_proved_stands_at_its_line(property: str, engine: str, said: str) -> None:
    text = stepped_page(knaster.check(PROVED, file="p.c", property=property, engine=engine))
    line = text.partition('<div data-line="2"')[2].partition("</div>")[0]
    assert "data-proof" in line and said in line
    assert ('data-steps="0"' in text and "unreachable" in text) or "holds" in text


def test_what_no_run_reaches_is_said() -> None:
    page = Page(stepped_page(knaster.check(NEVER)))
    assert [each["data-line"] for each in page.having("data-unreached")] == ["5"]
    assert page.texts["span"].startswith("never reached")


def test_without_a_trace_there_is_nothing_to_step_through() -> None:
    page = Page(stepped_page(knaster.check(EXAMPLES / "figure1.bp", "R"), Form.NONE))
    assert page.having("data-steps", "0") and not page.having("role", "tree")


def test_nothing_known() -> None:
    page = Page(nothing_page("a<b.bp", "interrupted"))
    assert page.texts["h1"] == "a<b.bp" and "Interrupted." in page.texts["p"]


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    shown = result_in_notebook(knaster.check(EXAMPLES / "figure1.bp", "R"))
    assert shown.startswith("<iframe srcdoc=") and "R (line 12) is reachable (trace replayed)." in shown


def test_a_long_run_is_packed() -> None:
    text = "decl a, b, c, d, e, f;\nvoid main() begin\n" + "  a := !a;\n" * 3_000 + "  assert(F);\nend\n"
    page = stepped_page(knaster.check(text))
    assert '"packed":' in page and len(data_of(page)["line"]) == 3_001
    assert len(page.encode()) < 400_000 and "Here the table ends, after 400 steps." in page
