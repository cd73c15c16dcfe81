"""What the methods for programs with references find: regions that never end, and threads that have just started."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Reachable, Unknown, Verdict
from knaster.frontends.zing import parse

ENGINES = ("visible", "patterns", "transactions", "explicit")
LONGEST = (
    "knaster.semantics.heap.explore.LONGEST_REGION",
    "knaster.views.heap.turns.LONGEST_REGION",
    "knaster.evidence.traces.heap_ends.LONGEST_REGION",
    "knaster.checkers.heap.state_table.LONGEST_REGION",
)


def reached(body: str, engine: str, rest: str = "", target: str = "failures") -> list[str]:
    program = parse(f"class M {{ static int x;\nactivate static void main() {{ {body} }}\n{rest} }};\n")
    result = knaster.check(program, target, engine=engine)
    assert not any(isinstance(answer, Unknown) for _, answer in result.answers)
    assert all(answer.checked for _, answer in result.answers)
    return [target.name for target, answer in result.answers if isinstance(answer, Reachable)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("atomic { x = 1; while (true) { } }", ""),
        ("atomic { x = 1; while (x > 0) { x = 1; } }", ""),
        ("bool b; b = choose(bool); atomic { x = 3; while (b) { while (x > 0) { x = x - 1; } x = 3; } }", ""),
        ("atomic { x = 1; while (true) { g(); } }", "static void g() { x = 1 - x; }"),
        (
            "bool b; b = choose(bool); if (b) { x = 1; g(); } else { g(); }",
            "static void g() { atomic { L: x = 2; goto L; } }",
        ),
        ("atomic { f(); }", "static void f() { f(); }"),
        ("atomic { f(); }", "static void f() { x = 1 - x; g(); } static void g() { f(); }"),
        (
            "atomic { x = 1; g(); }",
            "static void g() { bool b; b = choose(bool); if (b) { h(); } } static void h() { h(); }",
        ),
    ],
)
def test_regions_that_never_end(engine: str, body: str, rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in LONGEST:
        monkeypatch.setattr(place, 2000)
    assert reached(body, engine, rest) == ["endless-atomic"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("atomic { x = 9; while (x > 0) { x = x - 1; } }", ""),
        ("bool b; atomic { x = 1; while (x > 0) { b = choose(bool); if (b) { x = 0; } } }", ""),
        (
            "bool b; atomic { x = 1; while (x > 0) { g(); } }",
            "static void g() { bool b; b = choose(bool); if (b) { x = 0; } }",
        ),
        ("while (true) { atomic { x = 1; x = 0; } }", ""),
        ("L: ; atomic { x = 1; goto L; }", ""),
        ("f(3);", "static atomic void f(int k) { if (k > 0) { f(k - 1); } }"),
        ("atomic { f(); }", "static void f() { bool b; b = choose(bool); if (b) { f(); } }"),
        ("atomic { g(); g(); }", "static void g() { x = 1 - x; }"),
    ],
)
def test_regions_that_end(engine: str, body: str, rest: str) -> None:
    if engine == "explicit" and "{ f(); }" in body:
        return  # it has no end of states
    assert reached(body, engine, rest) == []


@pytest.mark.parametrize("reduction", ["none", "local"])
def test_a_thread_that_was_started_stands_before_its_first_statement(reduction: str) -> None:
    program = parse(
        "class M { static int x; activate static void main() { async w(); assume(false); }\n"
        "static void w() { L: x = 2; N: x = 3; } };\n"
    )
    result = knaster.check(program, ["L", "N"], engine="explicit", reduction=reduction)
    assert [(target.name, isinstance(answer, Reachable), answer.checked) for target, answer in result.answers] == [
        ("L", True, True),
        ("N", True, True),
    ]


@pytest.mark.parametrize("engine", ["auto", "visible", "patterns", "explicit"])
@pytest.mark.parametrize("target", ["any failure", "failures"])
def test_a_thread_that_cannot_go_on_inside_an_atomic_region_is_no_deadlock(engine: str, target: str) -> None:
    text = """class Main { static int x;
  activate static void main() { atomic { x = 1; select { wait(x == 0) -> ; } } } };
"""
    at_its_start = text.replace("x = 1; ", "").replace("x == 0", "x == 1")
    for model, kind in ((text, "blocked-select"), (at_its_start, "deadlock")):
        result = knaster.check(model, target, engine=engine)
        found = [answer for _, answer in result.answers if isinstance(answer, Reachable)]
        assert [each.failure.kind for each in found if each.failure is not None] == [kind] and found[0].checked


def test_only_methods_without_parameters_can_be_started() -> None:
    text = """class Main { static int x;
  activate static void main() { f(1); }
  static void other() { x = 1; assert(x == 2); }
  static void f(int k) { x = k; } };
"""
    assert knaster.check(text).verdict is Verdict.TRUE
    assert knaster.check(text, entry="other").verdict is Verdict.FALSE
    with pytest.raises(SourceError, match="'f' cannot be started, it has parameters"):
        knaster.check(text, entry="f")


GROWS = """class C { C f; };
class Main {
  static C h;
  activate static void main() { h = new C; m(); }
  static C m() { bool again; again = choose(bool); if (again) { m(); } h.f = new C; h = h.f; return h; }
};
"""


def test_effects_that_grow_without_end_are_given_up() -> None:
    """What m leaves behind has one cell more for each call inside it; no path of m stands anywhere in between."""
    result = knaster.check(GROWS, engine="patterns", changes=30)
    assert result.verdict is Verdict.UNKNOWN and "one call has changed more than 30 places" in result.reason
    assert "largest heap 29" in result.reason
    result = knaster.check(GROWS, engine="patterns", edges=40)
    assert result.verdict is Verdict.UNKNOWN and "one call has more than 40 effects" in result.reason
    assert knaster.check(GROWS, engine="visible").verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ["visible", "patterns"])
def test_what_is_remembered_in_all_has_a_limit(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.views.heap.summary_tables.MOST_HELD", 1000)
    grows = "class C { C f; }; class M { static C g; activate static void main() { C n; while (true) { %s } } };\n"
    result = knaster.check(grows % "n = new C; n.f = g; g = n;", engine=engine)
    assert result.verdict is Verdict.UNKNOWN and "changed more than 1,000 places in all" in result.reason
    assert knaster.check(grows % "n = new C;", engine=engine).verdict is Verdict.TRUE
