"""What matters to a target: variables, branches, procedures."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.transform.cones.cone import Cone, can_be_cut, find_cone, procedures_called

TEXT = """int in(void);
void abort(void);
int a, b, c, d;
int twice(int p) { return p + p; }
void other(void) { while (b < 9) b = b + d; }
void never(void) { a = 0; }
int main(void) {
  a = in(); b = in(); c = in(); d = in();
  if (c > 3) abort();
  if (d > 3) abort();
  other();
  if (b > 2) d = 1; else d = 2;
  if (c < 2) a = twice(c);
  assert(a < 8);
  assert(b < 8);
  return 0;
}
"""


def program() -> Program:
    return load(TEXT, file="x.c")


def cone_of(number: int, *forced: tuple[str, int]) -> Cone:
    whole = program()
    return find_cone(whole, [("main", whole.procedure("main").failures[number])], forced)


def test_values_and_branches_that_flow_into_a_target_matter() -> None:
    cone = cone_of(0)
    assert cone.globals == {"a", "c"}
    assert set(cone.locals) == {"main", "twice"} and "p" in cone.locals["twice"]


def test_a_loop_that_changes_what_matters_does_too() -> None:
    cone = cone_of(1)
    assert cone.globals == {"b", "d"} and set(cone.locals) == {"main", "other"}


def test_a_branch_that_is_forced_matters() -> None:
    whole = program()
    filters = [place for place in cone_of(1).branches if place not in cone_of(0).branches]
    assert filters and {"b", "d"} & cone_of(0, *filters).globals
    assert all(place in cone_of(0, *filters).branches for place in filters if place[0] in whole.threads)


def test_procedures_that_nothing_calls_are_known() -> None:
    assert procedures_called(program()) == {"main", "twice", "other"}
    assert can_be_cut(program())
    assert not can_be_cut(load("void main() begin decl x; x := * constrain x; end\n", file="x.bp"))
