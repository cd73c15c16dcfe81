"""The variables that stand for objects and pointers."""

from __future__ import annotations

from knaster.program.types import Array, Int
from support.regions import reduce_text

INT = Int(32)


def test_a_struct_is_split_an_array_is_one_and_a_constant_pointer_is_none() -> None:
    text = "struct s { int a; char c; }; int main(void) { struct s x = {1, 2}, *p = &x; int v[5], i = 1, *q = v + 1; "
    text += "q[i] = 2; p->c = 3; if (x.c == 3 && x.a && v[i]) { ERROR: ; } return 0; }"
    main = reduce_text(text).program.procedure("main")
    types = dict(main.types)
    assert types["v"] == Array(INT, 5) and types["x.a"] == INT and types["x.c"] == Int(8)
    assert not [name for name in main.locals if name.startswith(("p", "q"))]


def test_a_pointer_with_two_objects_has_a_base_and_one_that_walks_an_index() -> None:
    text = "int main(void) { int x = 1, y = 2, v[3] = {0}, *p = x ? &x : &y, *q = v; q++; "
    main = reduce_text(text + "if (*p + *q) { ERROR: ; } return 0; }").program.procedure("main")
    assert "p.base" in main.locals and "q.index" in main.locals
    assert "p.index" not in main.locals and "q.base" not in main.locals


def test_objects_that_others_reach_are_variables_of_the_program() -> None:
    text = "void f(int *p) { *p = 1; } int main(void) { int x = 0, y = 0, *q = &y; f(&x); if (x + *q) { ERROR: ; } "
    program = reduce_text(text + "return 0; }").program
    assert program.globals == ("x",) and "y" in program.procedure("main").locals


def test_parts_have_the_names_of_their_fields() -> None:
    text = "struct s { int h; int buf[4]; struct { int x, y; } in; } g[3]; int main(void) { int i = 1; g[i].in.y = 2; "
    text += "g[i].h = 1; if (g[i].h + g[i].in.y) { ERROR: ; } return 0; }"
    assert set(reduce_text(text).program.globals) == {"g.h", "g.in.y"}
