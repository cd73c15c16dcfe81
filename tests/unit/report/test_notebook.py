"""In a notebook, a result and a program draw themselves, and nothing takes forever."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import knaster
from knaster.calculus import evaluate, parse
from knaster.pushdown import Session, SystemBuilder, post_star, pre_star, project, single
from knaster.pushdown.domains import MinPath
from knaster.report.notebook import LARGEST, draw
from knaster.report.projection import projection_to_html
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
