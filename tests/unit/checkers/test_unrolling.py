"""The check of a depth: a smaller one, another program and a copy that lacks something are refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.unrolling import check_copy, check_ending, check_unrolling
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.frontends.languages import load
from knaster.program.expression import FALSE
from knaster.program.model import Assume
from knaster.program.unrolling import unroll

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
