"""In a notebook, a result and a program draw themselves, and nothing takes forever."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

import knaster
from knaster.calculus import evaluate, parse
from knaster.pushdown import Session, SystemBuilder, post_star, pre_star, project, single
from knaster.pushdown.domains import MinPath
from knaster.report.notebook import LARGEST, draw
from knaster.report.stepper.projection_page import projection_to_html
from support import ROOT

FIGURE_1 = ROOT / "examples" / "figure1.bp"


def test_a_result_draws_itself() -> None:
    result = knaster.check(FIGURE_1, "R")
    page, picture = result._repr_html_(), result._repr_svg_()
    assert "R (line 12) is reachable (trace replayed)." in page and page.startswith("<iframe")
    assert picture is not None and 'class="taken"' in picture
    ElementTree.fromstring(picture)
    assert repr(result) == f"<Result {FIGURE_1}: FALSE, R is reachable>"


def test_a_program_draws_itself(tmp_path: Path) -> None:
    program = knaster.parse(FIGURE_1)
    drawing = knaster.draw(program)
    assert program._repr_svg_() == drawing._repr_svg_()  # type: ignore[attr-defined]
    assert drawing.to_svg() in drawing._repr_html_()
    drawing.save(tmp_path / "figure1.svg")
    assert (tmp_path / "figure1.svg").read_text("utf-8") == drawing.to_svg()


def test_a_proof_has_no_trace() -> None:
    result = knaster.check("void main() begin\n  assert(T);\nend\n")
    assert "cannot fail" in result._repr_html_()
    assert draw(result).trace is None


def test_a_large_program_is_not_drawn_unasked() -> None:
    text = "void main() begin\n  decl x;\n" + "  x := !x;\n" * (LARGEST + 1) + "  ERROR: skip;\nend\n"
    result = knaster.check(text)
    assert result._repr_svg_() is None and "control flow" not in result._repr_html_()
    assert "<svg" in draw(result).to_svg()


def test_several_targets_are_listed() -> None:
    result = knaster.check("void main() begin\n  decl x;\n  assert(x);\n  assert(T);\nend\n")
    page = result._repr_html_()
    assert "assert at line 3" in page and "&gt;unreachable&lt;" in page


def test_a_projection_shows_itself_in_a_frame() -> None:
    projection = knaster.project(FIGURE_1, "R", annotate=True)
    assert repr(projection) == f"<Projection {FIGURE_1}: 11 of 12 lines can matter for R>"
    frame = projection._repr_html_()
    ElementTree.fromstring(frame)
    assert unescape(frame.split('"')[1]) == projection_to_html(projection)


def test_nothing_prints_pages_in_a_prompt() -> None:
    """What a user gets at a prompt fits into a line or two, however large it is."""
    program = knaster.parse(FIGURE_1)
    assert repr(program) == f"<Program {FIGURE_1}: 2 procedures, 14 edges>"
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "p", "b", "c", weight=1)
    builder.rule("p", "b", "p", weight=1)
    system = builder.build()
    assert repr(system) == "<PushdownSystem over MinPath: 2 rules>"
    for engine in ("plain", "fast"):
        answer = post_star(system, single("p", "a"), engine=engine)
        assert repr(answer) == f"<Answer to post* of {system!r}: {len(answer)} transitions>"
    assert repr(pre_star(system, single("p", "c"))).startswith("<Answer to pre* of")
    assert repr(Session(system)) == f"<Session with {system!r}>"
    found = project(system, single("p", "a"), single("p", "c"))
    assert repr(found) == f"<Projection of {system!r}: 3 nodes>"
    text = "mu bool R(bool a) (a = 1); R(1); #ons R;"
    solution = evaluate(parse(text))
    assert repr(solution) == "<Solution: queries [True], counts {'R': 1}>"
    assert repr(solution.session) == "<Session <System: R>>"
    assert repr(solution.relation("R")) == "<Relation R: 1 of 2 tuples>"


@pytest.mark.parametrize(
    ("file", "text", "mark"),
    [
        ("a.bp", "decl x := 0;\nvoid main() begin while (!x) do skip; od end\n", 'class="again"'),
        (
            "a.bp",
            "decl x := 0;\nvoid main_1() begin while (!x) do skip; od end\nvoid main_2() begin x := 1; end\n",
            'class="cycle"',
        ),
        (
            "a.bp",
            "void main_1() begin f(); end void f() begin f(); end void main_2() begin skip; end\n",
            'class="cycle"',
        ),
        (
            "a.zing",
            "class M { static bool x; activate static void a() { while (!x) { x = x; } }\n"
            "activate static void b() { x = true; } };\n",
            'class="again"',
        ),
    ],
)
def test_the_cycle_of_a_run_that_never_ends_is_marked(file: str, text: str, mark: str) -> None:
    picture = knaster.draw(knaster.check(text, file=file, property="termination")).to_svg()
    ElementTree.fromstring(picture)
    assert mark in picture


def test_a_run_that_has_ended_has_no_cycle() -> None:
    text = "void main_1() begin skip; end void main_2() begin skip; end\n"
    picture = knaster.draw(knaster.check(text, property="G !ended")).to_svg()
    assert "thread 2" in picture and 'class="cycle"' not in picture


def test_a_trace_of_a_result_draws_itself() -> None:
    for file in ("figure1.bp", "zing/philosophers-deadlock.zing"):
        trace = knaster.check(ROOT / "examples" / file, "R" if file.endswith(".bp") else None).trace
        assert trace is not None
        picture = trace._repr_svg_()
        assert picture is not None and picture.startswith("<svg")
        assert (trace[0].to_svg() is None) == (not trace.has_heap)
