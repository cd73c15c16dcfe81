"""Each deliberate mistake in the checkers of C is seen: a false proof is believed, or a true one is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.evidence.traces.lasso import Recurrence
from knaster.frontends.c import parse
from knaster.frontends.text.options import COptions
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Call, Place, Program, old
from knaster.semantics.python_code import loop_heads
from support.mistakes.checkers_of_c import MISTAKES, mistaken

MACHINE, MATHEMATICAL = COptions(integers="machine"), COptions(integers="mathematical")


def at_places(program: Program, said: Mapping[Place, Expr], requires: Mapping[str, Expr]) -> Invariants:
    at: dict[Place, Expr] = {}
    for name in requires:
        procedure = program.procedure(name)
        at |= {(name, place): TRUE for place in (procedure.entry, procedure.exit, *loop_heads(procedure))}
    return Invariants(program, requires, {**at, **said})


def safe(
    text: str,
    requires: Mapping[str, Expr] | None = None,
    said: Callable[[Program], Mapping[Place, Expr]] = lambda _: {},
    without: Callable[[Program], list[Place]] = lambda _: [],
    targets: Callable[[Program], list[Target]] = lambda program: list(resolve_targets(program, None)),
) -> bool:
    """Tell whether invariants are believed to exclude the errors; all procedures require nothing unless said."""
    program = parse(text)
    named = {procedure.name: TRUE for procedure in program.procedures} if requires is None else requires
    proof = at_places(program, said(program), named)
    proof = Invariants(program, proof.requires, {p: e for p, e in proof.at.items() if p not in without(program)})
    return believed("invariants", "check_invariants", proof, program, targets(program))


def ends(
    text: str, measure: Callable[[Program], Mapping[Place, tuple[Expr, ...]]], options: COptions = MACHINE
) -> bool:
    program = parse(text, options=options)
    proof = at_places(program, {}, {procedure.name: TRUE for procedure in program.procedures})
    return believed("ranking", "check_ranking", Ranking(program, proof, measure(program)), program)


def recurs(text: str, condition: Expr, *inputs: tuple[int, int]) -> bool:
    program = parse(text)
    return believed("recurrence", "check_recurrence", program, head(program), Recurrence(condition, inputs))


def believed(module: str, check: str, *arguments: Any) -> bool:
    try:
        getattr(import_module(f"knaster.checkers.{module}"), check)(*arguments, Budget())
    except (InternalError, OutOfBudget):
        return False
    return True


def head(program: Program, name: str = "main") -> Place:
    return name, min(loop_heads(program.procedure(name)))


def heads(*names: str) -> Callable[[Program], Mapping[Place, tuple[Expr, ...]]]:
    return lambda program: {head(program): tuple(map(Var, names))}


def entries(name: str, *measure: Expr) -> Callable[[Program], Mapping[Place, tuple[Expr, ...]]]:
    return lambda program: {(name, program.procedure(name).entry): measure}


def exit_of(program: Program, name: str) -> Place:
    return name, program.procedure(name).exit


def calls(program: Program) -> list[Target]:
    """Return the places of main from which something is called."""
    edges = [edge for edge in program.procedure("main").edges if isinstance(edge.action, Call)]
    return [Target("call", "main", edge.source, 0) for edge in edges]


def ending_with(value: int) -> Callable[[Program], list[Target]]:
    return lambda program: [Target("end", "main", program.procedure("main").exit, 0, condition=equal("g", value))]


def unchanged(program: Program) -> Mapping[Place, Expr]:
    return {exit_of(program, "f"): Compare(Comparison.EQUAL, Var("n"), Var(old("n")))}


def small(program: Program) -> Mapping[Place, Expr]:
    main = program.procedure("main")
    return {("main", main.entry): equal("g", 0), ("main", main.exit): Compare(Comparison.AT_MOST, Var("g"), Const(6))}


def equal(name: str, value: int) -> Expr:
    return Compare(Comparison.EQUAL, Var(name), Const(value))


def at_least(name: str, value: int) -> Expr:
    return Compare(Comparison.AT_LEAST, Var(name), Const(value))


EITHER = "int main(void) { int x; if (nondet()) x = 1; else x = 2; assert(x == VALUE); return 0; }\n"
SETS = "int g; void f(void) { g = 1; } int main(void) { g = 0; f(); assert(g == 0); return 0; }\n"
GIVES = "int f(void) { return 1; } int main(void) { int x = 0; x = f(); assert(x == 0); return 0; }\n"
AGAIN = "void f(int n) { if (n > 0) f(n - 1); } int main(void) { f(nondet()); assert(0); return 0; }\n"
LOCAL = "int f(int x) { return x; } int main(void) { int x = 1; assert(f(nondet()) == x); return 0; }\n"
LATE = "int main(void) { int x = 0; while (x < 3) x++; assert(x < 3); return 0; }\n"
TWICE = "int main(void) { int x = nondet(), y = nondet(); assert(x == y); return 0; }\n"
DIVIDES = "int main(void) { int x = nondet(); while (1) { x = 5 / x; } return 0; }\n"
DOWN = "int main(void) { int x = nondet(); while (x CONDITION) x--; return 0; }\n"
CHANGES = "void f(int n) { n = n + 1; } int main(void) { f(nondet()); return 0; }\n"
BOTH = "int main(void) { int x = nondet(), y = nondet(); while (y > 0 && x > 0 && x < 99) { x++; y--; } return 0; }\n"
DEEP = "void f(int n) { if (n > 0) f(n); } int main(void) { f(nondet()); return 0; }\n"
OVER = "void f(void) { } int main(void) { while (1) f(); return 0; }\n"
NESTED = "void f(int i) { int j = 0; while (i > 0) { f(i); i--; } } int main(void) { f(nondet()); return 0; }\n"
HARD = """unsigned long read(void); int main(void) {
  unsigned long x = read() % 2000000, y = read() % 2000000, z = read() % 2000000;
  if (x > 1 && y > 1) assert(x * x * x + y * y * y != z * z * z);
  return 0; }
