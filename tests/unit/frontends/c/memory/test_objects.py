"""Objects of a whole file."""

from __future__ import annotations

from knaster import check


def test_initial_values_name_what_is_defined_later() -> None:
    text = (
        "struct n { struct n *next; int v; };\nstruct n b, a = {&b, 1}, b = {&a, 2};\nint z[], *r = z, z[2] = {3, 4};\n"
    )
    text += "int main(void) { assert(a.next->next->next->v == 2 && r[1] == 4); return 0; }\n"
    assert check("#include <assert.h>\n" + text, file="a.c").verdict.value == "TRUE"
