"""Which objects pointers may point to."""

from __future__ import annotations

from knaster.transform.regions.pointer_sets import DEAD, NULL, OBJECT, WILD, Base
from knaster.transform.regions.points_to import PointsTo
from knaster.transform.regions.scopes import find_scopes
from support.regions import read_with_memory


def solve(text: str) -> PointsTo:
    """Return the pointers of a text."""
    program = read_with_memory(text)
    found = PointsTo(program, list(program.procedures), {each.name: find_scopes(each) for each in program.procedures})
    found.solve()
    return found


def own(name: str, owner: str = "main") -> Base:
    """Return an object."""
    return Base(OBJECT, owner, name)


def test_assignments_calls_and_memory_are_followed() -> None:
    text = "int *id(int *a) { return a; } int main(void) { int x = 1, y = 2, *p = &x, **pp = &p; *pp = id(&y); "
    points = solve(text + "return *p; }")
    assert points.registers["id", "a"].bases == {own("y")}
    assert points.cells[own("p"), 0].bases == {own("x"), own("y"), NULL, WILD}


def test_assignments_go_one_way() -> None:
    points = solve("int main(void) { int x = 1, y = 2, *p = &x, *q = &y; if (x) p = q; return *p + *q; }")
    assert points.registers["main", "p"].bases == {own("x"), own("y")}
    assert points.registers["main", "q"].bases == {own("y")}


def test_fields_and_indices() -> None:
    text = "struct s { int a; int *p; }; int main(void) { struct s t[3]; int x = 1, i = 0; t[i].p = &x; t[1].a = 2; "
    points = solve(text + "return *t[i].p + t[1].a; }")
    assert points.strides[own("t")] == 16
    assert {key for key, _ in points.accesses[own("t")]} == {0, 8}
    assert points.cells[own("t"), 8].bases == {own("x"), NULL, WILD}


def test_what_points_to_an_object_after_its_end_may_be_dead() -> None:
    points = solve("int main(void) { int *p = 0; { int x = 1; p = &x; } return p == 0; }")
    assert points.registers["main", "p"].bases == {NULL, own("x"), DEAD}