"""  # true, and nobody can show it in a few seconds
READS = "int main(void) { while (nondet() == 7) ; return 0; }\n"
MAYBE = "int g; int main(void) { if (nondet()) g = 1; return 0; }\n"


def _in_f(program: Program) -> Mapping[Place, tuple[Expr, ...]]:
    return {head(program, "f"): (Var("i"),)}


SEEN: Mapping[str, Callable[[], bool]] = {
    "where ways meet the values are those of one": lambda: (
        not safe(EITHER.replace("VALUE", "1")) and not safe(EITHER.replace("VALUE", "2"))
    ),
    "only one of the ways that meet is taken": lambda: (
        not safe(EITHER.replace("VALUE", "1")) and not safe(EITHER.replace("VALUE", "2"))
    ),
    "all edges out of a location are taken": lambda: not safe(EITHER.replace("VALUE", "3")),
    "a call leaves globals as they were": lambda: not safe(SETS) and not safe(SETS, {"main": TRUE}),
    "a call has no results": lambda: not safe(GIVES, {"main": TRUE}),
    "a callee has the locals of its caller": lambda: not safe(LOCAL, {"main": TRUE}),
    "cycles without a place are walked around": lambda: not safe(LATE, without=lambda program: [head(program)]),
    "an input is read once": lambda: not safe(TWICE),
    "a procedure that is left out is never called": lambda: not safe(AGAIN, {"main": TRUE}),
    "old values are those of now": lambda: (
        not safe(
            CHANGES, said=lambda program: {exit_of(program, "f"): Compare(Comparison.EQUAL, Var("n"), Var(old("n")))}
        )
    ),
    "an operator that has no value goes on": lambda: not recurs(DIVIDES, TRUE),
    "facts hold nowhere": lambda: not safe(EITHER.replace("VALUE", "1")),
    "what is to be shown is not denied": lambda: safe(EITHER.replace("x == VALUE", "x > 0")),
    "an unknown answer is a good one": lambda: not safe(HARD),
    "nothing is asked of the start": lambda: not safe(TWICE, {"main": FALSE}),
    "nothing is asked of entries": lambda: (
        not safe(TWICE, said=lambda program: {("main", program.procedure("main").entry): FALSE})
    ),
    "nothing is asked of calls": lambda: (
        not safe(AGAIN, {"main": TRUE, "f": FALSE}, lambda program: {exit_of(program, "f"): FALSE})
    ),
    "nothing is asked of places": lambda: not safe(SETS, said=lambda program: {exit_of(program, "f"): FALSE}),
    "nothing is asked of targets": lambda: not safe(SETS),
    "a target on the way is overlooked": lambda: not safe(SETS, targets=calls),
    "a condition of a target is overlooked": lambda: (
        safe(MAYBE, {"main": equal(old("g"), 0)}, small, targets=ending_with(7))
        and not safe(MAYBE, {"main": equal(old("g"), 0)}, small, targets=ending_with(1))
    ),
    "a measure may be negative": lambda: not ends(DOWN.replace("CONDITION", "< 9"), heads("x"), MATHEMATICAL),
    "a component before may increase": lambda: not ends(BOTH.replace("&& x < 99", ""), heads("x", "y")),
    "a cycle needs no point": lambda: not ends(DOWN.replace("CONDITION", "< 9"), lambda program: {}),
    "calls that are entered need not decrease": lambda: not ends(DEEP, entries("f", Var("n"))),
    "an entry needs no point": lambda: not ends(NESTED, _in_f),
    "a step over a call is none": lambda: not ends(OVER, lambda program: {head(program): (Const(0),)}),
    "invariants of measures are not checked": lambda: (
        not believed_with_false_invariants(DOWN.replace("CONDITION", "< 9"))
    ),
    "a recurrent set need not be entered": lambda: not recurs(DOWN.replace("CONDITION", "> 0"), at_least("x", 1)),
    "given inputs are forgotten": lambda: (
        not recurs(READS, TRUE, (1, 7)) and recurs(READS, TRUE, *((edge, 7) for edge in range(3)))
    ),
}


def believed_with_false_invariants(text: str) -> bool:
    program = parse(text)
    proof = at_places(program, {head(program): FALSE}, {"main": TRUE})
    return believed("ranking", "check_ranking", Ranking(program, proof, heads("x")(program)), program)


def test_there_is_a_proof_for_each_mistake() -> None:
    assert SEEN.keys() == MISTAKES.keys()


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen(mistake: str) -> None:
    assert SEEN[mistake](), mistake
    with mistaken(mistake):
        try:
            seen = not SEEN[mistake]()
        except (AssertionError, LookupError, RecursionError):  # it falls over
            seen = True
    assert seen, f"no proof shows: {mistake}"
