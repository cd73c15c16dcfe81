"""Affine forms: which expressions have one, and modulo what."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.model import Assign
from knaster.views.weighted.affine_forms import affine_form, bits_of

HEAD = "int main(void) {\nint i = 0, j = 0; unsigned u = 0; char c = 0; long l = 0; unsigned char b = 0;\n"


def form_of(statement: str, integers: str = "machine") -> tuple[int, dict[str, int]] | None:
    program = knaster.parse(f"{HEAD}{statement}\nreturn 0; }}\n", file="t.c", integers=integers)
    main = program.procedure("main")
    edge = next(edge for edge in main.edges if edge.span.line == 3 and isinstance(edge.action, Assign))
    assert isinstance(edge.action, Assign)
    types = program.types_in(main)
    form = affine_form(edge.action.values[0], {name: name for name in types}, types, bits_of(program))
    return None if form is None else (form[0], dict(form[1]))


@pytest.mark.parametrize(
    ("statement", "form"),
    [
        ("i = 2 * j + 3;", (3, {"j": 2})),
        ("i = j - i - 1;", (-1, {"j": 1, "i": -1})),
        ("i = -j;", (0, {"j": -1})),
        ("i = j << 3;", (0, {"j": 8})),
        ("i = i * j;", None),
        ("i = j / 2;", None),
        ("i = j & 1;", None),
        ("u = i;", (0, {"i": 1})),
        ("l = i;", (0, {"i": 1})),
        ("i = l;", (0, {"l": 1})),
        ("i = c;", (0, {"c": 1})),
        ("c = i;", None),
        ("c = 300;", (44, {})),
        ("b = c;", None),
        ("u = b;", (0, {"b": 1})),
        ("i = j > 0 ? 7 : 7;", (7, {})),
        ("i = j > 0 ? 7 : 8;", None),
    ],
)
def test_forms(statement: str, form: tuple[int, dict[str, int]] | None) -> None:
    assert form_of(statement) == form


def test_mathematical_integers_wrap_nowhere() -> None:
    assert form_of("i = 2 * j + 3;", "mathematical") == (3, {"j": 2})


def test_the_width_of_most_variables() -> None:
    assert bits_of(knaster.parse(HEAD + "return 0; }\n", file="t.c")) == 32
    assert bits_of(knaster.parse("long a, b; int main(void) { return 0; }\n", file="t.c")) == 64
    assert bits_of(knaster.parse("decl g; void main() begin skip; end\n")) == 1
    assert bits_of(knaster.parse("int main(void) { return 0; }\n", file="t.c", integers="mathematical")) is None
