"""Objects that pointers may ever point into: copies, loads, stores, the library, and bytes."""

from __future__ import annotations

import pytest

import knaster
from knaster.views.weighted.points_to import PointsTo

HEAD = "#include <stdlib.h>\n#include <string.h>\nint u, v;\n"


def targets(body: str, name: str) -> set[str]:
    program = knaster.parse(f"{HEAD}int main(void) {{ {body} return 0; }}\n", file="p.c")
    return {each.name for each in PointsTo(program).of_variable("main", name)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int *p = &u, *q = p; p = &v;", {"u", "v"}),
        ("int *p = &u, **s = &p, *q = *s;", {"u"}),
        ("int *p, **s = &p; *s = &v; int *q = p;", {"v"}),
        ("int *q = malloc(4); free(q);", {"malloc@4"}),
        ("int *q = (int *)((unsigned long)&u);", {"u"}),
        ("int *p = &u, *q; memcpy(&q, &p, sizeof p);", {"u"}),
        ("int *q = u == 1 ? &v : 0;", {"v"}),
    ],
)
def test_what_q_may_point_into(body: str, expected: set[str]) -> None:
    found = targets(f"{body} int *end = q;", "end")
    assert found == expected
