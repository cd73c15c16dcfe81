"""A part of a program is one where each edge does no more in the program; whatever else is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.parts import check_part
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.frontends.languages import load
from knaster.program.expression import FALSE, TRUE, Const, Var
from knaster.program.model import Action, Assign, Assume, Call, Program, Return
from knaster.program.objects import Handler
from knaster.transform.cones.reduction import ConeReduction

TEXT = """int in(void);
int a, b;
int pick(int p, int q) { b = q; return p; }
void other(void) { a = 1; }
void aside(void) { b = 2; }
int main(void) { a = pick(in(), 3); other(); aside(); if (b) b = 1; if (a > 2) assert(a); return 0; }
"""


def whole_and_part() -> tuple[Program, Program, Target]:
    program = load(TEXT, file="x.c")
    target = Target("assert", "main", program.procedure("main").failures[0], 6)
    return program, ConeReduction(program, Reach((target,))).part, target


def changed(part: Program, wanted: Callable[[Action], bool], action: Action) -> Program:
    """Return a part in which the first edge of main with such an action does another thing."""
    main = part.procedure("main")
    number = next(number for number, edge in enumerate(main.edges) if wanted(edge.action))
    edges = list(main.edges)
    edges[number] = replace(edges[number], action=action)
    others = [procedure for procedure in part.procedures if procedure.name != "main"]
    return replace(part, procedures=(*others, replace(main, edges=tuple(edges))))


def is_call(name: str) -> Callable[[Action], bool]:
    return lambda action: isinstance(action, Call) and action.procedure == name


def is_test(action: Action) -> bool:
    return isinstance(action, Assume) and action.condition != TRUE


@pytest.mark.parametrize(
    ("wanted", "action"),
    [
        (is_test, Assume(FALSE)),
        (is_call("other"), Assume(TRUE)),
        (is_call("pick"), Call("pick", (Const(1),), ("a",))),
        (is_call("pick"), Call("pick", (Var("b"),), ("a",))),
        (lambda action: isinstance(action, Assign), Assume(TRUE)),
        (lambda action: isinstance(action, Assign), Assign(("a",), (Const(0),))),
        (lambda action: isinstance(action, Return), Assume(TRUE)),
        (lambda action: action == Assume(TRUE), Assign(("a",), (Const(0),))),
    ],
)
def test_an_edge_that_does_less_than_the_program_is_refused(wanted: Callable[[Action], bool], action: Action) -> None:
    program, part, target = whole_and_part()
    check_part(program, part, [target])
    with pytest.raises(InternalError):
        check_part(program, changed(part, wanted, action), [target])


def test_a_part_of_which_something_is_missing_is_refused() -> None:
    program, part, target = whole_and_part()
    main = part.procedure("main")
    for wrong in (
        replace(part, init=FALSE),
        replace(part, globals=()),
        replace(part, globals=("a", "new")),
        replace(part, procedures=tuple(p for p in part.procedures if p.name != "main")),
        replace(part, procedures=(*part.procedures[:-1], replace(main, edges=main.edges[1:]))),
        replace(part, procedures=(*part.procedures[:-1], replace(main, exit=0))),
        replace(part, types=()),
        replace(part, threads=("other",)),
    ):
        with pytest.raises((InternalError, KeyError)):
            check_part(program, wrong, [target])
    with pytest.raises(InternalError):
        check_part(program, part, [replace(target, condition=TRUE)])


def test_a_whole_program_is_a_part_of_itself() -> None:
    for text in (
        "decl g; void main() begin g := !g; R: skip; end\n",
        "decl g; init(g); void main() begin R: skip; end\n",
    ):
        program = parse(text, "a.bp")
        (target,) = resolve_targets(program, "R")
        check_part(program, program, [target])


def test_states_that_are_enforced_have_no_parts() -> None:
    program = parse("decl g; void main() begin g := !g; R: skip; end\n", "a.bp")
    (target,) = resolve_targets(program, "R")
    main = program.procedure("main")
    with_enforce = replace(program, procedures=(replace(main, enforce=Var("g")),))
    with_handlers = replace(program, procedures=(replace(main, handlers=(Handler(0, "Oops", 0),)),))
    for whole, part in ((program, with_enforce), (with_enforce, program), (with_enforce, with_enforce)):
        with pytest.raises(InternalError, match="states are enforced"):
            check_part(whole, part, [target])
    with pytest.raises(InternalError, match="states are enforced"):
        check_part(with_handlers, program, [target])


def test_a_call_is_one_of_the_same_procedure_that_is_kept() -> None:
    program, part, target = whole_and_part()
    with pytest.raises(InternalError, match="does more in the program"):
        check_part(program, changed(part, is_call("other"), Call("pick", (), ())), [target])
    fewer = replace(part, procedures=tuple(each for each in part.procedures if each.name != "other"))
    with pytest.raises(InternalError, match="does more in the program"):
        check_part(program, fewer, [target])
