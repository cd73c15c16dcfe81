"""The check of a depth: a smaller one, another program and a copy that lacks something are refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.unrolling import check_copy, check_ending, check_unrolling
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.question import Target
from knaster.frontends.languages import load
from knaster.program.expression import FALSE, TRUE
from knaster.program.model import Assign, Assume, Call, Edge, Program
from knaster.program.unrolling import Unrolled, unroll

TEXT = """int in(void);
int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
int main(void) {
  int x = in(), i;
  if (x < 0 || x > 2) return 0;
  for (i = 0; i < 3; i++) x = x;
  assert(f(x) == x);
  return 0;
}
"""


def test_a_depth_that_is_enough_is_a_proof_and_a_smaller_one_is_none() -> None:
    result = knaster.check(TEXT, file="x.c", engine="unrolled")
    targets = [target for target, _ in result.answers]
    program = result.program
    assert check_unrolling(Unrolling(program, 3), program, targets, Budget())
    for depth in (0, 1, 2):
        with pytest.raises(InternalError):
            check_unrolling(Unrolling(program, depth), program, targets, Budget())
    wrong = load(TEXT.replace("== x", "< 2"), file="x.c")
    with pytest.raises(InternalError):
        check_unrolling(Unrolling(wrong, 3), wrong, targets, Budget())
    with pytest.raises(InternalError):
        check_unrolling(Unrolling(wrong, 3), program, targets, Budget())


def test_a_copy_that_lacks_something_is_none() -> None:
    program = load(TEXT, file="x.c")
    good = unroll(program, 2)
    check_copy(program, good)
    main = good.program.procedure("main")
    rest = tuple(one for one in good.program.procedures if one.name != "main")
    number = next(n for n, edge in enumerate(main.edges) if isinstance(edge.action, Assume))
    fewer = main.edges[:number] + main.edges[number + 1 :]
    closed = (*main.edges[:number], replace(main.edges[number], action=Assume(FALSE)), *main.edges[number + 1 :])
    astray = (*main.edges[:number], replace(main.edges[number], target=main.exit), *main.edges[number + 1 :])
    for edges in (fewer, closed, astray):
        changed = replace(good.program, procedures=(replace(main, edges=edges), *rest))
        with pytest.raises(InternalError):
            check_copy(program, replace(good, program=changed))
    with pytest.raises(InternalError):
        check_copy(program, replace(good, program=replace(good.program, init=FALSE)))


def refuses(program: Program, copy: Unrolled) -> None:
    with pytest.raises(InternalError):
        check_copy(program, copy)


def with_edge(good: Unrolled, old: Edge, new: Edge) -> Unrolled:
    """Return a copy in which one edge is another one."""
    (own,) = (one for one in good.program.procedures if any(edge is old for edge in one.edges))
    changed = replace(own, edges=tuple(new if edge is old else edge for edge in own.edges))
    procedures = tuple(changed if one is own else one for one in good.program.procedures)
    return replace(good, program=replace(good.program, procedures=procedures))


def test_every_edge_of_a_copy_is_as_that_of_the_program() -> None:
    program = load(TEXT, file="x.c")
    good = unroll(program, 2)
    main = good.program.procedure("main")
    stores = [edge for edge in main.edges if isinstance(edge.action, Assign)]
    refuses(program, with_edge(good, stores[0], replace(stores[0], action=Assume(TRUE))))
    more = [edge for edge in main.edges if ("main", edge.target) in good.more]
    refuses(program, with_edge(good, more[0], replace(more[0], action=Assume(FALSE))))
    check_copy(program, with_edge(good, more[0], replace(more[0], action=Assume(TRUE))))
    call = next(edge for edge in main.edges if isinstance(edge.action, Call) and edge.action.arguments)
    assert isinstance(call.action, Call)
    other = "main" if call.action.procedure != "main" else "f"
    for action in (
        Assume(TRUE),
        replace(call.action, arguments=()),
        replace(call.action, targets=(None,)),
        replace(call.action, procedure=other),
    ):
        refuses(program, with_edge(good, call, replace(call, action=action)))
    refuses(program, with_edge(good, call, replace(call, target=main.exit)))


def test_a_copy_begins_where_the_program_does_and_ends_at_its_exit_alone() -> None:
    program = load(TEXT, file="x.c")
    good = unroll(program, 2)
    called = next(one.name for one in good.program.procedures if one.name != "main")
    refuses(program, replace(good, program=replace(good.program, threads=(called,))))
    main = good.program.procedure("main")
    origin = program.procedure("main")
    inner = next(at for at in range(main.size) if at not in (main.entry, main.exit) and ("main", at) not in good.more)
    for at, wrong in (
        (main.entry, ("main", origin.exit)),
        (inner, ("main", origin.exit)),
        (inner, ("f", program.procedure("f").entry)),
    ):
        refuses(program, replace(good, origins={**good.origins, ("main", at): wrong}))


def test_a_copy_of_another_procedure_is_none_of_the_first() -> None:
    program = load("int f(void) { return 1; }\nint main(void) { int x = f(); assert(x == 2); return 0; }\n", file="x.c")
    good = unroll(program, 1)
    check_copy(program, good)
    other = next(one for one in good.program.procedures if good.origins[one.name, one.entry][0] == "f")
    origins = {("main", at): good.origins[other.name, at] for at in range(other.size)}
    procedures = (replace(other, name="main"), *(one for one in good.program.procedures if one.name != "main"))
    changed = replace(good.program, procedures=procedures)
    refuses(program, replace(good, program=changed, origins={**good.origins, **origins}))


def test_a_copy_has_one_exit() -> None:
    """A return that leads elsewhere would never come back to the caller."""
    program = load("int f(void) { return 1; }\nint main(void) { int x = f(); assert(x == 2); return 0; }\n", file="x.c")
    good = unroll(program, 1)
    other = next(one for one in good.program.procedures if good.origins[one.name, one.entry][0] == "f")
    (last,) = (edge for edge in other.edges if edge.target == other.exit)
    astray = with_edge(good, last, replace(last, target=other.size))
    origins = {**good.origins, (other.name, other.size): ("f", program.procedure("f").exit)}
    refuses(program, replace(astray, origins=origins))


def test_what_a_depth_does_not_exclude() -> None:
    program = load(TEXT, file="x.c")
    place = Target("here", "main", 1, 3)
    for own, target in (
        (program, replace(place, condition=TRUE)),
        (program, Target("leak", "", 0, 0, "leak")),
        (replace(program, threads=("main", "main")), place),
    ):
        with pytest.raises(InternalError, match="places of a sequential program"):
            check_unrolling(Unrolling(own, 3), own, [target], Budget())


def test_a_depth_that_is_enough_shows_that_every_run_ends() -> None:
    program = load(TEXT, file="x.c")
    assert check_ending(Unrolling(program, 3), program, Budget())
    for depth in (0, 1, 2):
        with pytest.raises(InternalError):
            check_ending(Unrolling(program, depth), program, Budget())
    endless = load(TEXT.replace("i++", "i = x"), file="x.c")
    with pytest.raises(InternalError):
        check_ending(Unrolling(endless, 6), endless, Budget())
    with pytest.raises(InternalError):
        check_ending(Unrolling(endless, 3), program, Budget())
