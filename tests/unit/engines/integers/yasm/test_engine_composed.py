"""Small procedures as parts of steps, runs that the may side guides, and predicates that runs suggest."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

import knaster
from knaster.engines.integers.yasm import engine as yasm
from knaster.engines.integers.yasm.predicates_from_runs import suggest_predicates
from knaster.evidence.answers.answer import Diverges, Result
from knaster.frontends.languages import spelling_of
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Expr, IntegerOperator, Var
from knaster.program.types import Int
from knaster.views.abstraction import discovery
from knaster.views.abstraction.normal_form import growth
from knaster.views.steps.cut import inlined_paths
from support.exact_abstraction import Sides, read

READ = "extern int read(void);\n"
TWISTED = f"""{READ}
int any(void) {{ int a; return a; }}
_Bool either(void) {{ _Bool a; return a; }}
int twice(int x) {{ int y = any(); if (y > x) return y; return x; }}
int loops(int x) {{ while (x > 0) x--; return x; }}
int calls(int x) {{ return loops(x); }}
int itself(int x) {{ if (x > 0) return itself(x - 1); return 0; }}
int many(int x) {{ if (x > 1) x++; if (x > 2) x++; if (x > 3) x++; return x; }}
int main(void) {{ return twice(calls(itself(many(either())))); }}
"""
SKIPS = "int f(void) { goto L; int x = 3; L: return x; }\nint main(void) { if (f() == 5) { ERROR: ; } return 0; }\n"


def check(text: str, property: str = "reach", integers: str = "mathematical", **options: object) -> Result:
    return knaster.check(
        text,
        file="test.c",
        engine="yasm",
        property=property,
        integers=integers,
        **options,  # type: ignore[arg-type]
    )


def test_what_is_composed() -> None:
    program = read(TWISTED)
    assert inlined_paths(program) == {"any", "either", "twice"}
    assert inlined_paths(program, ["any"]) == {"either"}


def test_what_nobody_wrote_is_an_input_of_a_composed_procedure() -> None:
    assert "f" in inlined_paths(read(SKIPS)) and check(SKIPS).verdict.value == "FALSE"


def test_a_composed_call_is_no_cut_point_and_has_its_own_inputs() -> None:
    sides = Sides(TWISTED, {}, composed=True)
    assert "any" not in sides.paths.points and all(
        site.callee not in ("any", "twice") for site in sides.paths.calls.values()
    )
    inputs = {path.inputs for some in sides.paths.leaving.values() for path in some}
    assert any(len({entry.name for entry in some}) == len(some) > 0 for some in inputs)


CHOOSING = f"""{READ}_Bool either(void) {{ _Bool a; return a; }}
int main(void) {{
  int x = read(); int y = read();
  while (either()) {{ if (either()) {{ if (x < 0) return 0; x = x + 1; }} else {{ y = read(); if (y < x) return 0; }} }}
  return 0;
}}
"""
GROWS = f"""{READ}_Bool either(void) {{ _Bool a; return a; }}
int main(void) {{ int x = read(); while (x > 0) {{ if (either()) x = x + 1; else x = x + 2; }} return 0; }}
"""
FOLLOWS = f"""{READ}int any(void) {{ int a; return a; }}
int main(void) {{
  int x = any(); int y = any();
  while (x > 0) {{ x = x + 1; y = any(); if (y != x) return 0; while (y > x) y--; }}
  return 0;
}}
"""
ENDS = f"""{READ}int less(int x) {{ return x - 1; }}
int main(void) {{ int x = read(); if (x > 3 || x < 0) return 0; while (x > 0) x = less(x); return 0; }}
"""


@pytest.mark.parametrize("text", [CHOOSING, GROWS, FOLLOWS])
def test_runs_that_never_end_over_calls_that_return(text: str) -> None:
    result = check(text, "termination")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.checked
    assert "A run never ends" in result.to_text()


def test_inputs_that_depend_on_the_state_need_sets_at_several_places() -> None:
    ((_, answer),) = check(FOLLOWS, "termination").answers
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.recurs is not None
    assert answer.lasso.recurs.others and not answer.lasso.recurs.inputs


def test_an_end_is_proved_without_composed_calls_where_the_measure_needs_them() -> None:
    result = check(ENDS, "termination")
    assert result.verdict.value == "TRUE" and all(answer.checked for _, answer in result.answers)


IDENTITY = """int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
int main(void) { int y = id(40); if (y != 40) { ERROR: ; } return 0; }
"""
FIBONACCI = """int f(int n) { if (n < 1) return 0; if (n == 1) return 1; return f(n - 1) + f(n - 2); }
int main(void) { int x = f(20); if (x == 6765) { ERROR: ; } return 0; }
"""
CHOSEN = f"""{READ}int id(int x) {{ if (x == 0) return 0; return id(x - 1) + 1; }}
int main(void) {{ int y = id(read()); if (y == 30) {{ ERROR: ; }} return 0; }}
"""


def rounds(result: Result) -> int:
    return int(str(result.stats["rounds"]))


def test_equations_of_runs_are_predicates() -> None:
    sides = Sides(IDENTITY, {})
    spell = spelling_of(sides.program).expression
    assert (("id", sides.paths.exits["id"][1]), "@0 == \\old(x)") in [
        (place, spell(predicate)) for place, predicate in suggest_predicates(sides.paths, lambda: None)
    ]
    for integers in ("mathematical", "machine"):
        result = check(IDENTITY, integers=integers)
        assert result.verdict.value == "TRUE" and rounds(result) <= 3
        assert all(answer.checked for _, answer in result.answers)


def test_without_them_there_is_a_predicate_for_each_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yasm, "suggest_predicates", lambda *_: ())
    assert rounds(check(IDENTITY, refinements=4)) == 4


@pytest.mark.parametrize(("text", "most"), [(FIBONACCI, 1), (CHOSEN, 3)])
def test_the_may_side_guides_runs(monkeypatch: pytest.MonkeyPatch, text: str, most: int) -> None:
    result = check(text)
    assert result.verdict.value == "FALSE" and rounds(result) <= most
    monkeypatch.setattr(yasm, "find_may_run", lambda *_: None)
    assert check(text, refinements=most).verdict.value == "UNKNOWN"


SUBTRACTS = f"""{READ}int main(void) {{
  int x = read(); int y = read();
  if (y >= 0) {{ while (x >= 0) {{ if (x > 9) x = x - y; else x = x - 2 * y; }} }}
  return 0;
}}
"""
RECURSES = f"""{READ}void rec(int x, int y) {{ if (x <= 23 && x >= -42) rec(2 * y - 4, x + 1); }}
int main(void) {{ int n = read(); rec(n, n + 1); return 0; }}
"""

CELLS = f"""{READ}int main(void) {{
  int a[9]; a[2] = read();
  while (a[2] >= 7) {{ a[2] = a[2] - 1; a[1 + 1] = read(); }}
  return 0;
}}
"""


@pytest.mark.parametrize(("text", "deeper"), [(SUBTRACTS, False), (RECURSES, True), (CELLS, False)])
@pytest.mark.parametrize("integers", ["machine", "mathematical"])
def test_a_state_that_comes_back_is_asked_of_the_solver(text: str, deeper: bool, integers: str) -> None:
    result = check(text, "termination", integers)
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.checked and rounds(result) <= 2
    assert answer.lasso is not None and answer.lasso.recurs is None and answer.lasso.deeper == deeper


@pytest.mark.parametrize("text", [SUBTRACTS.replace("y >= 0", "y > 0"), RECURSES.replace("n + 1", "n")])
def test_where_no_state_comes_back_none_is_found(text: str) -> None:
    assert check(text, "termination", refinements=2).verdict.value == "UNKNOWN"


ADDS = f"""{READ}int main(void) {{
  int x = read(); int y = read(); int z = read();
  while (x > 0) {{ x = x + y; y = y + z; z = z + 1; }}
  return 0;
}}
"""


@pytest.mark.slow
def test_a_bound_on_the_change_stands_for_many_on_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(ADDS, "termination").verdict.value == "FALSE"
    assert check(ADDS.replace("z + 1", "z - 1"), "termination", refinements=6).verdict.value == "UNKNOWN"
    monkeypatch.setattr(discovery, "growth", lambda *_: [])
    assert check(ADDS, "termination").verdict.value == "UNKNOWN"


@pytest.mark.parametrize(
    ("predicate", "before", "found"),
    [
        (("x", 0), ("x", "y", 0), ["y >= 0", "y > 0"]),
        (("x", 3), ("x", "x", 3), ["x >= 0", "x > 0"]),
        (("x", 3), ("x", 5), []),
    ],
)
def test_growth(predicate: tuple[str | int, ...], before: tuple[str | int, ...], found: list[str]) -> None:
    program = read("int main(void) { int x; int y; return 0; }")
    said = [spelling_of(program).expression(each) for each in growth(_above(predicate), _above(before))]
    assert said == found


def _above(parts: tuple[str | int, ...]) -> Expr:
    """Return that the sum of some variables is greater than a number, computed by a machine."""
    *names, bound = parts
    total: Expr = Var(str(names[0]))
    for name in names[1:]:
        total = Arithmetic(IntegerOperator.ADD, total, Var(str(name)), Int(32))
    return Compare(Comparison.GREATER, total, Const(int(bound)))


def test_a_guided_run_that_gets_lost_is_no_answer() -> None:
    text = FIBONACCI.replace("6765", "6766")
    assert check(text, refinements=1).verdict.value == "UNKNOWN"
