"""Each deliberate mistake in exact abstraction is seen on a small program, and never becomes a wrong answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest

pytest.importorskip("z3")

import knaster
from benchmarks.levels import levels
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, Limits
from knaster.evidence.traces.lasso import Recurrence
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Expr, IntegerOperator, Var, variables
from knaster.program.types import INTEGER
from support import exact_abstraction
from support.mistakes.c import MISTAKES, mistaken

READ = "extern int read(void); extern unsigned many(void);\n"
Predicates = Mapping[str, Sequence[str]]


def _sides(text: str, predicates: Predicates, label: str = "ERROR", **options: Any) -> Any:
    return sys.modules["support.exact_abstraction"].Sides(text, predicates, label, **options)


def _reach(text: str, predicates: Predicates, answer: str, **options: Any) -> bool:
    return bool(_sides(text, predicates, **options).reach() == answer)


def _endless(text: str, predicates: Predicates, answer: str, **options: Any) -> bool:
    return bool(_sides(text, predicates, **options).endless() == answer)


DOWN = READ + "int main(void) { int x = read(); while (x > 0) x = x - 1; return 0; }\n"
TWICE = DOWN.replace("x - 1", "x - 1 - (read() > 0)")
STUCK = "void stuck(void) { while (1) ; }\nint main(void) { stuck(); ERROR: return 0; }\n"
PASSED = "void callee(void) { PASSED: ; }\nint main(void) { while (1) { callee(); } return 0; }\n"
STOPS = READ + "int main(void) { int x = read(); while (1) { x = 5 / x; } return 0; }\n"
BELOW = READ + "int main(void) { unsigned x = many(); if (x == 0 && x - 1 > 5) { ERROR: ; } return 0; }\n"
MIXED = f"""{READ}int f(int a) {{ return a + 1; }}
int main(void) {{ int x = read(); int y = x; x = f(x); if (x > y) {{ ERROR: ; }} return 0; }}
"""
SWAP = f"""{READ}void swap(int a, int b) {{ if (a > b) swap(b, a); else if (a > 0) {{ ERROR: ; }} }}
int main(void) {{ int p = read(); int q = read(); if (p > 0) {{ if (q < 0) swap(p, q); }} return 0; }}
"""
SIGNS = {"main": ["p > 0", "q < 0", "p > q"], "swap": ["a > 0", "b > 0", "a < 0", "b < 0", "a > b"]}
OWN = f"""{READ}int next(int x) {{ x = x + 1; return x; }}
int main(void) {{ int x = read(); int y = next(x); if (y == x) {{ ERROR: ; }} return 0; }}
"""
APART = f"""{READ}int one(void) {{ int a = read(); return a; }}
int main(void) {{ if (one() > 0 && one() < 0) {{ ERROR: ; }} return 0; }}
"""
TURNS = """int main(void) {
  int x; while (x > 0) { while (x > 0 && x < 9) x = x - 1; if (x < -1) return 0; x = 1; } return 0;
}
"""
DEEPER = f"""{READ}void rec(int x, int y) {{ if (x <= 23 && x >= -42) rec(2 * y - 4, x + 1); }}
int main(void) {{ int n = read(); rec(n, n + 1); return 0; }}
"""
PLUS = f"""{READ}int plus(int x) {{ if (x == 0) return 7; return plus(x - 1) + 1; }}
int main(void) {{ return plus(read()); }}
"""
FIBONACCI = """int f(int n) { if (n < 1) return 0; if (n == 1) return 1; return f(n - 1) + f(n - 2); }
int main(void) { int x = f(9); if (x == 34) { ERROR: ; } return 0; }
"""
TWO = f"""{READ}int inner(int a) {{ return a; }}
int outer(int b) {{ int c; c = inner(b); return c; }}
int main(void) {{ int x = read(); while (x > 0) {{ x = outer(x); }} return 0; }}
"""
TWO_SIGNS = {"main": ["x > 0"], "outer": ["b > 0", "c > 0"], "inner": ["a > 0"]}


def _feasible() -> bool:
    sides = _sides(DOWN, {"main": ["x > 0", "x > 5"]})
    return all((False, True) not in sides.abstraction.minterms(place) for place in sides.paths.places())


def _recurrent(text: str, *conditions: Expr) -> bool:
    """Tell what the checker says of sets of states at the loop heads of main."""
    from knaster.semantics.python_code import loop_heads

    program = exact_abstraction.read(text, "machine")
    head, *heads = sorted(loop_heads(program.procedure("main")))
    others = tuple((("main", at), condition) for at, condition in zip(heads, conditions[1:], strict=True))
    try:
        check = import_module("knaster.checkers.recurrence").check_recurrence
        check(program, ("main", head), Recurrence(conditions[0], (), others), Budget())
    except InternalError:
        return False
    return True


def _comes_back(text: str) -> bool:
    """Tell whether a state that comes back is found along a lasso of the may side without predicates."""
    sides = _sides(text, {}, integers="machine")
    guess = import_module("knaster.engines.integers.yasm.lasso_path").guess_lasso
    return guess(sides.over, sides.over.endless(), sides.abstraction.oracle.session) is not None


def _changes() -> bool:
    """Tell whether x + y > 0 before and x > 0 after a way say that the change is y."""
    x, y = Var("x"), Var("y")
    after = Compare(Comparison.GREATER, x, Const(0))
    before = Compare(Comparison.GREATER, Arithmetic(IntegerOperator.ADD, x, y, INTEGER), Const(0))
    found = import_module("knaster.views.abstraction.normal_form").growth(after, before)
    return [set(variables(each)) for each in found] == [{"y"}, {"y"}]


def _suggests() -> bool:
    """Tell whether runs suggest what a function returns."""
    from knaster.program.evaluate import evaluate

    sides = _sides(PLUS, {})
    found = import_module("knaster.engines.integers.yasm.predicates_from_runs").suggest_predicates(
        sides.paths, lambda: None
    )
    said = [predicate for place, predicate in found if place == sides.paths.exits["plus"]]
    return bool(said) and all(evaluate(each, {"@0": 12, "\\old(x)": 5}, iter(())) for each in said)


def _guides() -> bool:
    """Tell whether a run to the error behind recursive calls is found without predicates."""
    sides = _sides(FIBONACCI, {})
    found = sides.over.reach(sides.targets)
    run = import_module("knaster.engines.integers.yasm.may_runs").find_may_run(
        sides.over, found, frozenset(sides.targets), lambda: None
    )
    return run is not None


def _more(number: int) -> Expr:
    return Compare(Comparison.GREATER, Var("x"), Const(number))


SAME = "int main(void) { int x; while (x > 0) x = 1; return 0; }\n"
LESS = "int main(void) { int x; while (x > 0) x = x - 1; return 0; }\n"
SEEN: Mapping[str, tuple[Callable[[], bool], ...]] = {
    "E1: what lies behind two returns is lost": (
        lambda: _endless(TWO, TWO_SIGNS, "yes"),
        lambda: _reach(levels(2, False), {"*": ["g < 0", "g > 0"]}, "yes"),
    ),
    "E2: calls are stepped over whatever they pass": (lambda: _endless(PASSED, {}, "no", avoid=["PASSED"]),),
    "must- on a cycle": (lambda: _endless(DOWN, {"main": ["x > 0"]}, "unknown"),),
    "the greatest instead of the least summaries": (lambda: not _sides(STUCK, {}).must_reach(),),
    "infeasible minterms are kept": (_feasible,),
    "mixed predicates survive a return": (lambda: _reach(MIXED, {"main": ["x > y"]}, "unknown"),),
    "formals are captured by actuals": (lambda: _reach(SWAP, SIGNS, "no"),),
    "unsigned numbers are unbounded": (lambda: _reach(BELOW, {}, "yes"),),
    "a recurrent set need not be entered again": (lambda: not _recurrent(LESS, _more(0)),),
    "some state of a recurrent set is enough": (lambda: not _recurrent(LESS, _more(0)),),
    "a composed callee writes what its caller has under the same name": (
        lambda: _reach(OWN, {"main": ["x > 0", "y > x"]}, "no", composed=True),
    ),
    "inputs of a composed call are chosen once": (lambda: _reach(APART, {}, "yes", composed=True),),
    "another recurrent set need not be entered": (lambda: not _recurrent(TURNS, _more(0), _more(1)),),
    "only one of several recurrent sets has to be left": (lambda: not _recurrent(TURNS, _more(0), _more(-3)),),
    "a state comes back as another one": (lambda: _comes_back(DEEPER),),
    "the change of a sum is taken for the sum": (_changes,),
    "an equation of runs loses the sign of its constant": (_suggests,),
    "a guided run never steps over a call": (_guides,),
    "must is may": (lambda: _endless(DOWN, {"main": ["x > 0"]}, "unknown"),),
    "a step may stop": (lambda: _endless(STOPS, {}, "unknown"),),
    "each predicate of must alone": (lambda: _endless(TWICE, {"main": ["x > 0"]}, "unknown"),),
    "partial summaries while the greatest set shrinks": (lambda: _endless(TWO, TWO_SIGNS, "yes"),),
}  # fmt: skip
TRUTH = (  # text, property, whether it fails over mathematical integers
    (DOWN, "termination", False),
    (STUCK, "reach", False),
    (MIXED, "reach", True),
    (SWAP, "reach", False),
    (BELOW, "reach", True),
    (levels(2, False), "reach", True),
)


def test_without_a_mistake_all_is_as_it_should_be() -> None:
    assert SEEN.keys() == MISTAKES.keys()
    assert all(right() for rights in SEEN.values() for right in rights)
    assert _recurrent(SAME, _more(0)) and _recurrent(TURNS, _more(0), _more(-2))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen(mistake: str) -> None:
    with mistaken(mistake):
        for right in SEEN[mistake]:
            try:
                seen = not right()
            except (AssertionError, LookupError, InternalError):  # it falls over
                seen = True
            assert seen, f"no program shows: {mistake}"
    assert all(right() for right in SEEN[mistake])


@pytest.mark.parametrize("mistake", [name for name in MISTAKES if "recurrent" not in name])
def test_a_mistake_is_never_answered(mistake: str) -> None:
    """Runs are replayed and proofs are checked by others, so a mistake is an internal error or no answer."""
    with mistaken(mistake):
        for text, property, fails in TRUTH:
            try:
                result = knaster.check(
                    text,
                    file="p.c",
                    engine="yasm",
                    property=property,
                    integers="mathematical",
                    limits=Limits(seconds=5),
                    refinements=2,
                )
            except (InternalError, AssertionError, LookupError):
                continue
            assert result.verdict.value in ("UNKNOWN", "FALSE" if fails else "TRUE"), f"{mistake}: {property}\n{text}"
