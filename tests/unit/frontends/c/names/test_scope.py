"""What an identifier of C means where it stands, and which variable of the model holds it."""

from __future__ import annotations

from support.c_text import messages, steps


def test_an_inner_name_hides_an_outer_one() -> None:
    assert steps("int x = g; { int x = 2; x = 3; } { int g = x; }", "int g;")[:4] == [
        *("0-1 x = g", "1-2 x#2 = 2", "2-3 x#2 = 3", "3-4 g#2 = x")
    ]


def test_a_static_local_is_a_global_of_its_function() -> None:
    found = steps("static int n = 1; n = 2; { static int n = 3; n = 4; }")
    assert found[:2] == ["0-1 main::n = 2", "1-2 main::n#2 = 4"]


def test_names_end_with_their_block() -> None:
    assert messages("int main(void) { { int x = 1; } return x; }\n") == ["use of undeclared identifier 'x'"]
    assert messages("int main(void) { struct P { int a; }; { struct Q { int b; }; } struct Q q; return 0; }\n") != []
