"""Variables that may be unset where they are read, and objects that live."""

from __future__ import annotations

from knaster.transform.regions.scopes import find_scopes
from support.regions import read_with_memory

TEXT = """int main(void) { int x, y, z = 1; if (z) x = 2; y = 3; { int o = 1; int *p = &o; z = *p; }
for (int j = 0; j < 2; j++) { int k; if (z) k = 1; z = k; } return x + y; }"""


def test_what_is_set_on_some_ways_only_may_be_unset() -> None:
    assert find_scopes(read_with_memory(TEXT).procedure("main")).unset == {"x", "k"}


def test_an_object_lives_from_its_beginning_to_its_end() -> None:
    procedure = read_with_memory(TEXT).procedure("main")
    scopes = find_scopes(procedure)
    alive = {edge.source for edge in procedure.edges if "o" in scopes.alive.get(edge.source, ())}
    assert alive and procedure.entry not in alive and not scopes.passed_over


def test_a_jump_over_a_declaration_is_noticed() -> None:
    text = "int main(void) { int n = 1; if (n) goto in; { int o = 2; in: ; int *p = &o; *p = 1; } return n; }"
    assert find_scopes(read_with_memory(text).procedure("main")).passed_over == {"o"}
